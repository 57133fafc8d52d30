package lanes

import (
	"github.com/asynkron/protoactor-go/actor"

	"github.com/cowboyinc/cowboy-go/actors/budget"
	"github.com/cowboyinc/cowboy-go/actors/ledger"
	"github.com/cowboyinc/cowboy-go/actors/link"
	"github.com/cowboyinc/cowboy-go/actors/verifier"
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/supervision"
)

type verifierResult = verifier.Result

// expireEvery is how many blocks pass between two looks for transactions that have waited too long, that nobody can pay for any more, or that have waited so
// long that peers are told of them again.
const expireEvery = 64

// Router is the supervised actor that admits transactions.
type Router struct {
	Handle   *Handle
	Verifier *verifier.Handle
	Ledger   *ledger.Handle
	Limits   Limits
	// Memory is told what the waiting transactions take; nil: nobody is.
	Memory *budget.Account
	// Link reaches the other nodes; nil means that there are none.
	Link link.Messenger

	book    *book
	view    view
	greeted int   // peers, since the last block
	missing int   // lanes that have not told what they hold
	held    []any // commands that wait until they have
	adopted []*item
}

// Receive is the router's one switch.
func (r *Router) Receive(ctx actor.Context) {
	switch command := ctx.Message().(type) {
	case *actor.Started:
		r.start()
	case *actor.Restarting, *actor.Stopping:
		r.abandon()
	case counted:
		r.counted(command)
	case lookup:
		r.lookup(command)
	case count:
		command.reply <- r.count()
	case nextNonce:
		command.reply <- r.nextNonce(command.account)
	default:
		r.handle(command)
	}
}

// handle takes the commands that need the whole book; they wait until it is there.
func (r *Router) handle(command any) {
	if r.missing > 0 {
		r.held = append(r.held, command)
		return
	}
	switch command := command.(type) {
	case Submit:
		r.submit(command)
	case verified:
		r.verified(command)
	case included:
		r.included(command)
	case drop:
		r.book.refuse(command.hashes, command.reason, r.view.height)
		r.tell(removal(r.book.drop(command.hashes)))
	case laneUp:
		r.refill(command.lane)
	case met:
		r.greet(command.peer)
	}
}

// abandon answers the submissions that were waiting for the book.
func (r *Router) abandon() {
	for _, c := range r.held {
		if s, ok := c.(Submit); ok {
			s.Abandoned(ErrBusy)
		}
	}
	r.held = nil
}

// start asks the lanes what they hold: nothing at the node's start, everything after a restart of the router.
func (r *Router) start() {
	r.book, r.held, r.adopted = newBook(r.Limits), nil, nil
	r.look()
	r.missing = int(params.LaneCount)
	for l := range params.LaneCount {
		inbox := r.Handle.router
		r.Handle.lanes[l].Reply(census{l, func(lane params.Lane, items []*item) { inbox.Reply(counted{lane, items}) }})
	}
}

// look reads the newest final state.
func (r *Router) look() {
	tip := r.Ledger.Tip()
	w, err := readView(tip.State, tip.Header.Height)
	if err != nil {
		panic(err)
	}
	r.view = w
}

func (r *Router) counted(c counted) {
	if r.missing == 0 {
		return
	}
	r.missing--
	r.adopted = append(r.adopted, c.items...)
	if r.missing > 0 {
		return
	}
	for _, it := range inOrder(r.adopted) {
		r.book.adopt(it)
	}
	held := r.held
	r.held, r.adopted = nil, nil
	for _, command := range held {
		r.handle(command)
	}
}

func (r *Router) submit(s Submit) {
	sub := decode(s, func(h digest.Hash) error { return r.book.refused(h, r.view.height) })
	if len(sub.txs) == 0 {
		r.Handle.refusals.add(sub.results)
		sub.reply(sub.results)
		return
	}
	inbox := r.Handle.router
	d := r.Verifier.Verify(verifier.Verify{Txs: sub.txs, Reply: func(results []verifier.Result) {
		inbox.Reply(verified{sub, results})
	}})
	if d != supervision.Accepted {
		for _, i := range sub.at {
			sub.results[i].Err = ErrBusy
		}
		r.Handle.refusals.add(sub.results)
		sub.reply(sub.results)
	}
}

