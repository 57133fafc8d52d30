package lanes

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"github.com/cowboyinc/cowboy-go/actors/budget"
	"github.com/cowboyinc/cowboy-go/actors/ledger"
	"github.com/cowboyinc/cowboy-go/actors/link"
	"github.com/cowboyinc/cowboy-go/actors/verifier"
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/supervision"
)

const (
	// routerCapacity bounds waiting submissions; a full router sheds them and the sender is told.
	routerCapacity = 2048
	// laneCapacity is above the pool's size, so that a lane can be filled again at once.
	laneCapacity = 1 << 17
	// underwayBytes is what transactions on their way may take of the heap where nobody gave them a share.
	underwayBytes = 96 << 20
)

// Result is the outcome of one submitted transaction. Err is a reject (tx.ClassOf) or, when this node failed,
// any other error. Hash is zero if the bytes could not be decoded.
type Result struct {
	Hash digest.Hash
	Err  error
}

// Submit offers encoded transactions. Reply is called once with a result for each, in their order; it must not block.
type Submit struct {
	Raw [][]byte
	// Decoded has what was read from Raw where somebody has read it, nil in the place of one that nobody has; it may be shorter. Nobody may change them.
	Decoded []*tx.Tx
	Reply   func([]Result)

	from *link.Peer // who told; nil for a client of this node
}

// Abandoned implements supervision.Abandoner.
func (s Submit) Abandoned(cause error) {
	results := make([]Result, len(s.Raw))
	for i := range results {
		results[i].Err = cause
	}
	s.Reply(results)
}

// Count is what is waiting.
type Count struct {
	Txs, Accounts, Bytes int
	Lanes                [params.LaneCount]int
}

// Offer asks a lane for transactions of a block. Reply is called once; it must only send a command.
type Offer struct {
	Cycles unit.Cycles // enough limits to fill the lane's share
	Txs    int
	Bytes  int
	State  state.Reader // of the parent block
	// Take, if set, says which transactions are wanted; of a sender none is offered after one that is not. The lane calls it, with a sender's in the order of
	// their nonces. An error is a failing state source.
	Take  func(tx.Verified) (bool, error)
	Reply func(params.Lane, []tx.Verified)

	lane params.Lane
}

// Abandoned implements supervision.Abandoner.
func (o Offer) Abandoned(error) { o.Reply(o.lane, nil) }

// Commands of the router.
type (
	verified struct {
		submission *submission
		results    []verifier.Result
	}
	lookup struct {
		hash  digest.Hash
		reply chan *tx.Tx
	}
	count     struct{ reply chan Count }
	met       struct{ peer link.Peer } // has connected
	nextNonce struct {
		account account.Address
		reply   chan *uint64
	}
	included struct{ final *ledger.Final }
	drop     struct {
		hashes []digest.Hash
		reason *tx.Reject // for which they are refused from now on; nil: they are not
	}
	laneUp  struct{ lane params.Lane }
	counted struct {
		lane  params.Lane
		items []*item
	}
)

// Abandoned implements supervision.Abandoner: whether the submission was admitted is unknown, so its sender may ask again.
func (v verified) Abandoned(error) {
	for _, i := range v.submission.at {
		v.submission.results[i].Err = ErrBusy
	}
	v.submission.reply(v.submission.results)
}

// Abandoned implements supervision.Abandoner.
func (l lookup) Abandoned(error) { l.reply <- nil }

// Abandoned implements supervision.Abandoner.
func (c count) Abandoned(error) { c.reply <- Count{} }

// Abandoned implements supervision.Abandoner.
func (n nextNonce) Abandoned(error) { n.reply <- nil }

// Commands of a lane.
type (
	add    struct{ items []*item }
	remove struct{ items []*item }
	census struct {
		lane  params.Lane
		reply func(params.Lane, []*item)
	}
)

// Abandoned implements supervision.Abandoner.
func (c census) Abandoned(error) { c.reply(c.lane, nil) }

// Handle is how others use the pool.
type Handle struct {
	router *supervision.Inbox
	lanes  [params.LaneCount]*supervision.Inbox

	heard     atomic.Int64 // submissions of peers that wait
	underway  *budget.Account
	refusals  refusals
	mu        sync.Mutex
	connected []link.Peer
}

// NewHandle makes the handle, with the inboxes the tree declares.
func NewHandle() *Handle {
	h := &Handle{router: supervision.NewInbox("lanes-router", routerCapacity), underway: budget.NewAccount(underwayBytes)}
	for l := range params.LaneCount {
		h.lanes[l] = supervision.NewInbox("lane-"+l.String(), laneCapacity)
	}
	return h
}

