package event

import (
	"errors"
	"slices"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/cbor"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/event"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/runtime/chapter"
	"github.com/cowboyinc/cowboy-go/runtime/drain"
)

// book is the subscriptions as an execution sees them. Events are in the price of what causes them.
func book(e *chapter.Env) (*event.Book, error) {
	rates, err := e.Block.Params.Lanes.Scale(e.Block.Basefees, params.LaneUser)
	return &event.Book{
		State: e.State, Height: e.Block.Height, Rates: rates, Used: e.Effects.Hooks.Gas, Spend: e.Spend, Bill: e.Bill,
		Burn: func(amount unit.Amount) { e.Effects.Burn(string(tx.ChapterEvent), amount) },
		Emit: func(topic string, data []byte) {
			e.Effects.Events = append(e.Effects.Events, block.Event{Actor: event.Home(), Topic: []byte(topic), Data: data})
		},
	}, err
}

// Result is what became of an emit that has hooks.
//
// Spec: gateway-payments-streams §H.2 (returns sync outcomes, deferred ids, emit_id).
type Result struct {
	Emit     uint32
	Fired    []event.Fire
	Deferred []digest.Hash
	Refused  uint16 // the code of the limit that kept it from its hooks, 0 for none
}

// Value is the result as Python sees it: a dict of emit_id, fired (a list of [sub_id, code, gas]), deferred (a list of sub_id) and refused.
func (r *Result) Value() cbor.Map {
	fired, deferred := make([]any, len(r.Fired)), make([]any, len(r.Deferred))
	for i, f := range r.Fired {
		fired[i] = []any{f.ID[:], uint64(f.Code), f.Gas}
	}
	for i := range r.Deferred {
		deferred[i] = r.Deferred[i][:]
	}
	return cbor.Map{
		{Key: "emit_id", Value: uint64(r.Emit)}, {Key: "fired", Value: fired}, {Key: "deferred", Value: deferred},
		{Key: "refused", Value: uint64(r.Refused)},
	}
}

// emission is one emit while its hooks run.
type emission struct {
	env            *chapter.Env
	book           *event.Book
	emitter        account.Address
	topic, payload []byte
	id             digest.Hash
	inner          int // 1 within a hook
}

// Way is what the host knows of an emit.
type Way struct {
	Deep bool         // calls are nested so deep that no hook may run now
	Open func() error // a *chapter.Error where 0x1D is paused: no hook runs then
}

// Emit runs the hooks of an actor's event; nil where nobody subscribed to it.
//
// Spec: gateway-payments-streams §H.2 (emit_event); governance-staking B7.
func Emit(e *chapter.Env, emitter account.Address, topic, payload []byte, w Way) (*Result, error) {
	if len(topic) > event.MaxTopic {
		return nil, nil
	}
	id := event.TopicID(emitter, topic)
	n, err := event.Count(e.State, id)
	if err != nil || n == 0 {
		return nil, err
	}
	var paused *chapter.Error
	if err := w.Open(); errors.As(err, &paused) {
		return nil, nil
	} else if err != nil {
		return nil, err
	}
	b, err := book(e)
	if err != nil {
		return nil, err
	}
	x := &emission{env: e, book: b, emitter: emitter, topic: topic, payload: payload, id: id, inner: min(e.Effects.Hooks.Depth, 1)}
	if code := x.refused(); code != 0 {
		b.Refused(id, code)
		return &Result{Refused: code}, nil
	}
	if err := e.Charge(unit.Cycles(n)*params.CostStorageScan, unit.Cells(len(payload))*e.Costs().CellsPerByteWritten); err != nil {
		return nil, err
	}
	e.Effects.Hooks.Emits[x.inner]++
	return x.run(w.Deep)
}

// refused is the limit that keeps the emit from its hooks.
//
// Spec: gateway-payments-streams §H.2 (parameters, errors).
func (x *emission) refused() uint16 {
	h := &x.env.Effects.Hooks
	switch {
	case slices.Contains(h.Topics, x.id):
		return FaultReentered
	case h.Depth >= event.MaxDepth:
		return FaultDepth
	case h.Emits[x.inner] >= event.EmitsPerTurn:
		return FaultEmits
	case len(x.payload) > event.MaxPayload:
		return FaultPayload
	}
	return 0
}

// run goes through the order.
func (x *emission) run(deep bool) (*Result, error) {
	order, err := event.Order(x.env.State, x.id, event.PerTopic)
	if err != nil {
		return nil, err
	}
	r := &Result{}
	if r.Emit, err = x.book.Number(); err != nil {
		return nil, err
	}
	h := &x.env.Effects.Hooks
	h.Topics, h.Depth = append(h.Topics, x.id), h.Depth+1
	defer func() { h.Topics, h.Depth = h.Topics[:len(h.Topics)-1], h.Depth-1 }()
	var later []digest.Hash
	for _, place := range order {
		if place.Since >= x.env.Block.Height {
			continue
		}
		if deep = deep || !x.may(len(r.Fired)); deep {
			later = append(later, place.ID)
			continue
		}
		f, ran, err := x.fire(place.ID)
		switch {
		case err != nil:
			return nil, err
		case ran:
			r.Fired = append(r.Fired, f)
		case f.Code == noRoom:
			deep = true
			later = append(later, place.ID)
		}
	}
	if len(later) == 0 {
		return r, nil
	}
	kept, err := x.book.Defer(event.Batch{
		Origin:  event.Origin{Block: x.env.Block.Height, Tx: x.env.Turn.Origin, Emit: r.Emit},
		Emitter: x.emitter, Topic: x.topic, Payload: x.payload, Depth: uint8(h.Depth),
	}, later)
	if err != nil {
		return nil, err
	}
	r.Deferred = later[:kept]
	x.book.Deferred(x.id, r.Emit, kept)
	return r, nil
}

