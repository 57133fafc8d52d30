package tee

import (
	"crypto/sha256"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// Evidence is what a trusted environment says of a result (TeeAttestation), as the result carries it.
//
// Spec: tee §2.1.
type Evidence struct {
	Type        Type
	Measurement digest.Hash
	Data        digest.Hash // SHA-256 of the result (attestation_data)
	Signature   []byte      // r ‖ s over ResultPayload
}

// Encode is the canonical encoding: tee_type(1) ‖ measurement_hash(32) ‖ attestation_data(32) ‖ Bytes signature. The types are numbered sgx 1, sev 2, tdx 3,
// nitro 4.
func (e *Evidence) Encode() []byte {
	dst := codec.AppendFixed(codec.AppendU8(nil, uint8(e.Type)), e.Measurement[:])
	return codec.AppendBytes(codec.AppendFixed(dst, e.Data[:]), e.Signature)
}

// DecodeEvidence reads what Encode wrote. Reject: ErrEvidence.
func DecodeEvidence(data []byte) (e Evidence, err error) {
	r := codec.NewReader(data)
	if e.Type = Type(r.U8()); r.Err() == nil && !e.Type.known() {
		return e, ErrEvidence
	}
	r.Into(e.Measurement[:])
	r.Into(e.Data[:])
	e.Signature = r.Bytes(MaxSignature)
	if r.Finish() != nil {
		return e, ErrEvidence
	}
	return e, nil
}

// Cost is what a check of a type's signature costs, in cycles.
//
// Spec: tee §7.
func (t Type) Cost() unit.Cycles {
	if t == SEV || t == Nitro {
		return params.CostVerifyP384
	}
	return params.CostVerifyP256
}

// Check holds the evidence against a result of a runner in a job, and its signature against the registered keys. Rejects: ErrResult, ErrKey, ErrRevoked,
// ErrSignature.
//
// Spec: tee §2.1, §4, §6 (InvalidResultHash).
func (e *Evidence) Check(r state.Reader, job digest.Hash, runner account.Address, result []byte) error {
	if sha256.Sum256(result) != e.Data {
		return ErrResult
	}
	s := Statement{Type: e.Type, Measurement: e.Measurement, Job: job, Runner: runner}
	return s.check(r, s.ResultPayload(result), e.Signature)
}

// ModelEvidence is what a trusted environment says of the model that ran in it for a job. What can be held against its runner is signed by the environment, and
// not by the runner.
//
// Spec: tee §8 (3); runner-marketplace §7 (an attested model that does not match).
type ModelEvidence struct {
	Type        Type
	Measurement digest.Hash
	Model       digest.Hash
	Signature   []byte // r ‖ s over ModelPayload
}

// Encode is the canonical encoding: tee_type(1) ‖ measurement_hash(32) ‖ model(32) ‖ Bytes signature.
func (e *ModelEvidence) Encode() []byte {
	dst := codec.AppendFixed(codec.AppendU8(nil, uint8(e.Type)), e.Measurement[:])
	return codec.AppendBytes(codec.AppendFixed(dst, e.Model[:]), e.Signature)
}

// DecodeModelEvidence reads what Encode wrote. Reject: ErrEvidence.
func DecodeModelEvidence(data []byte) (e ModelEvidence, err error) {
	// The forms are the same, with the model in the place of the result's hash.
	as, err := DecodeEvidence(data)
	return ModelEvidence{Type: as.Type, Measurement: as.Measurement, Model: as.Data, Signature: as.Signature}, err
}

// Check holds the evidence to a runner in a job, and its signature to the registered keys. Rejects: ErrKey, ErrRevoked, ErrSignature.
//
// Spec: tee §4, §8 (3).
func (e *ModelEvidence) Check(r state.Reader, job digest.Hash, runner account.Address) error {
	s := Statement{Type: e.Type, Measurement: e.Measurement, Job: job, Runner: runner}
	return s.check(r, s.ModelPayload(e.Model), e.Signature)
}
