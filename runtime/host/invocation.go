package host

import (
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/timer"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/runtime/chapter"
	"github.com/cowboyinc/cowboy-go/runtime/drain"
	"github.com/cowboyinc/cowboy-go/runtime/pvm"
	"github.com/cowboyinc/cowboy-go/runtime/pvm/object"
)

// Meter is what an invocation may still spend. Its errors are ErrCycles, ErrCells, or an exception of the machine that charges.
type Meter = chapter.Meter

// work is what the invocations of one turn share.
type work struct {
	turn     *drain.Turn
	overlay  *state.Overlay
	readOnly bool
	jobs     bool // it is known that there is a job dispatcher

	*chapter.Effects

	nonce   uint64               // of timer identifiers
	counter uint64               // next_counter
	depth   int                  // invocations on the stack
	hooked  int                  // hooks of events on the stack
	locks   map[lock]*Invocation // who took them
	grants  grants
	imports imports
}

type lock struct {
	actor account.Address
	name  string
}

// newWork opens a turn.
func newWork(t *drain.Turn) (*work, error) {
	return continued(t, chapter.NewEffects(t))
}

// continued opens the Python part of a turn that has caused effects already.
func continued(t *drain.Turn, effects *chapter.Effects) (*work, error) {
	w := &work{turn: t, overlay: t.Overlay, Effects: effects, nonce: t.Nonce, locks: map[lock]*Invocation{}}
	if t.Kind != block.Transaction {
		inserted, err := timer.Inserted(t.Overlay)
		if err != nil {
			return nil, err
		}
		w.nonce = inserted // unique among injected turns that schedule: each such turn moves it on
	}
	return w, nil
}

// mark is a point a failed nested invocation goes back to. Cells and counters stay spent.
type mark struct {
	state   state.Mark
	effects chapter.Point
	asked   int
}

func (w *work) mark() mark {
	return mark{w.overlay.Mark(), w.Effects.Mark(), len(w.grants.asked)}
}

func (w *work) revert(m mark) {
	w.overlay.Revert(m.state)
	w.Effects.Revert(m.effects)
	w.grants.read = nil // a manifest may have been replaced
	w.grants.forget(m.asked)
}

// Invocation is one execution of an actor: a turn's own, or a nested call's. Its methods are the syscalls, in Go.
type Invocation struct {
	host   *Host
	work   *work
	meter  Meter
	self   account.Address
	sender *account.Address // nil in a query without a caller
	value  unit.Amount      // coins that came with this invocation, base units
	native bool             // delivered by the chain itself: permissions do not apply
	// stranger says that the chain delivers what somebody else asked for: permissions apply, and no continuation awaits it.
	stranger bool
	mode     Mode
	form     Form

	errors  map[string]object.Value // classes registered for the host's errors
	class   object.Value            // given to register_actor
	mapping object.Value            // given to register_mapping
	named   object.Value            // given to register_handlers
	routes  object.Value            // given to register_routes
	held    map[lock]bool           // locks this invocation took
	checked bool                    // a handler has checked its sender
	alone   bool                    // there is no chain: the top level runs for a template
	asked   bool                    // the chain was asked for something though there is none
	entry   *pvm.Entry              // counts its cycles by line; nil: nobody does
	passed  bool                    // the next check_access is the dispatched handler's own, which the host has admitted
	run     func(call nested) (nestedResult, error)
	// exchange replaces the actor's own code.
	exchange func(replacement) error
	// spawn makes a child.
	spawn func(childRequest) (account.Address, error)
}

// nested is a synchronous call an invocation makes.
type nested struct {
	target account.Address
	method string
	args   []byte // exact bytes, or CBOR when structured
	// structured says that args are the CBOR of a list, a dict or None and that the result is wanted as CBOR.
	structured bool
	cycles     uint64
	value      unit.Amount // coins the callee gets with it
	child      *childInit  // the target is a child that is being spawned
}

// nestedResult is what a call gave.
type nestedResult struct{ data []byte }

// Mode says whether a handler may have asynchronous effects.
type Mode uint8

// The modes.
const (
	Pure Mode = iota
	Deferred
)

// String is the mode's name in Python.
func (m Mode) String() string {
	if m == Deferred {
		return "deferred"
	}
	return "pure"
}

// charge takes cycles and whole cells.
func (f *Invocation) charge(cycles, cells uint64) error {
	if err := f.meter.Charge(cycles); err != nil {
		return err
	}
	if cells == 0 {
		return nil
	}
	return f.meter.ChargeCells(cells)
}

// chargeFor is charge with a price in cells for each of some bytes.
func (f *Invocation) chargeFor(cycles unit.Cycles, bytes int, each unit.Cells) error {
	return f.charge(uint64(cycles), uint64(bytes)*uint64(each))
}

// chargeHundredths takes fractions of a cell: the whole cells by which the turn's rounded-up sum grows.
//
// Spec: WP §17.4 (0.01 and 0.5 cells per byte).
func (f *Invocation) chargeHundredths(n uint64) error {
	before := (f.work.Hundredths + 99) / 100
	f.work.Hundredths += n
	if grown := (f.work.Hundredths+99)/100 - before; grown > 0 {
		return f.meter.ChargeCells(grown)
	}
	return nil
}

// mutates refuses a mutation in read-only execution.
//
// Spec: sdk §6 (read-only execution).
func (f *Invocation) mutates(call string) error {
	if f.work.readOnly {
		return raise(ReadOnlyViolation, "%s is not allowed in a query", call)
	}
	return nil
}

// async refuses an asynchronous effect in read-only execution and in a pure handler.
//
// Spec: sdk §6.
func (f *Invocation) async(call string) error {
	if err := f.mutates(call); err != nil {
		return err
	}
	if f.work.hooked > 0 {
		return raise(PurityViolation, "%s is not allowed in the hook of an event", call)
	}
	if f.mode != Deferred {
		return raise(PurityViolation, "%s needs a @deferred handler", call)
	}
	return nil
}

// costs are the prices of the version that holds in the block.
func (f *Invocation) costs() *params.Costs { return f.work.turn.Block.Version().Costs }
