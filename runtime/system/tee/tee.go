package tee

import (
	"slices"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/market"
	"github.com/cowboyinc/cowboy-go/chain/runner"
	"github.com/cowboyinc/cowboy-go/chain/tee"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/runtime/chapter"
	"github.com/cowboyinc/cowboy-go/runtime/drain"
)

// Topics of the events of 0x05.
const (
	TopicKey        = "tee.key_registered"      // Bytes type ‖ measurement(32)
	TopicKeyRevoked = "tee.key_revoked"         // Bytes type ‖ measurement(32)
	TopicDeprecated = "tee.binding_deprecated"  // Bytes type ‖ measurement(32)
	TopicAttested   = "tee.attested"            // job(32) ‖ runner(20) ‖ UInt first block it does not count in
	TopicRevoked    = "tee.attestation_revoked" // job(32) ‖ runner(20)
	TopicVerified   = "tee.cae_verified"        // job(32) ‖ runner(20) ‖ attest_digest(32) ‖ result_hash(32)
	TopicCollateral = "tee.collateral_updated"  // Bytes type ‖ UInt block from which on it is in force
	TopicBound      = "tee.bound"               // runner(20) ‖ UInt the first block in which it admits no new jobs
	TopicUnbound    = "tee.unbound"             // runner(20)
)

// The codes of faults about trusted environments.
//
// Spec: tee §6.
const (
	FaultType        uint16 = 1661 // UnsupportedTeeType
	FaultKey         uint16 = 1662 // key not found
	FaultRevoked     uint16 = 1663 // key revoked
	FaultSignature   uint16 = 1664 // SigInvalid
	FaultExpired     uint16 = 1665 // attestation expired
	FaultAttestation uint16 = 1666 // there is none
	FaultMissing     uint16 = 1667 // MissingTeeAttestation
	FaultResult      uint16 = 1668 // InvalidResultHash
	FaultDeprecated  uint16 = 1901 // the binding is
	FaultLate        uint16 = 1902 // TaskExpired
	FaultReplayed    uint16 = 1903 // TaskReplayed
	FaultNonce       uint16 = 1904 // NonceBindingFail
	FaultUnavailable uint16 = 1905 // TeeUnavailable
	FaultTCB         uint16 = 1906 // TcbOutOfDate
	FaultRegistry    uint16 = 1907 // RegistryMismatch
	FaultAttest      uint16 = 1908 // AttestFail
	FaultOperator    uint16 = 1909 // OperatorRootFail
	FaultAsked       uint16 = 1910 // no nonce for a binding
	FaultUnbound     uint16 = 1911 // no binding
)

// New gives the chapter.
//
// Spec: tee §3; WP §9.
func New() *chapter.Chapter {
	return &chapter.Chapter{
		Name: tx.ChapterTEE, Homes: []byte{account.TEEVerifier},
		Instructions: []chapter.Instruction{
			chapter.On(registerKey), chapter.On(revokeKey), chapter.On(submit), chapter.On(revoke), chapter.On(deprecate),
			chapter.On(verifyCAE), chapter.On(collateral),
		},
		Handlers: handlers(),
		End:      func(b *chapter.Boundary) error { return tee.Forget(b.State, b.Header.Height) },
		Faults:   append(Faults(), chapter.Fault{Err: runner.ErrUnknown, Code: drain.FaultForbidden}),
		Claims:   tee.Claims(string(tx.ChapterTEE)),
	}
}

// Faults are the rejects of package tee, for those that ask the verifier.
func Faults() []chapter.Fault {
	return []chapter.Fault{
		{Err: tee.ErrType, Code: FaultType},
		{Err: tee.ErrKeyForm, Code: drain.FaultInput},
		{Err: tee.ErrKey, Code: FaultKey},
		{Err: tee.ErrRevoked, Code: FaultRevoked},
		{Err: tee.ErrSignature, Code: FaultSignature},
		{Err: tee.ErrExpired, Code: FaultExpired},
		{Err: tee.ErrLifetime, Code: drain.FaultInput},
		{Err: tee.ErrAttestation, Code: FaultAttestation},
		{Err: tee.ErrFull, Code: drain.FaultLimit},
		{Err: tee.ErrOwner, Code: drain.FaultForbidden},
		{Err: tee.ErrMissing, Code: FaultMissing},
		{Err: tee.ErrEvidence, Code: drain.FaultInput},
		{Err: tee.ErrResult, Code: FaultResult},
		{Err: tee.ErrDeprecated, Code: FaultDeprecated},
		{Err: tee.ErrForm, Code: drain.FaultInput},
		{Err: tee.ErrLate, Code: FaultLate},
		{Err: tee.ErrReplayed, Code: FaultReplayed},
		{Err: tee.ErrNonce, Code: FaultNonce},
		{Err: tee.ErrCollateral, Code: FaultUnavailable},
		{Err: tee.ErrTCB, Code: FaultTCB},
		{Err: tee.ErrBinding, Code: FaultRegistry},
		{Err: tee.ErrReport, Code: FaultAttest},
		{Err: tee.ErrLists, Code: FaultAttest},
		{Err: tee.ErrOperator, Code: FaultOperator},
		{Err: tee.ErrBound, Code: drain.FaultInput},
		{Err: tee.ErrUnbound, Code: FaultUnbound},
		{Err: tee.ErrAsked, Code: FaultAsked},
		{Err: tee.ErrService, Code: FaultRegistry},
		{Err: tee.ErrAccelerator, Code: FaultRegistry},
	}
}

