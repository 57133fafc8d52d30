package host

import (
	"errors"
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/flow"
	"github.com/cowboyinc/cowboy-go/chain/mailbox"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/timer"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/runtime/system"
	"github.com/cowboyinc/cowboy-go/runtime/system/bank"
	"github.com/cowboyinc/cowboy-go/runtime/system/dispatcher"
	"github.com/cowboyinc/cowboy-go/runtime/system/event"
)

// Emit records an event in the receipt, and runs what actors subscribed to it: nil where nobody did. Pure handlers may: an event is a log entry, not an
// asynchronous effect.
//
// Spec: WP §17.3, §17.4; sdk §6, §8 (emit_event); gateway-payments-streams §H.2.
func (f *Invocation) Emit(topic, data []byte) (*event.Result, error) {
	if err := f.mutates("emit_event"); err != nil {
		return nil, err
	}
	if len(topic) == 0 || len(topic) > params.MaxEventTopicBytes || len(data) > params.MaxEventDataBytes {
		return nil, raise(Quota, "event with a name of %d and data of %d bytes; at most %d and %d are allowed",
			len(topic), len(data), params.MaxEventTopicBytes, params.MaxEventDataBytes)
	}
	size := uint64(len(topic) + len(data))
	if err := f.charge(uint64(f.costs().Event)+size*uint64(f.costs().EventPerByte), 0); err != nil {
		return nil, err
	}
	if err := f.chargeHundredths(size * 100 / f.costs().EventBytesPerCell); err != nil {
		return nil, err
	}
	f.work.Events = append(f.work.Events, block.Event{Actor: f.self, Topic: topic, Data: data})
	return f.hooks(topic, data)
}

// Send enqueues a message for the next block. Besides its payload it pays a cell for every byte of state that its record, its place and its
// remembered identity take; without the cells the turn ends, and the message with it. Coins it carries leave the balance at once; they are the target's
// when its handler succeeds and return otherwise. A native system actor takes none, since no handler of one would give them back.
//
// Spec: WP "Transactions and Message Passing", §3.3, §17.3, §17.4; sdk §7, §8 (send_message); README "Value".
func (f *Invocation) Send(target account.Address, payload []byte, structured bool, value unit.Amount) (digest.Hash, error) {
	if err := f.async("send_message"); err != nil {
		return digest.Hash{}, err
	}
	if err := f.chargeFor(f.costs().SendMessage, len(payload), f.costs().CellsPerByteCalldata); err != nil {
		return digest.Hash{}, err
	}
	if _, python := system.Program(f.work.turn.Block, target); value > 0 && target.IsReserved() && !python {
		return digest.Hash{}, raise(InvalidArgument, "%s takes no coins with a message", target)
	}
	if target == account.System(account.JobDispatcher) {
		if err := f.permitJob(payload, structured); err != nil {
			return digest.Hash{}, err
		}
	}
	w := f.work
	if err := w.Spread(w.turn); err != nil {
		return digest.Hash{}, wrap(err)
	}
	m := mailbox.Message{
		Sender: f.self, Target: target, Payload: payload, Structured: structured, Value: value, Origin: w.turn.Origin, Depth: w.turn.Depth + 1,
	}
	if err := f.enqueue(&m); err != nil {
		w.Fanout.Count--
		return digest.Hash{}, wrap(err)
	}
	w.Enqueued++
	w.Flow(flow.In, flow.Messages, value)
	return m.ID, f.chargeFor(0, int(m.Written())-len(payload), f.costs().CellsPerByteWritten)
}

// enqueue puts a message and the coins it carries on their way, or leaves everything as it was.
func (f *Invocation) enqueue(m *mailbox.Message) (err error) {
	w := f.work
	if err := w.bill(m.Target); err != nil {
		return err
	}
	mark := w.overlay.Mark()
	if m.Value > 0 {
		if err = f.charge(uint64(f.costs().StorageWrite), 0); err == nil {
			err = f.permitTransfer(m.Value)
		}
	}
	if err == nil && m.Value > 0 {
		err = f.affords(m.Value)
	}
	if err == nil {
		*m, err = mailbox.Enqueue(w.overlay, w.turn.Block.Limits, w.turn.Block.Height, *m)
	}
	if err != nil {
		w.overlay.Revert(mark)
	}
	return err
}

// Submit hands a job, a CBOR map, to the job dispatcher as a message.
//
// Spec: sdk §8 (submit_job), §9.6.
func (f *Invocation) Submit(job []byte) error {
	if err := f.dispatched(); err != nil {
		return err
	}
	if err := f.async("submit_job"); err != nil {
		return err
	}
	if err := f.charge(uint64(f.costs().Job), 0); err != nil {
		return err
	}
	_, err := f.Send(account.System(account.JobDispatcher), job, true, 0)
	return err
}

