package chapter

import (
	"slices"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/event"
	"github.com/cowboyinc/cowboy-go/chain/fee"
	"github.com/cowboyinc/cowboy-go/chain/flow"
	"github.com/cowboyinc/cowboy-go/chain/mailbox"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/rent"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/runtime/drain"
)

// Meter is what may still be spent.
type Meter interface {
	// Charge takes cycles, or gives an error that ends the turn: ErrCycles, or the host's own.
	Charge(cycles uint64) error
	// ChargeCells takes cells, or gives ErrCells or the host's own.
	ChargeCells(cells uint64) error
	Left() uint64
	CellsLeft() uint64
}

// Caller runs handlers of Python actors.
type Caller interface {
	// Call runs a handler on e's overlay. A handler that raises, or uses all of c's cycles or cells, gives a *CallError with its effects undone and what it
	// used spent. One that needs less than that but more than e has left gives ErrCycles or ErrCells: nobody makes a call fail by having little.
	Call(e *Env, c Call) (result []byte, err error)
	// Check gives the canonical form of an actor's source, or the reject of one that could not be deployed. Its price is the caller's to take first.
	Check(source []byte) (canonical []byte, err error)
}

// Call is a handler of a Python actor to run.
type Call struct {
	Target  account.Address
	Handler string
	Args    []byte // canonical CBOR of a list, a dict or None; the result is CBOR too
	Cycles  uint64 // at most this much
	Cells   uint64 // at most this much; 0: what is left
	Reads   bool   // the handler may write nothing and cause nothing
	// Affords makes it a hook of an event, which runs apart from the turn: it has no asynchronous effects, loads programs on an account of its own, and fails
	// where it leaves coins with an actor that may not keep them, or where Affords says no to what it used.
	Affords func(cycles, cells uint64) bool
}

// CallError is a call whose handler did not end well. Its effects are undone.
type CallError struct {
	Code uint16 // of the fault
	Text string
}

// Error implements error.
func (e *CallError) Error() string { return e.Text }

// Env is one execution of a chapter's code.
type Env struct {
	Chapter *Chapter
	Turn    *drain.Turn
	Block   *drain.Block
	State   *state.Overlay
	Self    account.Address // the system actor; of a syscall, its chapter's first home
	Sender  account.Address // who asks: an account, or the actor that runs
	Value   unit.Amount     // coins that came with the request, on Self's balance
	Meter   Meter
	Effects *Effects
	Caller  Caller // nil where there is no Python
	// Priced says that events are paid for one by one, in calls and syscalls of actors. What a transaction paid before it began, or an actor for sending its
	// message, covers those of a turn.
	Priced bool
	// Spend takes coins out of the balance of the actor that asks, as a transfer of its own would; nil where no actor does.
	Spend func(amount unit.Amount) error
}

// Effects is what a turn has caused beyond its writes. All executions of a turn share one.
type Effects struct {
	Events     []block.Event
	Fanout     mailbox.Fanout
	Enqueued   uint32 // messages, deferred calls and held items: each may draw from the origin's pool
	Scheduled  uint64 // timers so far: the next one's sequence number
	Hundredths uint64 // of a cell
	Checked    uint32 // weight of the signatures checked, with faults too
	Hashed     uint64 // bytes that the host hashed for actors, with faults too
	Sent       uint32 // messages, deferred calls and timers put into state, extended or cancelled, with faults too
	Fresh      uint32 // weight of the programs that this turn is the first of the block to load, with faults too
	Burned     unit.Amount
	Sums       []drain.Sum
	Flows      []flow.Line

	// Hooks is what the hooks of events did, and may do. Nothing takes it back.
	Hooks Hooks

	entered []digest.Hash
}

