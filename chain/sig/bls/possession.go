package bls

import "github.com/cowboyinc/cowboy-go/chain/sig"

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
	s, err := inside(proof)
	if err != nil {
		return err
	}
	if !pairs(s, key, hashToG2(n.Possession(key.Bytes()), possessionDST)) {
		return ErrVerify
	}
	return nil
}
