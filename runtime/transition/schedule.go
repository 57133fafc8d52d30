package transition

import (
	"github.com/cowboyinc/cowboy-go/chain/fee"
	"github.com/cowboyinc/cowboy-go/chain/timer"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/runtime/drain"
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
	id, err := timer.Schedule(t.Overlay, timer.Effective(t.Block.Params, t.Block.Height), request)
	if err != nil {
		if code, ok := drain.FaultOf(err); ok {
			return t.Failed(fee.Use{}, code, err.Error()), nil
		}
		return drain.Outcome{}, err
	}
	return drain.Outcome{Turn: t.Number, Return: id[:]}, nil
}
