package account

import (
	"errors"

	"github.com/cowboyinc/cowboy-go/chain/digest"
)

// SaltSize is the length of a salt as it is hashed.
const SaltSize = 32

// ErrSalt reports a salt longer than SaltSize bytes.
var ErrSalt = errors.New("account: salt longer than 32 bytes")

// Salt is a deployment salt as it is hashed: 32 bytes.
type Salt [SaltSize]byte

// PadSalt widens a salt of at most 32 bytes to 32 with zero bytes on its left, so
// that a salt written as a number means the same however many digits it has.
// Spec: node-rpc-cli §4.2 (left padding); sdk §3.7.
func PadSalt(salt []byte) (Salt, error) {
	var s Salt
	if len(salt) > SaltSize {
		return s, ErrSalt
	}
	copy(s[SaltSize-len(salt):], salt)
	return s, nil
}

// CodeHash is the hash that stands for canonical source bytes.
// Spec: WP §1.2.
func CodeHash(canonicalSource []byte) digest.Hash { return digest.Keccak256(canonicalSource) }

// DeriveActor is the address of the actor creator deploys with salt and code:
// the last 20 bytes of keccak256(creator ‖ salt ‖ code_hash), without the 0xff
// prefix of CIP-6.
// Spec: WP §1.2 (over CIP-6 §6.2; the whitepaper wins).
func DeriveActor(creator Address, salt Salt, codeHash digest.Hash) Address {
	return last20(digest.Keccak256(creator[:], salt[:], codeHash[:]))
}