// Hooks is the account of a turn's hooks, which subscriptions pay for and not the turn: it outlives whatever is undone.
type Hooks struct {
	Room   uint64       // cycles that hooks may still use
	Used   fee.Use      // by hooks
	Fires  []event.Fire // in their order
	Fresh  uint32       // weight of the programs that hooks were the first of the block to load
	Emits  [2]int       // emits that had hooks: outside of hooks, and in them
	Fired  [2]int       // hooks that such emits ran at once
	Topics []digest.Hash
	Depth  int // of emits that run now, those in Topics and what led to a deferred batch
}

// Gas is what a subscription's hooks have used in the turn.
func (h *Hooks) Gas(id digest.Hash) (sum uint64) {
	for _, f := range h.Fires {
		if f.ID == id {
			sum += f.Gas
		}
	}
	return sum
}

// Enter says that a handler runs on behalf of something that must not change while it does, such as a token; Leave takes the last one back.
func (f *Effects) Enter(id digest.Hash) { f.entered = append(f.entered, id) }

// Leave undoes the last Enter.
func (f *Effects) Leave() { f.entered = f.entered[:len(f.entered)-1] }

// Entered reports whether a handler runs on behalf of id. There are at most as many as calls may be nested.
func (f *Effects) Entered(id digest.Hash) bool { return slices.Contains(f.entered, id) }

// Point is a state of the effects to go back to.
type Point struct {
	fanout       mailbox.Fanout
	enqueued     uint32
	events, sums int
	flows        int
	burned       unit.Amount
}

// Mark gives the point the effects are at.
func (f *Effects) Mark() Point {
	return Point{f.Fanout, f.Enqueued, len(f.Events), len(f.Sums), len(f.Flows), f.Burned}
}

// Revert forgets what was caused since a point. Cells, timers' numbers, checked signatures, loaded programs and hooks stay counted.
func (f *Effects) Revert(p Point) {
	f.Fanout, f.Enqueued, f.Events, f.Sums, f.Burned = p.fanout, p.enqueued, f.Events[:p.events], f.Sums[:p.sums], p.burned
	f.Flows = f.Flows[:p.flows]
}

// Burn destroys coins that were taken from an account, for a cause of package flow.
func (f *Effects) Burn(cause string, amount unit.Amount) {
	f.Burned += amount // coins of balances, which together fit
	f.Flow(flow.Burned, cause, amount)
}

// Flow notes where coins went.
func (f *Effects) Flow(kind flow.Kind, label string, amount unit.Amount) {
	if amount > 0 {
		f.Flows = append(f.Flows, flow.Line{Kind: kind, Label: label, Amount: amount})
	}
}

// Note adds what billing an actor has caused.
func (f *Effects) Note(n rent.Notes) {
	f.Burn(flow.Rent, n.Burned-n.Bonds)
	f.Burn(flow.Bonds, n.Bonds)
	for _, e := range n.Events {
		f.Events = append(f.Events, block.Event{Actor: account.System(account.Governance), Topic: []byte(e.Topic), Data: e.Data})
	}
}

// Count counts something that is put into the state of the mailbox or the timers, or moved there, against what a block may hold.
func (f *Effects) Count(t *drain.Turn) error {
	if t.Sent+f.Sent >= params.SendsPerBlock {
		return ErrSends
	}
	f.Sent++
	return nil
}

// Spread counts a message or a timer of the turn's origin.
//
// Spec: WP §3.3 (fan-out), §5.1b.
func (f *Effects) Spread(t *drain.Turn) error {
	if err := f.Fanout.Add(); err != nil {
		return err
	}
	if err := f.Count(t); err != nil {
		f.Fanout.Count--
		return err
	}
	return nil
}

// Charge takes cycles and cells.
func (e *Env) Charge(cycles unit.Cycles, cells unit.Cells) error {
	if err := e.Meter.Charge(uint64(cycles)); err != nil {
		return err
	}
	if cells == 0 {
		return nil
	}
	return e.Meter.ChargeCells(uint64(cells))
}

// Costs are the prices of the version that holds in the block.
func (e *Env) Costs() *params.Costs { return e.Block.Version().Costs }

