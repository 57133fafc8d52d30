package mailbox

import (
	"encoding/binary"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/codec"
)

// Store is the state a mailbox lives in; *state.Overlay is one. Errors are those of a failing source.
type Store interface {
	Lookup(key []byte) (value []byte, ok bool, err error)
	Scan(prefix, after []byte, limit int, fn func(key, value []byte) (more bool)) error
	Set(key, value []byte)
	Delete(key []byte)
}

// Counters are the chain-wide numbers of this package, one record in state.
type Counters struct {
	Sent         uint64 // messages ever enqueued; the next message's sequence number
	Waiting      uint64 // messages not delivered yet
	Aged         uint64 // sequence number of the oldest dedup entry that may still exist
	Created      uint64 // deferred calls ever created; the next one's sequence number
	DeferredLeft uint64 // deferred calls not executed yet
}

var countersKey = account.KeyString(account.KindChain, account.Address{}, "mailbox")

// LoadCounters reads the counters; all are zero on a new chain.
func LoadCounters(s Store) (Counters, error) {
	data, ok, err := s.Lookup(countersKey)
	if err != nil || !ok {
		return Counters{}, err
	}
	r := codec.NewReader(data)
	c := Counters{Sent: r.Uint(), Waiting: r.Uint(), Aged: r.Uint(), Created: r.Uint(), DeferredLeft: r.Uint()}
	return c, r.Finish()
}

func (c Counters) save(s Store) {
	out := codec.AppendUint(make([]byte, 0, 50), c.Sent)
	out = codec.AppendUint(out, c.Waiting)
	out = codec.AppendUint(out, c.Aged)
	out = codec.AppendUint(out, c.Created)
	s.Set(countersKey, codec.AppendUint(out, c.DeferredLeft))
}

func loadAccount(s Store, addr account.Address) (account.Account, error) {
	data, ok, err := s.Lookup(addr.Key())
	if err != nil || !ok {
		return account.Account{}, err
	}
	return account.Decode(data)
}

func saveAccount(s Store, addr account.Address, a account.Account) { s.Set(addr.Key(), a.Encode()) }

// sequenceKey is kind ‖ addr ‖ tag… ‖ be8(seq).
func sequenceKey(kind account.Kind, addr account.Address, seq uint64, tag ...byte) []byte {
	return binary.BigEndian.AppendUint64(account.Key(kind, addr, tag...), seq)
}

// sequenceOf reads the number a sequence key ends in.
func sequenceOf(key []byte) uint64 { return binary.BigEndian.Uint64(key[len(key)-8:]) }
