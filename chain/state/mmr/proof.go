package mmr

import (
	"errors"

	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/digest"
)

// DigestsMax bounds the digests of a proof for each proven leaf when decoding.
//
// Spec: commonware §5.6.
const DigestsMax = 122

// ErrProof reports a proof that does not lead to the expected root.
var ErrProof = errors.New("proof does not match the root")

// Proof links a run of leaves to a root.
//
// Digests are, in this order: one forward accumulator of the inactive peaks
// wholly before the run, if any; the active peaks before it; the inactive peaks
// after it; one backward accumulator of the active peaks after it, if any; then
// the siblings inside the peaks that hold the run, depth first, left to right.
//
// Spec: commonware §5.6.
type Proof struct {
	Leaves   uint64
	Inactive uint64
	Digests  []digest.Hash
}

// Append appends the encoding: UInt leaves ‖ UInt inactive ‖ Vec<digest>.
//
// Spec: commonware §5.6.
func (p *Proof) Append(dst []byte) []byte {
	dst = codec.AppendUint(dst, p.Leaves)
	dst = codec.AppendUint(dst, p.Inactive)
	dst = codec.AppendLen(dst, len(p.Digests))
	for i := range p.Digests {
		dst = append(dst, p.Digests[i][:]...)
	}
	return dst
}

// ReadProof reads a proof of at most elements leaves; errors stay in r.
//
// Spec: commonware §5.6.
func ReadProof(r *codec.Reader, elements int) Proof {
	p := Proof{Leaves: r.Uint(), Inactive: r.Uint()}
	n := r.Len(0, DigestsMax*elements, digest.Size)
	if r.Err() != nil {
		return Proof{}
	}
	if p.Leaves > LeavesMax || p.Inactive > 64 {
		r.Fail(codec.ErrInvalid, p.Leaves)
		return Proof{}
	}
	p.Digests = make([]digest.Hash, n)
	for i := range p.Digests {
		r.Into(p.Digests[i][:])
	}
	return p
}

// Mix changes the digest of a subtree root of the given height on the way up;
// the grafted tree of an authenticated store mixes its bitmap in this way.
type Mix func(n Node, d digest.Hash) digest.Hash

// Reconstruct computes the root that the proof gives for the leaves [from, to),
// whose elements are given in order. mix may be nil. It answers ErrProof when a
// digest is missing or left over or the numbers are impossible.
//
// Spec: commonware §5.6.
func (h *Hasher) Reconstruct(p *Proof, from uint64, elements [][]byte, mix Mix) (digest.Hash, error) {
	to := from + uint64(len(elements))
	peaks := PeaksOf(p.Leaves)
	if len(elements) == 0 || to < from || to > p.Leaves || p.Leaves > LeavesMax || p.Inactive > uint64(peaks.Len()) {
		return digest.Hash{}, ErrProof
	}
	w := walk{hasher: h, digests: p.Digests, from: from, to: to, elements: elements, mix: mix}
	inactive := int(p.Inactive)
	// The peaks outside the run come first in the proof, those that hold it
	// are rebuilt from the digests that follow.
	type place struct {
		peak   Node
		held   bool
		digest digest.Hash
	}
	var list [66]place
	n, heads := 0, 0
	tail := false // the accumulator of the active peaks after the run is taken
	for i, peak := range peaks.All {
		switch {
		case peak.Start < to && from < peak.End():
			list[n] = place{peak: peak, held: true}
		case i < inactive && peak.End() <= from && i > 0:
			heads++ // part of the accumulator taken for the first peak
			continue
		case i >= inactive && peak.Start >= to && tail:
			continue // part of the accumulator already taken
		default:
			d, ok := w.take()
			if !ok {
				return digest.Hash{}, ErrProof
			}
			list[n] = place{digest: d}
			tail = i >= inactive && peak.Start >= to
		}
		n++
	}
	folded := make([]digest.Hash, n)
	for i := range list[:n] {
		folded[i] = list[i].digest
		if list[i].held {
			folded[i] = w.subtree(list[i].peak)
		}
	}
	if w.short || len(w.digests) != 0 {
		return digest.Hash{}, ErrProof
	}
	return h.rootOf(p.Leaves, inactive, inactive-heads, folded), nil
}

// rootOf folds places of which the first few stand for all inactive peaks.
func (h *Hasher) rootOf(leaves uint64, inactive, few int, folded []digest.Hash) digest.Hash {
	if few == len(folded) {
		acc := h.foldForward(folded)
		return h.seal(leaves, inactive, &acc)
	}
	acc := folded[len(folded)-1]
	for i := len(folded) - 2; i >= few; i-- {
		acc = h.Fold(&folded[i], &acc)
	}
	if few > 0 {
		prefix := h.foldForward(folded[:few])
		acc = h.Fold(&prefix, &acc)
	}
	return h.seal(leaves, inactive, &acc)
}

// walk consumes a proof's digests while rebuilding subtrees.
type walk struct {
	hasher   *Hasher
	digests  []digest.Hash
	from, to uint64
	elements [][]byte
	mix      Mix
	short    bool
}

func (w *walk) take() (d digest.Hash, ok bool) {
	if len(w.digests) == 0 {
		w.short = true
		return d, false
	}
	d = w.digests[0]
	w.digests = w.digests[1:]
	return d, true
}

// subtree rebuilds the digest of a node. A subtree outside the run is taken from
// the proof as it is: what is taken has already been mixed.
func (w *walk) subtree(n Node) digest.Hash {
	if w.short {
		return digest.Hash{}
	}
	if n.Start >= w.to || n.End() <= w.from {
		d, _ := w.take()
		return d
	}
	var d digest.Hash
	if n.Height == 0 {
		d = w.hasher.Leaf(n.Position(), w.elements[n.Start-w.from])
	} else {
		left := w.subtree(n.Left())
		right := w.subtree(n.Right())
		d = w.hasher.Node(n.Position(), &left, &right)
	}
	if w.mix != nil {
		d = w.mix(n, d)
	}
	return d
}
