package object

import "unsafe"

// The types that drive coroutines and asynchronous generators.
var (
	TypeCoroutineWrapper Type
	TypeAsyncStep        Type
)

// CoroutineWrapper is what coroutine.__await__ returns.
type CoroutineWrapper struct {
	Object
	coro Value
}

func (m *Machine) newCoroutineWrapper(coro Value) Value {
	w := Alloc[CoroutineWrapper](m, &TypeCoroutineWrapper, 0)
	w.coro = coro
	return Value{ref: &w.Object}
}

// stepMode says which method of an asynchronous generator made a step.
type stepMode uint8

const (
	stepNext stepMode = iota
	stepThrow
	stepClose
)

// AsyncStep is the awaitable that __anext__, asend, athrow and aclose return.
type AsyncStep struct {
	Object
	gen     Value
	send    Value
	mode    stepMode
	throw   []Value
	started bool
	closed  bool
}

func (m *Machine) newStep(gen, send Value, mode stepMode, throw []Value) Value {
	s := Alloc[AsyncStep](m, &TypeAsyncStep, 0)
	s.gen, s.send, s.mode = gen, send, mode
	s.throw = append([]Value(nil), throw...)
	return Value{ref: &s.Object}
}

func defineAsyncGenerators(repr Unary, fields []Field) {
	defineAsyncYield()
	Define(&TypeCoroutineWrapper, Spec{
		Name: "coroutine_wrapper", Layout: LayoutOf[CoroutineWrapper](KindNative), NoNew: true, Final: true,
		Traverse: func(o *Object, visit func(Value)) { visit((*CoroutineWrapper)(unsafe.Pointer(o)).coro) },
		Slots: Slots{Iter: selfIter, Next: func(m *Machine, v Value) (Value, *Exception) {
			return generatorNext(m, Trust[CoroutineWrapper](v).coro)
		}},
		Methods: []Method{
			{Name: "send", Sig: "arg, /", Func: func(m *Machine, a Args) (Value, *Exception) {
				return generatorSend(m, Positional(Trust[CoroutineWrapper](a.V[0]).coro, a.V[1]))
			}},
			{Name: "throw", Sig: "type, value=None, traceback=None, /", Func: func(m *Machine, a Args) (Value, *Exception) {
				return generatorThrow(m, Positional(append([]Value{Trust[CoroutineWrapper](a.V[0]).coro}, a.V[1:]...)...))
			}},
			{Name: "close", Func: func(m *Machine, a Args) (Value, *Exception) {
				return None, m.CloseGenerator(Trust[CoroutineWrapper](a.V[0]).coro.generator())
			}},
		},
	})
	Define(&TypeAsyncGenerator, Spec{
		Name: "async_generator", Layout: LayoutOf[Generator](KindGenerator), NoNew: true, Final: true,
		Slots: Slots{Repr: repr, AIter: selfIter, ANext: func(m *Machine, v Value) (Value, *Exception) {
			return m.newStep(v, None, stepNext, nil), nil
		}},
		Methods: []Method{
			{Name: "asend", Sig: "value, /", Func: func(m *Machine, a Args) (Value, *Exception) {
				return m.newStep(a.V[0], a.V[1], stepNext, nil), nil
			}},
			{Name: "athrow", Sig: "type, value=None, traceback=None, /", Func: func(m *Machine, a Args) (Value, *Exception) {
				return m.newStep(a.V[0], None, stepThrow, a.V[1:]), nil
			}},
			{Name: "aclose", Func: func(m *Machine, a Args) (Value, *Exception) {
				return m.newStep(a.V[0], None, stepClose, nil), nil
			}},
		},
		Fields: fields,
	})
	Define(&TypeAsyncStep, Spec{
		Name: "async_generator_asend", Layout: LayoutOf[AsyncStep](KindNative), NoNew: true, Final: true,
		Traverse: func(o *Object, visit func(Value)) {
			s := (*AsyncStep)(unsafe.Pointer(o))
			visit(s.gen)
			visit(s.send)
			each(s.throw, visit)
		},
		Slots: Slots{
			Iter: selfIter, Await: selfIter,
			Next: func(m *Machine, v Value) (Value, *Exception) { return m.stepSend(Trust[AsyncStep](v), None) },
		},
		Methods: []Method{
			{Name: "send", Sig: "arg, /", Func: func(m *Machine, a Args) (Value, *Exception) {
				return m.stepSend(Trust[AsyncStep](a.V[0]), a.V[1])
			}},
			{Name: "throw", Sig: "type, value=None, traceback=None, /", Func: func(m *Machine, a Args) (Value, *Exception) {
				x, e := m.exceptionFrom(a.Rest(1))
				if e != nil {
					return Value{}, e
				}
				return m.stepThrow(Trust[AsyncStep](a.V[0]), x)
			}},
			{Name: "close", Func: func(m *Machine, a Args) (Value, *Exception) {
				Trust[AsyncStep](a.V[0]).closed = true
				return None, nil
			}},
		},
	})
}

