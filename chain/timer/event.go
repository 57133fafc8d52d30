package timer

import (
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// Topics of the events of this chapter. Spec: scheduler-timers §8.
const (
	TopicExpired   = "TimerExpired"
	TopicUnfunded  = "TimerCancelledInsufficientFunds"
	TopicDead      = "timer.dead_letter"
	TopicCancelled = "timer.cancelled_by_governance"
	TopicExtended  = "timer.extended_by_governance"
	TopicConfig    = "timer_config.updated"
	TopicMarket    = "timer_hybrid.updated"
	// TopicClamped is of the fee-market phase.
	TopicClamped = "TimerPriorityClampedAtSchedule"
)

// EventExpired is the data of TopicExpired: timer_id, expires_at, current_height.
func EventExpired(t *Timer, now unit.Height) []byte {
	out := codec.AppendUint(append(make([]byte, 0, 52), t.ID[:]...), uint64(t.ExpiresAt))
	return codec.AppendUint(out, uint64(now))
}

// EventUnfunded is the data of TopicUnfunded: timer_id, fee_payer, required, available.
func EventUnfunded(t *Timer, required, available unit.Amount) []byte {
	out := append(append(make([]byte, 0, 72), t.ID[:]...), t.Payer[:]...)
	out = codec.AppendUint(out, uint64(required))
	return codec.AppendUint(out, uint64(available))
}

// EventDead is the data of TopicDead: timer_id, skip_count.
func EventDead(t *Timer, now unit.Height) []byte {
	return codec.AppendUint(append(make([]byte, 0, 42), t.ID[:]...), Skips(t.Height, now))
}

// EventCancelled is the data of TopicCancelled: timer_id.
func EventCancelled(id ID) []byte { return append([]byte(nil), id[:]...) }

// EventExtended is the data of TopicExtended: timer_id, new_expires_at.
func EventExtended(id ID, expires unit.Height) []byte {
	return codec.AppendUint(append(make([]byte, 0, 42), id[:]...), uint64(expires))
}

// Unfunding is the decoded data of TopicUnfunded.
type Unfunding struct {
	ID        ID
	Payer     account.Address
	Required  unit.Amount
	Available unit.Amount
}

// DecodeUnfunding reads what EventUnfunded wrote.
func DecodeUnfunding(data []byte) (Unfunding, error) {
	r := codec.NewReader(data)
	var u Unfunding
	r.Into(u.ID[:])
	r.Into(u.Payer[:])
	u.Required, u.Available = unit.Amount(r.Uint()), unit.Amount(r.Uint())
	return u, r.Finish()
}

// EventClamped is the data of TopicClamped: timer_id, stated, clamped.
func EventClamped(id ID, stated, clamped uint64) []byte {
	return codec.AppendUint(codec.AppendUint(append(make([]byte, 0, 52), id[:]...), stated), clamped)
}
