package mailbox

import (
	"encoding/binary"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/state"
)

// Counters are the chain-wide numbers of this package, one record in state.
type Counters struct {
	Sent         uint64 // messages ever enqueued; the next message's sequence number
	Waiting      uint64 // messages not delivered yet
	Aged         uint64 // sequence number of the oldest dedup entry that may still exist
	Created      uint64 // deferred calls ever created; the next one's sequence number
	DeferredLeft uint64 // deferred calls not executed yet
}

const nameCounters = "mailbox"

var countersKey = account.KeyString(account.KindChain, account.Address{}, nameCounters)

// LoadCounters reads the counters; all are zero on a new chain.
func LoadCounters(s state.Reader) (Counters, error) {
	data, ok, err := s.Lookup(countersKey)
	if err != nil || !ok {
		return Counters{}, err
	}
	r := codec.NewReader(data)
	c := Counters{Sent: r.Uint(), Waiting: r.Uint(), Aged: r.Uint(), Created: r.Uint(), DeferredLeft: r.Uint()}
	return c, r.Finish()
}

func (c Counters) save(s state.Store) {
	out := codec.AppendUint(make([]byte, 0, 50), c.Sent)
	out = codec.AppendUint(out, c.Waiting)
	out = codec.AppendUint(out, c.Aged)
	out = codec.AppendUint(out, c.Created)
	s.Set(countersKey, codec.AppendUint(out, c.DeferredLeft))
}

// sequenceKey is kind ‖ addr ‖ tag… ‖ be8(seq).
func sequenceKey(kind account.Kind, addr account.Address, seq uint64, tag ...byte) []byte {
	return binary.BigEndian.AppendUint64(account.Key(kind, addr, tag...), seq)
}

// sequenceOf reads the number a sequence key ends in.
func sequenceOf(key []byte) uint64 { return binary.BigEndian.Uint64(key[len(key)-8:]) }

// Claims is what this package keeps in state.
func Claims() []account.Claim {
	return []account.Claim{
		{Chapter: "mailbox", Holds: "order of delivery", Kind: account.KindMailbox, Holder: account.Nobody},
		{Chapter: "mailbox", Holds: "pending messages, by receiver", Kind: account.KindMailbox, Holder: account.Somebody},
		{Chapter: "mailbox", Holds: "identities seen, in the order they age", Kind: account.KindDedup, Holder: account.Nobody},
		{Chapter: "mailbox", Holds: "identities seen, by receiver", Kind: account.KindDedup, Holder: account.Somebody},
		{Chapter: "mailbox", Holds: "order of the deferred calls", Kind: account.KindDeferred, Holder: account.Nobody, Suffix: string(rune(deferredOrder))},
		{Chapter: "mailbox", Holds: "what origins have left to pay with", Kind: account.KindDeferred, Holder: account.Nobody, Suffix: string(rune(poolTag))},
		{Chapter: "mailbox", Holds: "deferred calls, by actor", Kind: account.KindDeferred, Holder: account.Somebody},
		{Chapter: "mailbox", Holds: "counters", Kind: account.KindChain, Holder: account.Nobody, Suffix: nameCounters, Exact: true},
	}
}
