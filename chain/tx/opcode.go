package tx

import "fmt"

// Category is the first byte of an instruction. Spec: WP §2.1, §2.5.
type Category uint8

// The categories. Spec: WP §2.1.
const (
	System Category = iota
	Actor
	Custom
	Library
	categoryCount
)

// String names the category.
func (c Category) String() string {
	switch c {
	case System:
		return "System"
	case Actor:
		return "Actor"
	case Custom:
		return "Custom"
	case Library:
		return "Library"
	}
	return fmt.Sprintf("Category(%d)", uint8(c))
}

// Opcode is what an instruction does: its category and the sub-type within it,
// one byte each on the wire. Spec: WP §2.5.
type Opcode uint16

// Op is the opcode of a category and sub-type.
func Op(c Category, subType uint8) Opcode { return Opcode(c)<<8 | Opcode(subType) }

// Category is the opcode's first byte.
func (o Opcode) Category() Category { return Category(o >> 8) }

// SubType is the opcode's second byte.
func (o Opcode) SubType() uint8 { return uint8(o) }

// String is the instruction's name where it has one, and its numbers.
func (o Opcode) String() string {
	if e, ok := Lookup(o); ok {
		return fmt.Sprintf("%v.%s(%d)", o.Category(), e.Name, o.SubType())
	}
	return fmt.Sprintf("%v(%d)", o.Category(), o.SubType())
}

// The opcodes this package can decode. The numbers of category System are those
// of public clients, but 103, 107 and 170–175, which like those of category Actor are this
// implementation's.
// Spec: runner-marketplace §3; scheduler-timers §8; governance-staking B10.
const (
	OpCreateAccount            = Opcode(System)<<8 | 0
	OpTransfer                 = Opcode(System)<<8 | 1
	OpFundActor                = Opcode(System)<<8 | 41
	OpUpgradeActor             = Opcode(System)<<8 | 43
	OpUpdateBasefeeConfig      = Opcode(System)<<8 | 44
	OpCancelTimer              = Opcode(System)<<8 | 48
	OpUpdateTimerConfig        = Opcode(System)<<8 | 49
	OpExtendTimer              = Opcode(System)<<8 | 50
	OpUpdateLaneFeeMultipliers = Opcode(System)<<8 | 89
	OpActivateTimerMarket      = Opcode(System)<<8 | 103
	OpUpdateEntitlementConfig  = Opcode(System)<<8 | 107
	OpSystemDkg                = Opcode(System)<<8 | 158
	OpValidatorRegister        = Opcode(System)<<8 | 170
	OpValidatorAddStake        = Opcode(System)<<8 | 171
	OpValidatorExit            = Opcode(System)<<8 | 172
	OpValidatorWithdraw        = Opcode(System)<<8 | 173
	OpValidatorUnjail          = Opcode(System)<<8 | 174
	OpSubmitMisbehaviour       = Opcode(System)<<8 | 175

	OpDeploy        = Opcode(Actor)<<8 | 0
	OpExecute       = Opcode(Actor)<<8 | 1
	OpTimerSchedule = Opcode(Actor)<<8 | 2
)
