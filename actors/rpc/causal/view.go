package causal

import (
	"strings"

	"github.com/cowboyinc/cowboy-go/actors/query"
	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/mailbox"
	"github.com/cowboyinc/cowboy-go/chain/timer"
	"github.com/cowboyinc/cowboy-go/runtime/host"
	unitext "github.com/cowboyinc/cowboy-go/runtime/pvm/text"
	"github.com/cowboyinc/cowboy-go/runtime/system/dispatcher"
)

// viewBuilder writes a trace down, as it is after a block.
type viewBuilder struct {
	*tracer
	ran   map[digest.Hash]int   // where a message or a deferred call ran
	fires map[digest.Hash][]int // where a timer fired
	out   wire.Trace
}

// view gives the trace after a block.
func (t *tracer) view() (wire.Trace, error) {
	v := &viewBuilder{tracer: t, ran: map[digest.Hash]int{}, fires: map[digest.Hash][]int{}}
	for i, e := range t.list {
		if e.x.Kind == block.Timer {
			v.fires[e.x.ID] = append(v.fires[e.x.ID], i)
		} else {
			v.ran[e.x.ID] = i
		}
	}
	v.out = wire.Trace{Root: wire.Hash(t.list[0].x.ID), Nodes: make([]wire.TraceNode, 0, len(t.list)), Pending: []wire.TraceAwaited{}, Stops: []string{}}
	v.out.Stops = append(v.out.Stops, t.stops...)
	for i := range t.list {
		if err := v.add(i); err != nil {
			return wire.Trace{}, err
		}
	}
	for i := range t.list { // a transaction that did nothing but set a timer
		if id := t.list[i].set; id != nil && len(v.fires[*id]) == 0 {
			if _, err := v.timer(host.Set{ID: *id}); err != nil {
				return wire.Trace{}, err
			}
		}
	}
	return v.out, v.pools()
}

// add adds an execution.
func (v *viewBuilder) add(i int) error {
	e := &v.list[i]
	r, err := v.From.Receipt(e.place)
	if err != nil {
		return err
	}
	if r.Error != nil {
		plain := *r.Error
		plain.Why = unitext.Plain(plain.Why)
		r.Error = &plain
	}
	n := wire.TraceNode{Receipt: r, Parent: e.parent, By: e.by, Call: e.call, Calls: []wire.TraceCall{}}
	if e.parent >= 0 {
		n.Depth = v.out.Nodes[e.parent].Depth + 1
	}
	if e.turn != nil {
		if err := v.tell(&n, e.turn); err != nil {
			return err
		}
	}
	v.out.Nodes = append(v.out.Nodes, n)
	v.out.Cycles += r.CyclesUsed
	v.out.Cells += r.CellsUsed
	v.out.FeeBurned += r.FeeBurned
	v.out.FeeTipped += r.FeeTipped
	if !r.Success {
		v.out.Faults++
	}
	return nil
}

// tell adds what was seen of an execution when it was executed again.
func (v *viewBuilder) tell(n *wire.TraceNode, turn *query.Turn) error {
	for _, c := range turn.Calls {
		w := wire.TraceCall{
			Parent: c.Parent, From: c.From.String(), To: c.To.String(), Handler: unitext.PlainLine(c.Handler), Args: wire.Shown(c.Args),
			Result: wire.Shown(c.Result), Value: uint64(c.Value), Cycles: c.Cycles, Cells: c.Cells,
		}
		if c.Parent >= 0 {
			w.Depth = n.Calls[c.Parent].Depth + 1
		}
		if c.Fault != nil {
			said := wire.NewError(int(c.Fault.Code), unitext.Plain(c.Fault.Text))
			w.Error = &said
		}
		for _, s := range c.Sent {
			sent, err := v.sent(s)
			if err != nil {
				return err
			}
			w.Sent = append(w.Sent, sent)
		}
		for _, s := range c.Timers {
			set, err := v.timer(s)
			if err != nil {
				return err
			}
			w.Timers = append(w.Timers, set)
		}
		n.Calls = append(n.Calls, w)
	}
	if v.Prints {
		for _, p := range turn.Printed {
			n.Printed = append(n.Printed, host.Print{Actor: p.Actor, Text: plainLines(p.Text)})
		}
	}
	if !n.Receipt.Success {
		n.Failure, n.Missing = turn.Failure, turn.Missing
	}
	if n.Failure != nil {
		n.Traceback = n.Failure.Render(nil)
	}
	return nil
}

