package mmr

import (
	"encoding/binary"

	"github.com/cowboyinc/cowboy-go/chain/digest"
)

// Hasher hashes leaves, nodes and roots with one hash function. It keeps a
// scratch buffer, so one Hasher serves one goroutine at a time.
type Hasher struct {
	sum     digest.Function
	scratch []byte
	room    [256]byte
}

// NewHasher gives a Hasher over sum.
func NewHasher(sum digest.Function) *Hasher {
	h := &Hasher{sum: sum}
	h.scratch = h.room[:0]
	return h
}

// Leaf is the digest of the leaf at node position pos.
//
// Spec: commonware §5.4.
func (h *Hasher) Leaf(pos uint64, element []byte) digest.Hash {
	h.scratch = append(binary.BigEndian.AppendUint64(h.scratch[:0], pos), element...)
	return h.sum(h.scratch)
}

// Node is the digest of the inner node at node position pos.
//
// Spec: commonware §5.4.
func (h *Hasher) Node(pos uint64, left, right *digest.Hash) digest.Hash {
	b := append(binary.BigEndian.AppendUint64(h.scratch[:0], pos), left[:]...)
	h.scratch = append(b, right[:]...)
	return h.sum(h.scratch)
}

// Fold is the digest of two neighbours in a fold of peaks.
//
// Spec: commonware §5.4.
func (h *Hasher) Fold(left, right *digest.Hash) digest.Hash {
	h.scratch = append(append(h.scratch[:0], left[:]...), right[:]...)
	return h.sum(h.scratch)
}

// Sum is the digest of the parts laid end to end.
func (h *Hasher) Sum(parts ...[]byte) digest.Hash {
	h.scratch = h.scratch[:0]
	for _, p := range parts {
		h.scratch = append(h.scratch, p...)
	}
	return h.sum(h.scratch)
}

// seal binds the number of leaves, and of inactive peaks if any, to the fold.
func (h *Hasher) seal(leaves uint64, inactive int, acc *digest.Hash) digest.Hash {
	b := binary.BigEndian.AppendUint64(h.scratch[:0], leaves)
	if inactive > 0 {
		b = binary.BigEndian.AppendUint64(b, uint64(inactive))
	}
	h.scratch = append(b, acc[:]...)
	return h.sum(h.scratch)
}

// empty is the root of a range without leaves.
func (h *Hasher) empty() digest.Hash {
	h.scratch = binary.BigEndian.AppendUint64(h.scratch[:0], 0)
	return h.sum(h.scratch)
}

// PlainRoot is the root of a range that is not a store: all peaks folded
// forward.
//
// Spec: commonware §5.4.
func (h *Hasher) PlainRoot(leaves uint64, peaks []digest.Hash) digest.Hash {
	if len(peaks) == 0 {
		return h.empty()
	}
	acc := h.foldForward(peaks)
	return h.seal(leaves, 0, &acc)
}

func (h *Hasher) foldForward(peaks []digest.Hash) digest.Hash {
	acc := peaks[0]
	for i := 1; i < len(peaks); i++ {
		acc = h.Fold(&acc, &peaks[i])
	}
	return acc
}
