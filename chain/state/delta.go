package state

import (
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// NoLocation stands for "the key was absent".
const NoLocation = ^uint64(0)

// Delta is what one block appended: all that a ledger has to keep of it. It is
// immutable.
type Delta struct {
	Height unit.Height
	Start  uint64 // location of the first operation
	Floor  uint64
	Root   digest.Hash

	// Previous gives, for each operation, the location it took the place of: the
	// key's earlier operation, or for the commit the earlier commit. NoLocation
	// means that the key was absent; a location
	// at or above Start was taken inside the block.
	Previous []uint64

	data     []byte
	ends     []int
	first    uint64     // chunk of subtrees[0]
	subtrees []*Subtree // chunks the block completed
}

// Len is the number of operations.
func (d *Delta) Len() int { return len(d.ends) }

// End is the location after the last operation.
func (d *Delta) End() uint64 { return d.Start + uint64(len(d.ends)) }

// Operation is the encoding of operation i of the block.
func (d *Delta) Operation(i int) []byte {
	from := 0
	if i > 0 {
		from = d.ends[i-1]
	}
	return d.data[from:d.ends[i]:d.ends[i]]
}

// Bytes is the encoding of all operations, end to end, and the offsets at which
// each of them ends.
func (d *Delta) Bytes() (data []byte, ends []int) { return d.data, d.ends }

// Subtrees are the subtrees over the chunks the block completed, the first of
// them over chunk first.
func (d *Delta) Subtrees() (first uint64, subtrees []*Subtree) { return d.first, d.subtrees }

// subtree gives the subtree over chunk if this block completed it.
func (d *Delta) subtree(chunk uint64) *Subtree {
	if chunk < d.first || chunk-d.first >= uint64(len(d.subtrees)) {
		return nil
	}
	return d.subtrees[chunk-d.first]
}
