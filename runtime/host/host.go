package host

import (
	"errors"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/fee"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/timer"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/runtime/drain"
	"github.com/cowboyinc/cowboy-go/runtime/pvm/object"
	unitext "github.com/cowboyinc/cowboy-go/runtime/pvm/text"
	"github.com/cowboyinc/cowboy-go/runtime/system"
)

// initHandler is the bootstrap handler's usual name. Spec: sdk §3.6.
const initHandler = "init"

// plainHandler receives messages that name no handler. Spec: sdk §3.6.
const plainHandler = "on_message"

// Host runs turns of Python actors. It keeps compiled programs and their templates and nothing else, so a new one gives the same results. One goroutine
// uses it at a time.
type Host struct {
	programs *Programs
	jobs     bool // submit_job reaches the job dispatcher
	watch    *Watch
	asked    *asked         // by the last query; nil: there was none
	seen     *state.Overlay // what it read; nil: nothing that the next may use
}

// New returns a host over a cache of programs.
func New(programs *Programs) *Host { return &Host{programs: programs} }

// NewWithJobs returns a host whose submit_job leaves a message with the job dispatcher, for chains that have one.
func NewWithJobs(programs *Programs) *Host { return &Host{programs: programs, jobs: true} }

// Watch has a watch told of every turn from now on, and gives the host; nil: nobody is told.
func (h *Host) Watch(w *Watch) *Host {
	h.watch = w
	return h
}

// ending is how an invocation ends other than well: a fault of the program, or an error of the machine the node runs on.
type ending struct {
	fault   *block.Fault
	class   *Class // when the host's own error ended it
	text    string // of the exception
	name    string // of the exception's class
	failure error
	told    *Failure // of a fault, for whoever watches
}

func faulted(code uint16, text string) *ending {
	text = unitext.Head(text) // of a compilation it may name what the source names
	return &ending{fault: &block.Fault{Code: code, Text: text}, text: text}
}

func failed(err error) *ending { return &ending{failure: err} }

// Run implements drain.Runner. Turns of system actors are package system's, for which the host runs Python actors.
//
// Spec: sdk §3, §7; WP §3.3.
func (h *Host) Run(t *drain.Turn) (drain.Outcome, error) {
	h.watch.begin()
	h.watch.start(t)
	out, err := h.turn(t)
	if err == nil {
		err = h.watch.stop(&out)
	}
	return out, err
}

func (h *Host) turn(t *drain.Turn) (drain.Outcome, error) {
	h.programs.at(t.Block.Version())
	_, python := system.Runs(t)
	if t.Native && (!python || t.Batch != nil) {
		return system.Run(t, &actors{host: h})
	}
	w, err := newWork(t)
	if err != nil {
		return drain.Outcome{}, err
	}
	w.jobs = h.jobs || t.Native
	meter := object.NewMeter(uint64(t.Limit.Cycles), uint64(t.Limit.Cells))
	meter.Heed(t.Interrupt)
	out := drain.Outcome{Turn: t.Number}
	created, data, end := h.perform(w, meter)
	if end == nil {
		end = w.settle()
	}
	out.Used = fee.Use{Cycles: unit.Cycles(meter.Used()), Cells: unit.Cells(meter.CellsUsed())}
	w.Spent(&out)
	if end != nil {
		if errors.Is(end.failure, object.ErrInterrupted) {
			return drain.Outcome{}, drain.ErrInterrupted
		}
		if end.failure != nil {
			return drain.Outcome{}, end.failure
		}
		out.Fault = end.fault
		h.tell(end)
		return out, nil
	}
	out.Created, out.Return, out.Events = created, data, w.Events
	out.Enqueued, out.Fanout, out.Burned, out.Sums, out.Flows = w.Enqueued, w.Fanout.Count-t.Fanout, w.Burned, w.Sums, w.Flows
	return out, nil
}

