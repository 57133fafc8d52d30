package object

import "slices"

// Send continues a generator with a value, the way of generator.send: the zero
// Value without an exception means that it returned, with the result in Result.
func (m *Machine) Send(g *Generator, v Value) (Value, *Exception) {
	if g.Running {
		return Value{}, m.ValueError("%s already executing", g.what())
	}
	if g.Done {
		if g.typ == &TypeCoroutine {
			return Value{}, m.RuntimeError("cannot reuse already awaited coroutine")
		}
		return Value{}, nil
	}
	if !g.Started && !v.IsNone() {
		return Value{}, m.TypeError("can't send non-None value to a just-started %s", g.what())
	}
	return m.evaluator.Resume(m, g, v, nil)
}

func (g *Generator) what() string {
	switch g.typ {
	case &TypeCoroutine:
		return "coroutine"
	case &TypeAsyncGenerator:
		return "async generator"
	}
	return "generator"
}

// Throw raises an exception at the point where a generator waits.
func (m *Machine) Throw(g *Generator, e *Exception) (Value, *Exception) {
	if g.Running {
		return Value{}, m.ValueError("%s already executing", g.what())
	}
	if g.Done {
		if g.typ == &TypeCoroutine {
			return Value{}, m.RuntimeError("cannot reuse already awaited coroutine")
		}
		return Value{}, e
	}
	return m.evaluator.Resume(m, g, Value{}, e)
}

// CloseGenerator is generator.close.
func (m *Machine) CloseGenerator(g *Generator) *Exception {
	if g.Running {
		return m.ValueError("%s already executing", g.what())
	}
	if g.Done {
		return nil
	}
	if !g.Started {
		g.Finish(None)
		return nil
	}
	v, e := m.evaluator.Resume(m, g, Value{}, m.Raise(&ExcGeneratorExit, ""))
	switch {
	case e == nil && v.ref == nil:
		g.Result = None
		return nil
	case e == nil:
		return m.RuntimeError("%s ignored GeneratorExit", g.what())
	case e.Is(&ExcGeneratorExit) || e.Is(&ExcStopIteration):
		return nil
	}
	return e
}

// stopIteration turns the end of a generator into the exception that carries its
// result.
func (m *Machine) stopIteration(g *Generator) *Exception {
	if g.Result.ref == nil || g.Result.IsNone() {
		return m.Raise(&ExcStopIteration, "")
	}
	r := g.Result
	g.Result = None
	return m.RaiseValue(&ExcStopIteration, r)
}

func generatorNext(m *Machine, v Value) (Value, *Exception) {
	g := v.generator()
	r, e := m.Send(g, None)
	if e == nil && r.ref == nil && g.Result.ref != nil && !g.Result.IsNone() {
		return Value{}, m.stopIteration(g)
	}
	return r, e
}

func generatorSend(m *Machine, a Args) (Value, *Exception) {
	g := a.V[0].generator()
	r, e := m.Send(g, a.V[1])
	if e == nil && r.ref == nil {
		return Value{}, m.stopIteration(g)
	}
	return r, e
}

// exceptionFrom makes the exception that throw(type, value, traceback) means.
func (m *Machine) exceptionFrom(a Args) (*Exception, *Exception) {
	v := a.Arg(0)
	if tb := a.Arg(2); tb.ref != nil && !tb.IsNone() && tb.ref.typ != &TypeTraceback {
		return nil, m.TypeError("throw() third argument must be a traceback object")
	}
	if x, ok := v.AsException(); ok {
		if w := a.Arg(1); w.ref != nil && !w.IsNone() {
			return nil, m.TypeError("instance exception may not have a separate value")
		}
		return x, nil
	}
	t, ok := v.AsType()
	if !ok || !t.IsSubtype(&ExcBaseException) {
		return nil, m.TypeError("exceptions must be classes or instances deriving from BaseException, not %s", v.ref.typ.Name)
	}
	var args []Value
	if w := a.Arg(1); w.ref != nil && !w.IsNone() {
		if x, ok := w.AsException(); ok && x.typ.IsSubtype(t) {
			return x, nil
		}
		if tu, ok := w.AsTuple(); ok {
			args = tu.items
		} else {
			args = []Value{w}
		}
	}
	x, e := m.makeException(v, args)
	if e != nil && e.Fatal == NotFatal {
		return e, nil // what went wrong is raised inside
	}
	return x, e
}

// makeException calls an exception class.
func (m *Machine) makeException(class Value, args []Value) (*Exception, *Exception) {
	r, e := m.Call(class, Args{V: args})
	if e != nil {
		return nil, e
	}
	x, ok := r.AsException()
	if !ok {
		return nil, m.TypeError("calling %s should have returned an instance of BaseException, not %s", m.quietRepr(class), r.ref.typ.Name)
	}
	return x, nil
}

