package scenario

import (
	"cmp"
	"errors"
	"fmt"
	"strings"

	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	unitext "github.com/cowboyinc/cowboy-go/runtime/pvm/text"
	"github.com/cowboyinc/cowboy-go/testkit/traced"
)

// errTraceNothing says that there is nothing to trace.
var errTraceNothing = errors.New("nothing was sent yet: trace is of the newest transaction in a block")

// trace prints the tree of the newest transaction: what ran in which block, whom it called with what, what it sent and set, and what waits. It has no cycles,
// so that a story stands when a price changes.
func trace(w *world, _ []string, _ string) error {
	id, ok := w.newest()
	if !ok {
		return errTraceNothing
	}
	if w.tracer == nil {
		w.tracer = traced.NewTracer()
	}
	t, err := w.tracer.Of(w.chain, id)
	if err != nil {
		return err
	}
	for i := range t.Nodes {
		w.traced(&t.Nodes[i])
	}
	for _, p := range t.Pending {
		w.print("%s", strings.TrimSpace(fmt.Sprintf("waits: %s %s %s", p.Kind, p.Target, unitext.PlainLine(p.Handler)))+due(p))
	}
	for _, s := range t.Stops {
		w.print("not all of it: %s", s)
	}
	w.print("%s, %d executions, %d faults", t.State, len(t.Nodes), t.Faults)
	return nil
}

// newest is the newest transaction in a block.
func (w *world) newest() (id digest.Hash, ok bool) {
	blocks := w.chain.Blocks()
	for i := len(blocks) - 1; i >= 0; i-- {
		receipts := blocks[i].Receipts
		for k := len(receipts) - 1; k >= 0; k-- {
			if receipts[k].Kind == block.Transaction {
				return receipts[k].ID, true
			}
		}
	}
	return id, false
}

// due says when something that waits happens at the latest.
func due(p wire.TraceAwaited) string {
	if p.Height == 0 {
		return ""
	}
	return fmt.Sprintf(" block %d", p.Height)
}

// traced prints an execution, and what it called, sent and set.
func (w *world) traced(n *wire.TraceNode) {
	pad := strings.Repeat("  ", n.Depth)
	r := &n.Receipt
	handler := r.Handler
	if len(n.Calls) > 0 {
		handler = n.Calls[0].Handler
	}
	outcome := ""
	switch {
	case r.Error != nil:
		outcome = ": " + r.Error.Slug + " " + unitext.PlainLine(r.Error.Why)
	case len(n.Calls) > 0 && n.Calls[0].Result.Text != "":
		outcome = " = " + n.Calls[0].Result.Text
	}
	with := ""
	if r.Value > 0 {
		with = " with " + unit.Amount(r.Value).CBY() + " CBY"
	}
	to := cmp.Or(r.Target, r.ActorAddress)
	w.print("%s%s block %d %s -> %s %s%s%s", pad, r.Kind, r.BlockHeight, r.Sender, to, unitext.PlainLine(handler), with, outcome)
	for i := range n.Calls {
		c := &n.Calls[i]
		in := pad + strings.Repeat("  ", c.Depth)
		if i > 0 {
			ended := " = " + c.Result.Text
			if c.Error != nil {
				ended = ": " + c.Error.Slug + " " + unitext.PlainLine(c.Error.Why)
			}
			w.print("%scall %s %s(%s)%s", in, c.To, c.Handler, c.Args.Text, ended)
		}
		for _, s := range c.Sent {
			if s.State != wire.SentRan {
				w.print("%s  sent a %s: %s", in, strings.TrimSpace(s.Kind+" to "+s.To+" "+s.Handler), s.State)
			}
		}
		for _, s := range c.Timers {
			w.print("%s  set a timer for block %d %s: %s", in, s.Height, s.Handler, s.State)
		}
	}
}
