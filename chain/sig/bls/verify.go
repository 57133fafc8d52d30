package bls

import "github.com/cowboyinc/cowboy-go/chain/sig"

// VerifyRaw reports whether key, 48 bytes, made signature, 96 bytes, over message, in the suite validators sign in:
// BLS_SIG_BLS12381G2_XMD:SHA-256_SSWU_RO_POP_. Anything else is false: a wrong length, an encoding that is not the one of its point, a point outside
// the subgroup, the point at infinity.
//
// Spec: WP §3.5, §17.3 (verify_signature); commonware §2.5.
func VerifyRaw(key, message, signature []byte) bool {
	if len(key) != len(sig.BLSPublicKey{}) || len(signature) != len(sig.BLSSignature{}) {
		return false
	}
	k, err := ParsePublicKey(sig.BLSPublicKey(key))
	return err == nil && Verify(k, message, sig.BLSSignature(signature)) == nil
}
