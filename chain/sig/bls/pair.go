package bls

import (
	herumi "github.com/herumi/bls-eth-go-binary/bls"
	blst "github.com/supranational/blst/bindings/go"
)

// pairs reports e(g, signature) = e(key, message), g being the generator of G1. The
// signature is not infinity; a key that is pairs with nothing. A product of two costs an
// eighth less of blst than of herumi's library, one of more does not.
func pairs(signature *blst.P2Affine, key *PublicKey, message *hashed) bool {
	if key.point.IsZero() {
		return false
	}
	negated := negatedGenerator()
	product := blst.PairingCtx(true, nil)
	blst.PairingRawAggregate(product, signature, carryKey(herumi.CastToPublicKey(&negated)))
	blst.PairingRawAggregate(product, &message.point, carryKey(&key.point))
	blst.PairingCommit(product)
	return blst.PairingFinalVerify(product)
}

// carryKey takes a point of G1, not infinity, from herumi's library to blst, by its coordinates.
func carryKey(k *herumi.PublicKey) *blst.P1Affine {
	p := new(blst.P1Affine)
	if p.Deserialize(k.SerializeUncompressed()) == nil {
		panic("bls: a point of the curve is none")
	}
	return p
}

// negatedGenerator is −g.
func negatedGenerator() (negated herumi.G1) {
	ready()
	var generator herumi.PublicKey
	herumi.GetGeneratorOfPublicKey(&generator)
	herumi.G1Neg(&negated, herumi.CastFromPublicKey(&generator))
	return negated
}
