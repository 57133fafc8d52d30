package tx

import (
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/job"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// The opcodes of the Job Dispatcher.
// Spec: runner-marketplace §3.
const (
	OpJobSubmit             = Opcode(System)<<8 | 6
	OpJobCancel             = Opcode(System)<<8 | 8
	OpExecutorRegistryPin   = Opcode(System)<<8 | 87
	OpExecutorRegistryUnpin = Opcode(System)<<8 | 88
	OpUpdateCommitteeConfig = Opcode(System)<<8 | 99
)

// submission is the row of JobSubmit: the cycles of an LlmRequest, whatever the job. The size of the specification, which has the prompt in it, is its
// calldata; the runners that are looked at and what is written are charged where they are known.
//
// Spec: WP §17.2; runner-marketplace §13.
var submission = Row{
	Opcode: OpJobSubmit, Name: "JobSubmit", Home: account.JobDispatcher, Lane: params.LaneUser, Intrinsic: Cost{Cycles: params.IntrinsicLlmRequestCycles},
	body: func() Instruction { return new(JobSubmit) },
}

// cancellation is the row of JobCancel.
//
// Spec: WP §17.2; runner-marketplace §3 (8).
var cancellation = Row{
	Opcode: OpJobCancel, Name: "JobCancel", Home: account.JobDispatcher, Lane: params.LaneUser,
	Intrinsic: Cost{Cycles: params.IntrinsicSystemCycles + params.CostDelivery}, body: func() Instruction { return new(JobCancel) },
}

// JobSubmit has runners do a job: Bytes spec, the canonical encoding of a job.Spec, at most job.MaxSpecBytes. max_price and tip are taken from the sender
// and held. job_id, submitter and submitted_at of it are ignored. The receipt returns the job's identity.
// Spec: CIP-2 §2, §3; runner-marketplace §2.1, §3 (6).
type JobSubmit struct{ Spec []byte }

// Opcode implements Instruction.
func (*JobSubmit) Opcode() Opcode { return OpJobSubmit }

// Fields implements Instruction.
func (j *JobSubmit) Fields(f *Form) { f.Bytes("spec", &j.Spec, job.MaxSpecBytes) }

func (j *JobSubmit) check() error {
	_, err := job.Decode(j.Spec)
	return instructionErr(err)
}

// surcharge is the calldata.
// Spec: WP §17.2, §17.4; runner-marketplace §13.
func (j *JobSubmit) surcharge() Cost { return Cost{Cells: calldata(j.Spec)} }

// JobCancel takes a job of the sender's back before runners are assigned to it: job_id(32).
// Spec: runner-marketplace §3 (8), §5.
type JobCancel struct{ JobID digest.Hash }

// Opcode implements Instruction.
func (*JobCancel) Opcode() Opcode { return OpJobCancel }

// Fields implements Instruction.
func (j *JobCancel) Fields(f *Form) { f.Hash("job_id", &j.JobID) }

// ExecutorRegistryPin gives a custom executor a name: Bytes name (1 to params.MaxExecutorNameBytes) ‖ executor(32), its BLAKE3.
// Spec: runner-marketplace §2.2, §3 (87).
type ExecutorRegistryPin struct {
	Name     []byte
	Executor digest.Hash
}

// Opcode implements Instruction.
func (*ExecutorRegistryPin) Opcode() Opcode { return OpExecutorRegistryPin }

// Fields implements Instruction.
func (p *ExecutorRegistryPin) Fields(f *Form) {
	f.Text("name", &p.Name, params.MaxExecutorNameBytes)
	f.Hash("executor", &p.Executor)
}

func (p *ExecutorRegistryPin) check() error {
	return instructionErr(params.CheckExecutorName(string(p.Name)))
}

// surcharge is the calldata, and what is written: the entry and the change.
// Spec: WP §17.4.
func (p *ExecutorRegistryPin) surcharge() Cost { return pinned(p.Name) }

// ExecutorRegistryUnpin takes a custom executor's name away: Bytes name.
// Spec: runner-marketplace §3 (88).
type ExecutorRegistryUnpin struct{ Name []byte }

// Opcode implements Instruction.
func (*ExecutorRegistryUnpin) Opcode() Opcode { return OpExecutorRegistryUnpin }

// Fields implements Instruction.
func (u *ExecutorRegistryUnpin) Fields(f *Form) {
	f.Text("name", &u.Name, params.MaxExecutorNameBytes)
}

func (u *ExecutorRegistryUnpin) check() error {
	return instructionErr(params.CheckExecutorName(string(u.Name)))
}

func (u *ExecutorRegistryUnpin) surcharge() Cost { return pinned(u.Name) }

func pinned(name []byte) Cost {
	return Cost{Cells: 3*calldata(name) + 3*unit.Cells(digest.Size)}
}

// UpdateCommitteeConfig replaces the committee of the epochs before the first whose size is computed.
// Spec: runner-marketplace §3 (99), §4.2; WP §5.3, §13.1.
type UpdateCommitteeConfig struct{ Config params.CommitteeConfig }

// Opcode implements Instruction.
func (*UpdateCommitteeConfig) Opcode() Opcode { return OpUpdateCommitteeConfig }

// Fields implements Instruction.
func (u *UpdateCommitteeConfig) Fields(f *Form) {
	group(f, "config", &u.Config, params.ReadCommitteeConfig)
}

func (u *UpdateCommitteeConfig) check() error { return instructionErr(u.Config.Validate()) }