func defineAsyncYield() {
	Define(&TypeAsyncYield, Spec{
		Name: "async_generator_wrapped_value", Layout: LayoutOf[AsyncYield](KindNative), NoNew: true, Final: true,
		Traverse: func(o *Object, visit func(Value)) { visit((*AsyncYield)(unsafe.Pointer(o)).V) },
	})
}

// AsyncYield is how an asynchronous generator's own yield differs, for whoever
// drives it, from a value that an await inside it passes up.
type AsyncYield struct {
	Object
	V Value
}

// TypeAsyncYield is internal: programs never see its instances.
var TypeAsyncYield Type

// WrapYield marks v as yielded by an asynchronous generator itself.
func (m *Machine) WrapYield(v Value) Value {
	y := Alloc[AsyncYield](m, &TypeAsyncYield, 0)
	y.V = v
	return Value{ref: &y.Object}
}

// reused is the exception for a step that has come to its end.
func (m *Machine) reused(s *AsyncStep) *Exception {
	if s.mode != stepNext {
		return m.RuntimeError("cannot reuse already awaited aclose()/athrow()")
	}
	return m.RuntimeError("cannot reuse already awaited __anext__()/asend()")
}

// stepSend continues the generator; a value that the generator itself yields ends
// the step with StopIteration carrying it.
func (m *Machine) stepSend(s *AsyncStep, v Value) (Value, *Exception) {
	g := s.gen.generator()
	switch {
	case s.closed:
		return Value{}, m.reused(s)
	case s.mode != stepNext && g.Done:
		s.closed = true
		return Value{}, m.Raise(&ExcStopIteration, "")
	case s.started:
		r, e := m.Send(g, v)
		return m.stepResult(s, g, r, e)
	case g.Stepping:
		s.closed = s.mode != stepNext
		return Value{}, m.RuntimeError("%s(): asynchronous generator is already running", [...]string{"anext", "athrow", "aclose"}[s.mode])
	case s.mode == stepNext:
		s.started, g.Stepping = true, true
		if v.IsNone() {
			v = s.send
		}
		r, e := m.Send(g, v)
		return m.stepResult(s, g, r, e)
	case g.Closing:
		s.closed = true
		return Value{}, m.Raise(&ExcStopAsyncIteration, "")
	case !v.IsNone():
		return Value{}, m.RuntimeError("can't send non-None value to a just-started coroutine")
	}
	return m.stepBegin(s, g)
}

// stepBegin raises inside the generator what athrow or aclose was called for.
func (m *Machine) stepBegin(s *AsyncStep, g *Generator) (Value, *Exception) {
	s.started, g.Stepping = true, true
	if s.mode == stepClose {
		g.Closing = true
		r, e := m.throwInto(g, m.Raise(&ExcGeneratorExit, ""))
		return m.stepResult(s, g, r, e)
	}
	x, e := m.exceptionFrom(Args{V: s.throw})
	if e != nil {
		return m.stepResult(s, g, Value{}, e)
	}
	r, e := m.throwInto(g, x)
	return m.stepResult(s, g, r, e)
}

// stepThrow is the method throw of a step.
func (m *Machine) stepThrow(s *AsyncStep, x *Exception) (Value, *Exception) {
	if s.closed {
		return Value{}, m.reused(s)
	}
	g := s.gen.generator()
	r, e := m.throwInto(g, x)
	return m.stepResult(s, g, r, e)
}

// throwInto raises an exception in an asynchronous generator, which ends one that has not begun.
func (m *Machine) throwInto(g *Generator, x *Exception) (Value, *Exception) {
	if g.Done {
		return Value{}, x
	}
	if !g.Started && !g.Running {
		g.Finish(None)
		return Value{}, x
	}
	return m.Throw(g, x)
}

// stepResult ends a step unless r is what an await inside the generator passes up.
func (m *Machine) stepResult(s *AsyncStep, g *Generator, r Value, e *Exception) (Value, *Exception) {
	y, yielded := (*AsyncYield)(nil), false
	if e == nil && r.ref != nil {
		if y, yielded = Cast[AsyncYield](r, &TypeAsyncYield); !yielded {
			return r, nil
		}
	}
	s.closed, g.Stepping = true, false
	switch {
	case yielded && s.mode == stepClose:
		return Value{}, m.RuntimeError("async generator ignored GeneratorExit")
	case yielded:
		return Value{}, m.RaiseValue(&ExcStopIteration, y.V)
	case e == nil && s.mode != stepClose:
		e = m.Raise(&ExcStopAsyncIteration, "")
	}
	ended := e == nil || e.Is(&ExcStopAsyncIteration) || e.Is(&ExcGeneratorExit)
	g.Closing = g.Closing || ended
	if s.mode == stepClose && ended {
		return Value{}, m.Raise(&ExcStopIteration, "")
	}
	return Value{}, e
}
