package sig

import (
	"encoding/hex"
	"errors"
)

// SignatureSize is the length of a recoverable signature on the wire.
const SignatureSize = 65

// VBase is what is added to the recovery id to make the last byte of a signature
// on the wire. Spec: commonware §0 (0/1; WP leaves it open).
const VBase = 0

// ethereumVBase is the offset other tools add to the recovery id.
const ethereumVBase = 27

// The secp256k1 group order n and ⌊n/2⌋, big-endian.
const (
	groupOrder     = "\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xfe\xba\xae\xdc\xe6\xaf\x48\xa0\x3b\xbf\xd2\x5e\x8c\xd0\x36\x41\x41"
	halfGroupOrder = "\x7f\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x5d\x57\x6e\x73\x57\xa4\x50\x1d\xdf\xe9\x2f\x46\x68\x1b\x20\xa0"
	zeroScalar     = "\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00"
)

var (
	// ErrSignatureForm reports a signature outside the one accepted form.
	ErrSignatureForm = errors.New("sig: signature is not r‖s‖v with 0<r<n, 0<s≤n/2, v in {0,1}")
	// ErrRecover reports a well-formed signature no public key can have made.
	ErrRecover = errors.New("sig: no public key recovers from the signature")
	// ErrPrivateKey reports a private key outside 1..n−1.
	ErrPrivateKey = errors.New("sig: private key is not in 1..n-1")
	// ErrPublicKey reports bytes that are no secp256k1 public key.
	ErrPublicKey = errors.New("sig: not a compressed secp256k1 public key")
)

// Signature is r(32) ‖ s(32) ‖ v(1), big-endian, v = VBase + recovery id. The
// zero Signature means "not signed". Spec: WP §2.5.
type Signature [SignatureSize]byte

// IsZero reports whether s is absent.
func (s Signature) IsZero() bool { return s == Signature{} }

// String is s in hexadecimal with 0x.
func (s Signature) String() string { return "0x" + hex.EncodeToString(s[:]) }

// RecoveryID is v without its base. Meaningful after Check.
func (s Signature) RecoveryID() byte { return s[64] - VBase }

// Check gives ErrSignatureForm unless s has the one accepted form: r and s not
// zero and below the group order, s in the lower half, v one of two values.
// Spec: commonware §0; WP §2.2 (c).
func (s Signature) Check() error {
	r, half := string(s[:32]), string(s[32:64])
	if r == zeroScalar || r >= groupOrder || half == zeroScalar || half > halfGroupOrder || s.RecoveryID() > 1 {
		return ErrSignatureForm
	}
	return nil
}

// FromEdge turns a signature as wallets write it (v 0, 1, 27 or 28) into the
// wire form. Only the edges of the system (RPC, command line) call it; a decoder
// never does. It gives ErrSignatureForm for any other v or a wrong length.
// Spec: commonware §0.
func FromEdge(raw []byte) (Signature, error) {
	if len(raw) != SignatureSize {
		return Signature{}, ErrSignatureForm
	}
	s := Signature(raw)
	if s[64] >= ethereumVBase {
		s[64] -= ethereumVBase
	}
	s[64] += VBase
	return s, s.Check()
}
