package tx

import (
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/tee"
)

// The opcodes of the TEE verifier's interim design, and CIP-23's.
//
// Spec: tee §3; runner-marketplace §3.
const (
	OpRegisterTeeTrustedKey = Opcode(System)<<8 | 60
	OpRevokeTeeTrustedKey   = Opcode(System)<<8 | 61
	OpSubmitTeeAttestation  = Opcode(System)<<8 | 62
	OpRevokeTeeAttestation  = Opcode(System)<<8 | 63
	OpDeprecateBinding      = Opcode(System)<<8 | 124
	OpVerifyCae             = Opcode(System)<<8 | 125
	OpUpdateCollateral      = Opcode(System)<<8 | 126
)

// attested is the row of an instruction of the TEE verifier.
//
// Spec: tee §3, §7; WP §9, §17.2.
func attested(op Opcode, name string, lane params.Lane, governed bool, body func() Instruction) Row {
	return Row{
		Opcode: op, Name: name, Home: account.TEEVerifier, Lane: lane, Privileged: governed, Intrinsic: Cost{Cycles: params.IntrinsicSystemCycles}, body: body,
	}
}

var teeRows = chapter(ChapterTEE,
	attested(OpRegisterTeeTrustedKey, "RegisterTeeTrustedKey", params.LaneSystem, true, func() Instruction { return new(RegisterTeeTrustedKey) }),
	attested(OpRevokeTeeTrustedKey, "RevokeTeeTrustedKey", params.LaneSystem, true, func() Instruction { return new(RevokeTeeTrustedKey) }),
	attested(OpSubmitTeeAttestation, "SubmitTeeAttestation", params.LaneRunner, false, func() Instruction { return new(SubmitTeeAttestation) }),
	attested(OpRevokeTeeAttestation, "RevokeTeeAttestation", params.LaneRunner, false, func() Instruction { return new(RevokeTeeAttestation) }),
	attested(OpDeprecateBinding, "DeprecateBinding", params.LaneSystem, true, func() Instruction { return new(DeprecateBinding) }),
	attested(OpVerifyCae, "VerifyCae", params.LaneRunner, false, func() Instruction { return new(VerifyCae) }),
	attested(OpUpdateCollateral, "UpdateCollateral", params.LaneSystem, true, func() Instruction { return new(UpdateCollateral) }),
)

// maxTypeBytes bounds the name of a type of trusted environments.
const maxTypeBytes = 16

// RegisterTeeTrustedKey makes a key the trusted one of a type and a measurement: Bytes tee_type ‖ measurement_hash(32) ‖ Bytes public_key (65 or 97,
// uncompressed SEC1).
//
// Spec: tee §2.1, §3 (60).
type RegisterTeeTrustedKey struct {
	TeeType         []byte // "sgx", "sev", "tdx" or "nitro"
	MeasurementHash digest.Hash
	PublicKey       []byte
}

// Opcode implements Instruction.
func (*RegisterTeeTrustedKey) Opcode() Opcode { return OpRegisterTeeTrustedKey }

// Fields implements Instruction.
func (r *RegisterTeeTrustedKey) Fields(f *Form) {
	f.Text("tee_type", &r.TeeType, maxTypeBytes)
	f.Hash("measurement_hash", &r.MeasurementHash)
	f.Bytes("public_key", &r.PublicKey, tee.MaxKeyBytes)
}

func (r *RegisterTeeTrustedKey) check() error {
	t, err := tee.ParseType(string(r.TeeType))
	if err == nil {
		err = tee.CheckKey(t, r.PublicKey)
	}
	return instructionErr(err)
}

// RevokeTeeTrustedKey ends a trusted key: Bytes tee_type ‖ measurement_hash(32).
//
// Spec: tee §3 (61).
type RevokeTeeTrustedKey struct {
	TeeType         []byte
	MeasurementHash digest.Hash
}

// Opcode implements Instruction.
func (*RevokeTeeTrustedKey) Opcode() Opcode { return OpRevokeTeeTrustedKey }

// Fields implements Instruction.
func (r *RevokeTeeTrustedKey) Fields(f *Form) {
	f.Text("tee_type", &r.TeeType, maxTypeBytes)
	f.Hash("measurement_hash", &r.MeasurementHash)
}

func (r *RevokeTeeTrustedKey) check() error { return checkType(r.TeeType) }

// DeprecateBinding ends a type and a measurement for new jobs: Bytes tee_type ‖ measurement_hash(32). What runs may still be attested.
//
// Spec: tee §3 (124), §4.
type DeprecateBinding struct {
	TeeType         []byte
	MeasurementHash digest.Hash
}

// Opcode implements Instruction.
func (*DeprecateBinding) Opcode() Opcode { return OpDeprecateBinding }

// Fields implements Instruction.
func (d *DeprecateBinding) Fields(f *Form) {
	f.Text("tee_type", &d.TeeType, maxTypeBytes)
	f.Hash("measurement_hash", &d.MeasurementHash)
}

func (d *DeprecateBinding) check() error { return checkType(d.TeeType) }

func checkType(name []byte) error {
	_, err := tee.ParseType(string(name))
	return instructionErr(err)
}

// SubmitTeeAttestation records that the sender's environment was attested for a job:
//
//	job_id(32) ‖ Bytes tee_type ‖ measurement_hash(32) ‖ UInt expires_at ‖ Bytes signature (64 or 96, r ‖ s)
//
// Spec: tee §2.1, §3 (62).
type SubmitTeeAttestation struct {
	JobID           digest.Hash
	TeeType         []byte
	MeasurementHash digest.Hash
	ExpiresAt       uint64 // the first block it does not count in
	Signature       []byte
}

