package bls

import (
	"encoding/binary"
	"slices"

	herumi "github.com/herumi/bls-eth-go-binary/bls"

	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/sig"
)

// holds reports whether all checks do; points are their signatures, of the subgroup.
// It costs one final exponentiation, and a hash to the curve for each message and a
// Miller loop for each key:
//
//	e(g, Σ wᵢ·sigᵢ) = Π over keys k of e(k, Σ wᵢ·H(mᵢ))
//
// The weights are 128 bits each of a hash over all checks but for the first, which is
// one: errors that cancel out still have to meet the others' weights. Where a key has
// one check the weight is the key's, which is less to multiply than a message.
// Spec: commonware §2.6 (one pairing product with random 128-bit weights).
func (h *Hashes) holds(checks []Check, points []herumi.G2) bool {
	if len(checks) == 0 {
		return true
	}
	keys := make([]sig.BLSPublicKey, len(checks))
	for i, c := range checks {
		keys[i] = c.Key.Bytes()
	}
	weights := checkWeights(keys, checks)
	left, right := []herumi.G1{negatedGenerator()}, []herumi.G2{weigh(points, weights)}
	for i, c := range checks {
		if slices.Contains(keys[:i], keys[i]) {
			continue // with the first of its key
		}
		var messages []herumi.G2
		var by []herumi.Fr
		for j := i; j < len(checks); j++ {
			if keys[j] == keys[i] {
				messages, by = append(messages, h.point(checks[j].Preimage).paired), append(by, weights[j])
			}
		}
		key, message := *herumi.CastFromPublicKey(&c.Key.point), messages[0]
		if len(messages) > 1 {
			message = weigh(messages, by)
		} else if i > 0 {
			herumi.G1Mul(&key, &key, &by[0])
		}
		left, right = append(left, key), append(right, message)
	}
	var product herumi.GT
	herumi.MillerLoopVec(&product, left, right)
	herumi.FinalExp(&product, &product)
	return product.IsOne()
}

// weigh is Σ byᵢ·pointsᵢ. A first weight of one costs nothing.
func weigh(points []herumi.G2, by []herumi.Fr) (sum herumi.G2) {
	if !by[0].IsOne() {
		herumi.G2MulVec(&sum, points, by)
		return sum
	}
	if len(points) > 1 {
		herumi.G2MulVec(&sum, points[1:], by[1:])
	}
	herumi.G2Add(&sum, &sum, &points[0])
	return sum
}

// checkWeights draws the weights of checks from all they are made of.
func checkWeights(keys []sig.BLSPublicKey, checks []Check) []herumi.Fr {
	d := digest.NewBlake3()
	d.Write([]byte("cowboy-check-weights"))
	for i, c := range checks {
		d.Write(keys[i][:])
		d.Write(c.Signature[:])
		d.Write(binary.BigEndian.AppendUint64(nil, uint64(len(c.Preimage))))
		d.Write(c.Preimage)
	}
	weights := weightsOf(d.Sum(nil), len(checks))
	weights[0].SetInt64(1)
	return weights
}

// eigenvalue is λ = z² − 1, z being the parameter of the curve: λ times a point is a
// multiplication in the field, so a + λ·b costs half the doublings of a number of as
// many bits as a and b together.
const eigenvalue = "ac45a4010001a40200000000ffffffff"

// weightsOf draws so many weights from a root, none of them zero: a + λ·b with 64 bits
// each of a and b, which are below λ, so that no two pairs give one weight.
func weightsOf(root []byte, n int) []herumi.Fr {
	var lambda herumi.Fr
	if err := lambda.SetString(eigenvalue, 16); err != nil {
		panic("bls: " + err.Error())
	}
	weights := make([]herumi.Fr, n)
	for i := range weights {
		w := digest.Blake3(root, binary.BigEndian.AppendUint64(nil, uint64(i)))
		w[0] |= 1
		a, b := scalar(w[:8]), scalar(w[8:16])
		herumi.FrMul(&b, &b, &lambda)
		herumi.FrAdd(&weights[i], &a, &b)
	}
	return weights
}

// scalar reads a little-endian number of less than 32 bytes.
func scalar(raw []byte) (s herumi.Fr) {
	if err := s.SetLittleEndian(raw); err != nil {
		panic("bls: " + err.Error())
	}
	return s
}
