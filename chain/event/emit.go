package event

import (
	"errors"

	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// Next is what an emit or a batch does with a subscription it comes to.
type Next uint8

// What there is to do.
const (
	Run  Next = iota // fire it
	Pass             // nothing: it is gone, or too young
	Gone             // it was removed for lack of gas
)

// Look reads a subscription that is next. Ready is the gas its hook may use. One that has less than a fire takes is removed, unless more came in this block.
//
// Spec: gateway-payments-streams §H.2 (less than the least cost of a fire: skipped and removed).
func (b *Book) Look(id digest.Hash) (s *Subscription, ready uint64, next Next, err error) {
	s, err = Load(b.State, id)
	if errors.Is(err, ErrUnknown) {
		return nil, 0, Pass, nil
	}
	if err != nil {
		return nil, 0, Pass, err
	}
	used := b.Used(id)
	ready = s.Ready(b.Height)
	ready -= min(used, ready)
	switch left := s.Gas - min(used, s.Gas); {
	case ready >= MinFireGas:
		return s, ready, Run, nil
	case s.Since >= b.Height || left >= MinFireGas:
		return s, 0, Pass, nil
	}
	return s, 0, Gone, b.remove(s, id, byEmit)
}

// Number gives an emit that has hooks its number in the block.
//
// Spec: gateway-payments-streams §H.1 (emit_id).
func (b *Book) Number() (uint32, error) {
	c, err := LoadCounters(b.State)
	if err != nil {
		return 0, err
	}
	if c.EmittedIn != b.Height {
		c.Emitted, c.EmittedIn = 0, b.Height
	}
	n := c.Emitted
	c.Emitted++
	c.save(b.State)
	return n, nil
}

// Defer leaves subscriptions to later blocks, in batches of BatchFires, and gives how many of them there was room for.
//
// Spec: gateway-payments-streams §H.2 (deferred system transactions of at most 64 subscribers, in the order fixed at the emit).
func (b *Book) Defer(like Batch, subs []digest.Hash) (int, error) {
	c, err := LoadCounters(b.State)
	if err != nil {
		return 0, err
	}
	kept := 0
	for kept < len(subs) && c.Waiting < MaxBatches {
		n := min(len(subs)-kept, BatchFires)
		like.Subs = subs[kept : kept+n]
		b.State.Set(batchKey(c.Batches), like.Append(nil))
		c.Batches, c.Waiting, kept = c.Batches+1, c.Waiting+1, kept+n
	}
	c.save(b.State)
	return kept, nil
}

// Done takes the first n subscriptions off a waiting batch, and the batch with the last.
func (b *Book) Done(batch *Batch, n int) error {
	if n < len(batch.Subs) {
		rest := *batch
		rest.Subs = batch.Subs[n:]
		b.State.Set(batchKey(batch.Seq), rest.Append(nil))
		return nil
	}
	b.State.Delete(batchKey(batch.Seq))
	c, err := LoadCounters(b.State)
	if err != nil {
		return err
	}
	c.Waiting--
	c.save(b.State)
	return nil
}

// Told announces a fire.
func (b *Book) Told(f Fire) { b.tell(TopicFired, f.ID, nil, uint64(f.Code), f.Gas) }

// Refused announces that a limit keeps an emit from its hooks.
func (b *Book) Refused(topic digest.Hash, code uint16) {
	b.tell(TopicRefused, topic, nil, uint64(code))
}

// Left is the number of the emit that an event of the topic TopicDeferred is about; ok is false for other data.
func Left(data []byte) (emit uint32, ok bool) {
	if len(data) < digest.Size {
		return 0, false
	}
	r := codec.NewReader(data[digest.Size:])
	emit = r.Uint32()
	r.Uint()
	return emit, r.Finish() == nil
}

// Deferred announces what an emit left to later blocks.
func (b *Book) Deferred(topic digest.Hash, emit uint32, n int) {
	b.tell(TopicDeferred, topic, nil, uint64(emit), uint64(n))
}

// Place is a subscription in the order of its topic.
type Place struct {
	ID  digest.Hash
	Sub *Subscription
}

// Orderbook is the subscriptions of a topic in the order of the next emit, at most limit.
//
// Spec: gateway-payments-streams §H.2 (get_topic_orderbook).
func (b *Book) Orderbook(topic digest.Hash, limit int) (list []Place, err error) {
	order, err := Order(b.State, topic, min(limit, PerTopic))
	if err != nil {
		return nil, err
	}
	for _, x := range order {
		s, err := Load(b.State, x.ID)
		if err != nil {
			return nil, err
		}
		list = append(list, Place{x.ID, s})
	}
	return list, nil
}

// Rank is the place of a subscription in the next emit, from 0. Reject: ErrUnknown.
//
// Spec: gateway-payments-streams §H.2 (get_rank).
func (b *Book) Rank(id digest.Hash) (rank int, err error) {
	s, err := Load(b.State, id)
	if err != nil {
		return 0, err
	}
	topic := TopicID(s.Emitter, s.Topic)
	order, err := Order(b.State, topic, PerTopic)
	for rank < len(order) && order[rank].ID != id {
		rank++
	}
	return rank, err
}

// MinBid is the least bid that brings a new subscription to a rank in the next emit, from 0. ok is false where no bid does.
//
// Spec: gateway-payments-streams §H.2 (get_min_bid_for_rank).
func (b *Book) MinBid(topic digest.Hash, rank uint64) (bid unit.Amount, ok bool, err error) {
	if rank >= PerTopic {
		return 0, false, nil
	}
	list, err := b.Orderbook(topic, int(rank)+1)
	if err != nil {
		return 0, false, err
	}
	if uint64(len(list)) <= rank { // the order ends before it
		return 0, uint64(len(list)) == rank, nil
	}
	holder := list[rank].Sub.Bid
	return holder + 1, holder != ^unit.Amount(0), nil
}
