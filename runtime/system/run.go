package system

import (
	"fmt"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/fee"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/timer"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/runtime/drain"
	"github.com/cowboyinc/cowboy-go/runtime/entitlement"
	"github.com/cowboyinc/cowboy-go/runtime/system/dispatcher"
)

// Run executes a turn whose target is a system actor. The intrinsic cost of an instruction covers it; a delivery to an address that
// is not built costs nothing beyond. An error is a failing state source.
//
// Spec: WP §9; scheduler-timers §8.
func Run(t *drain.Turn) (drain.Outcome, error) {
	switch in := t.Payload.Instruction.(type) {
	case *tx.UpdateBasefeeConfig:
		return configure(t, params.KeyBasefee, in.Config.Append(nil), "basefee_config.updated")
	case *tx.UpdateLaneFeeMultipliers:
		return configure(t, params.KeyLanes, in.Multipliers.Append(nil), "lane_fee_multipliers.updated")
	case *tx.UpdateTimerConfig:
		return configure(t, params.KeyTimer, in.Config.Append(nil), timer.TopicConfig)
	case *tx.ActivateTimerMarket:
		return activate(t, in)
	case *tx.UpdateEntitlementConfig:
		return deprecate(t, &in.Config)
	case *tx.CancelTimer:
		return cancel(t, in)
	case *tx.ExtendTimer:
		return extend(t, in)
	case *tx.ValidatorRegister, *tx.ValidatorAddStake, *tx.ValidatorExit, *tx.ValidatorWithdraw, *tx.ValidatorUnjail,
		*tx.SubmitMisbehaviour, *tx.SystemDkg:
		return validators(t)
	case *tx.Execute:
		return develop(t)
	}
	if dispatcher.Takes(t) {
		return job(t)
	}
	return unavailable(t), nil
}

// job runs the delivery of a job to the dispatcher, which on a developer's network has its runners in scripts.
//
// Spec: sdk §9.6; governance-staking B10.
func job(t *drain.Turn) (drain.Outcome, error) {
	if open, err := dispatcher.Open(t.Block, t.Overlay); err != nil || !open {
		return unavailable(t), err
	}
	return dispatcher.Take(t, dispatcher.Scripted(t.Overlay, int(t.Block.Params.Committee.Threshold)))
}

// configure replaces a parameter group, which blocks read from the next one on, and writes the change to the audit trail.
//
// Spec: WP §13.1; scheduler-timers §5, §8 (49); governance-staking B9.
func configure(t *drain.Turn, key string, value []byte, topic string) (drain.Outcome, error) {
	version, err := params.Update(t.Overlay, key, params.Change{Height: t.Block.Height, By: t.Sender, Tx: t.TxHash, Value: value})
	if err != nil {
		return drain.Outcome{}, err
	}
	return drain.Outcome{Turn: t.Number, Events: []block.Event{
		governed(topic, value), governed(params.TopicVersion, params.EventVersion(version, key)),
	}}, nil
}

// activate sets the height at which the timers' fee market begins: a later one than this block's, and none once it has begun, since its basefee, its
// window of fires and the bids of its timers have no meaning outside it.
//
// Spec: WP §5.1b; scheduler-timers §1, §9.6.
func activate(t *drain.Turn, in *tx.ActivateTimerMarket) (drain.Outcome, error) {
	p := *t.Block.Params
	switch {
	case timer.Active(&p, t.Block.Height):
		return t.Failed(fee.Use{}, drain.FaultTimer, "the timer market has begun"), nil
	case in.Height <= t.Block.Height:
		return t.Failed(fee.Use{}, drain.FaultTimer, "the timer market begins after the block that says so"), nil
	}
	p.Hybrid.ActivationHeight = in.Height
	return configure(t, params.KeyHybrid, p.Hybrid.Append(nil), timer.TopicMarket)
}

// deprecate replaces what the registry of entitlements is about to lose. An entry that was not there begins after this block and lasts for the
// window at least; one that was there may stay as it is or go.
//
// Spec: ENT §9.10, §9.11 (announcement, window).
func deprecate(t *drain.Turn, c *params.EntitlementConfig) (drain.Outcome, error) {
	before := &t.Block.Params.Entitlements
	for _, d := range c.Deprecated {
		if was, ok := before.Deprecation(d.ID); ok && was == d {
			continue
		}
		switch {
		case !entitlement.Known(d.ID):
			return t.Failed(fee.Use{}, drain.FaultInput, fmt.Sprintf("%.64q is not in the registry", d.ID)), nil
		case d.From <= t.Block.Height:
			return t.Failed(fee.Use{}, drain.FaultInput, d.ID+": a deprecation begins after the block that announces it"), nil
		case uint64(d.Until-d.From) < c.WindowBlocks:
			return t.Failed(fee.Use{}, drain.FaultInput, d.ID+": the deprecation is shorter than the window"), nil
		}
	}
	return configure(t, params.KeyEntitlements, c.Append(nil), entitlement.TopicConfig)
}

func governed(topic string, data []byte) block.Event {
	return block.Event{Actor: account.System(account.Governance), Topic: []byte(topic), Data: data}
}

// cancel removes any timer; an absent one is success without an event.
//
// Spec: scheduler-timers §8 (48).
func cancel(t *drain.Turn, in *tx.CancelTimer) (drain.Outcome, error) {
	was, err := timer.Cancel(t.Overlay, nil, in.TimerID)
	if err != nil {
		return drain.Outcome{}, err
	}
	o := drain.Outcome{Turn: t.Number}
	if was {
		o.Events = []block.Event{governed(timer.TopicCancelled, timer.EventCancelled(in.TimerID))}
	}
	return o, nil
}

// extend moves any timer's expiry, clamped to the longest lifetime.
//
// Spec: scheduler-timers §4, §8 (50).
func extend(t *drain.Turn, in *tx.ExtendTimer) (drain.Outcome, error) {
	expires, err := timer.Extend(t.Overlay, t.Block.Params.Timer, t.Block.Height, nil, in.TimerID, in.ExpiresAt)
	if err != nil {
		if code, ok := drain.FaultOf(err); ok {
			return t.Failed(fee.Use{}, code, err.Error()), nil
		}
		return drain.Outcome{}, err
	}
	event := governed(timer.TopicExtended, timer.EventExtended(in.TimerID, expires))
	return drain.Outcome{Turn: t.Number, Events: []block.Event{event}}, nil
}

// Unavailable is why an address does not answer.
func Unavailable(addr account.Address) string {
	for _, e := range Table() {
		if e.Address == addr {
			return fmt.Sprintf("%s (%v) is not available yet: chapter %q is not built", e.Name, addr, e.Chapter)
		}
	}
	return fmt.Sprintf("%v is reserved and nobody answers there", addr)
}

func unavailable(t *drain.Turn) drain.Outcome {
	return t.Failed(fee.Use{}, drain.FaultUnavailable, Unavailable(t.Target))
}
