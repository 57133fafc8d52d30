package bls

import (
	"encoding/binary"

	herumi "github.com/herumi/bls-eth-go-binary/bls"

	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/sig"
)

// VerifyMany verifies signatures[i] by keys[i] over one preimage and gives the
// indices that fail, ascending; none means all verify. The slices have equal
// length. A good batch of any size costs one pairing check: the weighted sums
// e(Σ wᵢ·keyᵢ, H(m)) and e(g, Σ wᵢ·sigᵢ) are compared. A single bad one costs two
// more; several are halved until they stand alone, about b·log₂(n/b) checks for b.
//
// The weights are 128 bits of a hash over the message and every key and signature,
// so nobody can choose a signature after knowing its weight.
// Spec: WP §6.1 (buffered batch verification); commonware §2.6.
func VerifyMany(keys []*PublicKey, preimage []byte, signatures []sig.BLSSignature) []int {
	b, bad := newBatch(nil, keys, preimage, signatures)
	bad = merge(bad, b.outside())
	return merge(bad, b.failing(weighted{b, b.weights(keys, preimage, signatures)}))
}

// AggregateMany adds signatures[i] by keys[i] over one preimage up and gives the sum
// if it verifies under the sum of the keys, else the indices that keep it from
// doing so, ascending: without them the rest adds up to a valid aggregate. Every
// index named is a bad signature, found as in VerifyMany.
// Signatures whose errors cancel out are not named, and do no harm: what is
// promised is the aggregate. The slices have equal length; nobody gives
// (zero, nil).
// Spec: WP §6.1 (buffered batch verification at quorum); commonware §2.6.
func AggregateMany(keys []*PublicKey, preimage []byte, signatures []sig.BLSSignature) (sig.BLSSignature, []int) {
	return (*Hashes)(nil).AggregateMany(keys, preimage, signatures)
}

