package tee

import (
	"crypto/ecdsa"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/binary"
	"math/big"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// The domains that separate what is signed.
//
// Spec: tee §2.1.
const (
	recordDomain = "cbss/tee-attestation/v1"
	resultDomain = "cowboy/tee-verifier/ecdsa-attestation/v1"
	modelDomain  = "cowboy/tee-verifier/model/v1"
	// bindingDomain is ours, as modelDomain is.
	bindingDomain = "cowboy/tee-verifier/binding/v1"
)

// Statement is what an environment of a type and a measurement says of a runner's part in a job.
type Statement struct {
	Type        Type
	Measurement digest.Hash
	Job         digest.Hash
	Runner      account.Address
}

func (s *Statement) payload(domain string) []byte {
	name := s.Type.String()
	dst := append(append([]byte(domain), s.Job[:]...), s.Runner[:]...)
	dst = append(append(dst, byte(len(name))), name...)
	return append(dst, s.Measurement[:]...)
}

// RecordPayload is what is signed for a record that counts until a block.
//
// Spec: tee §2.1.
func (s *Statement) RecordPayload(expires unit.Height) []byte {
	return binary.BigEndian.AppendUint64(s.payload(recordDomain), uint64(expires))
}

// ResultPayload is what is signed for a result.
//
// Spec: tee §2.1 (attestation_data).
func (s *Statement) ResultPayload(result []byte) []byte {
	hash := sha256.Sum256(result)
	return append(s.payload(resultDomain), hash[:]...)
}

// ModelPayload is what is signed for the model that ran: its identity behind what else a result's payload begins with.
//
// Spec: tee §8 (3).
func (s *Statement) ModelPayload(model digest.Hash) []byte {
	return append(s.payload(modelDomain), model[:]...)
}

// check holds a signature over a payload to the registered key. Rejects: ErrKey, ErrRevoked, ErrSignature.
func (s *Statement) check(r state.Reader, payload, signature []byte) error {
	k, err := live(r, s.Type, s.Measurement)
	if err != nil {
		return err
	}
	public, err := s.Type.parse(k.Public)
	if err != nil {
		return err
	}
	if !verify(s.Type, public, payload, signature) {
		return ErrSignature
	}
	return nil
}

// verify reports whether a key made the signature r ‖ s over the hash of a message.
func verify(t Type, key *ecdsa.PublicKey, message, signature []byte) bool {
	if len(signature) != t.SignatureSize() {
		return false
	}
	half := len(signature) / 2
	a, b := new(big.Int).SetBytes(signature[:half]), new(big.Int).SetBytes(signature[half:])
	if t == SEV || t == Nitro {
		hash := sha512.Sum384(message)
		return ecdsa.Verify(key, hash[:], a, b)
	}
	hash := sha256.Sum256(message)
	return ecdsa.Verify(key, hash[:], a, b)
}

// Valid gives the record of a job and a runner, which it was given in a block, that counts now for what the runner is bound to (BindingOf). Rejects:
// ErrAttestation, ErrExpired, and those of Holds.
//
// Spec: tee §4, §6.
func (b *Binding) Valid(r state.Reader, job digest.Hash, runner account.Address, assigned, now unit.Height) (Attestation, error) {
	a, err := LoadAttestation(r, job, runner)
	switch {
	case err != nil:
		return a, err
	case a.Revoked:
		return a, ErrRevoked
	case now >= a.Expires:
		return a, ErrExpired
	}
	return a, b.Holds(r, a.Type, a.Measurement, assigned)
}