// thrown is an exception on its way into a generator, and how throw() was told of it.
type thrown struct {
	exc  *Exception
	args []Value
}

// ThrownArgs are the arguments for the throw() of an iterator that a generator
// delegates to: those of the generator's own.
func (m *Machine) ThrownArgs(e *Exception) Args {
	if m.thrown.exc != e {
		return Positional(e.Value())
	}
	var args []Value
	for _, v := range m.thrown.args {
		if v.ref != nil {
			args = append(args, v)
		}
	}
	return Positional(args...)
}

// innermost is the iterator, no generator itself, that a chain of generators
// delegates to; the zero Value if there is none.
func (g *Generator) innermost() Value {
	for g.Delegate.ref != nil {
		if g.Delegate.ref.kind != KindGenerator {
			return g.Delegate
		}
		g = g.Delegate.generator()
	}
	return Value{}
}

func generatorThrow(m *Machine, a Args) (Value, *Exception) {
	g := a.V[0].generator()
	x, e := m.exceptionFrom(a.Rest(1))
	if other := g.innermost(); other.ref != nil && !g.Running && (e == nil || e.Fatal == NotFatal) {
		if _, takes := other.ref.typ.Lookup(nThrow); takes { // it may take what is no exception
			if e != nil {
				x = e
			}
			defer func(outer thrown) { m.thrown = outer }(m.thrown)
			m.thrown = thrown{x, slices.Clone(a.V[1:])}
			e = nil
		}
	}
	if e != nil {
		return Value{}, e
	}
	r, e := m.Throw(g, x)
	if e == nil && r.ref == nil {
		return Value{}, m.stopIteration(g)
	}
	return r, e
}

func defineGenerators() {
	common := []Field{
		{Name: "__name__", Get: func(m *Machine, v Value) (Value, *Exception) { return v.generator().Name.Value(), nil },
			Set: func(m *Machine, v, val Value) *Exception {
				s, ok := strOrNone(val)
				if !ok {
					return m.TypeError("__name__ must be set to a string object")
				}
				v.generator().Name = s
				return nil
			}},
		{Name: "__qualname__", Get: func(m *Machine, v Value) (Value, *Exception) { return v.generator().Qualname.Value(), nil },
			Set: func(m *Machine, v, val Value) *Exception {
				s, ok := strOrNone(val)
				if !ok {
					return m.TypeError("__qualname__ must be set to a string object")
				}
				v.generator().Qualname = s
				return nil
			}},
	}
	state := func(prefix string) []Field {
		return append([]Field{
			{Name: prefix + "_running", Get: func(m *Machine, v Value) (Value, *Exception) {
				return Bool(v.generator().Running || v.generator().Stepping), nil
			}},
			{Name: prefix + "_suspended", Get: func(m *Machine, v Value) (Value, *Exception) {
				g := v.generator()
				return Bool(g.Started && !g.Running && !g.Done), nil
			}},
			{Name: prefix + "_code", Get: func(m *Machine, v Value) (Value, *Exception) { return v.generator().frame.L.Code.Value(), nil }},
		}, common...)
	}
	yieldFrom := func(name string) Field {
		return Field{Name: name, Get: func(m *Machine, v Value) (Value, *Exception) { return orNone(v.generator().Delegate), nil }}
	}
	methods := []Method{
		{Name: "send", Sig: "arg, /", Func: generatorSend},
		{Name: "throw", Sig: "type, value=None, traceback=None, /", Func: generatorThrow},
		{Name: "close", Func: func(m *Machine, a Args) (Value, *Exception) {
			return None, m.CloseGenerator(a.V[0].generator())
		}},
	}
	repr := func(m *Machine, v Value) (Value, *Exception) {
		g := v.generator()
		return m.shown("<" + g.typ.ShortName() + " object " + g.Qualname.s + " at 0x" + hex12(m.ID(v)) + ">"), nil
	}
	Define(&TypeGenerator, Spec{
		Name: "generator", Layout: LayoutOf[Generator](KindGenerator), Relocate: relocateGenerator, NoNew: true, Final: true,
		Slots:   Slots{Iter: selfIter, Next: generatorNext, Repr: repr},
		Methods: methods, Fields: append(state("gi"), yieldFrom("gi_yieldfrom")),
	})
	Define(&TypeCoroutine, Spec{
		Name: "coroutine", Layout: LayoutOf[Generator](KindGenerator), NoNew: true, Final: true,
		Slots:   Slots{Repr: repr, Await: func(m *Machine, v Value) (Value, *Exception) { return m.newCoroutineWrapper(v), nil }},
		Methods: methods, Fields: append(state("cr"), yieldFrom("cr_await")),
	})
	defineAsyncGenerators(repr, append(state("ag"), yieldFrom("ag_await")))
}
