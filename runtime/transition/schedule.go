package transition

import (
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/fee"
	"github.com/cowboyinc/cowboy-go/chain/timer"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/runtime/drain"
	"github.com/cowboyinc/cowboy-go/runtime/entitlement"
)

// schedule executes a TimerSchedule transaction: the sender owns the timer and pays its fires; the receipt returns the timer's identifier.
// The intrinsic cost covers it.
//
// Spec: WP §17.2 (TimerSchedule); scheduler-timers §4.
func schedule(t *drain.Turn, in *tx.TimerSchedule) (drain.Outcome, error) {
	request := timer.Request{
		Owner: t.Sender, Target: in.Actor, Now: t.Block.Height, Height: in.Height, Handler: string(in.Handler),
		Payload: in.Payload, Sender: t.Signer, GasLimit: (*unit.Cycles)(in.CyclesPerFire),
		ExpiresAt: (*unit.Height)(in.ExpiresAt), Nonce: t.Nonce,
	}
	if fault, err := nonExecutable(t, in.Actor); err != nil {
		return drain.Outcome{}, err
	} else if fault != "" {
		return t.Failed(fee.Use{}, drain.FaultNonExecutable, fault), nil
	}
	id, err := timer.Schedule(t.Overlay, timer.Effective(t.Block.Params, t.Block.Height), request)
	if err != nil {
		if code, ok := drain.FaultOf(err); ok {
			return t.Failed(fee.Use{}, code, err.Error()), nil
		}
		return drain.Outcome{}, err
	}
	return drain.Outcome{Turn: t.Number, Return: id[:]}, nil
}

// nonExecutable says why an actor cannot be scheduled: it holds an entitlement that was removed.
//
// Spec: ENT §9.11 (cannot process messages or be scheduled).
func nonExecutable(t *drain.Turn, actor account.Address) (why string, err error) {
	retired := &t.Block.Params.Entitlements
	if !retired.AnyRemoved(t.Block.Height) {
		return "", nil
	}
	raw, found, err := t.Overlay.Lookup(entitlement.Key(actor))
	if err != nil || !found {
		return "", err
	}
	m, err := entitlement.Parse(raw)
	if err != nil {
		return "", err
	}
	if id, removed := m.Removed(retired, t.Block.Height); removed {
		return "ERR_ACTOR_NON_EXECUTABLE: the actor holds " + id + ", which was removed", nil
	}
	return "", nil
}
