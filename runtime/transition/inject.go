package transition

import (
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/fee"
	"github.com/cowboyinc/cowboy-go/chain/flow"
	"github.com/cowboyinc/cowboy-go/chain/mailbox"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/runtime/drain"
)

// queue is one of the two queues of the mailbox as a block sees it.
type queue struct {
	list    func(s state.Reader, cursor *uint64, limit int) ([]mailbox.Entry, error)
	before  uint64 // sequence numbers below it existed when the block began
	none    bool   // nothing was in it when the block began
	entries []mailbox.Entry
}

// load gives the drain the next items of the queue. What a pool holds when an item's turn comes may be less than what the item
// claims, never more than a turn may use.
func (q *queue) load(s *State, limit int) ([]drain.Item, bool, error) {
	if q.none {
		return nil, false, nil
	}
	var cursor *uint64
	if n := len(q.entries); n > 0 {
		cursor = &q.entries[n-1].Seq
	}
	found, err := q.list(s.overlay, cursor, limit)
	if err != nil {
		return nil, false, err
	}
	items := make([]drain.Item, 0, len(found))
	cycles := drain.TurnCycles(s.block.Params.Limits.PerActorPerBlockCycles)
	for _, e := range found {
		if e.Seq >= q.before {
			return items, false, nil
		}
		items = append(items, drain.Item{Place: uint64(len(q.entries)), Actor: e.Target, Lane: params.LaneUser, Limit: cycles})
		q.entries = append(q.entries, e)
	}
	return items, len(found) == limit, nil
}

// message delivers one message.
//
// Spec: WP §3.3, "Transactions and Message Passing"; sdk §7 (start of the next block), §3.6.
func (s *State) message(e drain.Deliver) error {
	m, ok, err := mailbox.Load(s.overlay, s.messages.entries[e.Item.Place])
	if err != nil {
		return err
	}
	if !ok {
		s.dropped(e.Turn)
		return nil
	}
	if err := s.bill(m.Target); err != nil {
		return err
	}
	if err := mailbox.Remove(s.overlay, &m); err != nil {
		return err
	}
	s.flows.Add(flow.Out, flow.Messages, m.Value)
	return s.inject(e, &drain.Turn{
		Kind: block.Message, Native: m.Target.IsReserved(), Target: m.Target, Sender: m.Sender, ID: m.ID, Depth: m.Depth,
		Nonce: m.Seq, Value: m.Value, Payload: drain.Payload{Handler: m.Handler, Data: m.Payload, Structured: m.Structured},
	}, m.Origin)
}

// deferred executes or drops one deferred call.
//
// Spec: scheduler-timers §10.
func (s *State) deferred(e drain.Deliver) error {
	d, ok, err := mailbox.LoadDeferred(s.overlay, s.calls.entries[e.Item.Place])
	if err != nil {
		return err
	}
	if !ok {
		s.dropped(e.Turn)
		return nil
	}
	if err := s.bill(d.Actor); err != nil {
		return err
	}
	if err := mailbox.RemoveDeferred(s.overlay, &d); err != nil {
		return err
	}
	turn := &drain.Turn{
		Kind: block.Deferred, Target: d.Actor, Sender: d.Actor, ID: d.ID(), Depth: d.Depth, Nonce: d.Seq,
		Payload: drain.Payload{Handler: d.Handler, Data: d.Payload},
	}
	if !d.Expired(s.limits, s.header.Height) {
		return s.inject(e, turn, d.Origin)
	}
	s.record(&block.Receipt{
		Kind: block.Deferred, ID: turn.ID, Cause: d.Origin, Sender: d.Actor, Target: d.Actor, Status: block.Dropped,
		Fault: block.Fault{Code: drain.FaultDeferred, Text: "waited longer than a deferred call may"},
	})
	pool, ok, err := mailbox.LoadPool(s.overlay, d.Origin)
	if err != nil {
		return err
	}
	if ok {
		if err := s.release(&pool); err != nil {
			return err
		}
	}
	s.dropped(e.Turn)
	return nil
}

