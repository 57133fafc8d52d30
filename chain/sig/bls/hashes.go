package bls

import (
	herumi "github.com/herumi/bls-eth-go-binary/bls"

	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/sig"
)

// hashesKept bounds the points remembered: those of the messages of a few rounds.
const hashesKept = 24

// Hashes remembers where the messages seen last lie on the curve. Hashing to the
// curve is three fifths of a signature and a quarter of a check, and who votes
// signs what it verifies. A nil *Hashes remembers nothing. Not for concurrent use.
type Hashes struct {
	points map[digest.Hash]*herumi.G2
	recent []digest.Hash // of points, oldest first
}

// point is the message's point of the curve.
func (h *Hashes) point(preimage []byte) *herumi.G2 {
	if h == nil {
		return hashToG2(preimage, messageDST)
	}
	name := digest.Blake3(preimage)
	if p := h.points[name]; p != nil {
		return p
	}
	if h.points == nil {
		h.points = map[digest.Hash]*herumi.G2{}
	}
	if len(h.recent) == hashesKept {
		delete(h.points, h.recent[0])
		h.recent = append(h.recent[:0], h.recent[1:]...)
	}
	p := hashToG2(preimage, messageDST)
	h.points[name] = p
	h.recent = append(h.recent, name)
	return p
}

// blindingLabel separates the summands of Sign from other derivations.
const blindingLabel = "cowboy-signature-summand:"

// Sign is PrivateKey.Sign over a message that may be remembered. The scalar is
// split into two summands that differ from message to message and follow from
// the key alone, so that the time of multiplying by either tells nothing of it.
// Spec: commonware §4.1.
func (h *Hashes) Sign(k *PrivateKey, preimage []byte) sig.BLSSignature {
	if h == nil {
		return k.Sign(preimage)
	}
	summand, err := DeriveKey(k.Bytes(), append([]byte(blindingLabel), preimage...))
	if err != nil {
		return k.Sign(preimage) // a summand of zero, which no known input gives
	}
	point := *h.point(preimage)
	first := *herumi.CastFromSecretKey(&summand.scalar)
	var second herumi.Fr
	herumi.FrSub(&second, herumi.CastFromSecretKey(&k.scalar), &first)
	var out herumi.G2
	herumi.G2MulVec(&out, []herumi.G2{point, point}, []herumi.Fr{first, second})
	return sig.BLSSignature(herumi.CastToSign(&out).Serialize())
}

// Verify is the function of the same name over a message that may be remembered.
func (h *Hashes) Verify(key *PublicKey, preimage []byte, s sig.BLSSignature) error {
	point, err := parseSignature(s)
	if err != nil {
		return err
	}
	if !equalPairings(herumi.CastFromSign(point), herumi.CastFromPublicKey(&key.point), h.point(preimage)) {
		return ErrVerify
	}
	return nil
}

// VerifyAggregate is the function of the same name over a message that may be remembered.
func (h *Hashes) VerifyAggregate(keys []*PublicKey, preimage []byte, s sig.BLSSignature) error {
	sum, err := sumOf(keys)
	if err != nil {
		return err
	}
	return h.Verify(sum, preimage, s)
}
