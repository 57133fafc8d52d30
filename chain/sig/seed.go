package sig

import (
	"github.com/cowboyinc/cowboy-go/chain/codec"
)

// Sizes of compressed BLS12-381 points and scalars, with public keys in G1 and
// signatures in G2. Spec: commonware §4.1 (MinPk).
const (
	BLSPublicKeySize  = 48
	BLSSignatureSize  = 96
	BLSPrivateKeySize = 32
)

// BLSPublicKey is a compressed point of G1. Whether it is on the curve is known
// only to package bls.
type BLSPublicKey [BLSPublicKeySize]byte

// BLSSignature is a compressed point of G2. Whether it is on the curve is known
// only to package bls.
type BLSSignature [BLSSignatureSize]byte

// Round is an absolute round: views count from 1 within an epoch, view 0 is the
// epoch's genesis. Spec: WP §3.4; commonware §2.1.
type Round struct {
	Epoch uint64
	View  uint64
}

// Append appends the canonical encoding UInt epoch ‖ UInt view.
// Spec: commonware §2.1.
func (r Round) Append(dst []byte) []byte {
	return codec.AppendUint(codec.AppendUint(dst, r.Epoch), r.View)
}

// ReadRound reads what Append wrote; errors stay in r.
func ReadRound(r *codec.Reader) Round { return Round{Epoch: r.Uint(), View: r.Uint()} }

// Compare orders rounds by epoch, then view.
func (r Round) Compare(s Round) int {
	switch {
	case r.Epoch < s.Epoch || r.Epoch == s.Epoch && r.View < s.View:
		return -1
	case r == s:
		return 0
	}
	return 1
}

// Seed is the random beacon of one absolute round: the threshold signature over
// the round. Exactly one valid seed exists per round.
// Spec: WP §3.4; commonware §2.5.
type Seed struct {
	Round     Round
	Signature BLSSignature
}

// Append appends the canonical encoding Round ‖ signature.
func (s Seed) Append(dst []byte) []byte {
	return codec.AppendFixed(s.Round.Append(dst), s.Signature[:])
}

// ReadSeed reads what Append wrote; errors stay in r.
func ReadSeed(r *codec.Reader) Seed {
	s := Seed{Round: ReadRound(r)}
	r.Into(s.Signature[:])
	return s
}
