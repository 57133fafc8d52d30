package sig

import (
	"github.com/btcsuite/btcd/btcec/v2"
	"github.com/btcsuite/btcd/btcec/v2/ecdsa"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/digest"
)

// PrivateKeySize is the length of a secp256k1 private key.
const PrivateKeySize = 32

// PrivateKey signs transactions. Made only by ParsePrivateKey.
type PrivateKey struct {
	key *btcec.PrivateKey
}

// ParsePrivateKey reads a 32-byte big-endian scalar, or gives ErrPrivateKey if it
// is not 32 bytes, zero, or not below the group order.
func ParsePrivateKey(raw []byte) (*PrivateKey, error) {
	if len(raw) != PrivateKeySize || string(raw) == zeroScalar || string(raw) >= groupOrder {
		return nil, ErrPrivateKey
	}
	key, _ := btcec.PrivKeyFromBytes(raw)
	return &PrivateKey{key: key}, nil
}

// Bytes is the 32-byte scalar.
func (k *PrivateKey) Bytes() []byte { return k.key.Serialize() }

// PublicKey is the uncompressed public key without its leading 04: x‖y.
func (k *PrivateKey) PublicKey() [64]byte {
	return [64]byte(k.key.PubKey().SerializeUncompressed()[1:])
}

// Address is the account k controls.
func (k *PrivateKey) Address() account.Address { return account.FromPublicKey(k.PublicKey()) }

// Sign signs a 32-byte hash: deterministic nonce of RFC 6979 (HMAC-SHA256), low
// s, recovery id in v. Signing the same hash twice gives the same bytes.
// Spec: WP §2.5, Appendix A.
func (k *PrivateKey) Sign(hash digest.Hash) Signature {
	compact := ecdsa.SignCompact(k.key, hash[:], false)
	var s Signature
	copy(s[:64], compact[1:])
	s[64] = compact[0] - ethereumVBase + VBase
	return s
}

// CompressedKeySize is the length of a secp256k1 public key that says of y whether it is odd.
const CompressedKeySize = 33

// CompressedKey is a secp256k1 public key: 02 or 03 ‖ x.
type CompressedKey [CompressedKeySize]byte

// Compressed is the public key of k.
func (k *PrivateKey) Compressed() CompressedKey {
	return CompressedKey(k.key.PubKey().SerializeCompressed())
}

// Address is the account the key controls, or ErrPublicKey for bytes that are no point of the curve.
func (c CompressedKey) Address() (account.Address, error) {
	point, err := btcec.ParsePubKey(c[:])
	if err != nil {
		return account.Address{}, ErrPublicKey
	}
	return account.FromPublicKey([64]byte(point.SerializeUncompressed()[1:])), nil
}