// deliveryCost is what a delivery pays before its handler runs: its price and that of its payload, or all it has.
//
// Spec: CIP-3 §2.2.1 (cycles are a measure of work).
func (s *State) deliveryCost(limit fee.Use, payload []byte) fee.Use {
	return fee.Use{Cycles: min(s.version.Costs.Delivery+unit.Cycles(uint64(len(payload))/s.version.Costs.DeliveryBytesPerCycle), limit.Cycles)}
}

// inject leaves a delivery running on its origin's pool. A pool without more cycles than the delivery costs runs nothing: the delivery fails for want
// of gas.
func (s *State) inject(e drain.Deliver, turn *drain.Turn, origin digest.Hash) error {
	pool, ok, err := mailbox.LoadPool(s.overlay, origin)
	if err != nil {
		return err
	}
	limit := fee.Use{Cycles: min(pool.Left.Cycles, e.Item.Limit), Cells: pool.Left.Cells}
	turn.Number, turn.Origin, turn.TxHash, turn.Fanout = e.Turn, origin, origin, pool.Fanout
	turn.Block, turn.Overlay = s.block, s.overlay
	delivery := s.deliveryCost(limit, turn.Payload.Data)
	turn.Limit = fee.Use{Cycles: limit.Cycles - delivery.Cycles, Cells: limit.Cells}
	r := &running{
		turn: turn, number: e.Turn, limit: limit, intrinsic: delivery, payer: pool.Payer, pool: &pool, carried: turn.Value, bid: pool.Bid,
		price: pool.Bid.Carried(s.lanes[params.LaneUser]),
		receipt: &block.Receipt{
			Kind: turn.Kind, ID: turn.ID, Cause: origin, Sender: turn.Sender, Target: turn.Target, Value: turn.Value,
		},
	}
	r.mark = s.overlay.Mark()
	s.running = r
	if err := account.Credit(s.overlay, turn.Target, turn.Value); err != nil {
		return err
	}
	if ok && turn.Limit.Cycles > 0 {
		return nil
	}
	if !ok { // a protocol delivery without a pool has no gas either
		r.pool = nil
		r.price = fee.Price{}
	}
	return s.Take(turn.Failed(fee.Use{}, drain.FaultCycles, "no cycles are left of the origin's"))
}

// settlePool takes what a delivery used out of its origin's pool and closes the pool with the last pending item.
func (s *State) settlePool(r *running, o *drain.Outcome, used fee.Use, settled fee.Settlement) error {
	pool := r.pool
	unused, err := r.limit.Sub(used)
	if err != nil {
		return err
	}
	kept, err := unused.Cost(r.bid.Max) // stays in the pool's escrow, so it is not refunded here
	if err != nil {
		return err
	}
	s.flows.Add(flow.Out, flow.Fees, settled.Burned+settled.Tipped+settled.Refund-kept)
	if err := s.refund(pool, settled.Refund-kept); err != nil {
		return err
	}
	if pool.Left, err = pool.Left.Sub(used); err != nil {
		return err
	}
	pool.Pending += o.Enqueued
	pool.Fanout += o.Fanout
	return s.release(pool)
}

// release counts one item of a pool as done. With the last one the escrow returns to the payer.
func (s *State) release(pool *mailbox.Pool) error {
	pool.Pending -= min(pool.Pending, 1)
	if pool.Pending > 0 {
		pool.Save(s.overlay)
		return nil
	}
	escrow, err := pool.Escrow()
	if err != nil {
		return err
	}
	pool.Close(s.overlay)
	s.flows.Add(flow.Out, flow.Fees, escrow)
	return s.refund(pool, escrow)
}

// releaseHeld counts one item that an origin's pool was held open for as done, if it is, and so many messages as pending that were sent for it.
func (s *State) releaseHeld(origin digest.Hash, sent uint32, done bool) error {
	pool, ok, err := mailbox.LoadPool(s.overlay, origin)
	if err != nil || !ok { // an origin without a pool has no gas: what was sent fails for want of it
		return err
	}
	pool.Pending += sent
	pool.Fanout += sent
	if done {
		return s.release(&pool)
	}
	pool.Save(s.overlay)
	return nil
}