// top executes a turn's own invocation.
func (h *Host) top(w *work, meter *object.Meter) ([]byte, *ending) {
	t := w.turn
	sender := t.Sender
	i := handlerCall{
		target: t.Target, sender: &sender, value: t.Value, handler: t.Payload.Handler, delivery: delivery{data: t.Payload.Data},
		native: t.Kind != block.Transaction && sender.IsReserved(),
	}
	if t.Payload.Structured {
		i.delivery.shape = message
	}
	if t.Migration != nil {
		var end *ending
		if i.code, end = h.load(w, t.Migration.Code.Hash, uploaded); end != nil {
			return nil, end
		}
		i.bootstrap = true
	}
	i.letter = t.Kind == block.Message
	i.routed = i.handler == "" // a plain message, or a transaction that names no handler
	return h.execute(w, meter, i)
}

// handlerCall is what an invocation begins with: whom to call, on whose behalf and with what.
type handlerCall struct {
	target     account.Address
	sender     *account.Address
	value      unit.Amount // on the target's balance already
	letter     bool        // value came with a message: whether the target may keep it is not noted yet
	native     bool
	handler    string
	routed     bool // the payload names the handler
	delivery   delivery
	structured bool  // the result is wanted as CBOR
	code       *Code // of an actor that is being deployed; nil: read from state
	bootstrap  bool  // the deployment's init call
	unnamed    bool  // the deployment calls no handler: its module is loaded for what it declares
	most       int   // bytes of return data; no fewer than those of a turn on chain
}

// execute runs one invocation: find code and handler, check, call, and what follows a return.
//
// Spec: sdk §3, §5, §6; WP §3.2, §3.3.
func (h *Host) execute(w *work, meter *object.Meter, i handlerCall) ([]byte, *ending) {
	code := i.code
	if code == nil {
		var end *ending
		if code, end = h.code(w, i.target); end != nil {
			return nil, end
		}
	}
	f := &Invocation{host: h, work: w, self: i.target, sender: i.sender, value: i.value, native: i.native, form: code.Form}
	m := h.programs.machine(f, meter)
	defer m.Release()
	h.watch.follow(f, m)
	f.entry = h.watch.enter(m, code)
	f.entry.Named(i.handler)
	f.run = func(n nested) (nestedResult, error) { return h.call(f, m, meter, n) }
	f.exchange = func(r replacement) error {
		held, err := f.manifest(f.self)
		if err != nil {
			return err
		}
		return h.exchange(w, f.meter, f.self, held, r)
	}
	f.spawn = func(o childRequest) (account.Address, error) { return h.spawn(f, m, meter, o) }
	defer f.release()
	var data []byte
	var mod *object.Module
	e := f.arrive(m, &i)
	if e == nil && i.code == nil {
		if err := f.executable(); err != nil {
			e = f.raise(m, err)
		}
	}
	if e == nil {
		mod, e = h.programs.load(f, m, code)
		f.entry.Outside()
	}
	if e == nil {
		data, e = f.perform(m, mod, &i)
	}
	if e == nil {
		e = m.CheckCycles()
	}
	f.entry.Leave()
	if e != nil {
		end := f.ending(m, e)
		end.told = h.watch.failure(f, m, code, e, end)
		return nil, end
	}
	return data, nil
}

// perform calls the handler of an invocation in a loaded module.
func (f *Invocation) perform(m *object.Machine, mod *object.Module, i *handlerCall) ([]byte, *object.Exception) {
	if i.unnamed {
		return nil, f.publishDeclared(m)
	}
	d := &i.delivery
	if d.shape != exact {
		var e *object.Exception
		if d.value, e = f.decode(m, d.data); e != nil {
			return nil, e
		}
	}
	if i.routed {
		i.handler = plainHandler
		if d.shape == message {
			if named, ok := routeOf(d.value); ok {
				i.handler = named
			}
		}
	}
	if f.native && ofStranger(i) {
		f.native, f.stranger = false, true
	}
	if c := asyncCallOf(i); c != nil {
		return f.answer(m, mod, i, c)
	}
	value, e := f.dispatch(m, mod, i)
	if e != nil {
		return nil, e
	}
	data, e := f.result(m, value, i)
	if e != nil {
		return nil, e
	}
	if i.bootstrap && f.form.Routes {
		if e := f.publishDeclared(m); e != nil {
			return nil, e
		}
	}
	return data, f.closeWindow(m, i)
}