// Emit adds an event of Self to the receipt.
//
// Spec: WP §17.3, §17.4 (what one costs).
func (e *Env) Emit(topic string, data []byte) error { return e.EmitAs(e.Self, topic, data) }

// EmitAs is Emit with another address as the event's source.
func (e *Env) EmitAs(source account.Address, topic string, data []byte) error {
	if e.Priced {
		size := uint64(len(topic) + len(data))
		if err := e.Charge(e.Costs().Event+unit.Cycles(size)*e.Costs().EventPerByte, 0); err != nil {
			return err
		}
		before := (e.Effects.Hundredths + 99) / 100
		e.Effects.Hundredths += size * 100 / e.Costs().EventBytesPerCell
		if grown := (e.Effects.Hundredths+99)/100 - before; grown > 0 {
			if err := e.Meter.ChargeCells(grown); err != nil {
				return err
			}
		}
	}
	e.Effects.Events = append(e.Effects.Events, block.Event{Actor: source, Topic: []byte(topic), Data: data})
	return nil
}

// Send enqueues a message for the next block, on the account of the turn's origin. The message's Origin is the turn's; Depth is the sender's to give.
//
// Spec: WP §3.3 (fan-out).
func (e *Env) Send(m mailbox.Message) (digest.Hash, error) {
	if err := e.Effects.Spread(e.Turn); err != nil {
		return digest.Hash{}, err
	}
	if err := e.Bill(m.Target); err != nil {
		return digest.Hash{}, err
	}
	m.Origin = e.Turn.Origin
	sent, err := mailbox.Enqueue(e.State, e.Block.Limits, e.Block.Height, m)
	if err != nil {
		e.Effects.Fanout.Count--
		return digest.Hash{}, err
	}
	e.Effects.Enqueued++
	e.Effects.Flow(flow.In, flow.Messages, m.Value)
	return sent.ID, nil
}

// Bill has an actor pay the rent of the epochs that have begun, before anything changes its balance or its size. Errors: a failing source.
//
// Spec: rent §6.
func (e *Env) Bill(addr account.Address) error {
	n, err := e.Block.Rent.Touch(e.State, addr)
	if err == nil {
		e.Effects.Note(n)
	}
	return err
}

// Hold keeps the origin's pool open for something the chapter will send later; Boundary.Release lets go of it.
func (e *Env) Hold() { e.Effects.Enqueued++ }

// Sum adds to a sum of the chapter; its End finds what the block added up.
func (e *Env) Sum(name string, delta int64) {
	e.Effects.Sums = append(e.Effects.Sums, drain.Sum{ID: drain.SumID{Chapter: e.Chapter.Name, Name: name}, Delta: delta})
}

// Call runs a handler of a Python actor.
func (e *Env) Call(c Call) ([]byte, error) {
	if e.Caller == nil {
		return nil, Refuse(drain.FaultUnavailable, "no actor can be called here")
	}
	return e.Caller.Call(e, c)
}

// Param reads a parameter group of a chapter: what the state has, or the default.
//
// Spec: WP §13.1.
func (e *Env) Param(p *Param) ([]byte, error) { return paramOf(e.State, p) }

func paramOf(r state.Reader, p *Param) ([]byte, error) {
	value, ok, err := r.Lookup(params.StateKey(p.Key))
	if err == nil && !ok {
		value = p.Default
	}
	return value, err
}

// Configure replaces a parameter group, which blocks read from the next one on, and writes the change to the audit trail.
//
// Spec: WP §13.1; scheduler-timers §5, §8 (49); governance-staking B9.
func (e *Env) Configure(key string, value []byte, topic string) error {
	change := params.Change{Height: e.Block.Height, By: e.Turn.Sender, Tx: e.Turn.TxHash, Value: value}
	version, err := params.Update(e.State, key, change)
	if err != nil {
		return err
	}
	home := account.System(account.Governance)
	if err := e.EmitAs(home, topic, value); err != nil {
		return err
	}
	return e.EmitAs(home, params.TopicVersion, params.EventVersion(version, key))
}
