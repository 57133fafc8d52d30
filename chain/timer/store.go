package timer

import (
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// Store is the state timers live in; *state.Overlay is one. Errors are those of a failing source.
type Store interface {
	Lookup(key []byte) (value []byte, ok bool, err error)
	Scan(prefix, after []byte, limit int, fn func(key, value []byte) (more bool)) error
	Set(key, value []byte)
	Delete(key []byte)
}

func recordKey(id ID) []byte {
	return account.Key(account.KindTimer, account.Address{}, id[:]...)
}

// IndexPrefix is the prefix of every entry of the timer index. The caller does not modify it.
func IndexPrefix() []byte { return indexPrefix }

var indexPrefix = account.Key(account.KindTimerIndex, account.Address{})

// IndexKey is the place of a timer in the index: height, then insertion.
func IndexKey(height unit.Height, seq uint64) []byte {
	return appendPlace(append(make([]byte, 0, len(indexPrefix)+16), indexPrefix...), height, seq)
}

// Entry is one place of the index.
type Entry struct {
	Height unit.Height
	Seq    uint64
	Owner  account.Address
	ID     ID
}

// ParseEntry takes an index entry apart; ok is false for anything that is not one.
func ParseEntry(key, value []byte) (e Entry, ok bool) {
	if e.Height, e.Seq, ok = parsePlace(len(indexPrefix), key); !ok || len(value) != account.AddressSize+len(e.ID) {
		return Entry{}, false
	}
	e.Owner = account.Address(value[:account.AddressSize])
	e.ID = ID(value[account.AddressSize:])
	return e, true
}

func counterKey() []byte { return account.KeyString(account.KindChain, account.Address{}, "timer") }

// Inserted returns the next insertion number: how many insertions the chain has made.
func Inserted(s Store) (uint64, error) {
	data, ok, err := s.Lookup(counterKey())
	if err != nil || !ok {
		return 0, err
	}
	r := codec.NewReader(data)
	n := r.Uint()
	return n, r.Finish()
}

func setInserted(s Store, n uint64) { s.Set(counterKey(), codec.AppendUint(nil, n)) }

// Load returns a pending timer; ok is false when there is none of that identifier.
func Load(s Store, id ID) (t Timer, ok bool, err error) {
	data, ok, err := s.Lookup(recordKey(id))
	if err != nil || !ok {
		return Timer{}, false, err
	}
	t, err = Decode(id, data)
	return t, err == nil, err
}

// save writes the record and its places.
func (t *Timer) save(s Store) error {
	s.Set(recordKey(t.ID), t.Encode())
	return t.enqueue(s)
}

func loadAccount(s Store, addr account.Address) (account.Account, error) {
	data, ok, err := s.Lookup(addr.Key())
	if err != nil || !ok {
		return account.Account{}, err
	}
	return account.Decode(data)
}

func saveAccount(s Store, addr account.Address, a account.Account) { s.Set(addr.Key(), a.Encode()) }

// heldKey is where an external owner's count lives; an actor's is in its account.
func heldKey(owner account.Address) []byte { return account.Key(account.KindTimer, owner, 'n') }

// Held is the number of active timers of an owner.
func Held(s Store, owner account.Address) (uint32, error) {
	a, err := loadAccount(s, owner)
	if err != nil || a.Kind != account.External {
		return a.Timers, err
	}
	data, ok, err := s.Lookup(heldKey(owner))
	if err != nil || !ok {
		return 0, err
	}
	r := codec.NewReader(data)
	n := r.Uint32()
	return n, r.Finish()
}

func setHeld(s Store, owner account.Address, n uint32) error {
	a, err := loadAccount(s, owner)
	if err != nil {
		return err
	}
	switch {
	case a.Kind != account.External:
		a.Timers = n
		saveAccount(s, owner, a)
	case n == 0:
		s.Delete(heldKey(owner))
	default:
		s.Set(heldKey(owner), codec.AppendUint(nil, uint64(n)))
	}
	return nil
}
