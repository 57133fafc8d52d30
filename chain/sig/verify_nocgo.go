//go:build !cgo

package sig

import "github.com/cowboyinc/cowboy-go/chain/digest"

// verifySecp256k1 checks a signature of the accepted form in Go.
func verifySecp256k1(key []byte, hash digest.Hash, signature []byte) bool {
	return pureSecp256k1(key, hash, signature)
}
