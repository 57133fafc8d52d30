package host

import (
	"errors"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/cbor"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/runtime/chapter"
	"github.com/cowboyinc/cowboy-go/runtime/drain"
	"github.com/cowboyinc/cowboy-go/runtime/pvm"
	"github.com/cowboyinc/cowboy-go/runtime/pvm/object"
	"github.com/cowboyinc/cowboy-go/runtime/system"
)

// actors runs Python actors for the chapters within one turn.
type actors struct {
	host *Host
	work *work // of a turn of Python; made with the first call in one of a system actor
}

// Call implements chapter.Caller. The callee sees the system actor as its sender. Its cycles and cells are the caller's, at most as many as the call may use.
//
// Spec: WP §3.3 (depth 32); sdk §7, §5.2.
func (a *actors) Call(e *chapter.Env, c chapter.Call) ([]byte, error) {
	if a.work == nil {
		w, err := continued(e.Turn, e.Effects)
		if err != nil {
			return nil, err
		}
		a.work = w
	}
	w := a.work
	if w.depth >= params.ReentrancyDepth {
		return nil, &chapter.CallError{Code: drain.FaultForbidden, Text: "calls are nested too deep"}
	}
	cycles, cells := min(c.Cycles, e.Meter.Left()), e.Meter.CellsLeft()
	if c.Cells > 0 {
		cells = min(c.Cells, cells)
	}
	inner := object.NewMeter(cycles, cells)
	inner.Heed(e.Turn.Interrupt)
	i := handlerCall{
		target: c.Target, sender: &e.Self, handler: c.Handler, delivery: delivery{data: c.Args, shape: called}, structured: true, native: true,
	}
	before, readOnly := w.mark(), w.readOnly
	w.readOnly = readOnly || c.Reads
	isolated := w.isolate(&c)
	w.depth++
	a.host.recording().called(e.Self, &nested{target: c.Target, method: c.Handler, args: c.Args, structured: true})
	data, end := a.host.execute(w, inner, i)
	a.host.recording().ended(inner, data, true, end)
	w.depth--
	w.readOnly = readOnly
	end = isolated(inner, end)
	if err := e.Charge(unit.Cycles(inner.Used()), unit.Cells(inner.CellsUsed())); err != nil {
		return nil, err
	}
	switch {
	case end == nil:
		return data, nil
	case errors.Is(end.failure, object.ErrInterrupted):
		return nil, drain.ErrInterrupted
	case end.failure != nil:
		return nil, end.failure
	}
	w.revert(before)
	switch spent := end.class == nil && end.name == ""; {
	case spent && end.fault.Code == drain.FaultCycles && cycles < c.Cycles:
		return nil, ErrCycles // none are left for the chapter either
	case spent && end.fault.Code == drain.FaultCells && (c.Cells == 0 || cells < c.Cells):
		return nil, ErrCells
	}
	return nil, &chapter.CallError{Code: end.fault.Code, Text: end.fault.Text}
}

// Check implements chapter.Caller.
//
// Spec: sdk §3.8; governance-staking B8.
func (a *actors) Check(source []byte) ([]byte, error) {
	canonical, err := pvm.CanonicalSource(source)
	if err != nil {
		return nil, chapter.Refuse(drain.FaultSource, "%v", err)
	}
	if _, err := a.host.programs.compile(account.CodeHash(canonical), canonical); err != nil {
		return nil, chapter.Refuse(sourceFault(err), "%v", err)
	}
	return canonical, nil
}

// innerMeter meters a chapter's code in a call of its own.
type innerMeter struct{ *object.Meter }

// Charge implements chapter.Meter.
func (t innerMeter) Charge(cycles uint64) error {
	if !t.Spend(cycles) {
		return ErrCycles
	}
	return nil
}

// ChargeCells implements chapter.Meter.
func (t innerMeter) ChargeCells(cells uint64) error {
	if !t.SpendCells(cells) {
		return ErrCells
	}
	return nil
}

// env is what a chapter meets that an invocation calls: by a syscall, or at one of its addresses.
func (f *Invocation) env(h *Host, of *chapter.Chapter, self account.Address, meter chapter.Meter) *chapter.Env {
	t := f.work.turn
	return &chapter.Env{
		Chapter: of, Turn: t, Block: t.Block, State: f.work.overlay, Self: self, Sender: f.self, Meter: meter, Effects: f.work.Effects,
		Caller: &actors{h, f.work}, Priced: true, Spend: f.spend,
	}
}

// ask calls a system actor for an invocation. Coins of the call are on its balance already; the caller undoes what a failed call did. Looking for the
// chapter that answers, and writing a refusal, is work even where none does: it costs what sending a message costs, and the answer comes on top.
//
// Spec: WP §3.3, §9; sdk §7.
func (h *Host) ask(f *Invocation, meter *object.Meter, n nested) ([]byte, *ending) {
	e := f.env(h, nil, n.target, innerMeter{meter})
	e.Value = n.value
	if err := e.Charge(e.Costs().SendMessage, 0); err != nil {
		return nil, faulted(drain.FaultCycles, "out of cycles")
	}
	data, err := system.Answer(e, chapter.Request{Handler: n.method, Data: n.args, Structured: n.structured}, f.work.readOnly)
	var told *Error
	switch {
	case err == nil && len(data) > params.MaxReturnBytes:
		errors.As(raise(Quota, "the answer has %d bytes; at most %d are allowed", len(data), params.MaxReturnBytes), &told)
		return nil, told.ending()
	case err == nil && n.structured && len(data) == 0:
		return []byte{0xf6}, nil // the CBOR of None
	case err == nil:
		return data, nil
	case errors.Is(err, ErrCycles):
		return nil, faulted(drain.FaultCycles, "out of cycles")
	case errors.Is(err, ErrCells):
		return nil, faulted(drain.FaultCells, "out of cells")
	case errors.As(wrap(err), &told):
		return nil, told.ending()
	}
	return nil, failed(err)
}

