package sig

import (
	"bytes"
	"crypto/ed25519"

	"github.com/cowboyinc/cowboy-go/chain/digest"
)

// Ed25519KeySize is the length of an Ed25519 key, Ed25519SignatureSize that of a signature.
const (
	Ed25519KeySize       = ed25519.PublicKeySize
	Ed25519SignatureSize = ed25519.SignatureSize
)

// VerifyEd25519 reports whether key made signature over message as RFC 8032 §5.1.7 says, with the equation that has no cofactor. Anything else is
// false: a wrong length, a key that is no point or is written with y of p or more, a key of small order (it fits several messages), an s of L or
// more, an R that is not written in its one form. The answer never depends on how a library decodes what the standard leaves open.
//
// Spec: WP §3.5, §17.3 (verify_signature); RFC 8032 §5.1.
func VerifyEd25519(key, message, signature []byte) bool {
	if len(key) != Ed25519KeySize || len(signature) != Ed25519SignatureSize || !soundEd25519(key) {
		return false
	}
	return ed25519.Verify(key, message, signature)
}

// smallOrder are the y of the points whose order divides 8, little-endian: 0, 1, −1, and the two of order 8.
var smallOrder = [...]string{
	"\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00",
	"\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00",
	"\xec\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x7f",
	"\x26\xe8\x95\x8f\xc2\xb2\x27\xb0\x45\xc3\xf4\x89\xf2\xef\x98\xf0\xd5\xdf\xac\x05\xd3\xc6\x33\x39\xb1\x38\x02\x88\x6d\x53\xfc\x05",
	"\xc7\x17\x6a\x70\x3d\x4d\xd8\x4f\xba\x3c\x0b\x76\x0d\x10\x67\x0f\x2a\x20\x53\xfa\x2c\x39\xcc\xc6\x4e\xc7\xfd\x77\x92\xac\x03\x7a",
}

// soundEd25519 reports whether y is below p = 2²⁵⁵ − 19 and not that of a point of small order.
func soundEd25519(key []byte) bool {
	y := [Ed25519KeySize]byte(key)
	y[31] &= 0x7f
	if y[31] == 0x7f && y[0] >= 0xed && bytes.Count(y[1:31], []byte{0xff}) == 30 {
		return false
	}
	for _, small := range smallOrder {
		if string(y[:]) == small {
			return false
		}
	}
	return true
}

// The forms of a secp256k1 key: a byte that tells the parity of y and x, or 4, x and y. Spec: SEC 1 §2.3.3.
const (
	Secp256k1KeySize       = 33
	Secp256k1LongKeySize   = 65
	Secp256k1SignatureSize = 64
)

// VerifySecp256k1 reports whether key made signature, r ‖ s, over the keccak256 of message: what an account signs. Anything else is false: a wrong
// length, a key that is no point of the curve or has another first byte than 2, 3 or 4, r or s outside 1 to n−1, s in the upper half.
//
// Spec: WP §1.1, §3.5, §17.3 (verify_signature); SEC 1 §4.1.4.
func VerifySecp256k1(key, message, signature []byte) bool {
	short := len(key) == Secp256k1KeySize && (key[0] == 2 || key[0] == 3)
	if !short && (len(key) != Secp256k1LongKeySize || key[0] != 4) || len(signature) != Secp256k1SignatureSize {
		return false
	}
	r, s := string(signature[:32]), string(signature[32:])
	if r == zeroScalar || r >= groupOrder || s == zeroScalar || s > halfGroupOrder {
		return false
	}
	return verifySecp256k1(key, digest.Keccak256(message), signature)
}
