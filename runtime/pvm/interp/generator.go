package interp

import (
	. "github.com/cowboyinc/cowboy-go/runtime/pvm/compile"
	"github.com/cowboyinc/cowboy-go/runtime/pvm/object"
)

// suspendNew makes the generator of the frame that has just bound its arguments.
func suspendNew(m *object.Machine, f *object.Frame) value {
	k := f.L.Code
	g := m.NewGenerator(f.L, f.Fn, f.Regs[:k.Locals+k.Cells])
	gf := g.Frame()
	gf.PC, gf.Closure = f.PC, f.Closure
	return g.Value()
}

// resume continues a generator from native code, with a value or an exception.
func resume(m *object.Machine, g *object.Generator, sent value, thrown *object.Exception) (value, *object.Exception) {
	if e := m.EnterGenerator(g); e != nil {
		return value{}, e
	}
	f := m.Frame
	f.Ret = object.ToNative
	in := &f.L.Code.Instrs[f.PC]
	if thrown != nil {
		if g.Handling > 0 {
			chain(m, thrown)
		}
		return throwInto(m, g, f, in, thrown)
	}
	g.Started = true
	switch in.Op {
	case OpYield:
		f.Regs[in.A] = sent
		f.PC++
	case OpSend:
		f.Regs[in.C] = sent
	default:
		f.PC++
	}
	return run(m)
}

// throwInto raises an exception where the generator, already on top of the stack,
// waits: inside what it delegates to, if anything.
func throwInto(m *object.Machine, g *object.Generator, f *object.Frame, in *object.Instr, thrown *object.Exception) (value, *object.Exception) {
	if in.Op == OpSend && g.Started {
		pass, e := throwOf(m, f.Regs[in.B], thrown)
		if e != nil { // the generator goes on waiting
			m.LeaveGenerator(g)
			return value{}, e
		}
		v, done, e := throwDelegate(m, f.Regs[in.B], pass, thrown)
		switch {
		case e != nil:
			thrown = e
		case !done:
			m.LeaveGenerator(g)
			return v, nil
		default:
			f.Regs[in.A] = v
			f.PC++
			return run(m)
		}
	}
	if !g.Started {
		g.Started = true
		m.LeaveGenerator(g)
		g.Finish(object.None)
		return value{}, leaveGenerator(m, g, thrown)
	}
	return runRaise(m, thrown)
}

// throwOf returns the throw() of the iterator of a yield from that is no generator;
// the zero Value if it has none.
func throwOf(m *object.Machine, it value, thrown *object.Exception) (value, *object.Exception) {
	if it.Kind() == object.KindGenerator || thrown.Is(&object.ExcGeneratorExit) {
		return value{}, nil
	}
	return m.LookupAttr(it, nameThrow)
}

// throwDelegate passes an exception on to the iterator of a yield from, whose throw()
// is pass; done says that it returned, with result v.
func throwDelegate(m *object.Machine, it, pass value, thrown *object.Exception) (v value, done bool, e *object.Exception) {
	if it.Kind() == object.KindGenerator {
		g := object.GeneratorOf(it)
		if thrown.Is(&object.ExcGeneratorExit) {
			if e := m.CloseGenerator(g); e != nil {
				return value{}, false, e
			}
			return value{}, false, thrown
		}
		v, e = m.Throw(g, thrown)
		if e == nil && v.IsZero() {
			return result(g), true, nil
		}
		return v, false, e
	}
	if thrown.Is(&object.ExcGeneratorExit) {
		cl, e := m.LookupAttr(it, nameClose)
		if e != nil && e.Fatal == object.NotFatal { // CPython only prints it
			return value{}, false, thrown
		}
		if e == nil && !cl.IsZero() {
			_, e = m.Call(cl, object.Args{})
		}
		if e != nil {
			return value{}, false, e
		}
		return value{}, false, thrown
	}
	if pass.IsZero() {
		return value{}, false, thrown
	}
	v, e = m.Call(pass, m.ThrownArgs(thrown))
	if e != nil && e.Is(&object.ExcStopIteration) {
		return stopValue(m, e), true, nil
	}
	return v, false, e
}