// dispatched gives an error unless somebody takes jobs on this chain.
func (f *Invocation) dispatched() error {
	if f.work.jobs {
		return nil
	}
	takes, err := dispatcher.Serves(f.work.turn.Block, f.work.overlay)
	if err == nil && !takes {
		err = raise(NotAvailable, "submit_job: this chain has no runners that would do a job")
	}
	f.work.jobs = takes
	return err
}

// Defer enqueues a call of the actor's own handler for the next block, and pays for what it takes in state as Send does.
//
// Spec: scheduler-timers §10; sdk §7 (create_deferred_tx).
func (f *Invocation) Defer(handler string, payload []byte) (digest.Hash, error) {
	if err := f.async("create_deferred_tx"); err != nil {
		return digest.Hash{}, err
	}
	if err := f.chargeFor(f.costs().SendMessage, len(handler)+len(payload), f.costs().CellsPerByteCalldata); err != nil {
		return digest.Hash{}, err
	}
	if handler == "" || handler[0] == '_' {
		return digest.Hash{}, raise(DeferredRule, "handler %.64q cannot be called from outside", handler)
	}
	w := f.work
	if err := w.Spread(w.turn); err != nil {
		return digest.Hash{}, wrap(err)
	}
	d, err := mailbox.Defer(w.overlay, w.turn.Block.Limits, w.turn.Block.Height, mailbox.Deferred{
		Actor: f.self, Handler: handler, Payload: payload, Origin: w.turn.Origin, Depth: w.turn.Depth + 1,
	})
	if err != nil {
		w.Fanout.Count--
		return digest.Hash{}, wrap(err)
	}
	w.Enqueued++
	return d.ID(), f.chargeFor(0, int(d.Written())-len(handler)-len(payload), f.costs().CellsPerByteWritten)
}

// Schedule sets a timer of the executing actor. The request's Owner, Target, Now, Sender, Nonce and Sequence are the host's to
// fill in.
//
// Spec: WP §3.3, §5.1a, §17.3; scheduler-timers §2, §4.
func (f *Invocation) Schedule(q timer.Request) (timer.ID, error) {
	if err := f.async("schedule_timer"); err != nil {
		return timer.ID{}, err
	}
	if err := f.chargeFor(f.costs().Timer, len(q.Handler)+len(q.Payload), f.costs().CellsPerByteWritten); err != nil {
		return timer.ID{}, err
	}
	if err := f.permitTimer(); err != nil {
		return timer.ID{}, err
	}
	w := f.work
	if err := w.Spread(w.turn); err != nil {
		return timer.ID{}, wrap(err)
	}
	b := w.turn.Block
	q.Owner, q.Target, q.Now = f.self, f.self, b.Height
	q.Sender, q.Nonce, q.Sequence = w.turn.Signer, w.nonce, w.Scheduled
	stated, clamped, err := f.bid(&q)
	if err != nil {
		w.Fanout.Count--
		return timer.ID{}, wrap(err)
	}
	if err := f.payable(&q); err != nil {
		w.Fanout.Count--
		return timer.ID{}, err
	}
	id, err := timer.Schedule(w.overlay, timer.Effective(b.Params, b.Height), q)
	if err != nil {
		w.Fanout.Count--
		return timer.ID{}, wrap(bank.Told(err))
	}
	if clamped {
		w.Events = append(w.Events, block.Event{
			Actor: f.self, Topic: []byte(timer.TopicClamped), Data: timer.EventClamped(id, stated, *q.MaxPriority),
		})
	}
	w.Scheduled++
	return id, nil
}

// payable lets a card pay for a timer, at the price of looking it up where there is one.
//
// Spec: gateway-payments-streams §G.3, §G.4 (costs: one more look-up).
func (f *Invocation) payable(q *timer.Request) error {
	b := f.work.turn.Block
	prices, err := timer.LoadPrices(f.work.overlay, b.Params, b.Basefees, b.Height)
	if err != nil {
		return wrap(err)
	}
	q.Prices = &prices
	card, err := q.Card(f.work.overlay)
	if err != nil || card == nil {
		return wrap(err)
	}
	return f.charge(uint64(f.costs().StorageRead), 0)
}

