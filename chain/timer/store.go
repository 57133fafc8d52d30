package timer

import (
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// Names of the chain's entries, and marks of an owner's.
const (
	nameInserted  = "timer"
	nameHeads     = "timer.heads"
	nameMarket    = "timer.market"
	nameHistogram = "timer.histogram"
	nameFires     = "timer.fires"

	tagHeld    = 'n'
	tagPointer = 'h'
	tagSum     = 'w'
)

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

func counterKey() []byte {
	return account.KeyString(account.KindChain, account.Address{}, nameInserted)
}

// Inserted returns the next insertion number: how many insertions the chain has made.
func Inserted(s state.Reader) (uint64, error) {
	return state.Number(s, counterKey())
}

func setInserted(s state.Store, n uint64) { state.SetNumber(s, counterKey(), n) }

// Load returns a pending timer; ok is false when there is none of that identifier.
func Load(s state.Reader, id ID) (t Timer, ok bool, err error) {
	data, ok, err := s.Lookup(recordKey(id))
	if err != nil || !ok {
		return Timer{}, false, err
	}
	t, err = Decode(id, data)
	return t, err == nil, err
}

// save writes the record and its places.
func (t *Timer) save(s state.Store) error {
	s.Set(recordKey(t.ID), t.Encode())
	return t.enqueue(s)
}

// heldKey is where an external owner's count lives; an actor's is in its account.
func heldKey(owner account.Address) []byte { return account.Key(account.KindTimer, owner, tagHeld) }

// Held is the number of active timers of an owner.
func Held(s state.Reader, owner account.Address) (uint32, error) {
	a, err := account.Load(s, owner)
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

func setHeld(s state.Store, owner account.Address, n uint32) error {
	a, err := account.Load(s, owner)
	if err != nil {
		return err
	}
	if a.Kind == account.External {
		state.SetCount(s, heldKey(owner), uint64(n))
		return nil
	}
	a.Timers = n
	account.Save(s, owner, &a)
	return nil
}

// Claims is what this package keeps in state.
func Claims() []account.Claim {
	return []account.Claim{
		{Chapter: "timer", Holds: "timers, by identifier", Kind: account.KindTimer, Holder: account.Nobody},
		{Chapter: "timer", Holds: "how many timers a person has", Kind: account.KindTimer, Holder: account.Somebody, Suffix: string(tagHeld), Exact: true},
		{Chapter: "timer", Holds: "where an owner's queue begins", Kind: account.KindTimer, Holder: account.Somebody, Suffix: string(tagPointer), Exact: true},
		{Chapter: "timer", Holds: "how often an owner's timers fired in the window", Kind: account.KindTimer, Holder: account.Somebody, Suffix: string(tagSum),
			Exact: true},
		{Chapter: "timer", Holds: "timers in the order they are due", Kind: account.KindTimerIndex, Holder: account.Nobody},
		{Chapter: "timer", Holds: "an owner's timers in the order they are due", Kind: account.KindTimerIndex, Holder: account.Somebody},
		{Chapter: "timer", Holds: "insertions so far", Kind: account.KindChain, Holder: account.Nobody, Suffix: nameInserted, Exact: true},
		{Chapter: "timer", Holds: "queues in the order they begin", Kind: account.KindChain, Holder: account.Nobody, Suffix: nameHeads},
		{Chapter: "timer", Holds: "the lane's market", Kind: account.KindChain, Holder: account.Nobody, Suffix: nameMarket, Exact: true},
		{Chapter: "timer", Holds: "how many owners fired how often", Kind: account.KindChain, Holder: account.Nobody, Suffix: nameHistogram, Exact: true},
		{Chapter: "timer", Holds: "who fired in a block of the window", Kind: account.KindChain, Holder: account.Nobody, Suffix: nameFires},
	}
}