// AggregateMany is the function of the same name. The subgroup is checked of the
// sum, and of each signature only where that fails.
func (h *Hashes) AggregateMany(keys []*PublicKey, preimage []byte, signatures []sig.BLSSignature) (sig.BLSSignature, []int) {
	b, bad := newBatch(h, keys, preimage, signatures)
	if len(b.index) == 0 {
		return sig.BLSSignature{}, bad
	}
	key, point := plain{b}.sum(0, len(b.index))
	affine := back(&point)
	if sum, ok := sealed(affine); ok && len(bad) == 0 {
		if pairs(affine, &PublicKey{*herumi.CastToPublicKey(&key)}, h.point(preimage)) {
			return sum, nil
		}
		if len(b.index) > 2 {
			if at, ok := b.single(plain{b}, b.deviation(key, point)); ok { // its own error was seen, so it is bad wherever the others lie
				return sig.BLSSignature{}, []int{b.index[at]}
			}
		}
	}
	bad = merge(bad, b.outside())
	if bad = merge(bad, b.failing(plain{b})); len(bad) == 0 { // keys and errors cancelled out altogether: that is nobody's signature
		return sig.BLSSignature{}, b.index
	}
	return sig.BLSSignature{}, bad
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
// points. Points may lie outside the subgroup.
func newBatch(h *Hashes, keys []*PublicKey, preimage []byte, signatures []sig.BLSSignature) (b *batch, bad []int) {
	b = &batch{message: &h.point(preimage).paired, negated: negatedGenerator()}
	for i, s := range signatures {
		point, err := h.uncompress(s)
		if err != nil {
			bad = append(bad, i)
			continue
		}
		b.index = append(b.index, i)
		b.keys = append(b.keys, *herumi.CastFromPublicKey(&keys[i].point))
		b.points = append(b.points, *carry(point))
	}
	return b, bad
}

// outside takes the points outside the subgroup out of the batch and gives the
// caller's indices of them, ascending.
func (b *batch) outside() (bad []int) {
	kept := 0
	for i := range b.index {
		if !b.points[i].IsValidOrder() {
			bad = append(bad, b.index[i])
			continue
		}
		b.index[kept], b.keys[kept], b.points[kept] = b.index[i], b.keys[i], b.points[i]
		kept++
	}
	b.index, b.keys, b.points = b.index[:kept], b.keys[:kept], b.points[:kept]
	return bad
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
	return weightsOf(h.Sum(nil), len(b.index))
}

// adder adds up, in its way, the keys and points of a batch.
type adder interface {
	// sum is that of a range that is not empty.
	sum(low, high int) (herumi.G1, herumi.G2)
	// ranked is that of the whole with each entry multiplied by its place, from one.
	ranked() (herumi.G1, herumi.G2)
}

// plain adds without weights.
type plain struct{ *batch }

func (p plain) sum(low, high int) (key herumi.G1, point herumi.G2) {
	key, point = p.keys[low], p.points[low]
	for i := low + 1; i < high; i++ {
		herumi.G1Add(&key, &key, &p.keys[i])
		herumi.G2Add(&point, &point, &p.points[i])
	}
	return key, point
}

// ranked adds up the sums of what is left from each place on.
func (p plain) ranked() (key herumi.G1, point herumi.G2) {
	last := len(p.index) - 1
	left, right := p.keys[last], p.points[last]
	key, point = left, right
	for i := last - 1; i >= 0; i-- {
		herumi.G1Add(&left, &left, &p.keys[i])
		herumi.G2Add(&right, &right, &p.points[i])
		herumi.G1Add(&key, &key, &left)
		herumi.G2Add(&point, &point, &right)
	}
	return key, point
}

// weighted adds with a weight each.
type weighted struct {
	*batch
	by []herumi.Fr
}

func (w weighted) sum(low, high int) (herumi.G1, herumi.G2) {
	return multiply(w.keys[low:high], w.points[low:high], w.by[low:high])
}

func (w weighted) ranked() (herumi.G1, herumi.G2) {
	by := make([]herumi.Fr, len(w.by))
	var place herumi.Fr
	for i := range by {
		place.SetInt64(int64(i) + 1)
		herumi.FrMul(&by[i], &w.by[i], &place)
	}
	return multiply(w.keys, w.points, by)
}

func multiply(keys []herumi.G1, points []herumi.G2, by []herumi.Fr) (key herumi.G1, point herumi.G2) {
	herumi.G1MulVec(&key, keys, by)
	herumi.G2MulVec(&point, points, by)
	return key, point
}

// failing gives the caller's indices of the bad entries, ascending. The error of a
// range, e(Σ keys, H(m)) / e(g, Σ signatures), is the product of its entries' errors.
func (b *batch) failing(a adder) []int {
	n := len(b.index)
	if n == 0 {
		return nil
	}
	deviation := b.deviation(a.sum(0, n))
	if n > 2 && !deviation.IsOne() {
		if at, ok := b.single(a, deviation); ok {
			return []int{b.index[at]}
		}
	}
	return b.search(a, 0, n, deviation)
}

// single finds the bad entry where there is one: the ranked error is then the whole
// error to the power of the entry's place. That it is this entry's error and no
// others' is checked, since several together could point at an innocent one.
func (b *batch) single(a adder, deviation *herumi.GT) (at int, ok bool) {
	ranked := b.deviation(a.ranked())
	power := *deviation
	for at = range b.index {
		if power.IsEqual(ranked) {
			return at, b.deviation(a.sum(at, at+1)).IsEqual(deviation)
		}
		herumi.GTMul(&power, &power, deviation)
	}
	return 0, false
}

// search finds the bad entries in low..high, whose error is known. With a range's
// error and its left half's, its right half's costs a division.
func (b *batch) search(a adder, low, high int, deviation *herumi.GT) []int {
	if deviation.IsOne() {
		return nil
	}
	if high-low == 1 {
		return []int{b.index[low]}
	}
	mid := (low + high) / 2
	left := b.deviation(a.sum(low, mid))
	var right herumi.GT
	herumi.GTDiv(&right, deviation, left)
	return append(b.search(a, low, mid, left), b.search(a, mid, high, &right)...)
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
