package system

import (
	"errors"

	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/fee"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/stake"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/runtime/drain"
)

// Registry is the validator registry as a block sees it.
func Registry(b *drain.Block, store stake.Store) *stake.Registry {
	return &stake.Registry{State: store, Chain: sig.NewNamespace(b.ChainID), Params: b.Params, Height: b.Height}
}

// validators runs an instruction of the validator registry. What an instruction may cost the other members, whose rewards are paid when the earners
// change, is charged per member.
//
// Spec: WP "Validator Set", "Slashing"; governance-staking A1, A3.
func validators(t *drain.Turn) (drain.Outcome, error) {
	if ok, err := stake.Exists(t.Overlay); err != nil || !ok {
		return t.Failed(fee.Use{}, drain.FaultUnavailable, "the state has no validator registry"), err
	}
	used, err := payouts(t)
	if err != nil {
		return drain.Outcome{}, err
	}
	if used > t.Limit.Cycles {
		return t.Failed(t.Limit, drain.FaultCycles, "the limit does not cover the members and the keys"), nil
	}
	g := Registry(t.Block, t.Overlay)
	out := drain.Outcome{Turn: t.Number, Used: fee.Use{Cycles: used}}
	if out.Return, err = perform(g, t); err != nil {
		code, reject := stakeFault(err)
		if !reject {
			return drain.Outcome{}, err
		}
		return t.Failed(out.Used, code, err.Error()), nil
	}
	out.Events = g.Events
	return out, nil
}

// payouts is what paying every member costs, for an instruction that may change who earns, and what reading the keys of those who accuse costs.
func payouts(t *drain.Turn) (unit.Cycles, error) {
	var keys unit.Cycles
	switch in := t.Payload.Instruction.(type) {
	case *tx.ValidatorExit:
	case *tx.SubmitMisbehaviour:
		keys = unit.Cycles(stake.Accusers(in.Evidence)) * params.CostDecodeBLSKey
	default:
		return 0, nil
	}
	n, err := stake.Size(t.Overlay, t.Block.Height)
	return keys + unit.Cycles(n)*(params.CostStorageRead+params.CostStorageWrite), err
}

// perform calls the rule; what it returns is the receipt's return data: the amount withdrawn, or the account that was punished.
func perform(g *stake.Registry, t *drain.Turn) ([]byte, error) {
	switch in := t.Payload.Instruction.(type) {
	case *tx.ValidatorRegister:
		return nil, g.Register(t.Sender, in.Key, in.Possession, in.Stake)
	case *tx.ValidatorAddStake:
		return nil, g.AddStake(t.Sender, in.Amount)
	case *tx.ValidatorExit:
		return nil, g.Exit(t.Sender, (*unit.Amount)(in.Amount))
	case *tx.ValidatorWithdraw:
		amount, err := g.Withdraw(t.Sender)
		return codec.AppendU64(nil, uint64(amount)), err
	case *tx.ValidatorUnjail:
		return nil, g.Unjail(t.Sender)
	case *tx.SubmitMisbehaviour:
		guilty, err := g.Misbehave(t.Sender, in.Evidence)
		return guilty[:], err
	case *tx.SystemDkg:
		return nil, g.Deal(t.Sender, in.Log)
	}
	panic("system: not an instruction of the validator registry")
}

// stakeFault gives the code of a reject of package stake; ok is false for a failure.
func stakeFault(err error) (code uint16, ok bool) {
	var log *stake.LogError
	if errors.As(err, &log) {
		return drain.FaultInput, true
	}
	for _, c := range [...]struct {
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
	} {
		if errors.Is(err, c.class) {
			return c.code, true
		}
	}
	return 0, false
}
