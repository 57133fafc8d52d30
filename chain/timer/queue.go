package timer

import (
	"encoding/binary"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// An owner's timers stand in a queue of their own, by height and insertion, and one entry of the chain's list of queues says where
// each queue begins. A block that meets a dead timer can therefore step over its owner to the next one, however many timers that
// owner has.
//
// The list gives a place at which or after which a queue begins: removing the first timer does not look for the next one, since it would have to
// step over everything removed before it in the same block. The walk of a block corrects the places it finds too early.

// queuePrefix is the prefix of an owner's queue. An owner is never the zero address, whose prefix is the index of all timers.
func queuePrefix(owner account.Address) []byte { return account.Key(account.KindTimerIndex, owner) }

func queueKey(owner account.Address, height unit.Height, seq uint64) []byte {
	return appendPlace(queuePrefix(owner), height, seq)
}

func appendPlace(dst []byte, height unit.Height, seq uint64) []byte {
	dst = binary.BigEndian.AppendUint64(dst, uint64(height))
	return binary.BigEndian.AppendUint64(dst, seq)
}

var headPrefix = account.KeyString(account.KindChain, account.Address{}, nameHeads)

func headKey(height unit.Height, seq uint64) []byte {
	return appendPlace(append(make([]byte, 0, len(headPrefix)+16), headPrefix...), height, seq)
}

// parsePlace reads the place at the end of a key.
func parsePlace(prefix int, key []byte) (height unit.Height, seq uint64, ok bool) {
	if len(key) != prefix+16 {
		return 0, 0, false
	}
	return unit.Height(binary.BigEndian.Uint64(key[prefix:])), binary.BigEndian.Uint64(key[prefix+8:]), true
}

// queued calls fn with up to limit entries of an owner's queue, in order, after the place of the entry after when it is not nil.
func queued(s state.Reader, owner account.Address, after *Entry, limit int, fn func(Entry) bool) error {
	prefix := queuePrefix(owner)
	var cursor []byte
	if after != nil {
		cursor = queueKey(owner, after.Height, after.Seq)
	}
	var bad error
	err := s.Scan(prefix, cursor, limit, func(key, value []byte) bool {
		e := Entry{Owner: owner}
		var ok bool
		if e.Height, e.Seq, ok = parsePlace(len(prefix), key); !ok || len(value) != len(e.ID) {
			bad = errIndex
			return false
		}
		e.ID = ID(value)
		return fn(e)
	})
	if err == nil {
		err = bad
	}
	return err
}

// follower is the entry of an owner's queue behind after, or the first one; ok is false at the end.
func follower(s state.Reader, owner account.Address, after *Entry) (e Entry, ok bool, err error) {
	err = queued(s, owner, after, 1, func(found Entry) bool {
		e, ok = found, true
		return false
	})
	return e, ok, err
}

// pointerKey is where an owner's place in the list of queues stands.
func pointerKey(owner account.Address) []byte {
	return account.Key(account.KindTimer, owner, tagPointer)
}

// listed is the place under which the list has an owner's queue; ok is false for an owner without timers.
func listed(s state.Reader, owner account.Address) (at Entry, ok bool, err error) {
	data, ok, err := s.Lookup(pointerKey(owner))
	if err != nil || !ok {
		return Entry{}, false, err
	}
	if at.Height, at.Seq, ok = parsePlace(0, data); !ok {
		return Entry{}, false, errIndex
	}
	return at, true, nil
}

// list moves an owner's queue in the list, from its place there to where the entry stands; without an entry it leaves the list.
func list(s state.Store, owner account.Address, to *Entry) error {
	at, ok, err := listed(s, owner)
	if err != nil {
		return err
	}
	if ok && to != nil && at.Height == to.Height && at.Seq == to.Seq {
		return nil
	}
	if ok {
		s.Delete(headKey(at.Height, at.Seq))
	}
	if to == nil {
		s.Delete(pointerKey(owner))
		return nil
	}
	s.Set(headKey(to.Height, to.Seq), owner[:])
	s.Set(pointerKey(owner), appendPlace(nil, to.Height, to.Seq))
	return nil
}

// enqueue puts a timer into the index and its owner's queue.
func (t *Timer) enqueue(s state.Store) error {
	s.Set(IndexKey(t.Height, t.Seq), append(append(make([]byte, 0, 52), t.Owner[:]...), t.ID[:]...))
	s.Set(queueKey(t.Owner, t.Height, t.Seq), t.ID[:])
	e := t.entry()
	if at, ok, err := listed(s, t.Owner); err != nil || ok && !e.before(&at) {
		return err
	}
	return list(s, t.Owner, &e)
}

// dequeue takes a timer out of the index and its owner's queue.
func (t *Timer) dequeue(s state.Store) {
	s.Delete(IndexKey(t.Height, t.Seq))
	s.Delete(queueKey(t.Owner, t.Height, t.Seq))
}

func (t *Timer) entry() Entry { return Entry{t.Height, t.Seq, t.Owner, t.ID} }

// before reports whether e fires before f: by height, then insertion.
func (e Entry) before(f *Entry) bool {
	if e.Height != f.Height {
		return e.Height < f.Height
	}
	return e.Seq < f.Seq
}

// heads lists up to limit owners whose first timer is due at now or earlier, by the place of that timer, after the place after.
func heads(s state.Reader, now unit.Height, after *Entry, limit int) ([]Entry, error) {
	var cursor []byte
	if after != nil {
		cursor = headKey(after.Height, after.Seq)
	}
	var list []Entry
	var bad error
	err := s.Scan(headPrefix, cursor, limit, func(key, value []byte) bool {
		var e Entry
		var ok bool
		if e.Height, e.Seq, ok = parsePlace(len(headPrefix), key); !ok || len(value) != account.AddressSize {
			bad = errIndex
			return false
		}
		if e.Height > now {
			return false
		}
		e.Owner = account.Address(value)
		list = append(list, e)
		return true
	})
	if err == nil {
		err = bad
	}
	return list, err
}