// bid holds a timer's bid against the lane's market in the fee-market phase: it refuses a maximum below the lane basefee and cuts a
// priority the maximum does not cover.
//
// Spec: scheduler-timers §9.5.
func (f *Invocation) bid(q *timer.Request) (stated uint64, clamped bool, err error) {
	b := f.work.turn.Block
	if !timer.Active(b.Params, b.Height) {
		return 0, false, nil
	}
	market, err := timer.LoadMarket(f.work.overlay)
	if err != nil {
		return 0, false, err
	}
	if q.MaxPriority != nil {
		stated = *q.MaxPriority
	}
	q.MaxPriority, clamped, err = market.Clamp(q.MaxFee, q.MaxPriority)
	return stated, clamped, err
}

// ExtendTimer moves the expiry of one of the actor's timers.
//
// Spec: scheduler-timers §4 (extend_timer).
func (f *Invocation) ExtendTimer(id timer.ID, expires unit.Height) error {
	if err := f.async("extend_timer"); err != nil {
		return err
	}
	if err := f.charge(uint64(f.costs().Timer), 0); err != nil {
		return err
	}
	if err := f.work.Count(f.work.turn); err != nil {
		return wrap(err)
	}
	b := f.work.turn.Block
	_, err := timer.Extend(f.work.overlay, b.Params.Timer, b.Height, &f.self, id, expires)
	return wrap(err)
}

// CancelTimer removes one of the actor's timers and reports whether it was pending; a missing one is no error.
//
// Spec: scheduler-timers §4 (cancel_timer); WP §3.3.
func (f *Invocation) CancelTimer(id timer.ID) (bool, error) {
	if err := f.async("cancel_timer"); err != nil {
		return false, err
	}
	if err := f.charge(uint64(f.costs().Timer), 0); err != nil {
		return false, err
	}
	if err := f.work.Count(f.work.turn); err != nil {
		return false, wrap(err)
	}
	was, err := timer.Cancel(f.work.overlay, &f.self, id)
	return was, wrap(err)
}

// Transfer moves coin from the actor's balance. It is an extension: the published SDK names econ.transfer and gives no function.
//
// Spec: sdk §13.
func (f *Invocation) Transfer(to account.Address, amount unit.Amount) error {
	if err := f.mutates("transfer"); err != nil {
		return err
	}
	return f.pay(to, amount)
}

// pay moves coin from the actor's balance to another's, for a transfer or a call that carries it: two accounts are written. A refusal leaves nothing
// but its cost.
//
// Spec: ENT §9.7 (econ.transfer, econ.hold_balance).
func (f *Invocation) pay(to account.Address, amount unit.Amount) error {
	if err := f.charge(2*uint64(f.costs().StorageWrite), 0); err != nil {
		return err
	}
	if err := f.work.bill(to); err != nil {
		return err
	}
	mark := f.work.overlay.Mark()
	err := f.permitTransfer(amount)
	if err == nil {
		err = f.move(to, amount)
	}
	if err != nil {
		f.work.overlay.Revert(mark)
	}
	return err
}

// move is pay without its price and its permission. After an error the caller undoes it.
func (f *Invocation) move(to account.Address, amount unit.Amount) error {
	if err := f.affords(amount); err != nil {
		return err
	}
	err := account.Move(f.work.overlay, f.self, to, amount)
	var short *account.ShortfallError
	if errors.As(err, &short) {
		return raise(InsufficientBalance, "balance %d does not cover %d", short.Have, short.Need)
	}
	if err != nil || to == f.self {
		return err
	}
	return f.watch(to, amount)
}

// affords refuses to spend what the actor keeps for its rent.
//
// Spec: rent §5 (reserve).
func (f *Invocation) affords(amount unit.Amount) error {
	a, err := account.Load(f.work.overlay, f.self)
	if err != nil {
		return err
	}
	if free := f.work.turn.Block.Rent.Spendable(f.self, &a); free < amount && amount <= a.Balance {
		return raise(InsufficientBalance, "balance %d less the reserve for rent, %d, does not cover %d", a.Balance, a.Balance-free, amount)
	}
	return nil
}

// bill has an actor pay the rent of the epochs that have begun, before anything changes its balance or its size.
//
// Spec: rent §6.
func (w *work) bill(addr account.Address) error {
	n, err := w.turn.Block.Rent.Touch(w.overlay, addr)
	if err == nil {
		w.Note(n)
	}
	return err
}

// Balance is the coin an address holds.
//
// Spec: sdk §13.
func (f *Invocation) Balance(addr account.Address) (unit.Amount, error) {
	if err := f.charge(uint64(f.costs().StorageRead), 0); err != nil {
		return 0, err
	}
	a, err := account.Load(f.work.overlay, addr)
	return a.Balance, err
}
