package object

import "strings"

// BinaryOp returns a op b.
func (m *Machine) BinaryOp(op Operator, a, b Value) (Value, *Exception) {
	r, e := m.tryBinary(op, a, b)
	if e != nil || !r.IsNotImplemented() {
		return r, e
	}
	return Value{}, m.operandError(op, a, b, "")
}

// tryBinary asks the slots of both operands, that of a subclass first. Two
// classes of the program share one slot, which asks both sides by itself.
func (m *Machine) tryBinary(op Operator, a, b Value) (Value, *Exception) {
	ta, tb := a.ref.typ, b.ref.typ
	fa, fb := ta.Slots.Binary[op], tb.Slots.Binary[op]
	if ta == tb || fb != nil && ta.inPython&tb.inPython>>op&1 == 1 {
		fb = nil
	}
	if fa != nil {
		if fb != nil && tb.IsSubtype(ta) {
			r, e := fb(m, a, b)
			if e != nil || !r.IsNotImplemented() {
				return r, e
			}
			fb = nil
		}
		r, e := fa(m, a, b)
		if e != nil || !r.IsNotImplemented() {
			return r, e
		}
	}
	if fb != nil {
		return fb(m, a, b)
	}
	return NotImplemented, nil
}

// InPlaceOp returns the new value of a after a op= b.
func (m *Machine) InPlaceOp(op Operator, a, b Value) (Value, *Exception) {
	if f := a.ref.typ.Slots.InPlace[op]; f != nil {
		r, e := f(m, a, b)
		if e != nil || !r.IsNotImplemented() {
			return r, e
		}
	}
	r, e := m.tryBinary(op, a, b)
	if e != nil || !r.IsNotImplemented() {
		return r, e
	}
	return Value{}, m.operandError(op, a, b, "=")
}

func (m *Machine) operandError(op Operator, a, b Value, in string) *Exception {
	ka := a.ref.kind &^ Sub
	if op == Add {
		switch ka {
		case KindStr, KindList, KindTuple:
			return m.TypeError("can only concatenate %s (not \"%s\") to %s", nativeType(a.ref.typ).Name, b.ref.typ.Name, nativeType(a.ref.typ).Name)
		case KindNative:
			if joins(a) {
				name := nativeType(a.ref.typ).ShortName()
				return m.TypeError("can only concatenate %s (not \"%s\") to %s", name, b.ref.typ.Name, name)
			}
		case KindBytes, KindByteArray:
			return m.TypeError("can't concat %s to %s", b.ref.typ.Name, a.ref.typ.Name)
		}
	}
	if op == Mul {
		if joins(a) {
			return m.TypeError("can't multiply sequence by non-int of type '%s'", b.ref.typ.Name)
		}
		if joins(b) {
			return m.TypeError("can't multiply sequence by non-int of type '%s'", a.ref.typ.Name)
		}
	}
	sign := operatorSigns[op]
	if in != "" {
		sign, _, _ = strings.Cut(sign, " ")
		sign += in
	}
	if op == RShift && a.ref.kind == KindBuiltin && a.builtin().Name == "print" {
		return m.TypeError("unsupported operand type(s) for %s: '%s' and '%s'. Did you mean \"print(<message>, file=<output_stream>)\"?", sign, a.ref.typ.Name,
			b.ref.typ.Name)
	}
	return m.TypeError("unsupported operand type(s) for %s: '%s' and '%s'", sign, a.ref.typ.Name, b.ref.typ.Name)
}

// joins says whether v is a sequence that + joins and * repeats.
func joins(v Value) bool {
	k := v.ref.kind &^ Sub
	return isSequenceKind(k) || k == KindNative && v.ref.typ.pattern == 1 && nativeType(v.ref.typ).Binary[Add] != nil
}

func isSequenceKind(k Kind) bool {
	return k == KindStr || k == KindList || k == KindTuple || k == KindBytes || k == KindByteArray
}

// Negate, Plus and Invert are the unary operators.

// Negate returns -v.
func (m *Machine) Negate(v Value) (Value, *Exception) {
	return m.unaryOp(v, v.ref.typ.Slots.Neg, "-")
}

// Plus returns +v.
func (m *Machine) Plus(v Value) (Value, *Exception) { return m.unaryOp(v, v.ref.typ.Slots.Pos, "+") }

// InvertBits returns ~v.
func (m *Machine) InvertBits(v Value) (Value, *Exception) {
	return m.unaryOp(v, v.ref.typ.Slots.Invert, "~")
}

func (m *Machine) unaryOp(v Value, f Unary, sign string) (Value, *Exception) {
	if f == nil {
		return Value{}, m.TypeError("bad operand type for unary %s: '%s'", sign, v.ref.typ.Name)
	}
	return f(m, v)
}

// Truth returns bool(v).
func (m *Machine) Truth(v Value) (bool, *Exception) {
	switch v.ref.kind {
	case KindBool, KindInt:
		return v.bits != 0, nil
	case KindNone:
		return false, nil
	case KindFloat:
		return v.bits<<1 != 0, nil
	case KindStr:
		return v.str().n > 0, nil
	case KindList:
		return len(v.list().items) > 0, nil
	case KindTuple:
		return len(v.tuple().items) > 0, nil
	case KindDict:
		return v.dict().used > 0, nil
	}
	t := v.ref.typ
	if t.Slots.Bool != nil {
		return t.Slots.Bool(m, v)
	}
	if t.Slots.Len != nil {
		n, e := t.Slots.Len(m, v)
		return n > 0, e
	}
	return true, nil
}

