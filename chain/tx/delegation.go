package tx

import (
	"fmt"
	"slices"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/runner"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// The opcodes of stake that is delegated to runners.
// Spec: governance-staking C3.
const (
	OpRunnerUpdateDelegationConfig = Opcode(System)<<8 | 119
	OpRunnerDelegateStake          = Opcode(System)<<8 | 120
	OpRunnerIncreaseDelegation     = Opcode(System)<<8 | 121
	OpRunnerUndelegateStake        = Opcode(System)<<8 | 122
	OpRunnerClaimUnbonded          = Opcode(System)<<8 | 123
)

// delegation is the row of an instruction about delegated stake, with the cost that the specification lists.
//
// Spec: governance-staking C3.
func delegation(op Opcode, name string, cost Cost, body func() Instruction) Row {
	return Row{Opcode: op, Name: name, Home: account.RunnerRegistry, Lane: params.LaneUser, Intrinsic: cost, body: body}
}

// RunnerUpdateDelegationConfig sets on what terms the sender, a runner, takes delegated stake: bool accept ‖ UInt commission in basis points ‖ UInt most of
// all delegators, 0 for any ‖ UInt least of one delegation.
// Spec: governance-staking C1, C3 (119).
type RunnerUpdateDelegationConfig struct{ Config runner.DelegationTerms }

// Opcode implements Instruction.
func (*RunnerUpdateDelegationConfig) Opcode() Opcode { return OpRunnerUpdateDelegationConfig }

// Fields implements Instruction.
func (u *RunnerUpdateDelegationConfig) Fields(f *Form) {
	group(f, "config", &u.Config, runner.ReadDelegationTerms)
}

func (u *RunnerUpdateDelegationConfig) check() error { return instructionErr(u.Config.Check()) }

// RunnerDelegateStake puts coins of the sender behind a runner, as a new tranche: runner(20) ‖ amount(8, big-endian). The return data is the tranche's number,
// 8 bytes.
// Spec: governance-staking C3 (120).
type RunnerDelegateStake struct {
	Runner account.Address
	Amount unit.Amount // base units, moved to the registry
}

// Opcode implements Instruction.
func (*RunnerDelegateStake) Opcode() Opcode { return OpRunnerDelegateStake }

// Fields implements Instruction.
func (d *RunnerDelegateStake) Fields(f *Form) {
	f.Address("runner", &d.Runner)
	f.Amount("amount", &d.Amount)
}

// Value is the amount.
func (d *RunnerDelegateStake) Value() unit.Amount { return d.Amount }

// RunnerIncreaseDelegation adds coins of the sender to one of its active tranches: UInt tranche ‖ amount(8, big-endian).
// Spec: governance-staking C3 (121).
type RunnerIncreaseDelegation struct {
	Tranche uint64
	Amount  unit.Amount // base units, moved to the registry
}

// Opcode implements Instruction.
func (*RunnerIncreaseDelegation) Opcode() Opcode { return OpRunnerIncreaseDelegation }

// Fields implements Instruction.
func (i *RunnerIncreaseDelegation) Fields(f *Form) {
	f.Uint("tranche_id", &i.Tranche)
	f.Amount("amount", &i.Amount)
}

// Value is the amount.
func (i *RunnerIncreaseDelegation) Value() unit.Amount { return i.Amount }

// RunnerUndelegateStake begins the unbonding of an amount that the sender has behind a runner, the oldest tranches first: runner(20) ‖ amount(8, big-endian).
// Spec: governance-staking C3 (122).
type RunnerUndelegateStake struct {
	Runner account.Address
	Amount unit.Amount // base units
}

// Opcode implements Instruction.
func (*RunnerUndelegateStake) Opcode() Opcode { return OpRunnerUndelegateStake }

// Fields implements Instruction.
func (u *RunnerUndelegateStake) Fields(f *Form) {
	f.Address("runner", &u.Runner)
	f.Amount("amount", &u.Amount)
}

// TrancheID is the number of a tranche in a list.
type TrancheID struct{ ID uint64 }

// RunnerClaimUnbonded pays tranches of the sender out whose unbonding is over: a length of 1 to 32 and that many UInt, strictly ascending.
// Spec: governance-staking C3 (123).
type RunnerClaimUnbonded struct{ Tranches []TrancheID }

// Opcode implements Instruction.
func (*RunnerClaimUnbonded) Opcode() Opcode { return OpRunnerClaimUnbonded }

// Fields implements Instruction.
func (c *RunnerClaimUnbonded) Fields(f *Form) { f.tranches("tranche_ids", &c.Tranches) }

// Numbers are the tranches' numbers.
func (c *RunnerClaimUnbonded) Numbers() []uint64 {
	list := make([]uint64, len(c.Tranches))
	for i, t := range c.Tranches {
		list[i] = t.ID
	}
	return list
}

func (c *RunnerClaimUnbonded) check() error {
	list := c.Numbers()
	if len(list) == 0 || len(list) > params.DelegationClaims || !slices.IsSorted(list) || len(slices.Compact(list)) != len(c.Tranches) {
		return instructionErr(fmt.Errorf("tranche_ids are 1 to %d numbers, strictly ascending", params.DelegationClaims))
	}
	return nil
}

// surcharge is what paying each tranche out costs. Spec: governance-staking C3 (123).
func (c *RunnerClaimUnbonded) surcharge() Cost {
	return Cost{Cycles: unit.Cycles(len(c.Tranches)) * params.CostClaimTranche}
}

// tranches is a list of numbers of tranches.
func (f *Form) tranches(name string, list *[]TrancheID) {
	switch f.mode {
	case reading:
		*list = nil
		for n := f.reader.Len(0, params.DelegationClaims, 1); n > 0; n-- {
			*list = append(*list, TrancheID{f.reader.Uint()})
		}
	case writing:
		f.out = codec.AppendLen(f.out, len(*list))
		for _, t := range *list {
			f.out = codec.AppendUint(f.out, t.ID)
		}
	case listing:
		f.list(Field{Name: name, Type: TypeList, Max: params.DelegationClaims}, list)
	}
}