// ending is how an invocation ends that the host's own error ended: its caller sees the class.
func (e *Error) ending() *ending {
	end := faulted(e.Class.Code, e.Text)
	end.class, end.name = e.Class, e.Class.Name
	return end
}

// chapterCalls are the syscalls the chapters offer.
func chapterCalls() []entry {
	var list []entry
	for _, c := range system.Chapters() {
		for _, s := range c.Syscalls {
			sig := s.Sig
			if sig == chapter.Unbound {
				sig = object.Unbound
			}
			if s.Run == nil {
				list = append(list, entry{s.Name, sig, notBuilt(c, s.Name)})
			} else {
				list = append(list, entry{s.Name, sig, chapterCall(c, &s)})
			}
		}
	}
	return list
}

func notBuilt(c *chapter.Chapter, name string) syscall {
	err := raise(NotAvailable, "%s: chapter %q is not available on this chain yet", name, c.Name)
	return func(f *Invocation, m *object.Machine, _ object.Args) (object.Value, *object.Exception) {
		return object.Value{}, f.raise(m, err)
	}
}

// chapterCall is a syscall of a chapter: it reads the arguments by their kinds, runs the chapter's code on the invocation's meter, and
// undoes what a rejected call left.
func chapterCall(c *chapter.Chapter, s *chapter.Syscall) syscall {
	var self account.Address
	if len(c.Homes) > 0 {
		self = account.System(c.Homes[0])
	}
	absent := notBuilt(c, s.Name)
	return func(f *Invocation, m *object.Machine, a object.Args) (object.Value, *object.Exception) {
		c, s := system.SyscallOf(f.work.turn.Block.Version(), c.Name, s.Name)
		if s == nil || s.Run == nil {
			return absent(f, m, a)
		}
		args := make(chapter.Args, len(s.Args))
		for i, kind := range s.Args {
			var e *object.Exception
			if args[i], e = f.argument(m, a.Arg(i), kind); e != nil {
				return object.Value{}, e
			}
		}
		if !s.Reads {
			if err := f.mutates(s.Name); err != nil {
				return object.Value{}, f.raise(m, err)
			}
		}
		before := f.work.mark()
		e := f.env(f.host, c, self, f.meter)
		f.host.recording().chapterCalled(f, self, s.Name, args)
		var got any
		err := system.Open(e)
		if err == nil {
			got, err = s.Run(e, args)
		}
		f.host.recording().chapterEnded(got, err)
		if err = c.Told(err); err != nil {
			f.work.revert(before)
			return object.Value{}, f.raise(m, wrap(err))
		}
		return f.answered(m, got)
	}
}

// argument reads an argument of a chapter's syscall.
func (f *Invocation) argument(m *object.Machine, v object.Value, kind chapter.Kind) (any, *object.Exception) {
	const what = "argument"
	if kind&chapter.Optional != 0 && !given(v) {
		return nil, nil
	}
	switch kind &^ chapter.Optional {
	case chapter.Bytes:
		return boxed(octets(m, v, what))
	case chapter.Text:
		return boxed(text(m, v, what))
	case chapter.Number:
		return boxed(f.number(m, v, what))
	case chapter.Coins:
		return boxed(f.coins(m, v, what))
	case chapter.Wide:
		return boxed(f.wide(m, v, what))
	case chapter.Truth:
		return boxed(m.Truth(v))
	case chapter.Address:
		return boxed(f.address(m, v, what))
	}
	data, e := f.encode(m, v)
	if e != nil {
		return nil, e
	}
	if e := m.Charge(int(chapter.BuildingCost(data))); e != nil {
		return nil, e
	}
	plain, err := cbor.Parse(data)
	if err != nil {
		return nil, f.codecError(m, err)
	}
	return plain, nil
}

func boxed[T any](v T, e *object.Exception) (any, *object.Exception) { return v, e }

// answered is what a chapter's syscall gives, as a value of Python.
func (f *Invocation) answered(m *object.Machine, v any) (object.Value, *object.Exception) {
	switch v := v.(type) {
	case nil:
		return object.None, nil
	case bool:
		return object.Bool(v), nil
	case uint64:
		return uintValue(m, v), nil
	case unit.Amount:
		return uintValue(m, uint64(v)), nil
	case unit.Uint128:
		return m.IntOf(v.Int())
	case []byte:
		return m.Bytes(v), nil
	case string:
		return m.Str(v), nil
	case account.Address:
		return m.Bytes(v[:]), nil
	case digest.Hash:
		return m.Bytes(v[:]), nil
	}
	data, err := cbor.Append(nil, v)
	if err != nil {
		return object.Value{}, m.Fail(err)
	}
	return f.decode(m, data)
}
