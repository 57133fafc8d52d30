package host

import (
	"fmt"
	"strings"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/mailbox"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/timer"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/runtime/chapter"
	"github.com/cowboyinc/cowboy-go/runtime/drain"
	"github.com/cowboyinc/cowboy-go/runtime/pvm/object"
)

// What is kept of one recorded turn. What it sent is kept whole, since an origin sends params.FanoutPerTx at most.
const (
	maxCalls = 128 // calls
	maxShown = 256 // bytes of arguments, and of a result
)

// Call is one execution within a turn: the turn's own, of a handler or an instruction, or one that a handler made and waited for, of another actor's
// handler or of a system actor's, by call or by a function of pvm_host.
type Call struct {
	Parent  int // place in the list of the call that made it; -1 for the turn's own
	From    account.Address
	To      account.Address
	Handler string // as it was found: what a payload or a timer without a name leads to has its name here
	Args    Shown
	Result  Shown
	Value   unit.Amount  // coins that came with it, base units
	Cycles  uint64       // used, those of calls it made included; 0 for a function of pvm_host, whose caller pays
	Cells   uint64       // as Cycles
	Fault   *block.Fault // nil: it ended well
	Sent    []Sent       // in order
	Timers  []Set        // that it set
}

// Shown is the head of what was given or returned.
type Shown struct {
	Data       []byte // at most 256 bytes
	Size       int    // of the whole, in bytes
	Structured bool   // it is CBOR
	Text       string // instead of Data, where it was never bytes
}

// Sent is a message or a deferred call that a call put on its way.
type Sent struct {
	ID      digest.Hash
	Kind    block.Kind // Message or Deferred
	To      account.Address
	Handler string // "" where the payload names it
	Value   unit.Amount
	Undone  bool   // with the failure of the call or of the turn
	Seq     uint64 // its place in the queue
}

// Set is a timer that a call set.
type Set struct {
	ID      timer.ID
	Target  account.Address
	Handler string
	Height  unit.Height // it is due at
	Every   uint64      // blocks between fires; 0: it fires once
	Undone  bool        // with the failure of the call or of the turn, or it was cancelled in the turn
}

// show keeps the head of bytes.
func show(data []byte, structured bool) Shown {
	return Shown{Data: append([]byte(nil), data[:min(len(data), maxShown)]...), Size: len(data), Structured: structured}
}

// place is how much had been sent and set at a moment.
type place struct{ sent, created, inserted uint64 }

func placeIn(r state.Reader) (p place, err error) {
	c, err := mailbox.LoadCounters(r)
	if err == nil {
		p.sent, p.created = c.Sent, c.Created
		p.inserted, err = timer.Inserted(r)
	}
	return p, err
}

// open is a call that has not ended; at is -1 for one beyond maxCalls.
type open struct {
	at   int
	from place
}

// tape records the calls of one turn. A nil tape records nothing.
type tape struct {
	state   state.Reader
	calls   []Call
	open    []open
	skipped int
	known   map[digest.Hash]bool // sent and set by calls that ended well
	err     error                // of reading the state: the record is not to be had
}

// recording gives the tape of the turn that runs, nil where nobody wants to know.
func (h *Host) recording() *tape {
	if h.watch == nil {
		return nil
	}
	return h.watch.tape
}

// enter opens a call.
func (t *tape) enter(c Call) {
	if t == nil {
		return
	}
	from, err := placeIn(t.state)
	if err != nil {
		t.err = err
	}
	c.Parent = -1
	for i := len(t.open) - 1; i >= 0 && c.Parent < 0; i-- {
		c.Parent = t.open[i].at
	}
	at := -1
	if len(t.calls) < maxCalls {
		at, t.calls = len(t.calls), append(t.calls, c)
	} else {
		t.skipped++
	}
	t.open = append(t.open, open{at, from})
}

// called opens a call that a handler or a chapter makes.
func (t *tape) called(from account.Address, n *nested) {
	if t != nil {
		t.enter(Call{From: from, To: n.target, Handler: n.method, Value: n.value, Args: show(n.args, n.structured)})
	}
}

