package object

// Call calls fn from native code, at the price of a call in the program. Calls of
// Python functions nest an interpreter loop; the recursion limit bounds them
// together with Python's own.
//
// Spec: CIP-3 §2.2.1 (Python Function Call).
func (m *Machine) Call(fn Value, a Args) (Value, *Exception) {
	if fn.ref.kind != KindFunction { // which pays when its frame is made
		if e := m.Charge(m.costs.Call); e != nil {
			return Value{}, e
		}
	}
	return m.Apply(fn, a)
}

// Apply is Call for the interpreter, which has charged a call: only a function
// behind a callable object costs another one.
func (m *Machine) Apply(fn Value, a Args) (Value, *Exception) {
	switch fn.ref.kind {
	case KindFunction:
		return m.evaluator.CallFunction(m, fn.function(), a)
	case KindBuiltin:
		n := len(m.pins)
		r, e := fn.builtin().Call(m, a)
		if len(m.pins) > n {
			m.Unpin(n)
		}
		return r, e
	case KindMethod:
		return m.applyMethod(fn, a)
	}
	call := fn.ref.typ.Slots.Call
	if call == nil {
		return Value{}, m.TypeError("'%s' object is not callable", fn.ref.typ.Name)
	}
	if e := m.Enter(); e != nil {
		return Value{}, e
	}
	n := len(m.pins)
	r, e := call(m, fn, a)
	m.Leave()
	if len(m.pins) > n {
		m.Unpin(n)
	}
	return r, e
}

// applyMethod calls a bound method, whose function may be one again: its receivers go before the arguments, the innermost first. It costs what calling
// one after the other does, but the arguments are copied once.
func (m *Machine) applyMethod(fn Value, a Args) (r Value, e *Exception) {
	levels, lent := 0, 0
	for f := fn; f.ref.kind == KindMethod; f = f.method().Func {
		if e = m.copies(len(a.V)+levels, lent); e == nil {
			e = m.Enter()
		}
		if e != nil {
			break
		}
		levels++
		lent += len(a.V) + levels
	}
	if e == nil {
		all := m.Lend(levels + len(a.V))
		for i := levels; i > 0; i-- {
			b := fn.method()
			all[i-1], fn = b.Self, b.Func
		}
		copy(all[levels:], a.V)
		r, e = m.Apply(fn, Args{V: all, Names: a.Names})
		m.GiveBack(levels + len(a.V))
	}
	for range levels {
		m.Leave()
	}
	return r, e
}

// CallMethod calls v.name(args…).
func (m *Machine) CallMethod(v Value, name *Str, args ...Value) (Value, *Exception) {
	t := v.ref.typ
	if fn, ok := t.Lookup(name); ok && v.ref.kind != KindType && (fn.ref.kind == KindFunction || fn.ref.kind == KindBuiltin && fn.builtin().self) {
		shadowed := false
		if a := v.ref.attrs(); a != nil {
			_, shadowed = a.get(name)
		}
		if !shadowed && v.ref.kind != KindModule {
			return m.callUnbound(fn, v, args...)
		}
	}
	fn, e := m.GetAttr(v, name)
	if e != nil {
		return Value{}, e
	}
	return m.callCopied(fn, args)
}

// Callable says whether v can be called.
func Callable(v Value) bool {
	switch v.ref.kind {
	case KindFunction, KindBuiltin, KindMethod, KindType:
		return true
	}
	return v.ref.typ.Slots.Call != nil
}

// instantiate is type.__call__: makes an instance and initialises it.
func instantiate(m *Machine, v Value, a Args) (Value, *Exception) {
	t := v.typ()
	if t == &TypeType && len(a.V) == 1 && len(a.Names) == 0 {
		return a.V[0].ref.typ.Value(), nil
	}
	if t.New == nil {
		return Value{}, m.TypeError("cannot create '%s' instances", t.FullName())
	}
	r, e := t.New(m, t, a)
	if e != nil {
		return Value{}, e
	}
	rt := r.ref.typ
	if rt.Init == nil || rt != t && !rt.IsSubtype(t) {
		return r, nil
	}
	pins := len(m.pins)
	m.Pin(r)
	if t == &TypeList || t == &TypeDict || t == &TypeSet {
		r.ref.flags |= flagOutside
		e = rt.Init(m, r, a)
		r.ref.flags &^= flagOutside
	} else {
		e = rt.Init(m, r, a)
	}
	m.Unpin(pins)
	if e != nil {
		return Value{}, e
	}
	return r, nil
}

