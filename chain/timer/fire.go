package timer

import (
	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/fee"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// Due lists up to limit index entries of height at most now, in firing order, after the entry after when it is not nil.
//
// Spec: scheduler-timers §6 (FIFO by height, then insertion), §6.4 (carried timers first).
func Due(s Store, now unit.Height, after *Entry, limit int) ([]Entry, error) {
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
)

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

// Judge says which exit a due timer takes in block now, given what a fire may use and costs and its payer's balance, and what the fire
// costs at most. An amount that does not fit 64 bits is more than anybody holds: Unfunded.
//
// Spec: scheduler-timers §6, §7.
func Judge(t *Timer, limit fee.Use, price fee.Price, now unit.Height, balance unit.Amount) (Exit, unit.Amount) {
	if now > t.ExpiresAt {
		return Expired, 0
	}
	if Skips(t.Height, now) > params.TimerMaxCarryForward {
		return DeadLetter, 0
	}
	cost, err := price.Precharge(limit)
	if err != nil {
		return Unfunded, ^unit.Amount(0)
	}
	if balance < cost {
		return Unfunded, cost
	}
	return Fire, cost
}

// Take prepares a timer for its fire: a one-shot is removed, an interval moves to now + every and stays pending.
//
// Spec: scheduler-timers §2.2 (set_interval), §6.3 (removed before it runs).
func Take(s Store, now unit.Height, t *Timer) error {
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
	s.Delete(IndexKey(t.Height, t.Seq))
	moved := *t
	moved.Height, moved.Seq = next, inserted
	setInserted(s, inserted+1)
	moved.save(s)
	return nil
}

// Demand is what the timers due at now may use, at most limit: their reservation of the lane. due says whether there are any. It reads no
// more timers than a block examines.
//
// Spec: WP §17.9; scheduler-timers §6.
func Demand(s Store, c Config, now unit.Height, limit unit.Cycles) (total unit.Cycles, due bool, err error) {
	var last *Entry
	for seen := 0; seen < ExaminedPerBlock; {
		entries, err := Due(s, now, last, dueBatch)
		if err != nil {
			return 0, false, err
		}
		due = due || len(entries) > 0
		for i := range entries {
			t, ok, err := Load(s, entries[i].ID)
			if err != nil {
				return 0, false, err
			}
			if ok {
				total += min(t.GasLimit, c.MaxCyclesPerFire)
			}
			if total >= limit {
				return limit, due, nil
			}
		}
		if len(entries) < dueBatch {
			break
		}
		seen, last = seen+len(entries), &entries[len(entries)-1]
	}
	return total, due, nil
}

// ExaminedPerBlock bounds the timers a block looks at.
const ExaminedPerBlock = 4 * params.MaxDeferredList

const dueBatch = 256

// Origin names one fire of a timer as the origin of what it enqueues: an interval fires many times under one identifier.
func Origin(id ID, at unit.Height) digest.Hash {
	return digest.Keccak256([]byte("cowboy-fire"), id[:], codec.AppendU64(nil, uint64(at)))
}
