package bls

import (
	"encoding/binary"
	"hash"

	herumi "github.com/herumi/bls-eth-go-binary/bls"

	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/sig"
)

// Check is one signature to verify: by a key, over a pre-image of its own.
type Check struct {
	Key       *PublicKey
	Preimage  []byte
	Signature sig.BLSSignature
}

// VerifyEach verifies signatures over different messages and gives the indices that
// fail, ascending; none means all verify. A good batch costs one final
// exponentiation, and for each entry a hash to the curve and a Miller loop:
// e(g, Σ wᵢ·sigᵢ) = Π e(wᵢ·keyᵢ, H(mᵢ)), with weights as in VerifyMany but for the
// first, which is one: errors that cancel out still have to meet the others' weights.
// In a bad batch each is verified by itself: such batches are small.
// Spec: commonware §2.6 (one pairing product with random 128-bit weights).
func VerifyEach(checks []Check) []int { return (*Hashes)(nil).VerifyEach(checks) }

// VerifyEach is the function of the same name over messages that may be remembered.
func (h *Hashes) VerifyEach(checks []Check) []int {
	if len(checks) > 1 && h.VerifyAll(checks) {
		return nil
	}
	var bad []int
	for i, c := range checks {
		if h.Verify(c.Key, c.Preimage, c.Signature) != nil {
			bad = append(bad, i)
		}
	}
	return bad
}

// VerifyAll reports whether VerifyEach finds none to fail, and does not ask which.
func (h *Hashes) VerifyAll(checks []Check) bool {
	if len(checks) == 1 {
		return h.Verify(checks[0].Key, checks[0].Preimage, checks[0].Signature) == nil
	}
	if len(checks) == 0 {
		return true
	}
	weights := eachWeights(checks)
	weights[0].SetInt64(1)
	left := make([]herumi.G1, 1, len(checks)+1)
	right := make([]herumi.G2, 1, len(checks)+1)
	points := make([]herumi.G2, len(checks))
	for i, c := range checks {
		point, err := parseSignature(c.Signature)
		if err != nil {
			return false
		}
		points[i] = *herumi.CastFromSign(point)
		key := *herumi.CastFromPublicKey(&c.Key.point)
		if i > 0 {
			herumi.G1Mul(&key, &key, &weights[i])
		}
		left = append(left, key)
		right = append(right, *h.point(c.Preimage))
	}
	left[0] = negatedGenerator()
	herumi.G2MulVec(&right[0], points[1:], weights[1:])
	herumi.G2Add(&right[0], &right[0], &points[0])
	var product herumi.GT
	herumi.MillerLoopVec(&product, left, right)
	herumi.FinalExp(&product, &product)
	return product.IsOne()
}

func eachWeights(checks []Check) []herumi.Fr {
	h := digest.NewBlake3()
	h.Write([]byte("cowboy-each-weights"))
	writeChecks(h, checks)
	return weightsOf(h.Sum(nil), len(checks))
}

func writeChecks(h hash.Hash, checks []Check) {
	for _, c := range checks {
		key := c.Key.Bytes()
		h.Write(key[:])
		h.Write(c.Signature[:])
		h.Write(binary.BigEndian.AppendUint64(nil, uint64(len(c.Preimage))))
		h.Write(c.Preimage)
	}
}

// weightsOf draws so many weights from a root, none of them zero.
func weightsOf(root []byte, n int) []herumi.Fr {
	weights := make([]herumi.Fr, n)
	for i := range weights {
		w := digest.Blake3(root, binary.BigEndian.AppendUint64(nil, uint64(i)))
		w[0] |= 1
		if err := weights[i].SetLittleEndian(w[:weightBytes]); err != nil {
			panic("bls: " + err.Error())
		}
	}
	return weights
}
