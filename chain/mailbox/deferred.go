package mailbox

import (
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// Deferred is a call of an actor's own handler that the protocol injects in a later block.
type Deferred struct {
	Seq       uint64 // place in the chain-wide order, set by Defer
	Actor     account.Address
	Handler   string
	Payload   []byte
	Origin    digest.Hash // whose pool pays
	Depth     uint8       // as of a message
	CreatedAt unit.Height
}

// ID is the identity under which a deferred call is executed and recorded: keccak256 of its whole record and place.
func (d *Deferred) ID() digest.Hash {
	head := codec.AppendU64([]byte("cowboy-deferred"), d.Seq)
	return digest.Keccak256(head, d.Actor[:], d.Encode())
}

// Encode returns the canonical record; Seq and Actor are in its key.
func (d *Deferred) Encode() []byte {
	out := make([]byte, 0, 64+len(d.Handler)+len(d.Payload))
	out = codec.AppendBytes(out, []byte(d.Handler))
	out = codec.AppendBytes(out, d.Payload)
	out = append(out, d.Origin[:]...)
	out = codec.AppendU8(out, d.Depth)
	return codec.AppendUint(out, uint64(d.CreatedAt))
}

// Written is how many bytes of state a recorded call takes, keys without their namespace: the record and its place in the order.
//
// Spec: WP §17.4 (state write); CIP-3 §2.2 (len(key) + len(value)).
func (d *Deferred) Written() uint64 {
	return placeSize + uint64(len(d.Encode())) + 1 + placeSize + account.AddressSize
}

// DecodeDeferred reads what Encode wrote, for the actor and sequence number of its key; any other bytes are a codec error.
func DecodeDeferred(actor account.Address, seq uint64, data []byte) (Deferred, error) {
	r := codec.NewReader(data)
	d := Deferred{Actor: actor, Seq: seq}
	d.Handler = string(r.Bytes(HandlerMax))
	d.Payload = r.Bytes(PayloadMax)
	r.Into(d.Origin[:])
	d.Depth = r.U8()
	d.CreatedAt = unit.Height(r.Uint())
	return d, r.Finish()
}

const deferredOrder = 0x00

// Defer records d for execution in the next block or later and gives it its sequence number. On a reject nothing has changed.
//
// Errors: ErrTarget (no actor there), ErrSize, ErrDepth, ErrDeferredFull, ErrListFull; anything else is a failing store.
//
// Spec: scheduler-timers §10.
func Defer(s state.Store, l Limits, now unit.Height, d Deferred) (Deferred, error) {
	if len(d.Handler) == 0 || len(d.Handler) > HandlerMax || len(d.Payload) > PayloadMax {
		return d, ErrSize
	}
	if d.Depth > l.Depth {
		return d, ErrDepth
	}
	actor, err := account.Load(s, d.Actor)
	if err != nil {
		return d, err
	}
	if actor.Kind == account.External {
		return d, ErrTarget
	}
	if actor.Deferred >= l.DeferredActor {
		return d, ErrDeferredFull
	}
	counters, err := LoadCounters(s)
	if err != nil {
		return d, err
	}
	if counters.DeferredLeft >= l.DeferredList {
		return d, ErrListFull
	}
	d.Seq, d.CreatedAt = counters.Created, now
	counters.Created++
	counters.DeferredLeft++
	counters.save(s)
	actor.Deferred++
	account.Save(s, d.Actor, &actor)
	s.Set(sequenceKey(account.KindDeferred, d.Actor, d.Seq), d.Encode())
	s.Set(sequenceKey(account.KindDeferred, account.Address{}, d.Seq, deferredOrder), d.Actor[:])
	return d, nil
}

// PendingDeferred lists, in order, up to limit entries of the deferred list after cursor (nil: from its head).
func PendingDeferred(s state.Reader, cursor *uint64, limit int) ([]Entry, error) {
	return entries(s, account.Key(account.KindDeferred, account.Address{}, deferredOrder), cursor, limit)
}

// LoadDeferred returns the deferred call at e; ok is false when it is gone.
func LoadDeferred(s state.Reader, e Entry) (d Deferred, ok bool, err error) {
	data, ok, err := s.Lookup(sequenceKey(account.KindDeferred, e.Target, e.Seq))
	if err != nil || !ok {
		return d, false, err
	}
	d, err = DecodeDeferred(e.Target, e.Seq, data)
	return d, err == nil, err
}

// Expired reports whether d has waited longer than the rule allows and is to be dropped.
//
// Spec: scheduler-timers §10 (DEFERRED_TX_MAX_AGE_BLOCKS).
func (d *Deferred) Expired(l Limits, now unit.Height) bool {
	return uint64(now) > uint64(d.CreatedAt)+l.DeferredAge
}

// RemoveDeferred takes an executed or dropped call off the list. d must be pending.
func RemoveDeferred(s state.Store, d *Deferred) error {
	actor, err := account.Load(s, d.Actor)
	if err != nil {
		return err
	}
	actor.Deferred -= min(actor.Deferred, 1)
	account.Save(s, d.Actor, &actor)
	s.Delete(sequenceKey(account.KindDeferred, d.Actor, d.Seq))
	s.Delete(sequenceKey(account.KindDeferred, account.Address{}, d.Seq, deferredOrder))
	counters, err := LoadCounters(s)
	if err != nil {
		return err
	}
	counters.DeferredLeft -= min(counters.DeferredLeft, 1)
	counters.save(s)
	return nil
}
