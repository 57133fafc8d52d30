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
}

// Join is AggregateMany of the votes, and Recover of the partials verified under
// the group key, in one product of three pairings:
//
//	e(g, Σ sigᵢ + w·seed) = e(Σ keyᵢ, H(preimage)) · e(w·group, H(round))
//
// The weight w is 128 bits of a hash over both sums, so that no error of one can
// be chosen to undo an error of the other. ok is false where anything is wrong,
// and nothing is said then about what: the caller asks for each.
// Spec: WP §6.1 (buffered batch verification at quorum); commonware §2.5, §2.6.
func (h *Hashes) Join(j Joint) (aggregate, seed sig.BLSSignature, ok bool) {
	b, bad := newBatch(h, j.Keys, j.Preimage, j.Signatures)
	recovered, err := recoverPoint(j.Threshold, j.Partials)
	if len(bad) > 0 || len(b.index) == 0 || err != nil {
		return aggregate, seed, false
	}
	key, point := plain{b}.sum(0, len(b.index))
	if point.IsZero() || recovered.IsZero() || !point.IsValidOrder() || !recovered.IsValidOrder() {
		return aggregate, seed, false
	}
	aggregate = sig.BLSSignature(herumi.CastToSign(&point).Serialize())
	seed = sig.BLSSignature(recovered.Serialize())
	weight := j.weight(&key, aggregate, seed)
	var group herumi.G1
	var sum herumi.G2
	herumi.G1Mul(&group, herumi.CastFromPublicKey(&j.Group.point), &weight)
	herumi.G2Mul(&sum, herumi.CastFromSign(recovered), &weight)
	herumi.G2Add(&sum, &sum, &point)
	var product herumi.GT
	herumi.MillerLoopVec(&product, []herumi.G1{b.negated, key, group}, []herumi.G2{sum, *b.message, *h.point(j.Round)})
	herumi.FinalExp(&product, &product)
	if !product.IsOne() {
		return sig.BLSSignature{}, sig.BLSSignature{}, false
	}
	return aggregate, seed, true
}

// weight is drawn from everything the product is made of.
func (j *Joint) weight(key *herumi.G1, aggregate, seed sig.BLSSignature) herumi.Fr {
	d := digest.NewBlake3()
	d.Write([]byte("cowboy-joint-weight"))
	d.Write(herumi.CastToPublicKey(key).Serialize())
	group := j.Group.Bytes()
	d.Write(group[:])
	d.Write(aggregate[:])
	d.Write(seed[:])
	d.Write(binary.BigEndian.AppendUint64(nil, uint64(len(j.Preimage))))
	d.Write(j.Preimage)
	d.Write(j.Round)
	return weightsOf(d.Sum(nil), 1)[0]
}
