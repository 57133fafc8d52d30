package tx

import (
	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// staking is embedded by the instructions of validators. They travel in the System
// lane and anybody may send them.
// Spec: WP §6.3 (validator updates, slashing); governance-staking A1.
type staking struct{}

// Lane implements Instruction.
func (staking) Lane() params.Lane { return params.LaneSystem }

// Intrinsic implements Instruction.
func (staking) Intrinsic() Cost { return Cost{Cycles: params.IntrinsicSystemCycles} }

// Value implements Instruction.
func (staking) Value() unit.Amount { return 0 }

// Privileged implements Instruction.
func (staking) Privileged() bool { return false }

func (staking) check() error { return nil }

// ValidatorRegister makes the sender a validator: key(48) ‖ possession(96) ‖
// stake(8, big-endian). The signature proves that the sender holds the key.
// Spec: WP "Validator Set"; governance-staking A1.
type ValidatorRegister struct {
	staking
	Key        sig.BLSPublicKey
	Possession sig.BLSSignature
	Stake      unit.Amount // base units, moved to the registry
}

func readValidatorRegister(r *codec.Reader) Instruction {
	var v ValidatorRegister
	r.Into(v.Key[:])
	r.Into(v.Possession[:])
	v.Stake = unit.Amount(r.U64())
	return &v
}

// Opcode implements Instruction.
func (*ValidatorRegister) Opcode() Opcode { return OpValidatorRegister }

// Intrinsic implements Instruction: the base, one signature check, and the calldata.
func (v *ValidatorRegister) Intrinsic() Cost {
	const bytes = sig.BLSPublicKeySize + sig.BLSSignatureSize
	return Cost{params.IntrinsicSystemCycles + params.CostVerifyBLS, bytes * params.CellsPerByteCalldata}
}

// Value implements Instruction.
func (v *ValidatorRegister) Value() unit.Amount { return v.Stake }

func (v *ValidatorRegister) appendBody(dst []byte) []byte {
	dst = codec.AppendFixed(codec.AppendFixed(dst, v.Key[:]), v.Possession[:])
	return codec.AppendU64(dst, uint64(v.Stake))
}

// ValidatorAddStake adds to the sender's stake: amount(8, big-endian).
// Spec: governance-staking A1 (top-up).
type ValidatorAddStake struct {
	staking
	Amount unit.Amount // base units, moved to the registry
}

func readValidatorAddStake(r *codec.Reader) Instruction {
	return &ValidatorAddStake{Amount: unit.Amount(r.U64())}
}

// Opcode implements Instruction.
func (*ValidatorAddStake) Opcode() Opcode { return OpValidatorAddStake }

// Value implements Instruction.
func (v *ValidatorAddStake) Value() unit.Amount { return v.Amount }

func (v *ValidatorAddStake) appendBody(dst []byte) []byte {
	return codec.AppendU64(dst, uint64(v.Amount))
}

// ValidatorExit takes the sender out of the set, or with an amount only that much
// of its stake: Option<UInt> amount.
// Spec: WP "Validator Set"; governance-staking A1 (partial exit).
type ValidatorExit struct {
	staking
	Amount *uint64 // base units
}

func readValidatorExit(r *codec.Reader) Instruction { return &ValidatorExit{Amount: r.OptionUint()} }

// Opcode implements Instruction.
func (*ValidatorExit) Opcode() Opcode { return OpValidatorExit }

func (v *ValidatorExit) appendBody(dst []byte) []byte { return codec.AppendOptionUint(dst, v.Amount) }

// ValidatorWithdraw pays out what has finished unbonding. It has no body.
// Spec: WP "Validator Set"; governance-staking A1.
type ValidatorWithdraw struct{ staking }

// Opcode implements Instruction.
func (*ValidatorWithdraw) Opcode() Opcode { return OpValidatorWithdraw }

func (*ValidatorWithdraw) appendBody(dst []byte) []byte { return dst }

// ValidatorUnjail brings the sender back after its jail period. It has no body.
// Spec: WP §13 (jail_period); governance-staking A1.
type ValidatorUnjail struct{ staking }

// Opcode implements Instruction.
func (*ValidatorUnjail) Opcode() Opcode { return OpValidatorUnjail }

func (*ValidatorUnjail) appendBody(dst []byte) []byte { return dst }

// SubmitMisbehaviour proves that a validator broke the protocol of agreement:
// Bytes evidence (≤ params.MaxEvidenceBytes), an encoded simplex.Evidence.
// Spec: WP "Slashing"; governance-staking A1, A3.
type SubmitMisbehaviour struct {
	staking
	Evidence []byte
}

func readSubmitMisbehaviour(r *codec.Reader) Instruction {
	return &SubmitMisbehaviour{Evidence: r.Bytes(params.MaxEvidenceBytes)}
}

// Opcode implements Instruction.
func (*SubmitMisbehaviour) Opcode() Opcode { return OpSubmitMisbehaviour }

// Intrinsic implements Instruction: the base, two signature checks, and the
// calldata.
func (s *SubmitMisbehaviour) Intrinsic() Cost {
	cells := unit.Cells(len(s.Evidence)) * params.CellsPerByteCalldata
	return Cost{params.IntrinsicSystemCycles + 2*params.CostVerifyBLS, cells}
}

func (s *SubmitMisbehaviour) appendBody(dst []byte) []byte { return codec.AppendBytes(dst, s.Evidence) }

// SystemDkg puts a dealer's log of the key ceremony on chain: Bytes log, an encoded
// beacon.Log.
// Spec: commonware §4.3 (3); runner-marketplace §3 (158).
type SystemDkg struct {
	staking
	Log []byte
}

func readSystemDkg(r *codec.Reader) Instruction {
	return &SystemDkg{Log: r.Bytes(params.MaxTxBytes)}
}

// Opcode implements Instruction.
func (*SystemDkg) Opcode() Opcode { return OpSystemDkg }

// dkgBytesPerCheck is how many bytes of a log go with one check of a point or
// signature in it: a commitment's point has 48, a value in the open 33.
const dkgBytesPerCheck = 100

// Intrinsic implements Instruction: the base, one signature check per
// dkgBytesPerCheck begun, and the calldata.
func (s *SystemDkg) Intrinsic() Cost {
	checks := unit.Cycles(len(s.Log)/dkgBytesPerCheck + 1)
	cells := unit.Cells(len(s.Log)) * params.CellsPerByteCalldata
	return Cost{params.IntrinsicSystemCycles + checks*params.CostVerifyBLS, cells}
}

func (s *SystemDkg) appendBody(dst []byte) []byte { return codec.AppendBytes(dst, s.Log) }