// chargeMade pays for what a call of a container's class makes: price, which is that of a display, and as much again for going through its arguments,
// whatever they are.
func (m *Machine) chargeMade(price, args int) *Exception {
	if args > 0 {
		price *= 2
	}
	return m.Charge(price)
}

// NewInstance allocates an instance of a plain class, without initialising it.
func (m *Machine) NewInstance(t *Type) *Instance {
	var in *Instance
	n := max(t.hint, t.nslots)
	switch {
	case n <= 2:
		s := new(instance2)
		in = &s.Instance
		in.Attrs.slots = s.v[:t.nslots]
		n = 2
	case n <= 4:
		s := new(instance4)
		in = &s.Instance
		in.Attrs.slots = s.v[:t.nslots]
		n = 4
	case n <= 8:
		s := new(instance8)
		in = &s.Instance
		in.Attrs.slots = s.v[:t.nslots]
		n = 8
	default:
		in = &Instance{}
		in.Attrs.slots = make([]Value, t.nslots, n)
	}
	in.typ, in.kind = t, KindInstance
	in.Attrs.shape = t.root
	m.account(headerSize + attrsSize + n*valueSize)
	return in
}

// Instance is an instance of a class of the program that derives from no native
// type but object.
type Instance struct {
	Object
	Attrs
}

type instance2 struct {
	Instance
	v [2]Value
}
type instance4 struct {
	Instance
	v [4]Value
}
type instance8 struct {
	Instance
	v [8]Value
}

// Value returns the instance as a value.
func (in *Instance) Value() Value { return Value{ref: &in.Object} }

// Call1 is Call with one argument, without allocating for Python functions.
func (m *Machine) Call1(fn, x Value) (Value, *Exception) {
	switch fn.ref.kind {
	case KindFunction:
		// The arguments may lie above the running frame: the callee's own frame is
		// the next thing there.
		if top, room := m.Top(); room > 0 {
			top[0] = x
			return m.evaluator.CallFunction(m, fn.function(), Args{V: top[:1:1]})
		}
	case KindMethod:
		if b := fn.method(); b.Func.ref.kind == KindFunction {
			return m.Call2(b.Func, b.Self, x)
		}
	}
	args := [1]Value{x}
	return m.callCopied(fn, args[:])
}

// Call2 is Call with two arguments, without allocating for Python functions.
func (m *Machine) Call2(fn, x, y Value) (Value, *Exception) {
	if fn.ref.kind == KindFunction {
		if top, room := m.Top(); room > 1 {
			top[0], top[1] = x, y
			return m.evaluator.CallFunction(m, fn.function(), Args{V: top[:2:2]})
		}
	}
	args := [2]Value{x, y}
	return m.callCopied(fn, args[:])
}

// refuseKeywords fails if keyword arguments reach the __init__ of a native type
// that takes none; a class with a __new__ of its own may have consumed them.
func (m *Machine) refuseKeywords(t *Type, a Args, overridden *Str) *Exception {
	if len(a.Names) == 0 {
		return nil
	}
	if !t.Static() {
		if _, owner := t.lookupOwner(overridden); owner != nil && !owner.Static() {
			return nil
		}
	}
	return m.TypeError("%s() takes no keyword arguments", nativeType(t).Name)
}

// Making notes that a container made by the interpreter is not visible to the
// program yet; Made, that it is.
func Making(v Value) { v.ref.flags |= flagOutside }

// Made ends what Making began.
func Made(v Value) { v.ref.flags &^= flagOutside }
