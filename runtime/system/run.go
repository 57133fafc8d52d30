package system

import (
	"errors"
	"fmt"
	"slices"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/fee"
	"github.com/cowboyinc/cowboy-go/chain/genesis"
	"github.com/cowboyinc/cowboy-go/chain/protocol"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/runtime/chapter"
	"github.com/cowboyinc/cowboy-go/runtime/drain"
	"github.com/cowboyinc/cowboy-go/runtime/system/event"
)

// Run executes a turn whose target is a system actor, or whose instruction a chapter executes. The caller runs Python actors for it; nil: none can be
// called. An error is a failure of this machine.
//
// Spec: WP §9; scheduler-timers §8.
func Run(t *drain.Turn, c chapter.Caller) (drain.Outcome, error) {
	if t.Migration != nil {
		return migrate(t, c)
	}
	var closed *chapter.Error
	if err := Closed(t.Overlay, t.Target, t.Block); errors.As(err, &closed) {
		return t.Failed(fee.Use{}, closed.Code, closed.Text), nil
	} else if err != nil {
		return drain.Outcome{}, err
	}
	version := t.Block.Version()
	if t.Batch != nil {
		e := chapter.NewEnv(chapters.name[tx.ChapterEvent], t, c)
		return e.Outcome(nil, event.Batch(e))
	}
	if in := t.Payload.Instruction; in != nil && in.Opcode() != tx.OpExecute {
		x, ok := runOf(version, in.Opcode())
		if !ok {
			return unavailable(t), nil
		}
		e := chapter.NewEnv(x.chapter, t, c)
		data, err := x.run(e, in)
		return e.Outcome(data, err)
	}
	way := chapter.ByMessage
	if t.Kind == block.Transaction {
		way = chapter.ByExecute
	}
	name := t.Payload.Handler
	if name == "" && way == chapter.ByMessage && t.Payload.Structured { // as actors send: the map names it
		name = chapter.HandlerOf(t.Payload.Data)
	}
	a, ok := handlerOf(version, t.Target, name)
	if !ok || a.handler.Ways&way == 0 || t.Value > 0 && !a.handler.Coins {
		return unavailable(t), nil
	}
	e := chapter.NewEnv(a.chapter, t, c)
	data, err := a.handler.Run(e, chapter.Request{Handler: name, Data: t.Payload.Data, Structured: t.Payload.Structured})
	if errors.Is(err, chapter.ErrNoHandler) {
		return unavailable(t), nil
	}
	return e.Outcome(data, err)
}

// Answer answers a synchronous call of a Python actor to a system actor, in the environment the host made. A reject is a *chapter.Error; its effects are the
// host's to undo, as those of an error of this machine are.
//
// Spec: WP §3.3, §9; sdk §7.
func Answer(e *chapter.Env, r chapter.Request, reads bool) ([]byte, error) {
	if err := Open(e); err != nil {
		return nil, err
	}
	a, ok := handlerOf(e.Block.Version(), e.Self, r.Handler)
	if !ok || a.handler.Ways&chapter.ByCall == 0 {
		return nil, chapter.Reject(drain.FaultUnavailable, "NotAvailableError", 6, "%s", Unavailable(e.Self))
	}
	switch {
	case e.Value > 0 && !a.handler.Coins:
		return nil, chapter.Reject(drain.FaultInput, "InvalidInputError", 2, "%s takes no coins with %s", e.Self, r.Handler)
	case reads && !a.handler.Reads:
		return nil, chapter.Reject(drain.FaultForbidden, "ReadOnlyError", 5, "%s of %s is not allowed in a query", r.Handler, e.Self)
	}
	e.Chapter = a.chapter
	data, err := a.handler.Run(e, r)
	return data, a.chapter.Told(err)
}

// Open is Closed for the environment of a system actor.
//
// Spec: governance-staking B7, B8.
func Open(e *chapter.Env) error { return Closed(e.State, e.Self, e.Block) }

