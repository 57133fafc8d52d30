//go:build cgo

package sig

import (
	"github.com/ethereum/go-ethereum/crypto/secp256k1"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/digest"
)

// Native recovers with libsecp256k1: about five times the rate of Pure.
type Native struct{}

// Recover implements Recoverer.
// Spec: WP §1.1, §2.2 (c).
func (Native) Recover(hash digest.Hash, s Signature) (account.Address, error) {
	if err := s.Check(); err != nil {
		return account.Address{}, err
	}
	raw := s
	raw[64] = s.RecoveryID()
	key, err := secp256k1.RecoverPubkey(hash[:], raw[:])
	if err != nil || len(key) != 65 {
		return account.Address{}, ErrRecover
	}
	return account.FromPublicKey([64]byte(key[1:])), nil
}

// Default is the fastest Recoverer of this build.
func Default() Recoverer { return Native{} }