// may says whether the emit may fire one more at once.
//
// Spec: gateway-payments-streams §H.2 (K, sync fires per tx).
func (x *emission) may(fired int) bool {
	h := &x.env.Effects.Hooks
	if fired >= event.SyncFires || h.Fired[0]+h.Fired[1] >= event.FiresPerTurn || h.Fresh >= params.FreshPerTurn/2 {
		return false
	}
	return x.inner == 0 || h.Fired[1] < event.HookFires
}

// noRoom marks a fire for which what hooks may use is too little. It is no code of a fault.
const noRoom = ^uint16(0)

// fire runs the hook of one subscription; ran is false where there was nothing to run, or no room.
func (x *emission) fire(id digest.Hash) (f event.Fire, ran bool, err error) {
	s, ready, next, err := x.book.Look(id)
	if err != nil || next != event.Run {
		return f, false, err
	}
	e := x.env
	h := &e.Effects.Hooks
	budget := min(ready, uint64(drain.TurnCycles(e.Block.Params.Limits.PerActorPerBlockCycles)))
	if budget > h.Room {
		return event.Fire{Code: noRoom}, false, nil
	}
	args, err := cbor.Append(nil, []any{x.emitter[:], x.topic, x.payload})
	if err != nil {
		return f, false, err
	}
	h.Fired[x.inner]++
	rates := x.book.Rates
	m := &purse{cycles: budget - params.CostEventFire, cells: max(event.CellsFor(budget-params.CostEventFire, rates), 1)}
	at, most := *m, budget-params.CostEventFire
	inner := *e
	inner.Self, inner.Sender, inner.Meter, inner.Spend = event.Home(), x.emitter, m, nil
	_, err = inner.Call(chapter.Call{
		Target: s.Subscriber, Handler: string(s.Handler), Args: args, Cycles: m.cycles, Cells: m.cells,
		Affords: func(cycles, cells uint64) bool { return event.GasOf(cycles, cells, rates) <= most },
	})
	cycles, cells := at.cycles-m.cycles+params.CostEventFire, at.cells-m.cells
	f = event.Fire{ID: id, Gas: min(event.GasOf(cycles, cells, rates), budget)}
	var failed *chapter.CallError
	if errors.As(err, &failed) {
		f.Code, err = failed.Code, nil
	}
	if err != nil {
		return f, false, err
	}
	h.Room -= cycles
	h.Used.Cycles += unit.Cycles(cycles)
	h.Used.Cells += unit.Cells(cells)
	h.Fires = append(h.Fires, f)
	x.book.Told(f)
	return f, true, nil
}

// purse meters a hook.
type purse struct{ cycles, cells uint64 }

// Charge implements chapter.Meter.
func (p *purse) Charge(cycles uint64) error {
	if cycles > p.cycles {
		p.cycles = 0
		return chapter.ErrCycles
	}
	p.cycles -= cycles
	return nil
}

// ChargeCells implements chapter.Meter.
func (p *purse) ChargeCells(cells uint64) error {
	if cells > p.cells {
		p.cells = 0
		return chapter.ErrCells
	}
	p.cells -= cells
	return nil
}

// Left implements chapter.Meter.
func (p *purse) Left() uint64 { return p.cycles }

// CellsLeft implements chapter.Meter.
func (p *purse) CellsLeft() uint64 { return p.cells }

// Batch runs the hooks that an earlier emit left, in their order, as many as there is room for. The rest stays at its place.
//
// Spec: gateway-payments-streams §H.2 (run at H+1 or later, in the order fixed at the emit).
func Batch(e *chapter.Env) error {
	batch := e.Turn.Batch
	b, err := book(e)
	if err != nil {
		return err
	}
	h := &e.Effects.Hooks
	x := &emission{env: e, book: b, emitter: batch.Emitter, topic: batch.Topic, payload: batch.Payload, id: event.TopicID(batch.Emitter, batch.Topic), inner: 1}
	h.Topics, h.Depth = append(h.Topics, x.id), int(batch.Depth)
	done := 0
	for ; done < len(batch.Subs) && h.Fresh < params.FreshPerBlock; done++ {
		f, _, err := x.fire(batch.Subs[done])
		if err != nil {
			return err
		}
		if f.Code == noRoom {
			break
		}
	}
	h.Topics, h.Depth = h.Topics[:0], 0
	return b.Done(batch, done)
}
