package object

// Awaitable returns the iterator that await steps. what says where the awaitable
// comes from: 0 an expression, 2 __anext__, 3 __aenter__, 4 __aexit__.
func (m *Machine) Awaitable(v Value, what int) (Value, *Exception) {
	if v.ref.kind == KindGenerator && v.ref.typ == &TypeCoroutine {
		if v.generator().Running || v.generator().Delegate.ref != nil {
			return Value{}, m.RuntimeError("coroutine is being awaited already")
		}
		return v, nil
	}
	f := v.ref.typ.Slots.Await
	if f == nil {
		switch what {
		case 2:
			return Value{}, m.invalidNext(v, m.TypeError("object %s can't be used in 'await' expression", v.ref.typ.Name))
		case 3:
			return Value{}, m.TypeError("'async with' received an object from __aenter__ that does not implement __await__: %s", v.ref.typ.Name)
		case 4:
			return Value{}, m.TypeError("'async with' received an object from __aexit__ that does not implement __await__: %s", v.ref.typ.Name)
		}
		return Value{}, m.TypeError("object %s can't be used in 'await' expression", v.ref.typ.Name)
	}
	it, e := f(m, v)
	if e != nil && what == 2 && e.Fatal == NotFatal {
		return Value{}, m.invalidNext(v, e)
	}
	if e != nil {
		return Value{}, e
	}
	if it.ref.typ == &TypeCoroutine {
		return Value{}, m.TypeError("__await__() returned a coroutine")
	}
	if it.ref.typ.Slots.Next == nil {
		return Value{}, m.TypeError("__await__() returned non-iterator of type '%s'", it.ref.typ.Name)
	}
	return it, nil
}

// AIter returns v.__aiter__().
func (m *Machine) AIter(v Value) (Value, *Exception) {
	f := v.ref.typ.Slots.AIter
	if f == nil {
		return Value{}, m.TypeError("'async for' requires an object with __aiter__ method, got %s", v.ref.typ.Name)
	}
	r, e := f(m, v)
	if e != nil {
		return Value{}, e
	}
	if r.ref.typ.Slots.ANext == nil {
		return Value{}, m.TypeError("'async for' received an object from __aiter__ that does not implement __anext__: %s", r.ref.typ.Name)
	}
	return r, nil
}

// ANext returns the awaitable of v.__anext__().
func (m *Machine) ANext(v Value) (Value, *Exception) {
	f := v.ref.typ.Slots.ANext
	if f == nil {
		return Value{}, m.TypeError("'async for' requires an iterator with __anext__ method, got %s", v.ref.typ.Name)
	}
	return f(m, v)
}

// invalidNext is the error of async for about what __anext__ returned, caused by the one of awaiting it.
func (m *Machine) invalidNext(v Value, cause *Exception) *Exception {
	e := m.TypeError("'async for' received an invalid object from __anext__: %s", v.ref.typ.Name)
	e.SetCause(m, cause.Value())
	return e
}
