package tx

import (
	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// governed is embedded by instructions that only governance may send. They travel
// in the System lane, move no value and cost the base of an unlisted instruction.
// Spec: WP §6.3; governance-staking B10.
type governed struct{}

// Lane implements Instruction.
func (governed) Lane() params.Lane { return params.LaneSystem }

// Intrinsic implements Instruction.
func (governed) Intrinsic() Cost { return Cost{Cycles: params.IntrinsicSystemCycles} }

// Value implements Instruction.
func (governed) Value() unit.Amount { return 0 }

// Privileged implements Instruction.
func (governed) Privileged() bool { return true }

func (governed) check() error { return nil }

// UpdateBasefeeConfig replaces the basefee parameters from the next block on.
// Spec: governance-staking B10 (44); WP §13.1, §17.8.
type UpdateBasefeeConfig struct {
	governed
	Config params.BasefeeConfig
}

func readUpdateBasefeeConfig(r *codec.Reader) Instruction {
	return &UpdateBasefeeConfig{Config: params.ReadBasefeeConfig(r)}
}

// Opcode implements Instruction.
func (*UpdateBasefeeConfig) Opcode() Opcode { return OpUpdateBasefeeConfig }

func (u *UpdateBasefeeConfig) appendBody(dst []byte) []byte { return u.Config.Append(dst) }

func (u *UpdateBasefeeConfig) check() error { return instructionErr(u.Config.Validate()) }

// UpdateLaneFeeMultipliers replaces the four lane multipliers from the next block
// on. Spec: governance-staking B10 (89); WP §6.3, §13.1.
type UpdateLaneFeeMultipliers struct {
	governed
	Multipliers params.LaneMultipliers
}

func readUpdateLaneFeeMultipliers(r *codec.Reader) Instruction {
	return &UpdateLaneFeeMultipliers{Multipliers: params.ReadLaneMultipliers(r)}
}

// Opcode implements Instruction.
func (*UpdateLaneFeeMultipliers) Opcode() Opcode { return OpUpdateLaneFeeMultipliers }

func (u *UpdateLaneFeeMultipliers) appendBody(dst []byte) []byte { return u.Multipliers.Append(dst) }

func (u *UpdateLaneFeeMultipliers) check() error { return instructionErr(u.Multipliers.Validate()) }

// UpdateEntitlementConfig replaces what the registry of entitlements is about to lose or has lost, from the next block on.
// Spec: ENT §9.11; governance-staking B10.
type UpdateEntitlementConfig struct {
	governed
	Config params.EntitlementConfig
}

func readUpdateEntitlementConfig(r *codec.Reader) Instruction {
	return &UpdateEntitlementConfig{Config: params.ReadEntitlementConfig(r)}
}

// Opcode implements Instruction.
func (*UpdateEntitlementConfig) Opcode() Opcode { return OpUpdateEntitlementConfig }

func (u *UpdateEntitlementConfig) appendBody(dst []byte) []byte { return u.Config.Append(dst) }

func (u *UpdateEntitlementConfig) check() error { return instructionErr(u.Config.Validate()) }
