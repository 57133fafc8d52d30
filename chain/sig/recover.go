package sig

import (
	"github.com/btcsuite/btcd/btcec/v2"
	"github.com/btcsuite/btcd/btcec/v2/ecdsa"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/digest"
)

// Recoverer finds who signed. Implementations are stateless, safe for concurrent
// use, and agree on every input: result, ErrSignatureForm, ErrRecover.
type Recoverer interface {
	// Recover gives the address whose key made s over hash. It gives
	// ErrSignatureForm for a signature outside the accepted form and ErrRecover
	// where no curve point fits.
	Recover(hash digest.Hash, s Signature) (account.Address, error)
}

// Pure recovers with btcec: Go only.
type Pure struct{}

// Recover implements Recoverer.
// Spec: WP §1.1, §2.2 (c).
func (Pure) Recover(hash digest.Hash, s Signature) (account.Address, error) {
	if err := s.Check(); err != nil {
		return account.Address{}, err
	}
	var compact [SignatureSize]byte
	compact[0] = ethereumVBase + s.RecoveryID()
	copy(compact[1:], s[:64])
	key, _, err := ecdsa.RecoverCompact(compact[:], hash[:])
	if err != nil {
		return account.Address{}, ErrRecover
	}
	return account.FromPublicKey([64]byte(key.SerializeUncompressed()[1:])), nil
}

// pureSecp256k1 checks a signature of the accepted form with btcec.
func pureSecp256k1(key []byte, hash digest.Hash, signature []byte) bool {
	point, err := btcec.ParsePubKey(key)
	if err != nil {
		return false
	}
	var r, s btcec.ModNScalar
	if r.SetByteSlice(signature[:32]) || s.SetByteSlice(signature[32:]) {
		return false
	}
	return ecdsa.NewSignature(&r, &s).Verify(hash[:], point)
}
