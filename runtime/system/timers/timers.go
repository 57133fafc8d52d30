package timers

import (
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/entitle"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/timer"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/runtime/chapter"
	"github.com/cowboyinc/cowboy-go/runtime/drain"
)

// New gives the chapter. The intrinsic costs of its instructions cover them.
//
// Spec: WP §17.2 (TimerSchedule); scheduler-timers §8.
func New() *chapter.Chapter {
	return &chapter.Chapter{
		Name: tx.ChapterTimer, Homes: []byte{account.Governance}, Claims: timer.Claims(),
		Instructions: []chapter.Instruction{
			chapter.On(schedule), chapter.On(cancel), chapter.On(extend), chapter.On(activate),
			chapter.On(func(e *chapter.Env, in *tx.UpdateTimerConfig) ([]byte, error) {
				return nil, e.Configure(params.KeyTimer, in.Config.Append(nil), timer.TopicConfig)
			}),
		},
	}
}

// schedule sets a timer: the sender owns it and pays its fires; the receipt returns its identifier.
//
// Spec: WP §17.2 (TimerSchedule); scheduler-timers §4.
func schedule(e *chapter.Env, in *tx.TimerSchedule) ([]byte, error) {
	if err := executable(e, in.Actor); err != nil {
		return nil, err
	}
	id, err := timer.Schedule(e.State, timer.Effective(e.Block.Params, e.Block.Height), timer.Request{
		Owner: e.Sender, Target: in.Actor, Now: e.Block.Height, Height: in.Height, Handler: string(in.Handler),
		Payload: in.Payload, Sender: e.Turn.Signer, GasLimit: (*unit.Cycles)(in.CyclesPerFire),
		ExpiresAt: (*unit.Height)(in.ExpiresAt), Nonce: e.Turn.Nonce,
	})
	return id[:], err
}

// executable refuses an actor that cannot be scheduled: it holds an entitlement that was removed.
//
// Spec: ENT §9.11 (cannot process messages or be scheduled).
func executable(e *chapter.Env, actor account.Address) error {
	retired := &e.Block.Params.Entitlements
	if !retired.AnyRemoved(e.Block.Height) {
		return nil
	}
	raw, found, err := e.State.Lookup(entitle.Key(actor))
	if err != nil || !found {
		return err
	}
	m, err := entitle.Parse(raw)
	if err != nil {
		return err
	}
	if id, removed := m.Removed(retired, e.Block.Height); removed {
		return chapter.Refuse(drain.FaultNonExecutable, "ERR_ACTOR_NON_EXECUTABLE: the actor holds %s, which was removed", id)
	}
	return nil
}

// activate sets the height at which the timers' fee market begins: a later one than this block's, and none once it has begun, since its basefee, its
// window of fires and the bids of its timers have no meaning outside it.
//
// Spec: WP §5.1b; scheduler-timers §1, §9.6.
func activate(e *chapter.Env, in *tx.ActivateTimerMarket) ([]byte, error) {
	hybrid := e.Block.Params.Hybrid
	switch {
	case timer.Active(e.Block.Params, e.Block.Height):
		return nil, chapter.Refuse(drain.FaultTimer, "the timer market has begun")
	case in.Height <= e.Block.Height:
		return nil, chapter.Refuse(drain.FaultTimer, "the timer market begins after the block that says so")
	}
	hybrid.ActivationHeight = in.Height
	return nil, e.Configure(params.KeyHybrid, hybrid.Append(nil), timer.TopicMarket)
}

// cancel removes any timer; an absent one is success without an event.
//
// Spec: scheduler-timers §8 (48).
func cancel(e *chapter.Env, in *tx.CancelTimer) ([]byte, error) {
	was, err := timer.Cancel(e.State, nil, in.TimerID)
	if err != nil || !was {
		return nil, err
	}
	return nil, e.Emit(timer.TopicCancelled, timer.EventCancelled(in.TimerID))
}

// extend moves any timer's expiry, clamped to the longest lifetime.
//
// Spec: scheduler-timers §4, §8 (50).
func extend(e *chapter.Env, in *tx.ExtendTimer) ([]byte, error) {
	expires, err := timer.Extend(e.State, e.Block.Params.Timer, e.Block.Height, nil, in.TimerID, in.ExpiresAt)
	if err != nil {
		return nil, err
	}
	return nil, e.Emit(timer.TopicExtended, timer.EventExtended(in.TimerID, expires))
}
