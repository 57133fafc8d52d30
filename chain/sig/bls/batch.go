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
// the culprits stand alone, about 2·b·log₂(n/b) checks for b bad ones.
//
// The weights are 128 bits of a hash over the message and every key and signature,
// so nobody can choose a signature after knowing its weight.
// Spec: WP §6.1 (buffered batch verification); commonware §2.6.
func VerifyMany(keys []*PublicKey, preimage []byte, signatures []sig.BLSSignature) []int {
	b := batch{message: hashToG2(preimage, messageDST)}
	var bad []int
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
	b.weigh(keys, preimage, signatures)
	return merge(bad, b.failing(0, len(b.index)))
}

// messageDST is the domain of ordinary signatures, the library's own.
const messageDST = "BLS_SIG_BLS12381G2_XMD:SHA-256_SSWU_RO_POP_"

type batch struct {
	message *herumi.G2
	index   []int // position in the caller's slices
	keys    []herumi.G1
	points  []herumi.G2
	weights []herumi.Fr
}

func (b *batch) weigh(keys []*PublicKey, preimage []byte, signatures []sig.BLSSignature) {
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
	b.weights = make([]herumi.Fr, len(b.index))
	for i, at := range b.index {
		w := digest.Blake3(root, binary.BigEndian.AppendUint64(nil, uint64(at)))
		w[0] |= 1 // never zero
		if err := b.weights[i].SetLittleEndian(w[:weightBytes]); err != nil {
			panic("bls: " + err.Error())
		}
	}
}

// failing gives the caller's indices of the bad entries in low..high, ascending.
func (b *batch) failing(low, high int) []int {
	if low == high || b.holds(low, high) {
		return nil
	}
	if high-low == 1 {
		return []int{b.index[low]}
	}
	mid := (low + high) / 2
	return append(b.failing(low, mid), b.failing(mid, high)...)
}

func (b *batch) holds(low, high int) bool {
	var key herumi.G1
	var point herumi.G2
	herumi.G1MulVec(&key, b.keys[low:high], b.weights[low:high])
	herumi.G2MulVec(&point, b.points[low:high], b.weights[low:high])
	return equalPairings(&point, &key, b.message)
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
