package object

func slotHash(m *Machine, v Value) (int64, *Exception) {
	fn, ok := v.ref.typ.Lookup(nHash)
	if !ok || fn.IsNone() {
		return Unhashable(m, v)
	}
	r, e := m.callUnbound(fn, v)
	if e != nil {
		return 0, e
	}
	i, ok := asInt(r)
	if !ok {
		return 0, m.TypeError("__hash__ method should return an integer")
	}
	if i.IsInt() {
		if i.Int64() == -1 {
			return -2, nil
		}
		return i.Int64(), nil
	}
	return hashBig(&i.big().i), nil
}

func slotCall(m *Machine, v Value, a Args) (Value, *Exception) {
	fn, ok := v.ref.typ.Lookup(nCall)
	if !ok {
		return Value{}, m.TypeError("'%s' object is not callable", v.ref.typ.Name)
	}
	return m.callWith(fn, v, a)
}

// callWith calls what was found on v's type as a method of v with arguments as
// passed.
func (m *Machine) callWith(fn, v Value, a Args) (Value, *Exception) {
	if e := m.Enter(); e != nil {
		return Value{}, e
	}
	defer m.Leave()
	if fn.ref.kind == KindFunction || fn.ref.kind == KindBuiltin && fn.builtin().self {
		return m.callWithSelf(fn, v, a.V, a.Names)
	}
	if fn.ref.typ.binds {
		if e := m.bindable(); e != nil {
			return Value{}, e
		}
		return m.callBinding(fn, v, a.V, a.Names)
	}
	bound, e := m.bind(fn, v, v.ref.typ)
	if e != nil {
		return Value{}, e
	}
	return m.Call(bound, a)
}

func slotInit(m *Machine, v Value, a Args) *Exception {
	fn, _ := v.ref.typ.Lookup(nInit)
	r, e := m.callWith(fn, v, a)
	if e != nil {
		return e
	}
	if !r.IsNone() {
		return m.TypeError("__init__() should return None, not '%s'", r.ref.typ.Name)
	}
	return nil
}

// slotGetAttr is the attribute access of classes with __getattribute__ or
// __getattr__ of their own.
func slotGetAttr(m *Machine, v Value, name *Str) (Value, *Exception) {
	t := v.ref.typ
	get, _ := t.Lookup(nGetAttribute)
	var r Value
	var e *Exception
	if get.ref.kind == KindBuiltin && get.builtin().wrapper {
		r, e = get.builtin().Owner.GetAttr(m, v, name)
	} else {
		r, e = m.callUnbound(get, v, name.Value())
	}
	if e == nil || !e.Is(&ExcAttributeError) {
		return r, e
	}
	hook, ok := t.Lookup(nGetAttr)
	if !ok {
		return Value{}, e
	}
	return m.callUnbound(hook, v, name.Value())
}

func slotSetAttr(m *Machine, v Value, name *Str, val Value) *Exception {
	if val.ref == nil {
		fn, _ := v.ref.typ.Lookup(nDelAttr)
		_, e := m.callUnbound(fn, v, name.Value())
		return e
	}
	fn, _ := v.ref.typ.Lookup(nSetAttr)
	_, e := m.callUnbound(fn, v, name.Value(), val)
	return e
}

func slotDescrGet(m *Machine, d, obj Value, owner *Type) (Value, *Exception) {
	if obj.ref == nil {
		obj = None
	}
	fn, ok := d.ref.typ.Lookup(nGet)
	if !ok {
		return d, nil
	}
	return m.callUnbound(fn, d, obj, owner.Value())
}

func slotDescrSet(m *Machine, d, obj, val Value) *Exception {
	var e *Exception
	if val.ref == nil {
		_, e = m.descrCall(d, nDelete, obj)
	} else {
		_, e = m.descrCall(d, nSet, obj, val)
	}
	return e
}

