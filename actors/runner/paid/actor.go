package paid

import (
	"context"
	"errors"
	"time"

	"github.com/asynkron/protoactor-go/actor"

	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/session"
	"github.com/cowboyinc/cowboy-go/chain/session/voucher"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/supervision"
)

const (
	keepEvery    = 100 * time.Millisecond
	collectEvery = 5 * time.Second
	looksAtOnce  = 64 // sessions that the chain is asked about
	// triedFor is how long a settlement that was sent is given until it is sent again.
	triedFor = time.Minute
)

// tick wakes a subsystem.
type tick struct{}

// Keeper makes a book durable ten times a second. A disk that fails ends it, and the runner with it.
type Keeper struct {
	Inbox *supervision.Inbox
	Book  *Book
	Clock supervision.Clock

	next supervision.Deadline
}

// Receive is the subsystem's one switch.
func (k *Keeper) Receive(ctx actor.Context) {
	switch ctx.Message().(type) {
	case *actor.Started, tick:
		if err := k.Book.Flush(); err != nil {
			panic(err)
		}
		k.next = k.Clock.AfterFunc(keepEvery, func() { k.Inbox.Send(tick{}) })
	case *actor.Stopping, *actor.Restarting:
		if k.next != nil {
			k.next.Stop()
		}
	}
}

// Settling is the chain as a collector sees it.
type Settling interface {
	Chain
	// Settle sends a settlement and does not wait.
	Settle(ctx context.Context, v *voucher.Voucher, s sig.Signature) error
}

// Collector settles the vouchers of a book.
type Collector struct {
	Inbox   *supervision.Inbox
	Book    *Book
	Chain   Settling
	Clock   supervision.Clock
	Worth   unit.Amount // from which on a voucher is settled at once
	Observe func(what string, id digest.Hash, err error)

	next  supervision.Deadline
	tried map[digest.Hash]attempt
}

// attempt is a settlement that was sent.
type attempt struct {
	nonce uint64
	at    time.Time
}

// Receive is the subsystem's one switch.
func (c *Collector) Receive(ctx actor.Context) {
	switch ctx.Message().(type) {
	case *actor.Started, tick:
		c.collect()
		c.next = c.Clock.AfterFunc(collectEvery, func() { c.Inbox.Send(tick{}) })
	case *actor.Stopping, *actor.Restarting:
		if c.next != nil {
			c.next.Stop()
		}
	}
}

// collect looks at each session that has something to be settled. The chain is asked until it does not answer.
//
// Spec: gateway-payments-streams §D (54).
func (c *Collector) collect() {
	if c.tried == nil {
		c.tried = map[digest.Hash]attempt{}
	}
	for _, one := range c.Book.unsettled(looksAtOnce) {
		ctx, cancel := context.WithTimeout(context.Background(), readWithin)
		err := c.look(ctx, one)
		cancel()
		if err != nil {
			c.Observe("settlement", one.id, err)
			return
		}
	}
}

func (c *Collector) look(ctx context.Context, one due) error {
	on, now, err := c.Chain.Session(ctx, one.id)
	over := errors.Is(err, session.ErrUnknown) || err == nil && on.Status != session.Open && on.Status != session.Closing
	switch {
	case over:
		c.Book.forget(one.id)
		delete(c.tried, one.id)
		return nil
	case err != nil:
		return err
	}
	c.Book.settled(one.id, on.Paid.Spent)
	if one.signed == nil {
		return nil
	}
	v, by, err := one.signed.Voucher()
	if err != nil {
		return err
	}
	left := unit.Amount(v.Cumulative.Lo)
	if left <= on.Paid.Spent { // it is
		delete(c.tried, one.id)
		return nil
	}
	left -= on.Paid.Spent
	if left < c.Worth && on.Status == session.Open && now+2*KeepBlocks < min(on.Expires, v.Expires) {
		return nil
	}
	if last, ok := c.tried[one.id]; ok && last.nonce == v.Nonce && c.Clock.Now().Sub(last.at) < triedFor {
		return nil
	}
	if err := c.Chain.Settle(ctx, &v, by); err != nil {
		return err
	}
	c.tried[one.id] = attempt{v.Nonce, c.Clock.Now()}
	c.Observe("a voucher is settled", one.id, nil)
	return nil
}

// Tree declares both, for the tree of a runner.
func Tree(b *Book, chain Settling, worth unit.Amount, clock supervision.Clock, observe func(what string, id digest.Hash, err error)) supervision.Spec {
	keep, collect := supervision.NewInbox("vouchers", 4), supervision.NewInbox("collector", 4)
	return supervision.Spec{
		Name: "sessions", Strategy: supervision.OneForOne, Limit: supervision.Limit{Restarts: 50, Within: time.Minute},
		Backoff: supervision.Backoff{Initial: 100 * time.Millisecond, Max: 10 * time.Second},
		Children: []supervision.Spec{
			{Name: "vouchers", Inbox: keep, New: func() actor.Actor { return &Keeper{Inbox: keep, Book: b, Clock: clock} }},
			{Name: "collector", Inbox: collect, New: func() actor.Actor {
				return &Collector{Inbox: collect, Book: b, Chain: chain, Clock: clock, Worth: worth, Observe: observe}
			}, StopWithin: readWithin + 5*time.Second},
		},
	}
}
