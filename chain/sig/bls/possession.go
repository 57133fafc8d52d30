package bls

import (
	herumi "github.com/herumi/bls-eth-go-binary/bls"

	"github.com/cowboyinc/cowboy-go/chain/sig"
)

// ProvePossession signs key's own public key under the domain of proofs, which the
// function of that name in herumi's library does not.
// Spec: commonware §4.1, §4.5.
func (k *PrivateKey) ProvePossession(n sig.Namespace) sig.BLSSignature {
	point := hashToG2(n.Possession(k.PublicKey().Bytes()), possessionDST)
	return sig.BLSSignature(k.multiply(&point.signed).Compress())
}

// VerifyPossession gives ErrSignature or ErrVerify unless proof shows that whoever
// registers key holds its private key: e(g, proof) = e(key, H(key)).
// Spec: commonware §4.1; governance-staking A1.
func VerifyPossession(n sig.Namespace, key *PublicKey, proof sig.BLSSignature) error {
	s, err := parseSignature(proof)
	if err != nil {
		return err
	}
	hashed := hashToG2(n.Possession(key.Bytes()), possessionDST)
	if !equalPairings(s, herumi.CastFromPublicKey(&key.point), &hashed.paired) {
		return ErrVerify
	}
	return nil
}

// equalPairings reports e(g, signature) = e(key, hashed), g the generator of G1.
func equalPairings(signature *herumi.G2, key *herumi.G1, hashed *herumi.G2) bool {
	var product herumi.GT
	herumi.MillerLoopVec(&product, []herumi.G1{negatedGenerator(), *key}, []herumi.G2{*signature, *hashed})
	herumi.FinalExp(&product, &product)
	return product.IsOne()
}

// negatedGenerator is −g.
func negatedGenerator() (negated herumi.G1) {
	ready()
	var generator herumi.PublicKey
	herumi.GetGeneratorOfPublicKey(&generator)
	herumi.G1Neg(&negated, herumi.CastFromPublicKey(&generator))
	return negated
}
