package mmr

import "github.com/cowboyinc/cowboy-go/chain/digest"

// Range is the peaks of a range and their folds, from which the root and every
// proof start. It is immutable.
type Range struct {
	leaves   uint64
	inactive int
	peaks    []digest.Hash
	folds    []digest.Hash // folds[i]: the inactive peaks up to i forward; the active ones from i on backward
	root     digest.Hash
}

// NewRange folds the given peaks, the first inactive of which lie below the
// floor.
//
// Spec: commonware §5.4.
func NewRange(h *Hasher, leaves uint64, inactive int, peaks []digest.Hash) Range {
	return (&Range{}).Next(h, leaves, inactive, peaks)
}

// Next is NewRange where r is a range of the same store at another time: folds of inactive peaks that both have are not computed again.
//
// Spec: commonware §5.4.
func (r *Range) Next(h *Hasher, leaves uint64, inactive int, peaks []digest.Hash) Range {
	n := Range{leaves: leaves, inactive: inactive, peaks: peaks}
	if len(peaks) == 0 {
		n.root = h.empty()
		return n
	}
	n.folds = make([]digest.Hash, len(peaks))
	for i := copy(n.folds, r.folds[:r.shared(inactive, peaks)]); i < inactive; i++ {
		n.folds[i] = peaks[i]
		if i > 0 {
			n.folds[i] = h.Fold(&n.folds[i-1], &peaks[i])
		}
	}
	for i := len(peaks) - 1; i >= inactive; i-- {
		n.folds[i] = peaks[i]
		if i+1 < len(peaks) {
			n.folds[i] = h.Fold(&peaks[i], &n.folds[i+1])
		}
	}
	var top digest.Hash
	switch {
	case inactive == 0:
		top = n.folds[0]
	case inactive == len(peaks):
		top = n.folds[inactive-1]
	default:
		top = h.Fold(&n.folds[inactive-1], &n.folds[inactive])
	}
	n.root = h.seal(leaves, inactive, &top)
	return n
}

// shared counts the leading peaks that are inactive in both ranges and the same.
func (r *Range) shared(inactive int, peaks []digest.Hash) (count int) {
	for count < min(r.inactive, inactive) && r.peaks[count] == peaks[count] {
		count++
	}
	return count
}

// Root is the root of a store over the range: the inactive peaks folded forward,
// the rest backward.
//
// Spec: commonware §5.4.
func (r *Range) Root() digest.Hash { return r.root }

// Prove makes the proof of the leaves [from, to), of which there is at least one,
// reading nodes inside their peaks from node. The error is that of node.
//
// Spec: commonware §5.6.
func (r *Range) Prove(from, to uint64, node func(Node) (digest.Hash, error)) (Proof, error) {
	p := Proof{Leaves: r.leaves, Inactive: uint64(r.inactive), Digests: make([]digest.Hash, 0, 32)}
	before := 0 // inactive peaks before the run
	for i, peak := range PeaksOf(r.leaves).All {
		if i == r.inactive || peak.End() > from {
			break
		}
		before++
	}
	if before > 0 {
		p.Digests = append(p.Digests, r.folds[before-1])
	}
	var inside [64]Node
	n := 0
	for i, peak := range PeaksOf(r.leaves).All {
		switch {
		case i < before:
		case peak.Start < to && from < peak.End():
			inside[n] = peak
			n++
		case peak.End() <= from || i < r.inactive:
			p.Digests = append(p.Digests, r.peaks[i])
		default:
			p.Digests = append(p.Digests, r.folds[i])
		}
		if peak.Start >= to && i >= r.inactive {
			break // the rest is in the suffix
		}
	}
	for _, peak := range inside[:n] {
		var err error
		if p.Digests, err = siblings(p.Digests, peak, from, to, node); err != nil {
			return Proof{}, err
		}
	}
	return p, nil
}

// siblings appends the roots of the largest subtrees of n outside [from, to).
func siblings(dst []digest.Hash, n Node, from, to uint64, node func(Node) (digest.Hash, error)) ([]digest.Hash, error) {
	if n.Start >= to || n.End() <= from {
		d, err := node(n)
		return append(dst, d), err
	}
	if n.Height == 0 {
		return dst, nil
	}
	dst, err := siblings(dst, n.Left(), from, to, node)
	if err != nil {
		return dst, err
	}
	return siblings(dst, n.Right(), from, to, node)
}
