package tx

import (
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/runner"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// The opcodes of the Runner Registry.
// Spec: runner-marketplace §3.
const (
	OpRunnerRegister          = Opcode(System)<<8 | 2
	OpUpdateRateCard          = Opcode(System)<<8 | 3
	OpHeartbeat               = Opcode(System)<<8 | 4
	OpDeregister              = Opcode(System)<<8 | 5
	OpUpdateReputationConfig  = Opcode(System)<<8 | 94
	OpUpdateSlashDistribution = Opcode(System)<<8 | 96
)

// registry is the row of an instruction of the Runner Registry; more is what it costs beyond the base of an unlisted instruction.
//
// Spec: WP §9, §17.2; runner-marketplace §3, §13.
func registry(op Opcode, name string, lane params.Lane, more unit.Cycles, body func() Instruction) Row {
	return Row{
		Opcode: op, Name: name, Home: account.RunnerRegistry, Lane: lane, Intrinsic: Cost{Cycles: params.IntrinsicSystemCycles + more}, body: body,
	}
}

// RunnerRegister makes the sender a runner, or has a runner declare itself anew and add to its stake:
//
//	public_key(33) ‖ stake(8, big-endian) ‖ rate card ‖ capabilities ‖ Bytes endpoint (≤ 256) ‖ measurement_binding(32)
//
// rate card: eight amounts and the cooldown as UInt ‖ list of model_id(32) ‖ list of Bytes server. capabilities: list of Bytes job type ‖ Bytes tee_support ‖
// list of Bytes region ‖ list of Bytes domain ‖ UInt max_concurrent_jobs ‖ bool volume_mounts ‖ four UInt. Lists are strictly ascending; empty bytes and a
// zero hash are none.
// Spec: runner-marketplace §2.5, §3 (2); WP §5.2.
type RunnerRegister struct {
	PublicKey          sig.CompressedKey
	Stake              unit.Amount // base units, moved to the registry
	RateCard           runner.RateCard
	Capabilities       runner.Capabilities
	Endpoint           []byte
	MeasurementBinding digest.Hash
}

// Opcode implements Instruction.
func (*RunnerRegister) Opcode() Opcode { return OpRunnerRegister }

// Fields implements Instruction.
func (r *RunnerRegister) Fields(f *Form) {
	f.Fixed("public_key", r.PublicKey[:])
	f.Amount("stake", &r.Stake)
	group(f, "rate_card", &r.RateCard, runner.ReadRateCard)
	group(f, "capabilities", &r.Capabilities, runner.ReadCapabilities)
	f.Text("endpoint", &r.Endpoint, runner.MaxEndpointBytes)
	f.Hash("measurement_binding", &r.MeasurementBinding)
}

// Value is the stake.
func (r *RunnerRegister) Value() unit.Amount { return r.Stake }

func (r *RunnerRegister) check() error {
	if err := r.RateCard.Check(); err != nil {
		return instructionErr(err)
	}
	return instructionErr(r.Capabilities.Check())
}

// surcharge is the calldata, and once more what of it is written to state, with the record beside it.
// Spec: WP §17.4.
func (r *RunnerRegister) surcharge() Cost {
	declared := calldata(r.RateCard.Append(nil), r.Capabilities.Append(nil), r.Endpoint, r.MeasurementBinding[:])
	return Cost{Cells: 2*declared + params.RunnerRecordCells}
}

// UpdateRateCard replaces the sender's rate card: the card as RunnerRegister has it.
// Spec: runner-marketplace §2.5, §3 (3).
type UpdateRateCard struct{ RateCard runner.RateCard }

// Opcode implements Instruction.
func (*UpdateRateCard) Opcode() Opcode { return OpUpdateRateCard }

// Fields implements Instruction.
func (u *UpdateRateCard) Fields(f *Form) { group(f, "rate_card", &u.RateCard, runner.ReadRateCard) }

func (u *UpdateRateCard) check() error { return instructionErr(u.RateCard.Check()) }

// surcharge is the calldata; what is written is charged where it is known.
// Spec: WP §17.4.
func (u *UpdateRateCard) surcharge() Cost { return Cost{Cells: calldata(u.RateCard.Append(nil))} }

// Heartbeat says that the sender, a runner, is there: bool accepting. Without it the runner is paused until the next that has it.
// Spec: runner-marketplace §2.5 (health), §3 (4), §9 (accepting_new).
type Heartbeat struct{ Accepting bool }

// Opcode implements Instruction.
func (*Heartbeat) Opcode() Opcode { return OpHeartbeat }

// Fields implements Instruction.
func (h *Heartbeat) Fields(f *Form) { f.Bool("accepting", &h.Accepting) }

// Deregister takes the sender out of the registry; the end of a later block pays its stake out. It has no body.
// Spec: runner-marketplace §3 (5), §7.
type Deregister struct{}

// Opcode implements Instruction.
func (*Deregister) Opcode() Opcode { return OpDeregister }

// Fields implements Instruction.
func (*Deregister) Fields(*Form) {}

// UpdateReputationConfig replaces the parameters of runners' reputation from the next block on.
// Spec: runner-marketplace §3 (94), §8; WP §13.1.
type UpdateReputationConfig struct{ Config params.ReputationConfig }

// Opcode implements Instruction.
func (*UpdateReputationConfig) Opcode() Opcode { return OpUpdateReputationConfig }

// Fields implements Instruction.
func (u *UpdateReputationConfig) Fields(f *Form) {
	group(f, "config", &u.Config, params.ReadReputationConfig)
}

func (u *UpdateReputationConfig) check() error { return instructionErr(u.Config.Validate()) }

// UpdateSlashDistribution replaces who has what of a slashed stake from the next block on.
// Spec: runner-marketplace §3 (96), §7; WP §8.4, §13.1.
type UpdateSlashDistribution struct{ Config params.SlashSplit }

// Opcode implements Instruction.
func (*UpdateSlashDistribution) Opcode() Opcode { return OpUpdateSlashDistribution }

// Fields implements Instruction.
func (u *UpdateSlashDistribution) Fields(f *Form) {
	group(f, "config", &u.Config, params.ReadSlashSplit)
}

func (u *UpdateSlashDistribution) check() error { return instructionErr(u.Config.Validate()) }
