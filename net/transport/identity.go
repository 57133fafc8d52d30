package transport

import (
	"bytes"
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
)

const (
	// domainPeer separates peer identities from every other digest.
	domainPeer = "_COWBOY_NET_PEER"
	// SeedBytes is the length of a key's seed.
	SeedBytes = ed25519.SeedSize
	// KeyBytes is the length of a public key.
	KeyBytes = ed25519.PublicKeySize
	// SignatureBytes is the length of a signature.
	SignatureBytes = ed25519.SignatureSize
)

// ErrKey: bytes that are no key or no identity.
var ErrKey = errors.New("transport: not a peer key")

// ID names a peer: SHA-256 of a domain string and its public key.
type ID [32]byte

// String returns the 64 hexadecimal digits.
func (id ID) String() string { return hex.EncodeToString(id[:]) }

// Short returns the first eight digits, for people.
func (id ID) Short() string { return hex.EncodeToString(id[:4]) }

// Compare orders identities as byte strings.
func (id ID) Compare(other ID) int { return bytes.Compare(id[:], other[:]) }

// IsZero reports whether the identity is unset.
func (id ID) IsZero() bool { return id == ID{} }

// ParseID reads 64 hexadecimal digits.
func ParseID(s string) (ID, error) {
	var id ID
	if b, err := hex.DecodeString(s); err != nil || copy(id[:], b) != len(id) || len(b) != len(id) {
		return ID{}, fmt.Errorf("%w: %q is not 64 hexadecimal digits", ErrKey, s)
	}
	return id, nil
}

// PublicKey is a peer's ed25519 key.
type PublicKey [KeyBytes]byte

// ID is the identity the key proves.
func (k PublicKey) ID() ID {
	h := sha256.New()
	h.Write([]byte(domainPeer))
	h.Write(k[:])
	return ID(h.Sum(nil))
}

// Verify checks a signature made by Key.Sign.
func (k PublicKey) Verify(domain string, message, signature []byte) bool {
	return len(signature) == SignatureBytes && ed25519.Verify(k[:], append([]byte(domain), message...), signature)
}

// Key is a node's own identity. It signs nothing of the chain.
type Key struct{ private ed25519.PrivateKey }

// NewKey draws a key.
func NewKey(random io.Reader) (Key, error) {
	seed := make([]byte, SeedBytes)
	if _, err := io.ReadFull(random, seed); err != nil {
		return Key{}, err
	}
	return KeyFromSeed(seed)
}

// KeyFromSeed makes the key of a 32-byte seed.
func KeyFromSeed(seed []byte) (Key, error) {
	if len(seed) != SeedBytes {
		return Key{}, fmt.Errorf("%w: a seed has %d bytes, not %d", ErrKey, SeedBytes, len(seed))
	}
	return Key{ed25519.NewKeyFromSeed(seed)}, nil
}

// Seed is what KeyFromSeed takes. It is secret.
func (k Key) Seed() []byte { return k.private.Seed() }

// Public is the key's public half.
func (k Key) Public() PublicKey { return PublicKey(k.private.Public().(ed25519.PublicKey)) }

// ID is the identity the key proves.
func (k Key) ID() ID { return k.Public().ID() }

// Sign signs a message under a domain string, which no other use of the key may share or begin with.
func (k Key) Sign(domain string, message []byte) []byte {
	return ed25519.Sign(k.private, append([]byte(domain), message...))
}
