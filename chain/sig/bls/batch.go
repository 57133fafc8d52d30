package bls

import (
	"encoding/binary"

	herumi "github.com/herumi/bls-eth-go-binary/bls"

	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/sig"
)

// weightBytes is the size of a batch weight: 128 bits.
const weightBytes = 16

// VerifyMany verifies signatures[i] by keys[i] over one preimage and gives the
// indices that fail, ascending; none means all verify. The slices have equal
// length. A good batch of any size costs one pairing check: the weighted sums
// e(Σ wᵢ·keyᵢ, H(m)) and e(g, Σ wᵢ·sigᵢ) are compared. A bad one is halved until
// the culprits stand alone, about b·log₂(n/b) checks for b bad ones.
//
// The weights are 128 bits of a hash over the message and every key and signature,
// so nobody can choose a signature after knowing its weight.
// Spec: WP §6.1 (buffered batch verification); commonware §2.6.
func VerifyMany(keys []*PublicKey, preimage []byte, signatures []sig.BLSSignature) []int {
	b, bad := newBatch(keys, preimage, signatures)
	weights := b.weights(keys, preimage, signatures)
	return merge(bad, b.failing(func(low, high int) (key herumi.G1, point herumi.G2) {
		herumi.G1MulVec(&key, b.keys[low:high], weights[low:high])
		herumi.G2MulVec(&point, b.points[low:high], weights[low:high])
		return key, point
	}))
}

// AggregateMany adds signatures[i] by keys[i] over one preimage up and gives the sum
// if it verifies under the sum of the keys, else the indices that keep it from
// doing so, ascending: without them the rest adds up to a valid aggregate. Every
// index named is a bad signature, found by halving in about b·log₂(n/b) checks.
// Signatures whose errors cancel out are not named, and do no harm: what is
// promised is the aggregate. The slices have equal length; nobody gives
// (zero, nil).
// Spec: WP §6.1 (buffered batch verification at quorum); commonware §2.6.
func AggregateMany(keys []*PublicKey, preimage []byte, signatures []sig.BLSSignature) (sig.BLSSignature, []int) {
	b, bad := newBatch(keys, preimage, signatures)
	sum := func(low, high int) (key herumi.G1, point herumi.G2) {
		key, point = b.keys[low], b.points[low]
		for i := low + 1; i < high; i++ {
			herumi.G1Add(&key, &key, &b.keys[i])
			herumi.G2Add(&point, &point, &b.points[i])
		}
		return key, point
	}
	bad = merge(bad, b.failing(sum))
	if len(bad) > 0 || len(b.index) == 0 {
		return sig.BLSSignature{}, bad
	}
	_, point := sum(0, len(b.index))
	if point.IsZero() { // keys and errors cancelled out altogether: that is nobody's signature
		return sig.BLSSignature{}, b.index
	}
	return sig.BLSSignature(herumi.CastToSign(&point).Serialize()), nil
}

// messageDST is the domain of ordinary signatures, the library's own.
const messageDST = "BLS_SIG_BLS12381G2_XMD:SHA-256_SSWU_RO_POP_"

// messagePoint is hashToG2 under messageDST, by the library's faster function.
func messagePoint(preimage []byte) *herumi.G2 {
	ready()
	point := herumi.HashAndMapToSignature(preimage)
	if point == nil {
		panic("bls: hashing to the curve failed")
	}
	return herumi.CastFromSign(point)
}

// batch is the signatures that are points, with their keys.
type batch struct {
	message *herumi.G2
	negated herumi.G1 // of the generator
	index   []int     // position in the caller's slices
	keys    []herumi.G1
	points  []herumi.G2
	checks  int // pairing checks made
}

// newBatch decodes every signature once; bad are the indices of those that are no
// points.
func newBatch(keys []*PublicKey, preimage []byte, signatures []sig.BLSSignature) (b *batch, bad []int) {
	b = &batch{message: messagePoint(preimage), negated: negatedGenerator()}
	for i, s := range signatures {
		point, err := parseSignature(s)
		if err != nil {
			bad = append(bad, i)
			continue
		}
		b.index = append(b.index, i)
		b.keys = append(b.keys, *herumi.CastFromPublicKey(&keys[i].point))
		b.points = append(b.points, *herumi.CastFromSign(point))
	}
	return b, bad
}

func (b *batch) weights(keys []*PublicKey, preimage []byte, signatures []sig.BLSSignature) []herumi.Fr {
	h := digest.NewBlake3()
	h.Write([]byte("cowboy-batch-weights"))
	h.Write(binary.BigEndian.AppendUint64(nil, uint64(len(preimage))))
	h.Write(preimage)
	for i := range signatures {
		key := keys[i].Bytes()
		h.Write(key[:])
		h.Write(signatures[i][:])
	}
	root := h.Sum(nil)
	weights := make([]herumi.Fr, len(b.index))
	for i, at := range b.index {
		w := digest.Blake3(root, binary.BigEndian.AppendUint64(nil, uint64(at)))
		w[0] |= 1 // never zero
		if err := weights[i].SetLittleEndian(w[:weightBytes]); err != nil {
			panic("bls: " + err.Error())
		}
	}
	return weights
}

// combine adds up, in whatever way, the keys and points of a range that is not
// empty.
type combine func(low, high int) (herumi.G1, herumi.G2)

// failing gives the caller's indices of the bad entries, ascending. The error of a
// range, e(Σ keys, H(m)) / e(g, Σ signatures), is the product of its halves' errors:
// with a range's and its left half's, its right half's costs a division.
func (b *batch) failing(sum combine) []int {
	if len(b.index) == 0 {
		return nil
	}
	return b.search(sum, 0, len(b.index), b.deviation(sum(0, len(b.index))))
}

// search finds the bad entries in low..high, whose error is known.
func (b *batch) search(sum combine, low, high int, deviation *herumi.GT) []int {
	if deviation.IsOne() {
		return nil
	}
	if high-low == 1 {
		return []int{b.index[low]}
	}
	mid := (low + high) / 2
	left := b.deviation(sum(low, mid))
	var right herumi.GT
	herumi.GTDiv(&right, deviation, left)
	return append(b.search(sum, low, mid, left), b.search(sum, mid, high, &right)...)
}

// deviation is one exactly if point is key's signature over the message: one check.
func (b *batch) deviation(key herumi.G1, point herumi.G2) *herumi.GT {
	b.checks++
	var e herumi.GT
	herumi.MillerLoopVec(&e, []herumi.G1{b.negated, key}, []herumi.G2{point, *b.message})
	herumi.FinalExp(&e, &e)
	return &e
}

// merge joins two ascending lists.
func merge(a, b []int) []int {
	var out []int
	for len(a) > 0 && len(b) > 0 {
		if a[0] < b[0] {
			out, a = append(out, a[0]), a[1:]
		} else {
			out, b = append(out, b[0]), b[1:]
		}
	}
	return append(append(out, a...), b...)
}
