package tx

import (
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/chain/verify"
)

// The opcodes of the Result Verifier.
// Spec: runner-marketplace §3.
const (
	OpJobResultSubmit        = Opcode(System)<<8 | 7
	OpJobResultCommit        = Opcode(System)<<8 | 9
	OpUpdateAggregatorConfig = Opcode(System)<<8 | 95
	OpSubmitCrashAttestation = Opcode(System)<<8 | 97
	OpUpdateNonRevealConfig  = Opcode(System)<<8 | 98
	OpUpdateSimilarityModel  = Opcode(System)<<8 | 100
)

// verdict is the row of an instruction of the Result Verifier; more is what it costs beyond the base of an unlisted instruction.
//
// Spec: WP §9, §17.2; runner-marketplace §3, §13.
func verdict(op Opcode, name string, more unit.Cycles, body func() Instruction) Row {
	return Row{
		Opcode: op, Name: name, Home: account.ResultVerifier, Lane: params.LaneRunner, Intrinsic: Cost{Cycles: params.IntrinsicSystemCycles + more}, body: body,
	}
}

// JobResultCommit commits the sender, a runner the job was given to, to its result: job_id(32) ‖ commitment(32), keccak256(output ‖ salt).
// Spec: WP §5.3; runner-marketplace §2.7, §3 (9), §5.
type JobResultCommit struct {
	JobID      digest.Hash
	Commitment digest.Hash
}

// Opcode implements Instruction.
func (*JobResultCommit) Opcode() Opcode { return OpJobResultCommit }

// Fields implements Instruction.
func (c *JobResultCommit) Fields(f *Form) {
	f.Hash("job_id", &c.JobID)
	f.Hash("commitment", &c.Commitment)
}

// surcharge is the calldata and the record.
// Spec: WP §17.4; runner-marketplace §13.
func (c *JobResultCommit) surcharge() Cost {
	return Cost{Cells: 3 * digest.Size}
}

// ResultOf is the job whose result an instruction commits to or reveals; false where it does neither.
// Spec: runner-marketplace §9.3 (JobResult).
func ResultOf(in Instruction) (digest.Hash, bool) {
	switch in := in.(type) {
	case *JobResultCommit:
		return in.JobID, true
	case *JobResultSubmit:
		return in.JobID, true
	}
	return digest.Hash{}, false
}

// JobResultSubmit reveals the result of a runner:
//
//	job_id(32) ‖ runner(20) ‖ Bytes output (≤ verify.MaxOutputBytes) ‖ salt(32) ‖ proof(65)
//
// output is the encoding of a verify.Output, proof the runner's signature whose keccak256 is the salt. Anybody may send it: an aggregator, or another member
// of the committee, for the others.
// Spec: WP §5.3; runner-marketplace §2.6, §3 (7), §5.
type JobResultSubmit struct {
	JobID  digest.Hash
	Runner account.Address
	Output []byte
	Salt   digest.Hash
	Proof  sig.Signature
}

// Opcode implements Instruction.
func (*JobResultSubmit) Opcode() Opcode { return OpJobResultSubmit }

// Fields implements Instruction.
func (r *JobResultSubmit) Fields(f *Form) {
	f.Hash("job_id", &r.JobID)
	f.Address("runner", &r.Runner)
	f.Bytes("output", &r.Output, verify.MaxOutputBytes)
	f.Hash("salt", &r.Salt)
	f.Fixed("proof", r.Proof[:])
}

func (r *JobResultSubmit) check() error {
	_, err := verify.DecodeOutput(r.Output)
	return instructionErr(err)
}

// surcharge is the calldata, once more what of it is kept, and the work of judging: each byte is read for the job's checks.
// Spec: WP §17.2, §17.4; runner-marketplace §13.
func (r *JobResultSubmit) surcharge() Cost {
	size := unit.Cells(len(codec.AppendBytes(nil, r.Output)) + 2*digest.Size + account.AddressSize + sig.SignatureSize)
	return Cost{Cycles: params.CostJudgedByte * unit.Cycles(len(r.Output)), Cells: 2 * size}
}

// SubmitCrashAttestation says why the sender, a runner that committed itself, cannot reveal: job_id(32) ‖ UInt crash_signal, of verify.Crash.
// Spec: runner-marketplace §3 (97), §8.1.
type SubmitCrashAttestation struct {
	JobID  digest.Hash
	Signal uint64
}

// Opcode implements Instruction.
func (*SubmitCrashAttestation) Opcode() Opcode { return OpSubmitCrashAttestation }

// Fields implements Instruction.
func (s *SubmitCrashAttestation) Fields(f *Form) {
	f.Hash("job_id", &s.JobID)
	f.Uint("crash_signal", &s.Signal)
}

func (s *SubmitCrashAttestation) check() error {
	return instructionErr(verify.CheckCrash(s.Signal))
}

// surcharge is the calldata and the records.
// Spec: WP §17.4.
func (s *SubmitCrashAttestation) surcharge() Cost { return Cost{Cells: 3 * digest.Size} }

// UpdateAggregatorConfig replaces the bonus of aggregators from the next block on.
// Spec: runner-marketplace §3 (95), §11; WP §8.4, §13.1.
type UpdateAggregatorConfig struct{ Config params.AggregatorConfig }

// Opcode implements Instruction.
func (*UpdateAggregatorConfig) Opcode() Opcode { return OpUpdateAggregatorConfig }

// Fields implements Instruction.
func (u *UpdateAggregatorConfig) Fields(f *Form) {
	group(f, "config", &u.Config, params.ReadAggregatorConfig)
}

func (u *UpdateAggregatorConfig) check() error { return instructionErr(u.Config.Validate()) }

// UpdateNonRevealConfig replaces what a runner loses that committed itself and does not reveal, from the next block on.
// Spec: runner-marketplace §3 (98), §8.1; WP §13.1.
type UpdateNonRevealConfig struct{ Config params.NonRevealConfig }

// Opcode implements Instruction.
func (*UpdateNonRevealConfig) Opcode() Opcode { return OpUpdateNonRevealConfig }

// Fields implements Instruction.
func (u *UpdateNonRevealConfig) Fields(f *Form) {
	group(f, "config", &u.Config, params.ReadNonRevealConfig)
}

func (u *UpdateNonRevealConfig) check() error { return instructionErr(u.Config.Validate()) }

// UpdateSimilarityModel names the model whose embeddings results are compared by, from the next block on: Bytes model, at most params.MaxModelNameBytes.
// Spec: runner-marketplace §3 (100), §14 (12); WP §13.1.
type UpdateSimilarityModel struct{ Model []byte }

// Opcode implements Instruction.
func (*UpdateSimilarityModel) Opcode() Opcode { return OpUpdateSimilarityModel }

// Fields implements Instruction.
func (u *UpdateSimilarityModel) Fields(f *Form) { f.Text("model", &u.Model, params.MaxModelNameBytes) }

// surcharge is the calldata and what is written.
// Spec: WP §17.4.
func (u *UpdateSimilarityModel) surcharge() Cost { return Cost{Cells: 2 * calldata(u.Model)} }
