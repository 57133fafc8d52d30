package beacon

import (
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/sig/bls"
)

// Key is a voting key as a ceremony uses it. *bls.PrivateKey is one; a validator whose key is in another process has another.
type Key interface {
	PublicKey() *bls.PublicKey
	// Attest signs as a private key does. It gives an error that wraps sig.ErrUnsigned when nobody signs at present; the same may be asked again.
	Attest(preimage []byte) (sig.BLSSignature, error)
	// Derive is a scalar that follows from the key, a constant and a label, and tells nothing of the key.
	Derive(constant *bls.PrivateKey, label []byte) (*bls.PrivateKey, error)
}
