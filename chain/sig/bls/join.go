package bls

import (
	"encoding/binary"

	herumi "github.com/herumi/bls-eth-go-binary/bls"

	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/sig"
)

// Joint is a quorum's votes over one pre-image with its partials over another.
type Joint struct {
	Keys       []*PublicKey // of the voters
	Preimage   []byte
	Signatures []sig.BLSSignature // Signatures[i] by Keys[i]

	Group     *PublicKey
	Threshold int
	Round     []byte // what the partials sign
	Partials  []Partial

	Others []Check // that are to hold as well
}

// Join is AggregateMany of the votes, Recover of the partials verified under the
// group key, and VerifyAll of the others, in one product of pairings:
//
//	e(g, Σ sigᵢ + w·seed + Σ vₖ·otherₖ) = e(Σ keyᵢ, H(preimage)) · e(w·group, H(round)) · Π e(vₖ·keyₖ, H(preimageₖ))
//
// The weights w and vₖ are 128 bits each of a hash over all of it, so that no error
// of one can be chosen to undo an error of another. ok is false where anything is
// wrong, and nothing is said then about what: the caller asks for each.
// Spec: WP §6.1 (buffered batch verification at quorum); commonware §2.5, §2.6.
func (h *Hashes) Join(j Joint) (aggregate, seed sig.BLSSignature, ok bool) {
	b, bad := newBatch(h, j.Keys, j.Preimage, j.Signatures)
	recovered, err := h.recoverPoint(j.Threshold, j.Partials)
	if len(bad) > 0 || len(b.index) == 0 || err != nil {
		return aggregate, seed, false
	}
	key, point := plain{b}.sum(0, len(b.index))
	if point.IsZero() || recovered.IsZero() || !point.IsValidOrder() || !recovered.IsValidOrder() {
		return aggregate, seed, false
	}
	aggregate = sig.BLSSignature(herumi.CastToSign(&point).Serialize())
	seed = sig.BLSSignature(recovered.Serialize())
	weights := j.weights(&key, aggregate, seed)
	left, right := []herumi.G1{b.negated, key}, []herumi.G2{{}, *b.message}
	points := []herumi.G2{*herumi.CastFromSign(recovered)}
	weigh := func(k *PublicKey, message *herumi.G2) {
		var weighted herumi.G1
		herumi.G1Mul(&weighted, herumi.CastFromPublicKey(&k.point), &weights[len(left)-2])
		left, right = append(left, weighted), append(right, *message)
	}
	weigh(j.Group, h.point(j.Round))
	for _, c := range j.Others {
		other, err := parseSignature(c.Signature)
		if err != nil {
			return sig.BLSSignature{}, sig.BLSSignature{}, false
		}
		points = append(points, *herumi.CastFromSign(other))
		weigh(c.Key, h.point(c.Preimage))
	}
	herumi.G2MulVec(&right[0], points, weights)
	herumi.G2Add(&right[0], &right[0], &point)
	var product herumi.GT
	herumi.MillerLoopVec(&product, left, right)
	herumi.FinalExp(&product, &product)
	if !product.IsOne() {
		return sig.BLSSignature{}, sig.BLSSignature{}, false
	}
	return aggregate, seed, true
}

// weights are drawn from everything the product is made of: the seed's, then one for
// each of the others.
func (j *Joint) weights(key *herumi.G1, aggregate, seed sig.BLSSignature) []herumi.Fr {
	d := digest.NewBlake3()
	d.Write([]byte("cowboy-joint-weight"))
	d.Write(herumi.CastToPublicKey(key).Serialize())
	group := j.Group.Bytes()
	d.Write(group[:])
	d.Write(aggregate[:])
	d.Write(seed[:])
	d.Write(binary.BigEndian.AppendUint64(nil, uint64(len(j.Preimage))))
	d.Write(j.Preimage)
	d.Write(binary.BigEndian.AppendUint64(nil, uint64(len(j.Round))))
	d.Write(j.Round)
	writeChecks(d, j.Others)
	return weightsOf(d.Sum(nil), 1+len(j.Others))
}
