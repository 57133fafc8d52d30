package digest

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"hash"
	"strings"

	"golang.org/x/crypto/sha3"
)

// Size is the length of every hash value in bytes.
const Size = 32

// Hash is a 32-byte hash value. The zero Hash means "none" where a record says
// so.
type Hash [Size]byte

// ErrHash reports a text that is not 64 hexadecimal digits.
var ErrHash = errors.New("digest: not 32 bytes of hexadecimal")

// IsZero reports whether h is all zero bytes.
func (h Hash) IsZero() bool { return h == Hash{} }

// Hex is h in lower-case hexadecimal without a prefix.
func (h Hash) Hex() string { return hex.EncodeToString(h[:]) }

// String is h in lower-case hexadecimal with the prefix 0x.
func (h Hash) String() string { return "0x" + h.Hex() }

// MarshalText is the form of String, for JSON.
func (h Hash) MarshalText() ([]byte, error) { return []byte(h.String()), nil }

// UnmarshalText reads what ParseHash reads.
func (h *Hash) UnmarshalText(text []byte) error {
	v, err := ParseHash(string(text))
	if err == nil {
		*h = v
	}
	return err
}

// ParseHash reads 64 hexadecimal digits of either case with an optional 0x, or
// gives ErrHash.
func ParseHash(text string) (Hash, error) {
	var h Hash
	text = strings.TrimPrefix(text, "0x")
	if len(text) != 2*Size {
		return Hash{}, ErrHash
	}
	if _, err := hex.Decode(h[:], []byte(text)); err != nil {
		return Hash{}, ErrHash
	}
	return h, nil
}

// Keccak256 is the Keccak-256 of the concatenated parts, with the padding
// Ethereum uses (not NIST SHA-3).
func Keccak256(parts ...[]byte) (h Hash) {
	k := sha3.NewLegacyKeccak256()
	for _, p := range parts {
		k.Write(p)
	}
	k.Sum(h[:0])
	return h
}

// NewKeccak256 is a streaming Keccak-256; Sum gives 32 bytes.
func NewKeccak256() hash.Hash { return sha3.NewLegacyKeccak256() }

// SHA256 is the SHA-256 of the concatenated parts.
func SHA256(parts ...[]byte) (h Hash) {
	if len(parts) == 1 {
		return sha256.Sum256(parts[0])
	}
	s := sha256.New()
	for _, p := range parts {
		s.Write(p)
	}
	s.Sum(h[:0])
	return h
}
