//go:build cgo

package sig

import (
	"github.com/ethereum/go-ethereum/crypto/secp256k1"

	"github.com/cowboyinc/cowboy-go/chain/digest"
)

// verifySecp256k1 checks a signature of the accepted form with libsecp256k1.
func verifySecp256k1(key []byte, hash digest.Hash, signature []byte) bool {
	return secp256k1.VerifySignature(key, hash[:], signature)
}