func registerKey(e *chapter.Env, in *tx.RegisterTeeTrustedKey) ([]byte, error) {
	t, err := tee.ParseType(string(in.TeeType))
	if err != nil {
		return nil, err
	}
	if err := tee.RegisterKey(e.State, t, in.MeasurementHash, in.PublicKey, e.Block.Height); err != nil {
		return nil, err
	}
	return nil, e.Emit(TopicKey, codec.AppendFixed(codec.AppendBytes(nil, in.TeeType), in.MeasurementHash[:]))
}

func revokeKey(e *chapter.Env, in *tx.RevokeTeeTrustedKey) ([]byte, error) {
	t, err := tee.ParseType(string(in.TeeType))
	if err != nil {
		return nil, err
	}
	if err := tee.RevokeKey(e.State, t, in.MeasurementHash, e.Block.Height); err != nil {
		return nil, err
	}
	return nil, e.Emit(TopicKeyRevoked, codec.AppendFixed(codec.AppendBytes(nil, in.TeeType), in.MeasurementHash[:]))
}

func deprecate(e *chapter.Env, in *tx.DeprecateBinding) ([]byte, error) {
	t, err := tee.ParseType(string(in.TeeType))
	if err != nil {
		return nil, err
	}
	if err := tee.Deprecate(e.State, t, in.MeasurementHash, e.Block.Height); err != nil {
		return nil, err
	}
	return nil, e.Emit(TopicDeprecated, codec.AppendFixed(codec.AppendBytes(nil, in.TeeType), in.MeasurementHash[:]))
}

// submit is for registered runners.
func submit(e *chapter.Env, in *tx.SubmitTeeAttestation) ([]byte, error) {
	t, err := tee.ParseType(string(in.TeeType))
	if err != nil {
		return nil, err
	}
	if _, known, err := runner.Load(e.State, e.Sender); err != nil {
		return nil, err
	} else if !known {
		return nil, runner.ErrUnknown
	}
	s := tee.Statement{Type: t, Measurement: in.MeasurementHash, Job: in.JobID, Runner: e.Sender}
	if err := s.Record(e.State, unit.Height(in.ExpiresAt), in.Signature, e.Block.Height); err != nil {
		return nil, err
	}
	data := codec.AppendFixed(codec.AppendFixed(nil, in.JobID[:]), e.Sender[:])
	return nil, e.Emit(TopicAttested, codec.AppendUint(data, in.ExpiresAt))
}

func revoke(e *chapter.Env, in *tx.RevokeTeeAttestation) ([]byte, error) {
	governs := e.Sender == account.System(account.Governance) || slices.Contains(e.Block.Params.Administrators, e.Sender)
	if err := tee.Revoke(e.State, in.JobID, in.Runner, e.Sender, governs); err != nil {
		return nil, err
	}
	return nil, e.Emit(TopicRevoked, codec.AppendFixed(codec.AppendFixed(nil, in.JobID[:]), in.Runner[:]))
}

// verifyCAE is for runners that a job was given to, while it runs.
//
// Spec: tee §2.2, §3 (125), §4.
func verifyCAE(e *chapter.Env, in *tx.VerifyCae) ([]byte, error) {
	cae, err := tee.ParseCAE(in.CAE)
	if err != nil {
		return nil, err
	}
	s := &tee.Submission{
		CAE: cae, Job: in.JobID, Runner: e.Sender, Result: in.ResultHash, Root: in.Root, TCB: in.TCB, Revoked: in.Revoked, Vouch: in.Vouch,
		Operator: in.OperatorProof,
	}
	if err := assigned(e, s); err != nil {
		return nil, err
	}
	if err := s.Verify(e.State, e.Block.Height); err != nil {
		return nil, err
	}
	hash := cae.Digest()
	data := codec.AppendFixed(codec.AppendFixed(nil, in.JobID[:]), e.Sender[:])
	return nil, e.Emit(TopicVerified, codec.AppendFixed(codec.AppendFixed(data, hash[:]), in.ResultHash[:]))
}

// assigned fills in what the chain knows of the job and its runner. Rejects: ErrBinding for a job that does not run, is another's, or asks for another type.
//
// Spec: tee §4 (three layers must agree), §6 (RegistryMismatch).
func assigned(e *chapter.Env, s *tee.Submission) error {
	t, err := market.Load(e.State, s.Job)
	if err != nil {
		return err
	}
	if t == nil || !t.Status.Working() {
		return tee.ErrBinding
	}
	spec, err := market.LoadSpec(e.State, s.Job)
	if err != nil {
		return err
	}
	drawn, err := market.LoadSelection(e.State, s.Job)
	if err != nil {
		return err
	}
	if spec == nil || drawn == nil || drawn.Place(s.Runner) < 0 {
		return tee.ErrBinding
	}
	if want := spec.Verification.TEEType; want != nil && *want != s.CAE.CPU.Type.String() {
		return tee.ErrBinding
	}
	s.Request, s.Seed, s.Assigned = digest.Keccak256(spec.Append(nil)), drawn.Seed, t.Assigned
	s.Binding, err = runner.BindingOf(e.State, s.Runner)
	return err
}

func collateral(e *chapter.Env, in *tx.UpdateCollateral) ([]byte, error) {
	t, err := tee.ParseType(string(in.TeeType))
	if err != nil {
		return nil, err
	}
	roots, err := tee.ParseRoots(in.Roots)
	if err != nil {
		return nil, err
	}
	s := tee.Snapshot{Roots: roots, Least: in.LeastTCB, Revoked: in.Revoked, Operators: in.Operators}
	from, err := s.Update(e.State, t, e.Block.Height)
	if err != nil {
		return nil, err
	}
	return nil, e.Emit(TopicCollateral, codec.AppendUint(codec.AppendBytes(nil, in.TeeType), uint64(from)))
}
