package tx

import (
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// The opcodes of validators. 170 to 175 are this implementation's.
// Spec: runner-marketplace §3 (158); governance-staking A1.
const (
	OpSystemDkg          = Opcode(System)<<8 | 158
	OpValidatorRegister  = Opcode(System)<<8 | 170
	OpValidatorAddStake  = Opcode(System)<<8 | 171
	OpValidatorExit      = Opcode(System)<<8 | 172
	OpValidatorWithdraw  = Opcode(System)<<8 | 173
	OpValidatorUnjail    = Opcode(System)<<8 | 174
	OpSubmitMisbehaviour = Opcode(System)<<8 | 175
)

// staking is the row of an instruction of validators, which anybody may send. It travels in the System lane and pays for checks of signatures and for
// bytes of calldata beside the base of an unlisted instruction.
//
// Spec: WP §6.3 (validator updates, slashing), §17.2; governance-staking A1.
func staking(op Opcode, name string, checks unit.Cycles, bytes unit.Cells, body func() Instruction) Row {
	return Row{
		Opcode: op, Name: name, Home: account.Governance, Lane: params.LaneSystem,
		Intrinsic: Cost{params.IntrinsicSystemCycles + checks*params.CostVerifyBLS, bytes * params.CellsPerByteCalldata}, body: body,
	}
}

// A registration has one signature to check, the proof of possession; evidence has two. Spec: governance-staking A1, A3.
var stakeRows = chapter(ChapterStake,
	staking(OpSystemDkg, "SystemDkg", 0, 0, func() Instruction { return new(SystemDkg) }),
	staking(OpValidatorRegister, "ValidatorRegister", 1, sig.BLSPublicKeySize+sig.BLSSignatureSize,
		func() Instruction { return new(ValidatorRegister) }),
	staking(OpValidatorAddStake, "ValidatorAddStake", 0, 0, func() Instruction { return new(ValidatorAddStake) }),
	staking(OpValidatorExit, "ValidatorExit", 0, 0, func() Instruction { return new(ValidatorExit) }),
	staking(OpValidatorWithdraw, "ValidatorWithdraw", 0, 0, func() Instruction { return new(ValidatorWithdraw) }),
	staking(OpValidatorUnjail, "ValidatorUnjail", 0, 0, func() Instruction { return new(ValidatorUnjail) }),
	staking(OpSubmitMisbehaviour, "SubmitMisbehaviour", 2, 0, func() Instruction { return new(SubmitMisbehaviour) }),
)

// ValidatorRegister makes the sender a validator: key(48) ‖ possession(96) ‖
// stake(8, big-endian). The signature proves that the sender holds the key.
// Spec: WP "Validator Set"; governance-staking A1.
type ValidatorRegister struct {
	Key        sig.BLSPublicKey
	Possession sig.BLSSignature
	Stake      unit.Amount // base units, moved to the registry
}

// Opcode implements Instruction.
func (*ValidatorRegister) Opcode() Opcode { return OpValidatorRegister }

// Fields implements Instruction.
func (v *ValidatorRegister) Fields(f *Form) {
	f.Fixed("key", v.Key[:])
	f.Fixed("possession", v.Possession[:])
	f.Amount("stake", &v.Stake)
}

// Value is the stake.
func (v *ValidatorRegister) Value() unit.Amount { return v.Stake }

// ValidatorAddStake adds to the sender's stake: amount(8, big-endian).
// Spec: governance-staking A1 (top-up).
type ValidatorAddStake struct {
	Amount unit.Amount // base units, moved to the registry
}

// Opcode implements Instruction.
func (*ValidatorAddStake) Opcode() Opcode { return OpValidatorAddStake }

// Fields implements Instruction.
func (v *ValidatorAddStake) Fields(f *Form) { f.Amount("amount", &v.Amount) }

// Value is the amount.
func (v *ValidatorAddStake) Value() unit.Amount { return v.Amount }

// ValidatorExit takes the sender out of the set, or with an amount only that much
// of its stake: Option<UInt> amount.
// Spec: WP "Validator Set"; governance-staking A1 (partial exit).
type ValidatorExit struct {
	Amount *uint64 // base units
}

// Opcode implements Instruction.
func (*ValidatorExit) Opcode() Opcode { return OpValidatorExit }

// Fields implements Instruction.
func (v *ValidatorExit) Fields(f *Form) { f.OptionAmount("amount", &v.Amount) }

// ValidatorWithdraw pays out what has finished unbonding. It has no body.
// Spec: WP "Validator Set"; governance-staking A1.
type ValidatorWithdraw struct{}

// Opcode implements Instruction.
func (*ValidatorWithdraw) Opcode() Opcode { return OpValidatorWithdraw }

// Fields implements Instruction.
func (*ValidatorWithdraw) Fields(*Form) {}

// ValidatorUnjail brings the sender back after its jail period. It has no body.
// Spec: WP §13 (jail_period); governance-staking A1.
type ValidatorUnjail struct{}

// Opcode implements Instruction.
func (*ValidatorUnjail) Opcode() Opcode { return OpValidatorUnjail }

// Fields implements Instruction.
func (*ValidatorUnjail) Fields(*Form) {}

// SubmitMisbehaviour proves that a validator broke the protocol of agreement:
// Bytes evidence (≤ params.MaxEvidenceBytes), an encoded simplex.Evidence.
// Spec: WP "Slashing"; governance-staking A1, A3.
type SubmitMisbehaviour struct{ Evidence []byte }

// Opcode implements Instruction.
func (*SubmitMisbehaviour) Opcode() Opcode { return OpSubmitMisbehaviour }

// Fields implements Instruction.
func (s *SubmitMisbehaviour) Fields(f *Form) {
	f.Bytes("evidence", &s.Evidence, params.MaxEvidenceBytes)
}

func (s *SubmitMisbehaviour) surcharge() Cost { return Cost{Cells: calldata(s.Evidence)} }

// SystemDkg puts a dealer's log of the key ceremony on chain: Bytes log, an encoded
// beacon.Log.
// Spec: commonware §4.3 (3); runner-marketplace §3 (158).
type SystemDkg struct{ Log []byte }

// Opcode implements Instruction.
func (*SystemDkg) Opcode() Opcode { return OpSystemDkg }

// Fields implements Instruction.
func (s *SystemDkg) Fields(f *Form) { f.Bytes("log", &s.Log, params.MaxTxBytes) }

// dkgBytesPerCheck is how many bytes of a log go with one check of a point or
// signature in it: a commitment's point has 48, a value in the open 33.
const dkgBytesPerCheck = 100

// surcharge is one signature check per dkgBytesPerCheck begun, and the calldata.
func (s *SystemDkg) surcharge() Cost {
	checks := unit.Cycles(len(s.Log)/dkgBytesPerCheck + 1)
	return Cost{checks * params.CostVerifyBLS, calldata(s.Log)}
}