func (m *Machine) descrCall(d Value, name *Str, args ...Value) (Value, *Exception) {
	fn, ok := d.ref.typ.Lookup(name)
	if !ok {
		return Value{}, m.AttributeError(d, name, "%s", name.s)
	}
	return m.callUnbound(fn, d, args...)
}

func slotCompare(m *Machine, op CompareOp, a, b Value) (Value, *Exception) {
	fn, ok := a.ref.typ.Lookup(compareNames[op])
	if !ok {
		return NotImplemented, nil
	}
	if fn.ref.kind != KindFunction && fn.ref.kind != KindBuiltin {
		if fn.ref.typ.binds && m.bindable() == nil {
			args := [1]Value{b}
			return m.callBinding(fn, a, args[:], nil)
		}
		bound, e := m.bind(fn, a, a.ref.typ)
		if e != nil {
			if e.Fatal != NotFatal {
				return Value{}, e
			}
			return NotImplemented, nil // a method that cannot be had is none
		}
		return m.Call1(bound, b)
	}
	return m.callUnbound(fn, a, b)
}

// slotOperator is a binary operator of a class that defines it in Python: the
// left operand's method first, unless the right one's type is a subclass that
// provides another reflected method.
func slotOperator(m *Machine, plain, swapped *Str, a, b Value) (Value, *Exception) {
	ta, tb := a.ref.typ, b.ref.typ
	other := ta != tb && !tb.Static()
	if !ta.Static() {
		if other && tb.IsSubtype(ta) {
			mine, _ := ta.Lookup(swapped)
			theirs, ok := tb.Lookup(swapped)
			if ok && theirs != mine {
				r, e := m.callUnbound(theirs, b, a)
				if e != nil || !r.IsNotImplemented() {
					return r, e
				}
				other = false
			}
		}
		if fn, ok := ta.Lookup(plain); ok {
			r, e := m.callUnbound(fn, a, b)
			if e != nil || !r.IsNotImplemented() {
				return r, e
			}
		}
	}
	if other {
		if fn, ok := tb.Lookup(swapped); ok {
			return m.callUnbound(fn, b, a)
		}
	}
	return NotImplemented, nil
}

func slotGetItem(m *Machine, v, key Value) (Value, *Exception) {
	return m.callSpecial(v, nGetItem, key)
}

func slotLen(m *Machine, v Value) (int, *Exception) {
	r, e := m.callSpecial(v, nLen)
	if e != nil {
		return 0, e
	}
	i, e := m.Index(r)
	if e != nil {
		return 0, e
	}
	if !i.IsInt() && i.big().i.Sign() > 0 {
		return 0, m.OverflowError("cannot fit 'int' into an index-sized integer")
	}
	if !i.IsInt() || i.Int64() < 0 {
		return 0, m.ValueError("__len__() should return >= 0")
	}
	return clipIndex(i.Int64()), nil
}

func slotBool(m *Machine, v Value) (bool, *Exception) {
	r, e := m.callSpecial(v, nBool)
	if e != nil {
		return false, e
	}
	if !r.IsBool() {
		return false, m.TypeError("__bool__ should return bool, returned %s", r.ref.typ.Name)
	}
	return r.bits != 0, nil
}

func slotContains(m *Machine, v, item Value) (bool, *Exception) {
	fn, ok := v.ref.typ.Lookup(nContains)
	if !ok {
		return m.containsByIteration(v, item)
	}
	if fn.IsNone() {
		return false, m.TypeError("'%s' object is not a container", v.ref.typ.Name)
	}
	r, e := m.callUnbound(fn, v, item)
	if e != nil {
		return false, e
	}
	return m.Truth(r)
}

func slotSetItem(m *Machine, v, key, val Value) *Exception {
	var e *Exception
	if val.ref == nil {
		_, e = m.callSpecial(v, nDelItem, key)
	} else {
		_, e = m.callSpecial(v, nSetItem, key, val)
	}
	return e
}