// Len returns len(v).
func (m *Machine) Len(v Value) (int, *Exception) {
	switch v.ref.kind {
	case KindList:
		return len(v.list().items), nil
	case KindStr:
		return v.str().n, nil
	case KindDict:
		return v.dict().used, nil
	case KindTuple:
		return len(v.tuple().items), nil
	}
	if f := v.ref.typ.Slots.Len; f != nil {
		return f(m, v)
	}
	return 0, m.TypeError("object of type '%s' has no len()", v.ref.typ.Name)
}

// GetItem returns v[key].
func (m *Machine) GetItem(v, key Value) (Value, *Exception) {
	if f := v.ref.typ.Slots.GetItem; f != nil {
		return f(m, v, key)
	}
	if t, ok := v.AsType(); ok {
		return m.subscriptClass(t, key)
	}
	return Value{}, m.TypeError("'%s' object is not subscriptable", v.ref.typ.Name)
}

// subscriptClass is C[key] for a class.
func (m *Machine) subscriptClass(t *Type, key Value) (Value, *Exception) {
	if t == &TypeType {
		return m.newAlias(t.Value(), key), nil
	}
	hook, e := m.LookupAttr(t.Value(), nClassGetItem)
	if e != nil {
		return Value{}, e
	}
	if hook.ref == nil || hook.IsNone() {
		return Value{}, m.TypeError("type '%s' is not subscriptable", t.Name)
	}
	return m.Call(hook, Positional(key))
}

// SetItem performs v[key] = val.
func (m *Machine) SetItem(v, key, val Value) *Exception {
	if f := v.ref.typ.Slots.SetItem; f != nil {
		return f(m, v, key, val)
	}
	return m.TypeError("'%s' object does not support item assignment", v.ref.typ.Name)
}

// DelItem performs del v[key].
func (m *Machine) DelItem(v, key Value) *Exception {
	if f := v.ref.typ.Slots.SetItem; f != nil {
		return f(m, v, key, Value{})
	}
	verb := "doesn't" // CPython's word for types with a table of sequence slots
	if t := v.ref.typ; t.Static() && t.Slots.Len == nil && t.Slots.Contains == nil {
		verb = "does not"
	}
	return m.TypeError("'%s' object %s support item deletion", v.ref.typ.Name, verb)
}

// Contains answers item in v.
func (m *Machine) Contains(v, item Value) (bool, *Exception) {
	if f := v.ref.typ.Slots.Contains; f != nil {
		return f(m, v, item)
	}
	return m.containsByIteration(v, item)
}

func (m *Machine) containsByIteration(v, item Value) (bool, *Exception) {
	if v.ref.typ.Slots.Iter == nil && v.ref.typ.Slots.GetItem == nil {
		return false, m.TypeError("argument of type '%s' is not iterable", v.ref.typ.Name)
	}
	m.meter.Owe(2 * loopIteratorCost)
	it, e := m.Iter(v)
	if e != nil {
		if e.Is(&ExcTypeError) {
			e = m.TypeError("argument of type '%s' is not iterable", v.ref.typ.Name)
		}
		return false, e
	}
	found := false
	e = m.exhaust(it, func(x Value) (bool, *Exception) {
		same, e := m.Same(x, item)
		found = same
		return !same, e
	})
	return found, e
}

// Index returns the int v stands for as an index: v itself if it is an int,
// else v.__index__().
func (m *Machine) Index(v Value) (Value, *Exception) {
	if i, ok := asInt(v); ok {
		return i, nil
	}
	f := v.ref.typ.Slots.ToIndex
	if f == nil {
		return Value{}, m.TypeError("'%s' object cannot be interpreted as an integer", v.ref.typ.Name)
	}
	r, e := f(m, v)
	if e != nil {
		return Value{}, e
	}
	i, ok := asInt(r)
	if !ok {
		return Value{}, m.TypeError("__index__ returned non-int (type %s)", r.ref.typ.Name)
	}
	return i, nil
}

// clippedInt is IndexInt that clips what does not fit 64 bits too.
func (m *Machine) clippedInt(v Value) (int, *Exception) {
	i, e := m.Index(v)
	switch {
	case e != nil:
		return 0, e
	case i.IsInt():
		return clipIndex(i.Int64()), nil
	case i.big().i.Sign() < 0:
		return -maxIndex, nil
	}
	return maxIndex, nil
}

// IndexInt is Index for results that must fit 64 bits; others raise exc, or
// the OverflowError of argument parsers if it is nil. Beyond ±maxIndex the result is clipped.
func (m *Machine) IndexInt(v Value, exc *Type) (int, *Exception) {
	i, e := m.IndexInt64(v, exc)
	return clipIndex(i), e
}

// IndexInt64 is IndexInt without clipping, for what a program sees again.
func (m *Machine) IndexInt64(v Value, exc *Type) (int64, *Exception) {
	if v.IsInt() {
		return v.Int64(), nil
	}
	i, e := m.Index(v)
	if e != nil {
		return 0, e
	}
	if i.IsInt() {
		return i.Int64(), nil
	}
	if exc == nil {
		return 0, m.OverflowError("Python int too large to convert to C ssize_t")
	}
	return 0, m.Raise(exc, "cannot fit '%s' into an index-sized integer", v.ref.typ.Name)
}