var (
	nameClose = object.StaticName("close")
	nameThrow = object.StaticName("throw")
	nameNext  = object.StaticName("__next__")
	nameSend  = object.StaticName("send")
)

// result takes the result of a generator that returned.
func result(g *object.Generator) value {
	r := g.Result
	if r.IsZero() {
		r = object.None
	}
	g.Result = object.None
	return r
}

// stopValue is the value that a StopIteration carries.
func stopValue(m *object.Machine, e *object.Exception) value {
	if v := e.Field(0); !v.IsZero() {
		return v
	}
	if args := m.Arguments(e); len(args) > 0 {
		return args[0]
	}
	return object.None
}

// stepDelegate steps what a yield from waits for; more says that v is to be
// yielded, otherwise v is the result.
func stepDelegate(m *object.Machine, f *object.Frame, it, sent value) (v value, more bool, e *object.Exception) {
	if it.Kind() == object.KindGenerator {
		g := object.GeneratorOf(it)
		v, e = m.Send(g, sent)
		if e == nil && v.IsZero() {
			return result(g), false, nil
		}
		return v, e == nil, e
	}
	f.Gen.Delegate = it
	if sent.IsNone() {
		next := it.Type().Slots.Next
		if next == nil {
			return value{}, false, m.TypeError("'%s' object is not an iterator", it.Type().Name)
		}
		if it.Type().Static() {
			v, e = next(m, it)
		} else {
			v, e = m.CallMethod(it, nameNext) // a StopIteration carries the result
		}
		if e == nil && v.IsZero() {
			f.Gen.Delegate = value{}
			return object.None, false, nil
		}
	} else {
		v, e = m.CallMethod(it, nameSend, sent)
	}
	if e != nil {
		f.Gen.Delegate = value{}
		if e.Is(&object.ExcStopIteration) {
			return stopValue(m, e), false, nil
		}
		return value{}, false, e
	}
	return v, true, nil
}

// leaveGenerator turns an exception that must not leave a generator into a
// RuntimeError.
func leaveGenerator(m *object.Machine, g *object.Generator, exc *object.Exception) *object.Exception {
	what, kind := "", "StopIteration"
	switch t := g.Type(); {
	case exc.Is(&object.ExcStopIteration) && t == &object.TypeCoroutine:
		what = "coroutine"
	case exc.Is(&object.ExcStopIteration) && t == &object.TypeAsyncGenerator:
		what = "async generator"
	case exc.Is(&object.ExcStopIteration):
		what = "generator"
	case exc.Is(&object.ExcStopAsyncIteration) && t == &object.TypeAsyncGenerator:
		what, kind = "async generator", "StopAsyncIteration"
	default:
		return exc
	}
	e := m.RuntimeError("%s raised %s", what, kind)
	e.Context = exc
	e.SetCause(m, exc.Value())
	return e
}

// runRaise continues the frame on top with an exception at its position.
func runRaise(m *object.Machine, exc *object.Exception) (value, *object.Exception) {
	f := m.Frame
	k := f.L.Code
	if exc.Fatal == object.NotFatal {
		exc.Trace = append(exc.Trace, object.TraceEntry{Code: k, PC: int32(f.PC)})
	}
	if exc.Fatal == object.NotFatal && k.Guard != nil {
		if h := k.Guard[f.PC]; h >= 0 {
			f.Regs[k.Handlers[h].Reg] = exc.Value()
			f.PC = int(k.Handlers[h].Target)
			return run(m)
		}
	}
	g := f.Gen
	m.LeaveGenerator(g)
	g.Finish(object.None)
	return value{}, leaveGenerator(m, g, exc)
}