// top is the call that runs; nil where it is not recorded.
func (t *tape) top() *Call {
	if t == nil || len(t.open) == 0 || t.open[len(t.open)-1].at < 0 {
		return nil
	}
	return &t.calls[t.open[len(t.open)-1].at]
}

// named notes which handler a call reached.
func (t *tape) named(handler string) {
	if c := t.top(); c != nil {
		c.Handler = handler
	}
}

// leave closes the call that runs. It comes before what the call did is undone.
func (t *tape) leave(used drain.Outcome) {
	if t == nil {
		return
	}
	last := t.open[len(t.open)-1]
	t.open = t.open[:len(t.open)-1]
	at := last.at
	for i := len(t.open) - 1; i >= 0 && at < 0; i-- { // what a call sent that is not recorded is its caller's
		at = t.open[i].at
	}
	if err := t.gather(&t.calls[at], last.from); err != nil {
		t.err = err
	}
	if last.at < 0 {
		return
	}
	c := &t.calls[at]
	c.Cycles, c.Cells, c.Fault = uint64(used.Used.Cycles), uint64(used.Used.Cells), used.Fault
	if c.Fault != nil {
		t.undo(at)
	}
}

// undo says of whatever the call that ends last, and those it made, sent that it is gone: they are the last of the list.
func (t *tape) undo(from int) {
	for i := from; i < len(t.calls); i++ {
		for k := range t.calls[i].Sent {
			s := &t.calls[i].Sent[k]
			s.Undone = true
			delete(t.known, s.ID)
		}
		for k := range t.calls[i].Timers {
			s := &t.calls[i].Timers[k]
			s.Undone = true
			delete(t.known, s.ID)
		}
	}
}

