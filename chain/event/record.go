package event

import (
	"encoding/binary"
	"errors"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// Bounds. Spec: gateway-payments-streams §H.2 (parameters).
const (
	PerTopic      = 512    // subscriptions of an emitter's topic
	SyncFires     = 64     // of an emit, run at once
	EmitsPerTurn  = 16     // that have hooks, of a turn outside of hooks; as many of all its hooks together
	FiresPerTurn  = 256    // run at once in a turn
	HookFires     = 64     // of these, for what hooks emit
	MaxTopic      = 64     // bytes
	MaxPayload    = 4_096  // bytes of an emit that has hooks
	BatchFires    = 64     // of a deferred batch
	MaxDepth      = 4      // emits in hooks of emits
	MinPrepaid    = 50_000 // gas
	Registration  = 10_000 // cycles whose price is burned
	MinFireGas    = 5_000
	MaxBatches    = params.MaxDeferredList // that wait
	bytesReserved = 400                    // of a subscription's four records without topic and handler
)

// The rejects.
var (
	ErrTopic    = errors.New("event: a topic has 1 to 64 bytes")
	ErrHandler  = errors.New("event: this handler cannot be called from outside")
	ErrFull     = errors.New("event: the topic has as many subscriptions as it may")
	ErrPrepaid  = errors.New("event: a subscription begins with at least 50,000 gas")
	ErrUnknown  = errors.New("event: there is no subscription of this identity")
	ErrParty    = errors.New("event: neither its subscriber nor its emitter")
	ErrZero     = errors.New("event: an addition of nothing")
	ErrOverflow = errors.New("event: gas, bid or price is more than 64 bits hold")
	ErrEmitter  = errors.New("event: no actor at the emitter's address")
)

// Subscription is an actor's wish to be told of what another emits (ActorEventSubscription).
//
// Spec: gateway-payments-streams §H.1.
type Subscription struct {
	Emitter     account.Address
	Topic       []byte
	Subscriber  account.Address
	Handler     []byte
	Prepaid     uint64      // gas paid in all
	Gas         uint64      // gas that is left
	Paid        unit.Amount // what is left of its price
	Bond        unit.Amount // the price of its cells
	Bid         unit.Amount // burned in all
	Since       unit.Height // the block that subscribed
	Added       uint64      // gas that came in the block AddedIn, after it began
	AddedIn     unit.Height
	Fires       uint64 // so far
	LastOutcome uint16 // code of the last fire's fault, 0 for none
}

// Append appends the canonical encoding: emitter(20) ‖ Bytes topic ‖ subscriber(20) ‖ Bytes handler ‖ ten UInt.
func (s *Subscription) Append(dst []byte) []byte {
	dst = codec.AppendBytes(codec.AppendFixed(dst, s.Emitter[:]), s.Topic)
	dst = codec.AppendBytes(codec.AppendFixed(dst, s.Subscriber[:]), s.Handler)
	for _, n := range [...]uint64{
		s.Prepaid, s.Gas, uint64(s.Paid), uint64(s.Bond), uint64(s.Bid), uint64(s.Since), s.Added, uint64(s.AddedIn), s.Fires, uint64(s.LastOutcome),
	} {
		dst = codec.AppendUint(dst, n)
	}
	return dst
}

// Decode reads what Append wrote.
func Decode(data []byte) (*Subscription, error) {
	r := codec.NewReader(data)
	var s Subscription
	r.Into(s.Emitter[:])
	s.Topic = r.Bytes(MaxTopic)
	r.Into(s.Subscriber[:])
	s.Handler = r.Bytes(params.MaxHandlerBytes)
	s.Prepaid, s.Gas, s.Paid, s.Bond, s.Bid = r.Uint(), r.Uint(), unit.Amount(r.Uint()), unit.Amount(r.Uint()), unit.Amount(r.Uint())
	s.Since, s.Added, s.AddedIn, s.Fires, s.LastOutcome = unit.Height(r.Uint()), r.Uint(), unit.Height(r.Uint()), r.Uint(), r.Uint16()
	return &s, r.Finish()
}

// Ready is the gas a fire in a block may use: none of it came in that block.
func (s *Subscription) Ready(now unit.Height) uint64 {
	switch {
	case s.Since >= now:
		return 0
	case s.AddedIn == now:
		return s.Gas - min(s.Added, s.Gas)
	}
	return s.Gas
}

// Origin is the emit that a deferred batch comes of (EmitOrigin, triggered_by_emit).
//
// Spec: gateway-payments-streams §H.1.
type Origin struct {
	Block unit.Height
	Tx    digest.Hash // zero where no transaction led to it
	Emit  uint32      // counts the emits of the block that have hooks
}

// Append appends the canonical encoding: UInt block ‖ tx(32) ‖ UInt emit.
func (o *Origin) Append(dst []byte) []byte {
	return codec.AppendUint(codec.AppendFixed(codec.AppendUint(dst, uint64(o.Block)), o.Tx[:]), uint64(o.Emit))
}

// ReadOrigin reads what Append wrote; errors stay in r.
func ReadOrigin(r *codec.Reader) (o Origin) {
	o.Block = unit.Height(r.Uint())
	r.Into(o.Tx[:])
	o.Emit = r.Uint32()
	return o
}

// Batch is subscriptions that an emit left to a later block.
//
// Spec: gateway-payments-streams §H.1 (EmitOrigin), §H.2.
type Batch struct {
	Seq     uint64 // its place, from its key
	Origin  Origin
	Emitter account.Address
	Topic   []byte
	Payload []byte
	Depth   uint8         // of the emit: 1 outside of hooks
	Subs    []digest.Hash // at most BatchFires, in their order
}

// Append appends the canonical encoding: origin ‖ emitter(20) ‖ Bytes topic ‖ Bytes payload ‖ depth(1) ‖ list of id(32).
func (b *Batch) Append(dst []byte) []byte {
	dst = codec.AppendFixed(b.Origin.Append(dst), b.Emitter[:])
	dst = codec.AppendU8(codec.AppendBytes(codec.AppendBytes(dst, b.Topic), b.Payload), b.Depth)
	dst = codec.AppendLen(dst, len(b.Subs))
	for _, id := range b.Subs {
		dst = codec.AppendFixed(dst, id[:])
	}
	return dst
}

// DecodeBatch reads what Append wrote, for the place of its key.
func DecodeBatch(seq uint64, data []byte) (*Batch, error) {
	r := codec.NewReader(data)
	b := Batch{Seq: seq, Origin: ReadOrigin(r)}
	r.Into(b.Emitter[:])
	b.Topic, b.Payload, b.Depth = r.Bytes(MaxTopic), r.Bytes(MaxPayload), r.U8()
	b.Subs = make([]digest.Hash, r.Len(1, BatchFires, digest.Size))
	for i := range b.Subs {
		r.Into(b.Subs[i][:])
	}
	return &b, r.Finish()
}

// ID is the identity of the batch's next turn: keccak256 of its place and what is left of it.
func (b *Batch) ID() digest.Hash {
	return digest.Keccak256(binary.BigEndian.AppendUint64([]byte("cowboy-event-batch:"), b.Seq), b.Append(nil))
}

// Counters are the numbers of the whole chapter, one record.
type Counters struct {
	Subscribed uint64      // subscriptions ever made
	Held       unit.Amount // coins of all subscriptions
	Batches    uint64      // ever made: the next one's place
	Waiting    uint64      // batches
	Emitted    uint32      // emits that had hooks in the block EmittedIn
	EmittedIn  unit.Height
}

// Append appends the canonical encoding: six UInt.
func (c *Counters) Append(dst []byte) []byte {
	for _, n := range [...]uint64{c.Subscribed, uint64(c.Held), c.Batches, c.Waiting, uint64(c.Emitted), uint64(c.EmittedIn)} {
		dst = codec.AppendUint(dst, n)
	}
	return dst
}

// What the keys begin with, after the address.
const (
	underSub     = "event:sub/"
	underOrder   = "event:order/"
	underTopic   = "event:topic/"
	underOf      = "event:of/"
	underBatch   = "event:batch/"
	nameCounters = "event:counters"
)

// Home is the virtual address.
func Home() account.Address { return account.System(account.EventSubscription) }

func at(prefix string, parts ...[]byte) []byte {
	return account.RecordKey(Home(), prefix, parts...)
}

// TopicID is keccak256(emitter ‖ topic).
//
// Spec: gateway-payments-streams §H.1.
func TopicID(emitter account.Address, topic []byte) digest.Hash {
	return digest.Keccak256(emitter[:], topic)
}

// orderKey is the place of a subscription in its topic's order: by falling bid, then rising height, then identity.
//
// Spec: gateway-payments-streams §H.1 (u64max − bid, sub_height, sub_id).
func (s *Subscription) orderKey(id digest.Hash) []byte {
	topic := TopicID(s.Emitter, s.Topic)
	rank := binary.BigEndian.AppendUint64(binary.BigEndian.AppendUint64(nil, ^uint64(s.Bid)), uint64(s.Since))
	return at(underOrder, topic[:], rank, id[:])
}

func subKey(id digest.Hash) []byte { return at(underSub, id[:]) }

func topicKey(topic digest.Hash) []byte { return at(underTopic, topic[:]) }

func batchKey(seq uint64) []byte { return binary.BigEndian.AppendUint64(at(underBatch), seq) }

// Claims are the ranges of state keys of this package. chapter is the name of the chapter that runs it.
func Claims(chapter string) []account.Claim {
	var list []account.Claim
	for _, c := range [...][2]string{
		{underSub, "subscriptions to events"}, {underOrder, "their order, by topic"}, {underTopic, "how many a topic has"},
		{underOf, "subscriptions, by subscriber"}, {underBatch, "fires left to a later block"}, {nameCounters, "counters"},
	} {
		list = append(list, account.RecordClaim(chapter, Home(), c[0], c[1], c[0] == nameCounters))
	}
	return list
}

// Load reads a subscription. Reject: ErrUnknown.
func Load(r state.Reader, id digest.Hash) (*Subscription, error) {
	data, ok, err := r.Lookup(subKey(id))
	if err != nil {
		return nil, err
	}
	if !ok {
		return nil, ErrUnknown
	}
	return Decode(data)
}

func (s *Subscription) save(to state.Store, id digest.Hash) { to.Set(subKey(id), s.Append(nil)) }

// LoadCounters reads the counters, all zero at first.
func LoadCounters(r state.Reader) (c Counters, err error) {
	data, ok, err := r.Lookup(at(nameCounters))
	if err != nil || !ok {
		return c, err
	}
	x := codec.NewReader(data)
	c = Counters{Subscribed: x.Uint(), Held: unit.Amount(x.Uint()), Batches: x.Uint(), Waiting: x.Uint(), Emitted: x.Uint32(), EmittedIn: unit.Height(x.Uint())}
	return c, x.Finish()
}

func (c *Counters) save(s state.Store) { s.Set(at(nameCounters), c.Append(nil)) }

// Escrow is the coin that subscriptions hold.
func Escrow(r state.Reader) (unit.Amount, error) {
	c, err := LoadCounters(r)
	return c.Held, err
}

// Count is how many subscriptions a topic has.
func Count(r state.Reader, topic digest.Hash) (uint64, error) {
	return state.Number(r, topicKey(topic))
}

func setCount(s state.Store, topic digest.Hash, n uint64) { state.SetCount(s, topicKey(topic), n) }

// Entry is a subscription in the order of its topic.
type Entry struct {
	ID    digest.Hash
	Since unit.Height
}

// Order lists the subscriptions of a topic in the order of the next emit, at most limit.
//
// Spec: gateway-payments-streams §H.1, §H.2.
func Order(r state.Reader, topic digest.Hash, limit int) (list []Entry, err error) {
	err = r.Scan(at(underOrder, topic[:]), nil, limit, func(key, _ []byte) bool {
		rest := key[len(key)-digest.Size-8:]
		list = append(list, Entry{digest.Hash(rest[8:]), unit.Height(binary.BigEndian.Uint64(rest))})
		return true
	})
	return list, err
}

// Of lists a page of the subscriptions of a subscriber by identity, those after one, at most limit.
func Of(r state.Reader, subscriber account.Address, after *digest.Hash, limit int) (ids []digest.Hash, err error) {
	prefix := at(underOf, subscriber[:])
	var above []byte
	if after != nil {
		above = append(at(underOf, subscriber[:]), after[:]...)
	}
	err = r.Scan(prefix, above, limit, func(key, _ []byte) bool {
		ids = append(ids, digest.Hash(key[len(prefix):]))
		return true
	})
	return ids, err
}

// Pending lists the places of waiting batches after one, at most limit.
func Pending(r state.Reader, after *uint64, limit int) (list []uint64, err error) {
	var above []byte
	if after != nil {
		above = batchKey(*after)
	}
	err = r.Scan(at(underBatch), above, limit, func(key, _ []byte) bool {
		list = append(list, binary.BigEndian.Uint64(key[len(key)-8:]))
		return true
	})
	return list, err
}

// LoadBatch reads a waiting batch; nil where there is none at the place.
func LoadBatch(r state.Reader, seq uint64) (*Batch, error) {
	data, ok, err := r.Lookup(batchKey(seq))
	if err != nil || !ok {
		return nil, err
	}
	return DecodeBatch(seq, data)
}