// sent says what became of a message or a deferred call.
func (v *viewBuilder) sent(s host.Sent) (wire.TraceSent, error) {
	w := wire.TraceSent{
		ID: wire.Hash(s.ID), Kind: s.Kind.String(), To: s.To.String(), Handler: unitext.PlainLine(s.Handler), Value: uint64(s.Value), State: wire.SentUnknown,
	}
	if s.Undone {
		w.State = wire.SentUndone
		return w, nil
	}
	if at, ok := v.ran[s.ID]; ok {
		w.State, w.Node = wire.SentRan, at
		return w, nil
	}
	entry, queued, err := mailbox.Entry{Seq: s.Seq, Target: s.To}, false, error(nil)
	if s.Kind == block.Message {
		_, queued, err = mailbox.Load(v.State, entry)
	} else {
		_, queued, err = mailbox.LoadDeferred(v.State, entry)
	}
	if queued {
		w.State = wire.SentPending
		v.pend(wire.TraceAwaited{Kind: w.Kind, ID: w.ID, Target: w.To, Handler: w.Handler})
	}
	return w, err
}

// timer says what became of a timer.
func (v *viewBuilder) timer(s host.Set) (wire.TraceTimer, error) {
	w := wire.TraceTimer{
		ID: wire.Hash(s.ID), To: s.Target.String(), Handler: unitext.PlainLine(s.Handler), Height: uint64(s.Height), Every: s.Every, State: wire.TimerGone,
		Nodes: v.fires[s.ID],
	}
	if s.Undone {
		w.State = wire.SentUndone
		return w, nil
	}
	pending, ok, err := timer.Load(v.State, s.ID)
	switch {
	case err != nil:
		return w, err
	case ok:
		w.State = wire.SentPending
		v.pend(wire.TraceAwaited{
			Kind: wire.PendingTimer, ID: w.ID, Target: pending.Target.String(), Handler: unitext.PlainLine(pending.Handler), Height: uint64(pending.Height),
		})
	case len(w.Nodes) > 0:
		w.State = wire.TimerFired
	}
	return w, nil
}

// pend notes something that has not happened yet.
func (v *viewBuilder) pend(p wire.TraceAwaited) {
	if len(v.out.Pending) < maxPending {
		v.out.Pending = append(v.out.Pending, p)
	}
}

// pools looks at what the tree's origins still have to pay for: jobs, and whatever else is not known by name.
func (v *viewBuilder) pools() error {
	named := uint64(0)
	for _, p := range v.out.Pending {
		if p.Kind != wire.PendingTimer {
			named++
		}
	}
	for _, origin := range v.origins {
		pool, ok, err := mailbox.LoadPool(v.State, origin)
		if err != nil {
			return err
		}
		if ok {
			v.out.Waiting += uint64(pool.Pending)
		}
	}
	if v.out.Waiting <= named {
		return nil
	}
	jobs, err := v.jobs()
	if err != nil {
		return err
	}
	for _, p := range jobs {
		v.pend(p)
	}
	if rest := v.out.Waiting - min(v.out.Waiting, named+uint64(len(jobs))); rest > 0 {
		v.pend(wire.TraceAwaited{Kind: wire.PendingItems, Count: rest})
	}
	return nil
}

// jobs are those of a developer's network that the tree's origins wait for.
func (v *viewBuilder) jobs() (list []wire.TraceAwaited, err error) {
	mine := map[digest.Hash]bool{}
	for _, origin := range v.origins {
		mine[origin] = true
	}
	waits, err := dispatcher.Waits(v.State)
	if err != nil {
		return nil, err
	}
	for _, w := range waits {
		if !mine[w.Origin] {
			continue
		}
		p := wire.TraceAwaited{Kind: wire.PendingJob, Target: w.Actor.String(), Height: uint64(w.Height + dispatcher.MaxLate)}
		if job, err := w.Job(); err == nil {
			p.ID, p.Handler = dispatcher.Name(job, w.Number), unitext.PlainLine(job.Handler)
		}
		list = append(list, p)
	}
	lates, err := dispatcher.Lates(v.State)
	for _, l := range lates {
		if mine[l.Origin] {
			list = append(list, wire.TraceAwaited{Kind: wire.PendingJob, Target: l.Actor.String(), Height: uint64(l.Due)})
		}
	}
	return list, err
}

// plainLines is what was printed, line by line, without what a terminal obeys. Of a character that was cut in two nothing is kept.
func plainLines(text string) string {
	lines := strings.SplitAfter(strings.ToValidUTF8(text, ""), "\n")
	for i, line := range lines {
		body, ended := strings.CutSuffix(line, "\n")
		if lines[i] = unitext.PlainLine(body); ended {
			lines[i] += "\n"
		}
	}
	return strings.Join(lines, "")
}
