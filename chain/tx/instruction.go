package tx

import (
	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// Cost is an amount of each meter.
type Cost struct {
	Cycles unit.Cycles
	Cells  unit.Cells
}

// Instruction is the operation of a transaction, one Go type per opcode. It is
// immutable once it is in a Tx.
type Instruction interface {
	// Opcode is the category and sub-type written before the body.
	Opcode() Opcode
	// Lane is the block lane the instruction travels in. Spec: WP §6.3, §17.9.
	Lane() params.Lane
	// Intrinsic is what is paid before execution begins. Spec: WP §17.2.
	Intrinsic() Cost
	// Value is what the sender hands over besides fees, in base units.
	Value() unit.Amount
	// Privileged reports whether only governance (an executed proposal or, on a
	// local network, an administrator) may send it.
	// Spec: governance-staking B10; scheduler-timers §8.
	Privileged() bool

	// appendBody appends the canonical body, without the opcode.
	appendBody(dst []byte) []byte
	// check gives a *Reject-classed error for a body that is well-formed but
	// never valid.
	check() error
}

// decodeBody reads the body of op, or gives nil for an opcode this build cannot
// decode. A malformed body leaves its error in r.
func decodeBody(op Opcode, r *codec.Reader) Instruction {
	switch op {
	case OpCreateAccount:
		return readCreateAccount(r)
	case OpTransfer:
		return readTransfer(r)
	case OpExecute:
		return readExecute(r)
	case OpDeploy:
		return readDeploy(r)
	case OpTimerSchedule:
		return readTimerSchedule(r)
	case OpFundActor:
		return readFundActor(r)
	case OpUpgradeActor:
		return readUpgradeActor(r)
	case OpUpdateBasefeeConfig:
		return readUpdateBasefeeConfig(r)
	case OpUpdateLaneFeeMultipliers:
		return readUpdateLaneFeeMultipliers(r)
	case OpCancelTimer:
		return readCancelTimer(r)
	case OpUpdateTimerConfig:
		return readUpdateTimerConfig(r)
	case OpActivateTimerMarket:
		return readActivateTimerMarket(r)
	case OpExtendTimer:
		return readExtendTimer(r)
	case OpValidatorRegister:
		return readValidatorRegister(r)
	case OpValidatorAddStake:
		return readValidatorAddStake(r)
	case OpValidatorExit:
		return readValidatorExit(r)
	case OpValidatorWithdraw:
		return &ValidatorWithdraw{}
	case OpValidatorUnjail:
		return &ValidatorUnjail{}
	case OpSubmitMisbehaviour:
		return readSubmitMisbehaviour(r)
	case OpSystemDkg:
		return readSystemDkg(r)
	case OpUpdateEntitlementConfig:
		return readUpdateEntitlementConfig(r)
	}
	return nil
}

// readInstruction reads category, sub-type and body. An opcode of a chapter this
// build does not have gives *Unsupported, an unallocated one ErrUnknownInstruction.
// Spec: WP §2.5.
func readInstruction(r *codec.Reader) (Instruction, error) {
	op := Op(Category(r.Tag(uint8(categoryCount))), r.U8())
	if r.Err() != nil {
		return nil, r.Err()
	}
	body := decodeBody(op, r)
	if body == nil {
		return nil, unsupported(op)
	}
	return body, r.Err()
}

// appendInstruction appends category, sub-type and body.
func appendInstruction(dst []byte, in Instruction) []byte {
	op := in.Opcode()
	return in.appendBody(append(dst, byte(op.Category()), op.SubType()))
}

// EncodeInstruction is the canonical encoding of an instruction on its own:
// [category, sub_type, body]. Spec: WP §2.5.
func EncodeInstruction(in Instruction) []byte { return appendInstruction(nil, in) }

// DecodeInstruction reads what EncodeInstruction wrote and nothing else.
func DecodeInstruction(data []byte) (Instruction, error) {
	r := codec.NewReader(data)
	in, err := readInstruction(r)
	if err == nil {
		err = r.Finish()
	}
	if err != nil {
		return nil, malformed(err)
	}
	return in, nil
}