// Router is the router's inbox.
func (h *Handle) Router() *supervision.Inbox { return h.router }

// Lane is a lane's inbox.
func (h *Handle) Lane(l params.Lane) *supervision.Inbox { return h.lanes[l] }

// Share names the account that transactions on their way into the pool are taken from. It is called before the first comes.
func (h *Handle) Share(a *budget.Account) { h.underway = a }

// Admit asks the router to admit encoded transactions. Anything but Accepted means that Reply will not be called.
func (h *Handle) Admit(s Submit) supervision.Delivery {
	counted, ok := h.hold(s)
	if !ok {
		return supervision.Shed
	}
	d := h.router.Send(counted)
	if d != supervision.Accepted {
		h.underway.Give(weight(s.Raw))
	}
	return d
}

// hold takes the bytes of a submission until it is answered; ok is false where there is no room.
func (h *Handle) hold(s Submit) (counted Submit, ok bool) {
	size := weight(s.Raw)
	bound := h.underway.Limit()
	if s.from != nil {
		bound /= 2 // a flood of theirs leaves room for this node's own clients
	}
	if !h.underway.TakeBelow(size, bound) {
		return s, false
	}
	reply := s.Reply
	s.Reply = func(r []Result) {
		h.underway.Give(size)
		reply(r)
	}
	return s, true
}

// weight is what transactions take of the heap on their way.
func weight(raw [][]byte) (n int64) {
	for _, t := range raw {
		n += int64(len(t))
	}
	return n * budget.Decoded
}

// The methods down to NextNonce block and are for goroutines of a server, never for an actor.

// answerWithin bounds the wait for the router where the caller brings no bound.
const answerWithin = 2 * time.Second

// Submit offers encoded transactions, with those that were decoded (Submit.Decoded), and waits for one answer each, nil when it was taken. The second
// error is that of ctx, or ErrBusy.
func (h *Handle) Submit(ctx context.Context, raw [][]byte, decoded ...*tx.Tx) ([]error, error) {
	answer := make(chan []Result, 1)
	if h.Admit(Submit{Raw: raw, Decoded: decoded, Reply: func(r []Result) { answer <- r }}) != supervision.Accepted {
		return nil, ErrBusy
	}
	select {
	case results := <-answer:
		errs := make([]error, len(results))
		for i, r := range results {
			errs[i] = r.Err
		}
		return errs, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// Pending finds a waiting transaction.
func (h *Handle) Pending(hash digest.Hash) (*tx.Tx, bool) {
	t := ask(h, func(reply chan *tx.Tx) any { return lookup{hash, reply} })
	return t, t != nil
}

// Count gives the number of waiting transactions and of their senders.
func (h *Handle) Count() (transactions, accounts int) {
	c := h.Waiting()
	return c.Txs, c.Accounts
}

// Waiting tells what is waiting.
func (h *Handle) Waiting() Count {
	return ask(h, func(reply chan Count) any { return count{reply} })
}

// NextNonce is the nonce after those of an account's waiting transactions; ok is false when none waits.
func (h *Handle) NextNonce(addr account.Address) (nonce uint64, ok bool) {
	n := ask(h, func(reply chan *uint64) any { return nextNonce{addr, reply} })
	if n == nil {
		return 0, false
	}
	return *n, true
}

// ask sends the router a question and waits for its answer; without one it gives the zero value.
func ask[T any](h *Handle, question func(reply chan T) any) (answer T) {
	reply := make(chan T, 1)
	if h.router.Send(question(reply)) != supervision.Accepted {
		return answer
	}
	timeout := time.NewTimer(answerWithin)
	defer timeout.Stop()
	select {
	case answer = <-reply:
	case <-timeout.C:
	}
	return answer
}

// Offer asks a lane for transactions.
func (h *Handle) Offer(l params.Lane, o Offer) supervision.Delivery {
	o.lane = l
	return h.lanes[l].Send(o)
}

// Included tells the pool about a final block; it is a ledger.Subscriber. There is one per block, so it is never shed.
func (h *Handle) Included(f *ledger.Final) { h.router.Reply(included{f}) }

// Drop tells the pool about transactions that can never be included, or that nobody is to try again: those are refused for the reason if they come again,
// for an hour or until 16,384 others were. A nil reason leaves that to admission.
func (h *Handle) Drop(hashes []digest.Hash, reason *tx.Reject) { h.router.Reply(drop{hashes, reason}) }
