package mmr

import "math/bits"

// LeavesMax is the highest number of leaves a range may have: node positions
// then fit 64 bits.
const LeavesMax = 1 << 62

// Size is the number of nodes of a range of n leaves.
//
// Spec: commonware §5.4.
func Size(n uint64) uint64 { return 2*n - uint64(bits.OnesCount64(n)) }

// LeafPosition is the node position of leaf i.
//
// Spec: commonware §5.4.
func LeafPosition(i uint64) uint64 { return 2*i - uint64(bits.OnesCount64(i)) }

// Node names a node by the first leaf below it and its height; the subtree
// holds 2^Height leaves and Start is a multiple of that.
type Node struct {
	Start  uint64
	Height uint8
}

// Position is the node position.
//
// Spec: commonware §5.4.
func (n Node) Position() uint64 {
	return LeafPosition(n.Start) + (2 << n.Height) - 2
}

// End is the location after the node's last leaf.
func (n Node) End() uint64 { return n.Start + 1<<n.Height }

// Index is the number of nodes of the same height to the left.
func (n Node) Index() uint64 { return n.Start >> n.Height }

// Left and Right are the children; the node must not be a leaf.
func (n Node) Left() Node { return Node{n.Start, n.Height - 1} }

// Right is the right child; the node must not be a leaf.
func (n Node) Right() Node { return Node{n.Start + 1<<(n.Height-1), n.Height - 1} }

// Peaks are the roots of a range's perfect trees, largest and leftmost first.
type Peaks struct {
	leaves uint64
}

// PeaksOf gives the peaks of a range of n leaves.
func PeaksOf(n uint64) Peaks { return Peaks{n} }

// Len is the number of peaks.
func (p Peaks) Len() int { return bits.OnesCount64(p.leaves) }

// All yields the peaks, leftmost first.
//
// Spec: commonware §5.4.
func (p Peaks) All(yield func(i int, peak Node) bool) {
	rest, start := p.leaves, uint64(0)
	for i := 0; rest != 0; i++ {
		h := uint8(bits.Len64(rest) - 1)
		if !yield(i, Node{start, h}) {
			return
		}
		start += 1 << h
		rest &^= 1 << h
	}
}

// Inactive counts the leading peaks whose leaves all lie below floor and whose
// height is at least least.
//
// Spec: commonware §5.4 (least 0), §5.5 (least 8).
func Inactive(n, floor uint64, least uint8) (count int) {
	for _, p := range PeaksOf(n).All {
		if p.End() > floor || p.Height < least {
			return count
		}
		count++
	}
	return count
}
