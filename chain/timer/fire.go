package timer

import (
	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/fee"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// Due lists up to limit index entries of height at most now, in firing order, after the entry after when it is not nil.
//
// Spec: scheduler-timers §6 (FIFO by height, then insertion), §6.4 (carried timers first).
func Due(s state.Reader, now unit.Height, after *Entry, limit int) ([]Entry, error) {
	var cursor []byte
	if after != nil {
		cursor = IndexKey(after.Height, after.Seq)
	}
	var list []Entry
	var bad error
	err := s.Scan(IndexPrefix(), cursor, limit, func(key, value []byte) bool {
		e, ok := ParseEntry(key, value)
		if !ok {
			bad = errIndex
			return false
		}
		if e.Height > now {
			return false
		}
		list = append(list, e)
		return true
	})
	if err == nil {
		err = bad
	}
	return list, err
}

// Exit is how a timer leaves the pending state at its height.
type Exit uint8

// The exits. Fire is the natural one; the others run nothing.
const (
	Fire Exit = iota
	Expired
	DeadLetter
	Unfunded
	Waits // it bids less than the lane's basefee and stays
	Gone  // it was cancelled
)

// Dead reports whether a timer is to be removed without a fire.
func (e Exit) Dead() bool { return e == Expired || e == DeadLetter || e == Unfunded }

// Skips is how often a timer due at height has been passed over when block now examines it.
//
// Spec: scheduler-timers §6.4 (skip_count).
func Skips(height, now unit.Height) uint64 { return uint64(now - height) }

// Limit is what one fire may use of both meters.
//
// Spec: scheduler-timers §6.1 (the cell half always uses the configured maximum).
func (t *Timer) Limit(c Config) fee.Use {
	return fee.Use{Cycles: min(t.GasLimit, c.MaxCyclesPerFire), Cells: c.MaxCellsPerFire}
}

// Price is what a fire pays at the timer lane's basefees: no tip in the FIFO phase.
//
// Spec: WP §5.1a; scheduler-timers §6.2.
func Price(lane fee.Rates) fee.Price { return fee.Price{Base: lane, Max: lane} }

// age is the exit a due timer takes for its age alone.
//
// Spec: scheduler-timers §6, §6.4, §7.
func (t *Timer) age(now unit.Height) Exit {
	if now > t.ExpiresAt {
		return Expired
	}
	if Skips(t.Height, now) > params.TimerMaxCarryForward {
		return DeadLetter
	}
	return Fire
}

// Take prepares a timer for its fire: a one-shot is removed, an interval moves to now + every and stays pending.
//
// Spec: scheduler-timers §2.2 (set_interval), §6.3 (removed before it runs).
func Take(s state.Store, now unit.Height, t *Timer) error {
	if t.Every == 0 {
		return Remove(s, t)
	}
	next, err := now.Add(t.Every)
	if err != nil {
		return Remove(s, t) // there is no such height
	}
	inserted, err := Inserted(s)
	if err != nil {
		return err
	}
	t.dequeue(s)
	moved := *t
	moved.Height, moved.Seq = next, inserted
	setInserted(s, inserted+1)
	return moved.save(s)
}

// Origin names one fire of a timer as the origin of what it enqueues: an interval fires many times under one identifier.
func Origin(id ID, at unit.Height) digest.Hash {
	return digest.Keccak256([]byte("cowboy-fire"), id[:], codec.AppendU64(nil, uint64(at)))
}