// dispatch finds the handler of an invocation, checks that the sender may call it, and calls it.
func (f *Invocation) dispatch(m *object.Machine, mod *object.Module, i *handlerCall) (object.Value, *object.Exception) {
	hd, e := f.find(m, mod, i.handler)
	if e == nil && hd == nil && i.handler == timer.DefaultHandler {
		i.handler = timer.FallbackHandler
		hd, e = f.find(m, mod, i.handler)
	}
	if e != nil {
		return object.Value{}, e
	}
	if hd == nil {
		f.host.watch.missing(f, m, mod, i.handler)
		return object.Value{}, f.raise(m, raise(ActorCall, "actor has no handler %.64q", i.handler))
	}
	if !i.bootstrap {
		if e := f.permit(m, hd, i); e != nil {
			return object.Value{}, e
		}
	}
	if f.mode, e = f.modeOf(m, hd); e != nil {
		return object.Value{}, e
	}
	f.passed = !hd.open
	if isResume(i.handler) {
		hd.code = nil
	}
	args, e := f.arguments(m, hd, i.delivery)
	if e != nil {
		return object.Value{}, e
	}
	f.host.recording().named(i.handler)
	f.entry.Named(i.handler)
	f.entry.Outside()
	value, e := m.Call(hd.callable, args)
	if e == nil {
		value, e = m.Drive(value) // an async handler runs to its end: await is syntax only
	}
	if e == nil && !hd.instance.IsZero() {
		e = f.keep(m, hd.instance)
	}
	return value, e
}

// closeWindow marks the actor initialised after its init handler returned.
//
// Spec: sdk §5.3.
func (f *Invocation) closeWindow(m *object.Machine, i *handlerCall) *object.Exception {
	if i.handler != initHandler && !i.bootstrap || f.work.readOnly {
		return nil
	}
	done, err := f.initialized()
	if err == nil && !done {
		err = f.setInitialized()
	}
	if err != nil {
		return f.raise(m, err)
	}
	return nil
}

// code reads an actor's code. Programs cost no cycles to load but a node that did not use them lately has to compile them, so a turn loads a bounded weight of
// those that no turn of the block has loaded before it.
//
// Spec: CIP-3 §2.2.1 (a module's body and imports are what a load costs).
func (h *Host) code(w *work, addr account.Address) (*Code, *ending) {
	if addr.IsReserved() {
		return h.systemCode(w, addr)
	}
	a, err := account.Load(w.overlay, addr)
	if err != nil {
		return nil, failed(err)
	}
	if a.Kind != account.Actor {
		end := faulted(drain.FaultActor, "no actor at "+addr.String())
		end.class = ActorNotFound
		return nil, end
	}
	if a.Dormant {
		return nil, faulted(drain.FaultDormant, "the actor is dormant: its rent is unpaid")
	}
	return h.load(w, a.CodeHash, deployed)
}

// CodeKey is where canonical source lives in state.
//
// Spec: WP §1.2.
func CodeKey(hash digest.Hash) []byte {
	return account.Key(account.KindCode, account.Address{}, hash[:]...)
}

