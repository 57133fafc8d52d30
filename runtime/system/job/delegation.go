package job

import (
	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/runner"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/runtime/chapter"
)

// delegation is from which height on stake may be delegated to runners: never, until governance says so.
//
// Spec: runner-marketplace §10 (off at launch); governance-staking B3 (activation heights), part C.
var delegation = chapter.Param{
	Key: runner.KeyDelegation, Default: runner.DelegationFrom(runner.DelegationNever), Tier: 3, Check: runner.CheckDelegation,
}

// delegations are the instructions about stake that is delegated to runners.
//
// Spec: governance-staking C3 (119 to 123).
func delegations() []chapter.Instruction {
	return []chapter.Instruction{
		on(func(e *chapter.Env, in *tx.RunnerUpdateDelegationConfig) error {
			return registry(e).SetDelegation(e.Sender, in.Config)
		}),
		chapter.On(delegate),
		on(func(e *chapter.Env, in *tx.RunnerIncreaseDelegation) error {
			return registry(e).Increase(e.Sender, in.Tranche, in.Amount)
		}),
		on(func(e *chapter.Env, in *tx.RunnerUndelegateStake) error {
			n, err := registry(e).Undelegate(e.Sender, in.Runner, in.Amount)
			if err != nil {
				return err
			}
			return unbonds(e, n)
		}),
		on(func(e *chapter.Env, in *tx.RunnerClaimUnbonded) error {
			return registry(e).Claim(e.Sender, in.Numbers())
		}),
	}
}

// delegate makes a tranche. Where all places of delegators are taken, it pays for the search for one that is free again, and for paying out who had it.
//
// Spec: governance-staking C3 (120).
func delegate(e *chapter.Env, in *tx.RunnerDelegateStake) ([]byte, error) {
	room, err := runner.HasRoom(e.State, in.Runner)
	if err != nil {
		return nil, err
	}
	if !room {
		search := params.DelegatorsPerRunner*e.Costs().StorageRead + params.DelegationLeavingTranches*params.CostClaimTranche
		if err := e.Charge(search, 0); err != nil {
			return nil, err
		}
	}
	number, err := registry(e).Delegate(e.Sender, in.Runner, in.Amount)
	return codec.AppendU64(nil, number), err
}

// unbonds charges for tranches that begin to unbond.
//
// Spec: governance-staking C3 (122); WP §17.4.
func unbonds(e *chapter.Env, tranches int) error {
	return e.Charge(unit.Cycles(tranches)*params.CostUndelegateTranche, unit.Cells(tranches)*params.CellsUndelegateTranche)
}