// gather finds what was sent and set since a place that no call has yet.
func (t *tape) gather(c *Call, from place) error {
	now, err := placeIn(t.state)
	if err != nil {
		return err
	}
	if now.sent > from.sent {
		err = each(t.state, mailbox.Pending, from.sent, func(e mailbox.Entry) error {
			m, ok, err := mailbox.Load(t.state, e)
			if err == nil && ok && t.news(m.ID) {
				c.Sent = append(c.Sent, Sent{ID: m.ID, Kind: block.Message, To: m.Target, Handler: m.Handler, Value: m.Value, Seq: m.Seq})
			}
			return err
		})
	}
	if err == nil && now.created > from.created {
		err = each(t.state, mailbox.PendingDeferred, from.created, func(e mailbox.Entry) error {
			d, ok, err := mailbox.LoadDeferred(t.state, e)
			if err == nil && ok && t.news(d.ID()) {
				c.Sent = append(c.Sent, Sent{ID: d.ID(), Kind: block.Deferred, To: d.Actor, Handler: d.Handler, Seq: d.Seq})
			}
			return err
		})
	}
	if err != nil || now.inserted == from.inserted {
		return err
	}
	for _, owner := range [...]account.Address{c.To, c.From} { // an actor's call sets timers of its own, an instruction those of whoever signed it
		err = timer.Owned(t.state, owner, 0, func(id timer.ID) bool {
			x, ok, err := timer.Load(t.state, id)
			if err != nil {
				t.err = err
			}
			if ok && x.Seq >= from.inserted && t.news(id) {
				c.Timers = append(c.Timers, Set{ID: id, Target: x.Target, Handler: x.Handler, Height: x.Height, Every: x.Every})
			}
			return err == nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// news reports whether nobody has sent or set this before.
func (t *tape) news(id digest.Hash) bool {
	if t.known[id] {
		return false
	}
	t.known[id] = true
	return true
}

// each calls fn with the entries of a queue from a number on, an origin's fan-out of them at most.
func each(
	r state.Reader, list func(state.Reader, *uint64, int) ([]mailbox.Entry, error), from uint64, fn func(mailbox.Entry) error,
) error {
	var after *uint64
	if from > 0 {
		from--
		after = &from
	}
	entries, err := list(r, after, params.FanoutPerTx)
	for _, e := range entries {
		if err = fn(e); err != nil {
			return err
		}
	}
	return err
}

// end closes what is left open, and holds what was recorded against what is there: a call may have been undone by one that went on.
func (t *tape) end(out *drain.Outcome) error {
	t.leave(*out)
	if c := t.calls[0]; out.Fault == nil {
		c.Result = show(out.Return, false)
		t.calls[0] = c
	}
	for i := range t.calls {
		for k := range t.calls[i].Sent {
			s := &t.calls[i].Sent[k]
			e, ok, err := mailbox.Entry{Seq: s.Seq, Target: s.To}, false, error(nil)
			if s.Kind == block.Message {
				_, ok, err = mailbox.Load(t.state, e)
			} else {
				_, ok, err = mailbox.LoadDeferred(t.state, e)
			}
			if err != nil {
				return err
			}
			s.Undone = s.Undone || !ok
		}
		for k := range t.calls[i].Timers {
			_, ok, err := timer.Load(t.state, t.calls[i].Timers[k].ID)
			if err != nil {
				return err
			}
			t.calls[i].Timers[k].Undone = t.calls[i].Timers[k].Undone || !ok
		}
	}
	return t.err
}

// start records a turn, if somebody wants to know of it.
func (w *Watch) start(t *drain.Turn) {
	if w != nil && w.Profile != nil {
		if w.profile = w.Profile(t); w.profile != nil {
			w.profile.Abandon() // what a turn that panicked left open
		}
	}
	if w == nil || w.Record == nil || !w.Record(t) {
		return
	}
	w.tape = &tape{state: t.Overlay, known: map[digest.Hash]bool{}}
	c := Call{From: t.Sender, To: t.Target, Handler: t.Payload.Handler, Value: t.Value, Args: show(t.Payload.Data, t.Payload.Structured)}
	if in := t.Payload.Instruction; in != nil && in.Opcode() != tx.OpExecute {
		row, _ := t.Block.Version().Rows.Of(in.Opcode())
		c.Handler = row.Name
	}
	w.tape.enter(c)
}

// stop ends the record of a turn.
func (w *Watch) stop(out *drain.Outcome) error {
	if w == nil || w.tape == nil {
		return nil
	}
	err := w.tape.end(out)
	w.Calls, w.Skipped, w.tape = w.tape.calls, w.tape.skipped, nil
	return err
}

// ended closes a call whose meter is its own.
func (t *tape) ended(meter *object.Meter, data []byte, structured bool, end *ending) {
	if t == nil {
		return
	}
	if c := t.top(); c != nil && end == nil {
		c.Result = show(data, structured)
	}
	var out drain.Outcome
	out.Used.Cycles, out.Used.Cells = unit.Cycles(meter.Used()), unit.Cells(meter.CellsUsed())
	if end != nil {
		if out.Fault = end.fault; out.Fault == nil {
			out.Fault = &block.Fault{}
		}
	}
	t.leave(out)
}

// chapterCalled opens a call of a chapter's function.
func (t *tape) chapterCalled(f *Invocation, self account.Address, name string, args chapter.Args) {
	if t == nil {
		return
	}
	parts := make([]string, 0, len(args))
	for _, a := range args {
		parts = append(parts, said(a))
	}
	text := strings.Join(parts, ", ")
	t.enter(Call{From: f.self, To: self, Handler: name, Args: Shown{Text: text[:min(len(text), maxShown)], Size: len(text)}})
}

// chapterEnded closes it.
func (t *tape) chapterEnded(got any, err error) {
	if t == nil {
		return
	}
	var out drain.Outcome
	if err != nil {
		out.Fault = &block.Fault{Text: err.Error()}
	} else if c := t.top(); c != nil {
		text := said(got)
		c.Result = Shown{Text: text[:min(len(text), maxShown)], Size: len(text)}
	}
	t.leave(out)
}

// said writes a value of a chapter's function.
func said(v any) string {
	switch v := v.(type) {
	case nil:
		return "None"
	case []byte:
		return fmt.Sprintf("0x%x", v[:min(len(v), maxShown)])
	case string:
		return fmt.Sprintf("%.256q", v)
	}
	return fmt.Sprint(v)
}
