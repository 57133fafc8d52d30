package govern

import (
	"errors"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/flow"
	"github.com/cowboyinc/cowboy-go/chain/govern"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/runtime/chapter"
	"github.com/cowboyinc/cowboy-go/runtime/drain"
)

// TopicSettlement announces a pool's split.
const TopicSettlement = "settlement_config.updated"

// upload keeps a program that a system actor may be given and returns its hash. It is checked as any actor's source is, which is paid by its size.
//
// Spec: governance-staking B8 (the whitelist of determinism is kept), B10 (51).
func (g *groups) upload(e *chapter.Env, in *tx.DeployCode) (hash []byte, err error) {
	if err := e.Charge(unit.Cycles(len(in.Code))*unit.Cycles(e.Costs().Compile), 0); err != nil {
		return nil, err
	}
	if e.Caller == nil {
		return nil, chapter.Refuse(drain.FaultUnavailable, "no source can be checked here")
	}
	source, err := e.Caller.Check(in.Code)
	if err != nil {
		return nil, err
	}
	h := g.registry(e.Block, e.State, e.Bill)
	id, err := h.Upload(e.Sender, source, &e.Block.Params.Rent)
	var short *account.ShortfallError
	if errors.As(err, &short) {
		return nil, chapter.Refuse(drain.FaultValue, "the year's rent of %d bytes is burned, and the sender does not have it", len(source))
	}
	e.Effects.Events = append(e.Effects.Events, h.Events...)
	e.Effects.Burn(flow.Uploads, h.Burned)
	return id[:], err
}

// direct lets an administrator upgrade a system actor, or take an upgrade back.
//
// Spec: governance-staking B8, B10 (103–107).
func (g *groups) direct(e *chapter.Env, in *tx.UpgradeSystemActor) ([]byte, error) {
	var payload govern.Payload = &govern.SystemActorRollback{Target: in.Actor}
	if in.Act == tx.ActUpgrade {
		code, err := govern.DecodeCode(in.Code)
		if err != nil {
			return nil, err
		}
		payload = &govern.SystemActorUpgrade{
			Target: in.Actor, Code: code, Delay: in.Delay, Window: in.Window,
			Migration: govern.Migration{Handler: string(in.Handler), Cycles: unit.Cycles(in.Cycles)},
		}
	}
	return nil, g.run(e, func(h *govern.Registry) error { return h.Direct(payload) })
}

// settlement replaces how the payments of a pool are shared.
//
// Spec: runner-marketplace §3 (40).
func settlement(e *chapter.Env, in *tx.UpdateSettlementConfig) ([]byte, error) {
	key, err := params.PoolKey(in.TargetPool)
	if err != nil {
		return nil, chapter.Refuse(drain.FaultInput, "%v: %d", err, in.TargetPool)
	}
	return nil, e.Configure(key, in.Split.Append(nil), TopicSettlement)
}

// pools are the splits of the pools beside the main one, which package params has.
//
// Spec: gateway-payments-streams §A.3, §I (defaults).
func pools() (list []chapter.Param) {
	containers := params.ContainerSplit()
	defaults := [params.Pools]*params.Split{
		params.PoolRegistry:  {RunnerBPS: 1_500, BurnBPS: 7_000, TreasuryBPS: 1_500}, // the first part is the gateways' pool
		params.PoolContainer: &containers,
	}
	for pool := params.PoolMain + 1; pool < params.Pools; pool++ {
		key, _ := params.PoolKey(pool)
		p := chapter.Param{Key: key, Tier: 3, Check: params.CheckSplit}
		if d := defaults[pool]; d != nil {
			p.Default = d.Append(nil)
		}
		list = append(list, p)
	}
	return list
}
