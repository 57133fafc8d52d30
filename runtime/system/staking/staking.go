package staking

import (
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/flow"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/stake"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/runtime/chapter"
	"github.com/cowboyinc/cowboy-go/runtime/drain"
)

// New gives the chapter.
//
// Spec: governance-staking part A; runner-marketplace §3 (158).
func New() *chapter.Chapter {
	return &chapter.Chapter{
		Name: tx.ChapterStake, Homes: []byte{account.Governance}, Domain: "cowboy-validator-registry:",
		Instructions: []chapter.Instruction{
			on(free, func(g *stake.Registry, by account.Address, in *tx.ValidatorRegister) ([]byte, error) {
				return nil, g.Register(by, in.Key, in.Possession, in.Stake)
			}),
			on(free, func(g *stake.Registry, by account.Address, in *tx.ValidatorAddStake) ([]byte, error) {
				return nil, g.AddStake(by, in.Amount)
			}),
			on(payouts, func(g *stake.Registry, by account.Address, in *tx.ValidatorExit) ([]byte, error) {
				return nil, g.Exit(by, (*unit.Amount)(in.Amount))
			}),
			on(free, func(g *stake.Registry, by account.Address, _ *tx.ValidatorWithdraw) ([]byte, error) {
				amount, err := g.Withdraw(by)
				return codec.AppendU64(nil, uint64(amount)), err
			}),
			on(free, func(g *stake.Registry, by account.Address, _ *tx.ValidatorUnjail) ([]byte, error) {
				return nil, g.Unjail(by)
			}),
			on(accusation, func(g *stake.Registry, by account.Address, in *tx.SubmitMisbehaviour) ([]byte, error) {
				guilty, err := g.Misbehave(by, in.Evidence)
				return guilty[:], err
			}),
			on(free, func(g *stake.Registry, by account.Address, in *tx.SystemDkg) ([]byte, error) {
				return nil, g.Deal(by, in.Log)
			}),
		},
		End: end, Escrow: stake.Owed, Faults: faults(), Claims: stake.Claims(),
	}
}

// Registry is the validator registry as a block sees it.
func Registry(b *drain.Block, store state.Store) *stake.Registry {
	return &stake.Registry{State: store, Chain: sig.NewNamespace(b.ChainID), Params: b.Params, Height: b.Height}
}

// on makes an instruction of a rule of the registry: what it costs beyond the intrinsic cost is charged first, and what the registry announces goes into the
// receipt.
func on[T tx.Instruction](
	cost func(e *chapter.Env, in T) (unit.Cycles, error), rule func(g *stake.Registry, by account.Address, in T) ([]byte, error),
) chapter.Instruction {
	return chapter.On(func(e *chapter.Env, in T) ([]byte, error) {
		if ok, err := stake.Exists(e.State); err != nil {
			return nil, err
		} else if !ok {
			return nil, chapter.Refuse(drain.FaultUnavailable, "the state has no validator registry")
		}
		due, err := cost(e, in)
		if err != nil {
			return nil, err
		}
		if err := e.Charge(due, 0); err != nil {
			return nil, err
		}
		g := Registry(e.Block, e.State)
		data, err := rule(g, e.Sender, in)
		e.Effects.Events = append(e.Effects.Events, g.Events...)
		return data, err
	})
}

// free is the cost of an instruction that its intrinsic cost covers.
func free[T tx.Instruction](*chapter.Env, T) (unit.Cycles, error) { return 0, nil }

// payouts is what paying every member costs, for an instruction that may change who earns.
func payouts[T tx.Instruction](e *chapter.Env, _ T) (unit.Cycles, error) {
	n, err := stake.Size(e.State, e.Block.Height)
	return unit.Cycles(n) * (e.Costs().StorageRead + e.Costs().StorageWrite), err
}

// accusation is payouts, and what reading the keys of those who accuse costs.
func accusation(e *chapter.Env, in *tx.SubmitMisbehaviour) (unit.Cycles, error) {
	all, err := payouts(e, in)
	return all + unit.Cycles(stake.Accusers(in.Evidence))*e.Costs().DecodeBLSKey, err
}

// end does the registry's part of a block's end: rewards, the votes that were late, epochs. What it slashed is burned.
//
// Spec: WP "Staking and Rewards", "Slashing", §8.4; governance-staking part A.
func end(b *chapter.Boundary) error {
	if ok, err := stake.Exists(b.State); err != nil || !ok {
		return err
	}
	g := Registry(b.Block, b.State)
	burned, err := g.EndBlock(b.Header)
	b.Burn(flow.Slashed, burned)
	b.Events = g.Events
	return err
}

// faults are the rejects of package stake.
func faults() []chapter.Fault {
	var list []chapter.Fault
	for _, f := range [...]struct {
		class error
		code  uint16
	}{
		{stake.ErrRegistered, drain.FaultExists},
		{stake.ErrKeyTaken, drain.FaultExists},
		{stake.ErrKey, drain.FaultInput},
		{stake.ErrMinimum, drain.FaultValue},
		{stake.ErrAmount, drain.FaultInput},
		{stake.ErrNoValidator, drain.FaultMissing},
		{stake.ErrStatus, drain.FaultForbidden},
		{stake.ErrJailed, drain.FaultForbidden},
		{stake.ErrUnbonding, drain.FaultLimit},
		{stake.ErrNothing, drain.FaultForbidden},
		{stake.ErrPenalty, drain.FaultForbidden},
		{stake.ErrEvidence, drain.FaultInput},
		{stake.ErrPunished, drain.FaultExists},
		{stake.ErrCeremony, drain.FaultForbidden},
		{stake.ErrLog, drain.FaultInput},
	} {
		list = append(list, chapter.Fault{Err: f.class, Code: f.code})
	}
	return list
}