// call executes a nested invocation for a caller. Coins it carries are the callee's from its first step on, and go back with everything else if it raises.
//
// Spec: WP "Transactions and Message Passing" (messages may transfer value), §3.3 (depth 32); sdk §7, §5.2 (sender is the calling actor), §18
// (CycleLimitExceeded).
func (h *Host) call(f *Invocation, m *object.Machine, meter *object.Meter, n nested) (nestedResult, error) {
	w := f.work
	if err := f.charge(uint64(f.costs().ActorCall), 0); err != nil { // it also settles a pending memory check before the meter is read
		return nestedResult{}, err
	}
	if w.depth >= params.ReentrancyDepth {
		return nestedResult{}, raise(CallDepth, "calls are nested more than %d deep", params.ReentrancyDepth)
	}
	if n.value > 0 {
		if err := f.mutates("a call with coins"); err != nil {
			return nestedResult{}, err
		}
	}
	before := w.mark()
	if !w.readOnly {
		if err := w.bill(n.target); err != nil {
			return nestedResult{}, err
		}
	}
	if n.value > 0 {
		if err := f.pay(n.target, n.value); err != nil {
			return nestedResult{}, err
		}
	}
	budget := min(n.cycles, meter.Left())
	inner := object.NewMeter(budget, meter.CellsLeft())
	inner.Heed(meter.Heeds())
	i := handlerCall{
		target: n.target, sender: &f.self, value: n.value, handler: n.method, delivery: delivery{data: n.args}, structured: n.structured,
	}
	if n.structured {
		i.delivery.shape = called
	}
	if n.child != nil {
		before = n.child.before
		i.code, i.bootstrap, i.unnamed = n.child.code, n.method != "", n.method == ""
	}
	w.depth++
	h.recording().called(f.self, &n)
	var data []byte
	var end *ending
	if _, python := system.Program(w.turn.Block, n.target); n.target.IsReserved() && !python {
		data, end = h.ask(f, inner, n)
	} else {
		data, end = h.execute(w, inner, i)
	}
	h.recording().ended(inner, data, n.structured, end)
	w.depth--
	if err := f.charge(inner.Used(), inner.CellsUsed()); err != nil {
		return nestedResult{}, err
	}
	if end == nil {
		return nestedResult{data}, nil
	}
	if end.failure != nil {
		return nestedResult{}, end.failure
	}
	w.revert(before)
	switch {
	case end.fault.Code == drain.FaultCells && end.class == nil && end.name == "":
		return nestedResult{}, end.from(ErrCells) // cells are not divided: none are left for the caller either
	case end.fault.Code == drain.FaultCycles && end.class == nil && end.name == "":
		return nestedResult{}, end.from(raise(CycleLimit, "the callee is out of cycles"))
	case end.class != nil:
		return nestedResult{}, end.from(&Error{end.class, end.text})
	case end.name != "":
		return nestedResult{}, end.from(raise(ActorCall, "%s: %s", end.name, end.text))
	}
	return nestedResult{}, end.from(raise(ActorCall, "%s", end.text))
}

// ending classifies what ended an invocation.
//
// Spec: sdk §18.
func (f *Invocation) ending(m *object.Machine, e *object.Exception) *ending {
	switch e.Fatal {
	case object.OutOfCycles:
		return faulted(drain.FaultCycles, "out of cycles")
	case object.OutOfCells:
		return faulted(drain.FaultCells, "out of cells")
	case object.HostFailure:
		err := e.Err
		if err == nil {
			err = errors.New("host: machine failed without a reason")
		}
		return failed(err)
	}
	end := &ending{name: e.Type().Name, text: messageOf(m, e)}
	code := drain.FaultException
	switch {
	case e.Is(&object.ExcDeterminismError):
		code = drain.FaultDeterminism
	case e.Is(&object.ExcMemoryError):
		code = drain.FaultMemory
	case e.Is(&object.ExcRecursionError):
		code = drain.FaultForbidden
	case e.Is(&typeHostError):
		end.class = f.classOf(m, e)
		if c, ok := slugOf(end.name); ok {
			code = c
		}
		if end.class != nil {
			code, end.name = end.class.Code, end.class.Name
		}
	case e.Is(&typeBadDeterminism):
		code, _ = slugOf("DeterministicValidationError")
	}
	end.fault = &block.Fault{Code: code, Text: unitext.Head(end.name + ": " + end.text)}
	return end
}

// classOf is the host's class of an exception that derives from HostError: by the name it carries, or by its own class's name.
func (f *Invocation) classOf(m *object.Machine, e *object.Exception) *Class {
	name := e.Type().Name
	if e.Type() == &typeHostError {
		v, bad := m.LookupAttr(e.Value(), nameName)
		if bad != nil || v.IsZero() {
			return nil
		}
		if s, ok := v.AsStr(); ok {
			name = s.String()
		}
	}
	for _, c := range classes {
		if c.Name == name {
			return c
		}
	}
	return nil
}

// textMax bounds the text of a fault, which is for people only.
const textMax = 512

// messageOf is the text of an exception, and nothing of one whose argument is something else: finding out would run the program's code again.
func messageOf(_ *object.Machine, e *object.Exception) string {
	text, _ := e.Text()
	if len(text) > textMax {
		text = text[:textMax]
	}
	return text
}