func (r *Router) verified(v verified) {
	r.tell(r.book.admitAll(v.submission, v.results, r.view))
	r.spread(v.submission)
	r.Handle.refusals.add(v.submission.results)
	v.submission.reply(v.submission.results)
}

func (r *Router) included(c included) {
	f := c.final
	r.greeted = 0
	if f.Height() > r.view.height { // of blocks that became durable together the last one's state is read alone
		r.look()
	}
	removed, err := r.book.included(f.Block.Txs, r.view)
	if err != nil {
		panic(err)
	}
	r.tell(removal(removed))
	if f.Height()%expireEvery == 0 {
		r.tell(removal(r.book.expire(f.Height())))
		unpaid, err := r.book.unpaid(r.view)
		if err != nil {
			panic(err)
		}
		r.tell(removal(unpaid))
		r.remind(nil, f.Height()-expireEvery)
	}
}

func removal(items []*item) (c change) {
	c.removed(items)
	return c
}

// tell passes a change on to the lanes. They are sized to hold the whole pool, so nothing is shed.
func (r *Router) tell(c change) {
	if r.Memory != nil {
		r.Memory.Set(memoryOf(len(r.book.items), r.book.bytes))
	}
	for l := range params.LaneCount {
		if len(c.remove[l]) > 0 {
			r.Handle.lanes[l].Reply(remove{c.remove[l]})
		}
		if len(c.add[l]) > 0 {
			r.Handle.lanes[l].Reply(add{c.add[l]})
		}
	}
}

// refill gives a lane that has restarted its transactions back.
func (r *Router) refill(l params.Lane) {
	if items := r.book.of(l); len(items) > 0 {
		r.Handle.lanes[l].Reply(add{items})
	}
}

func (r *Router) lookup(l lookup) {
	if p := r.book.items[l.hash]; p != nil {
		l.reply <- p.item.tx.Tx()
		return
	}
	l.reply <- nil
}

func (r *Router) count() Count {
	c := Count{Txs: len(r.book.items), Accounts: len(r.book.senders), Bytes: r.book.bytes}
	for _, p := range r.book.items {
		c.Lanes[p.item.lane()]++
	}
	return c
}

func (r *Router) nextNonce(a account.Address) *uint64 {
	queue := r.book.senders[a]
	if len(queue) == 0 {
		return nil
	}
	next := queue[len(queue)-1].nonce() + 1
	return &next
}

// Lane is the supervised actor of one lane.
type Lane struct {
	Handle *Handle
	Lane   params.Lane

	queue *queue
}

// Receive is the lane's one switch.
func (l *Lane) Receive(ctx actor.Context) {
	switch command := ctx.Message().(type) {
	case *actor.Started:
		l.start()
	case add:
		l.add(command)
	case remove:
		l.remove(command)
	case Offer:
		l.offer(command)
	case census:
		command.reply(l.Lane, l.queue.all())
	}
}

func (l *Lane) start() {
	l.queue = newQueue()
	l.Handle.router.Reply(laneUp{l.Lane})
}

func (l *Lane) add(c add) {
	for _, it := range c.items {
		l.queue.add(it)
	}
}

func (l *Lane) remove(c remove) {
	for _, it := range c.items {
		l.queue.remove(it.tx.Hash())
	}
}

func (l *Lane) offer(o Offer) {
	read := accounts(o.State)
	txs, err := l.queue.offer(want{cycles: o.Cycles, txs: o.Txs, bytes: o.Bytes, take: o.Take, nonce: func(a account.Address) (uint64, error) {
		sender, err := read(a)
		return sender.Nonce, err
	}})
	if err != nil {
		panic(err)
	}
	o.Reply(l.Lane, txs)
}