// Unavailable is why an address does not answer.
func Unavailable(addr account.Address) string {
	c := chapters.at(addr)
	if c == nil || !addr.IsReserved() {
		return fmt.Sprintf("%v is reserved and nobody answers there", addr)
	}
	for _, e := range account.SystemTable() {
		switch {
		case account.System(e.Number) != addr:
		case c.Built():
			return fmt.Sprintf("%s (%v), of chapter %q, does not answer this", e.Name, addr, c.Name)
		default:
			return fmt.Sprintf("%s (%v) is not available yet: chapter %q is not built", e.Name, addr, c.Name)
		}
	}
	return fmt.Sprintf("%v is reserved and nobody answers there", addr)
}

func unavailable(t *drain.Turn) drain.Outcome {
	return t.Failed(fee.Use{}, drain.FaultUnavailable, Unavailable(t.Target))
}

// Walk runs the part of a version's chapters of one end of a block, in the order of the list. boundary makes what each meets and done takes it back.
type Walk func(v *protocol.Version, boundary func(c *chapter.Chapter) *chapter.Boundary, done func(c *chapter.Chapter, b *chapter.Boundary) error) error

// Begin is the Walk of a block's beginning.
func Begin(v *protocol.Version, boundary func(c *chapter.Chapter) *chapter.Boundary, done func(c *chapter.Chapter, b *chapter.Boundary) error) error {
	opening := func(c *chapter.Chapter) *chapter.Boundary {
		b := boundary(c)
		b.Opens = true
		return b
	}
	return walk(v, func(c *chapter.Chapter) func(*chapter.Boundary) error { return c.Begin }, opening, done)
}

// End is the Walk of a block's end.
func End(v *protocol.Version, boundary func(c *chapter.Chapter) *chapter.Boundary, done func(c *chapter.Chapter, b *chapter.Boundary) error) error {
	return walk(v, func(c *chapter.Chapter) func(*chapter.Boundary) error { return c.End }, boundary, done)
}

func walk(
	v *protocol.Version,
	of func(c *chapter.Chapter) func(*chapter.Boundary) error,
	boundary func(c *chapter.Chapter) *chapter.Boundary,
	done func(c *chapter.Chapter, b *chapter.Boundary) error,
) error {
	for _, c := range under(v) {
		step := of(c)
		if step == nil {
			continue
		}
		b := boundary(c)
		if len(c.Homes) > 0 {
			b.Home = account.System(c.Homes[0])
		}
		if err := step(b); err != nil {
			return fmt.Errorf("chapter %s: %w", c.Name, err)
		}
		if err := done(c, b); err != nil {
			return err
		}
	}
	return nil
}

// Ended tells the chapter of an address how a message ended that the address sent.
//
// Spec: gateway-payments-streams §C (what becomes of a request).
func Ended(v *protocol.Version, sender account.Address, e *chapter.Ended) error {
	for _, c := range under(v) {
		if c.Ended == nil || !slices.Contains(c.Homes, sender[account.AddressSize-1]) {
			continue
		}
		if err := c.Ended(e); err != nil {
			return fmt.Errorf("chapter %s: %w", c.Name, err)
		}
	}
	return nil
}

// Escrow is the coin all chapters hold for others, in base units.
//
// Spec: WP §8.
func Escrow(r state.Reader) (sum unit.Amount, err error) {
	for _, c := range chapters.all {
		if c.Escrow == nil {
			continue
		}
		amount, err := c.Escrow(r)
		if err == nil {
			sum, err = sum.Add(amount)
		}
		if err != nil {
			return 0, fmt.Errorf("chapter %s: %w", c.Name, err)
		}
	}
	return sum, nil
}

// Found writes the state of height 0: what genesis says, and what the chapters have.
//
// Spec: WP §8.3, §9, §13.1.
func Found(spec *genesis.Spec, s state.Store) error {
	if err := spec.Build(s); err != nil {
		return err
	}
	for _, c := range chapters.all {
		if c.Found != nil {
			c.Found(s)
		}
	}
	return nil
}