// Opcode implements Instruction.
func (*SubmitTeeAttestation) Opcode() Opcode { return OpSubmitTeeAttestation }

// Fields implements Instruction.
func (s *SubmitTeeAttestation) Fields(f *Form) {
	f.Hash("job_id", &s.JobID)
	f.Text("tee_type", &s.TeeType, maxTypeBytes)
	f.Hash("measurement_hash", &s.MeasurementHash)
	f.Uint("expires_at", &s.ExpiresAt)
	f.Bytes("signature", &s.Signature, tee.MaxSignature)
}

func (s *SubmitTeeAttestation) check() error { return checkType(s.TeeType) }

// surcharge is the check of the signature by the type's curve, the calldata, and the bytes of the record with its place in the queue.
//
// Spec: tee §7; WP §17.3, §17.4.
func (s *SubmitTeeAttestation) surcharge() Cost {
	check := params.CostVerifyP256
	if t, err := tee.ParseType(string(s.TeeType)); err == nil {
		check = t.Cost()
	}
	return Cost{Cycles: check, Cells: calldata(s.JobID[:], s.TeeType, s.MeasurementHash[:], s.Signature) + params.AttestationRecordCells}
}

// RevokeTeeAttestation ends the record of a job and a runner: job_id(32) ‖ runner(20). The runner and governance may send it.
//
// Spec: tee §3 (63).
type RevokeTeeAttestation struct {
	JobID  digest.Hash
	Runner account.Address
}

// Opcode implements Instruction.
func (*RevokeTeeAttestation) Opcode() Opcode { return OpRevokeTeeAttestation }

// Fields implements Instruction.
func (r *RevokeTeeAttestation) Fields(f *Form) {
	f.Hash("job_id", &r.JobID)
	f.Address("runner", &r.Runner)
}

// VerifyCae hands in a composite attestation of the sender's part in a job, which a trusted key vouches for:
//
//	job_id(32) ‖ result_hash(32) ‖ Bytes cae ‖ root(32) ‖ tcb(16) ‖ revoked(32) ‖ Bytes vouch (64 or 96, r ‖ s) ‖ Bytes operator_proof
//
// Spec: tee §2.2, §3 (125), §4.
type VerifyCae struct {
	JobID         digest.Hash
	ResultHash    digest.Hash // SHA-256 of the result
	CAE           []byte
	Root          digest.Hash // SHA-256 of the certificate that the quote's chain ends in
	TCB           tee.TCB
	Revoked       digest.Hash // the collateral's revocation lists, that the chain was held against
	Vouch         []byte
	OperatorProof []byte // be4 position ‖ Merkle proof, where the collateral lists operators
}

// Opcode implements Instruction.
func (*VerifyCae) Opcode() Opcode { return OpVerifyCae }

// Fields implements Instruction.
func (v *VerifyCae) Fields(f *Form) {
	f.Hash("job_id", &v.JobID)
	f.Hash("result_hash", &v.ResultHash)
	f.Bytes("cae", &v.CAE, tee.MaxCAE)
	f.Hash("root", &v.Root)
	f.Fixed("tcb", v.TCB[:])
	f.Hash("revoked", &v.Revoked)
	f.Bytes("vouch", &v.Vouch, tee.MaxSignature)
	f.Bytes("operator_proof", &v.OperatorProof, tee.MaxOperatorProof)
}

// surcharge is the text's price, which covers the checks of both signatures and the reading of the attestation, its calldata and what is kept of it.
//
// Spec: tee §7; WP §17.3, §17.4.
func (v *VerifyCae) surcharge() Cost {
	data := calldata(v.JobID[:], v.ResultHash[:], v.CAE, v.Root[:], v.TCB[:], v.Revoked[:], v.Vouch, v.OperatorProof)
	return Cost{Cycles: params.CostVerifyCAE, Cells: data + params.CompositeRecordCells}
}

// UpdateCollateral says what quotes of a type are held against: Bytes tee_type ‖ Bytes roots (32 each, ascending) ‖ least_tcb(16) ‖ revoked(32) ‖
// operators(32).
//
// Spec: tee §2.4, §3 (126), §5 (ROOT_UPDATE_DELAY).
type UpdateCollateral struct {
	TeeType   []byte
	Roots     []byte // SHA-256 of root certificates (DER)
	LeastTCB  tee.TCB
	Revoked   digest.Hash // SHA-256 of the revocation lists (DER), one behind another; zero: none
	Operators digest.Hash // Merkle root of keccak256 of addresses; zero: everybody
}

// Opcode implements Instruction.
func (*UpdateCollateral) Opcode() Opcode { return OpUpdateCollateral }

// Fields implements Instruction.
func (u *UpdateCollateral) Fields(f *Form) {
	f.Text("tee_type", &u.TeeType, maxTypeBytes)
	f.Bytes("roots", &u.Roots, tee.MaxRoots*digest.Size)
	f.Fixed("least_tcb", u.LeastTCB[:])
	f.Hash("revoked", &u.Revoked)
	f.Hash("operators", &u.Operators)
}

func (u *UpdateCollateral) check() error {
	if _, err := tee.ParseRoots(u.Roots); err != nil {
		return instructionErr(err)
	}
	return checkType(u.TeeType)
}

// surcharge is the text's price and the bytes that come with it. Spec: tee §7.
func (u *UpdateCollateral) surcharge() Cost {
	data := calldata(u.TeeType, u.Roots, u.LeastTCB[:], u.Revoked[:], u.Operators[:])
	return Cost{Cycles: params.CostCollateral, Cells: data + params.CollateralRecordCells}
}
