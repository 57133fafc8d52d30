package mailbox

import (
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// Limits are the numbers of this package that the protocol or governance sets.
type Limits struct {
	Capacity       uint64 // bytes of encoded messages one mailbox holds (1,000,000)
	Depth          uint8  // longest chain of messages from one origin (32)
	DedupBlocks    uint64 // how long an identity is remembered after its block is final (10,000)
	FinalityBlocks uint64 // blocks after which a block is taken to be final (2)
	DeferredActor  uint32 // deferred calls pending per actor (64)
	DeferredList   uint64 // deferred calls pending in all (16,384)
	DeferredAge    uint64 // blocks a deferred call waits before it is dropped (1,000)
}

// Enqueue puts m into its target's mailbox and gives it its nonce, identity, sequence number and time. The sender's nonce
// advances, and the coins the message carries leave the sender's balance. On a reject nothing has changed.
//
// Errors: ErrTarget, ErrSize, ErrDepth, ErrValue, ErrDuplicate, *Full; anything else is a failing store.
//
// Spec: WP §3.3; scheduler-timers §11.
func Enqueue(s state.Store, l Limits, now unit.Height, m Message) (Message, error) {
	if len(m.Handler) > HandlerMax || len(m.Payload) > PayloadMax {
		return m, ErrSize
	}
	if m.Depth > l.Depth {
		return m, ErrDepth
	}
	sender, err := account.Load(s, m.Sender)
	if err != nil {
		return m, err
	}
	m.Nonce, m.SentAt = sender.Nonce, now
	m.ID = Identity(m.Sender, m.Nonce, m.Hash())
	if sender.Debit(m.Value) != nil {
		return m, ErrValue
	}
	sender.Nonce++
	target := sender
	if m.Target != m.Sender {
		if target, err = account.Load(s, m.Target); err != nil {
			return m, err
		}
	}
	if target.Kind == account.External {
		return m, ErrTarget
	}
	seen := account.Key(account.KindDedup, m.Target, m.ID[:]...)
	if _, ok, err := s.Lookup(seen); err != nil || ok {
		if err == nil {
			err = ErrDuplicate
		}
		return m, err
	}
	record := m.Encode()
	size := uint64(len(record))
	if target.MailboxBytes+size > l.Capacity {
		return m, &Full{Held: target.MailboxBytes, Size: size, Capacity: l.Capacity}
	}
	target.MailboxBytes += size
	target.MailboxCount++
	counters, err := LoadCounters(s)
	if err != nil {
		return m, err
	}
	m.Seq = counters.Sent
	counters.Sent++
	counters.Waiting++
	counters.save(s)
	if m.Target != m.Sender {
		account.Save(s, m.Sender, &sender)
	}
	account.Save(s, m.Target, &target)
	s.Set(sequenceKey(account.KindMailbox, m.Target, m.Seq), record)
	s.Set(sequenceKey(account.KindMailbox, account.Address{}, m.Seq), m.Target[:])
	remember(s, seen, m, now)
	return m, nil
}

// Entry is one place in a queue.
type Entry struct {
	Seq    uint64
	Target account.Address
}

// Pending lists, in order, up to limit entries of the delivery queue after cursor (nil: from its head).
func Pending(s state.Reader, cursor *uint64, limit int) ([]Entry, error) {
	return entries(s, account.Key(account.KindMailbox, account.Address{}), cursor, limit)
}

func entries(s state.Reader, prefix []byte, cursor *uint64, limit int) ([]Entry, error) {
	var after []byte
	if cursor != nil {
		after = codec.AppendU64(append(make([]byte, 0, len(prefix)+8), prefix...), *cursor)
	}
	var list []Entry
	var bad error
	err := s.Scan(prefix, after, limit, func(key, value []byte) bool {
		if len(value) != account.AddressSize || len(key) != len(prefix)+8 {
			bad = codec.ErrInvalid
			return false
		}
		list = append(list, Entry{Seq: sequenceOf(key), Target: account.Address(value)})
		return true
	})
	if err == nil {
		err = bad
	}
	return list, err
}

// Load returns the pending message at e; ok is false when it is gone.
func Load(s state.Reader, e Entry) (m Message, ok bool, err error) {
	data, ok, err := s.Lookup(sequenceKey(account.KindMailbox, e.Target, e.Seq))
	if err != nil || !ok {
		return m, false, err
	}
	m, err = DecodeMessage(e.Target, e.Seq, data)
	return m, err == nil, err
}

// Remove takes a delivered message out of its mailbox; its identity stays remembered. m must be pending. The coins it carries are the
// caller's to credit.
func Remove(s state.Store, m *Message) error {
	target, err := account.Load(s, m.Target)
	if err != nil {
		return err
	}
	target.MailboxBytes -= min(target.MailboxBytes, uint64(len(m.Encode())))
	target.MailboxCount -= min(target.MailboxCount, 1)
	account.Save(s, m.Target, &target)
	s.Delete(sequenceKey(account.KindMailbox, m.Target, m.Seq))
	s.Delete(sequenceKey(account.KindMailbox, account.Address{}, m.Seq))
	counters, err := LoadCounters(s)
	if err != nil {
		return err
	}
	counters.Waiting -= min(counters.Waiting, 1)
	counters.save(s)
	return nil
}

// Fanout counts the messages and timers one origin has enqueued, nested and later ones included.
//
// Spec: WP §3.3 (per-transaction fan-out), §5.1b (timers share it).
type Fanout struct {
	Count uint32
	Limit uint32
}

// Add counts one more, or refuses with ErrFanout.
func (f *Fanout) Add() error {
	if f.Count >= f.Limit {
		return ErrFanout
	}
	f.Count++
	return nil
}
