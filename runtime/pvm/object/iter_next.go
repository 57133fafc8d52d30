package object

import "unsafe"

// Iter returns iter(v).
func (m *Machine) Iter(v Value) (Value, *Exception) {
	t := v.ref.typ
	if t.Slots.Iter != nil {
		r, e := t.Slots.Iter(m, v)
		if e != nil {
			if fn, ok := t.Lookup(nIter); ok && fn.IsNone() {
				return Value{}, m.TypeError("'%s' object is not iterable", t.Name)
			}
			return Value{}, e
		}
		if r.ref.typ.Slots.Next == nil {
			return Value{}, m.TypeError("iter() returned non-iterator of type '%s'", r.ref.typ.Name)
		}
		return r, nil
	}
	if t.Slots.GetItem != nil && v.ref.kind != KindDict && !t.Static() {
		return m.newSeqIter(v), nil
	}
	return Value{}, m.TypeError("'%s' object is not iterable", t.Name)
}

// Next returns the next value of an iterator, or the zero Value at its end.
func (m *Machine) Next(it Value) (Value, *Exception) {
	v, e := m.Step(it)
	return v, unlessStop(e)
}

// Step is Next but that an iterator which ends with a value, as a generator that
// returns one does, ends in StopIteration: what iterators made of others pass on.
func (m *Machine) Step(it Value) (Value, *Exception) {
	f := it.ref.typ.Slots.Next
	if f == nil {
		return Value{}, m.TypeError("'%s' object is not an iterator", it.ref.typ.Name)
	}
	if it.ref.kind == KindIterator || it.ref.kind == KindNative {
		return m.nextNative(it, f)
	}
	return f(m, it)
}

// nextNative is Step of an iterator in Go. Such iterators nest (a map of a map),
// so each level costs something and counts for the limit of recursion.
func (m *Machine) nextNative(it Value, f Unary) (Value, *Exception) {
	if e := m.Charge(nativeStep); e != nil {
		return Value{}, e
	}
	if m.natives >= m.inmost || m.natives+m.depth >= m.limit {
		if e := m.Enter(); e != nil {
			return Value{}, e
		}
	} else {
		m.natives++
	}
	var v Value
	var e *Exception
	switch it.ref.typ {
	case &TypeTupleIter, &TypeASCIIIter, &TypeListIter, &TypeBytesIter, &TypeByteArrayIter: // those of stepsAtOnce
		v = (*SeqIter)(unsafe.Pointer(it.ref)).step()
	case &TypeStrIter:
		v, e = (*SeqIter)(unsafe.Pointer(it.ref)).stepText(m)
	case &TypeSetIter, &TypeDictKeyIter, &TypeDictValueIter:
		if at := (*DictIter)(unsafe.Pointer(it.ref)).step(); at == nil {
			v, e = f(m, it)
		} else if v = at.key; it.ref.typ == &TypeDictValueIter {
			v = at.val
		}
	default:
		v, e = f(m, it)
	}
	m.natives--
	return v, e
}

// stepsAtOnce says whether Next of an iterator is step.
func stepsAtOnce(t *Type) bool {
	return t == &TypeTupleIter || t == &TypeASCIIIter || t == &TypeListIter || t == &TypeBytesIter || t == &TypeByteArrayIter
}

// step is Next of an iterator of a list, a tuple, bytes or an ASCII text.
func (it *SeqIter) step() Value {
	switch {
	case it.seq.ref == nil:
	case it.typ == &TypeTupleIter:
		if items := it.seq.tuple().items; it.at < len(items) {
			it.at++
			return items[it.at-1]
		}
		it.seq = Value{}
	case it.typ == &TypeListIter:
		if items := it.seq.list().items; it.at < len(items) {
			it.at++
			return items[it.at-1]
		}
		it.seq = Value{}
	case it.typ == &TypeBytesIter || it.typ == &TypeByteArrayIter:
		if b := bytesOf(it.seq); it.at < len(b) {
			it.at++
			return Int(int64(b[it.at-1]))
		}
		it.seq = Value{}
	default:
		if s := it.seq.str(); it.at < s.n {
			it.at++
			return latin1[s.s[it.at-1]].Value()
		}
		it.seq = Value{}
	}
	return Value{}
}

// stepText is Next of an iterator of a text.
func (it *SeqIter) stepText(m *Machine) (Value, *Exception) {
	if it.seq.ref == nil {
		return Value{}, nil
	}
	s := it.seq.str()
	if it.at >= s.n {
		it.seq = Value{}
		return Value{}, nil
	}
	if s.ASCII() {
		it.at++
		return latin1[s.s[it.at-1]].Value(), nil
	}
	if e := m.Charge(s.undecoded()); e != nil {
		it.seq = Value{}
		return Value{}, e
	}
	it.at++
	return m.char(s.Runes()[it.at-1]), nil
}

// iterCost is the price of one step of an iteration in native code, nativeStep
// what an iterator in Go adds to it.
const (
	iterCost   = 2
	nativeStep = 2
)

// Iterate calls fn for the values of an iterable until it returns false.
func (m *Machine) Iterate(v Value, fn func(x Value) (bool, *Exception)) *Exception {
	switch v.ref.kind {
	case KindList:
		l := v.list()
		for i := 0; i < len(l.items); i++ {
			if e := m.Charge(iterCost); e != nil {
				return e
			}
			if more, e := fn(l.items[i]); e != nil || !more {
				return e
			}
		}
		return nil
	case KindTuple:
		for _, x := range v.tuple().items {
			if e := m.Charge(iterCost); e != nil {
				return e
			}
			if more, e := fn(x); e != nil || !more {
				return e
			}
		}
		return nil
	}
	m.meter.Owe(loopIteratorCost)
	it, e := m.Iter(v)
	if e != nil {
		return e
	}
	return m.exhaust(it, fn)
}

// exhaust calls fn for the values an iterator still has until it returns false.
func (m *Machine) exhaust(it Value, fn func(x Value) (bool, *Exception)) *Exception {
	pins := len(m.pins)
	m.Pin(it)
	defer m.Unpin(pins)
	plain := stepsAtOnce(it.ref.typ)
	for {
		var x Value
		var e *Exception
		if plain && m.natives < m.inmost && m.natives+m.depth < m.limit { // what Next does, without asking what it is again
			if e = m.Charge(iterCost + nativeStep); e == nil {
				x = (*SeqIter)(unsafe.Pointer(it.ref)).step()
			}
		} else if e = m.Charge(iterCost); e == nil {
			x, e = m.Next(it)
		}
		if e != nil || x.ref == nil {
			return e
		}
		if more, e := fn(x); e != nil || !more {
			return e
		}
	}
}

// Collect returns the values of an iterable in a fresh slice.
func (m *Machine) Collect(v Value) ([]Value, *Exception) {
	switch v.ref.kind {
	case KindList:
		return m.copyOut(v.list().items)
	case KindTuple:
		return m.copyOut(v.tuple().items)
	}
	m.meter.Owe(loopIteratorCost)
	// A list that grows holds the values meanwhile, so that they are counted.
	l := m.NewList(nil)
	l.flags |= flagOutside
	pins := len(m.pins)
	m.Pin(l.Value())
	it, e := m.Iter(v)
	if e == nil {
		e = m.fits(it)
	}
	if e == nil {
		e = l.takeAll(m, it)
	}
	m.Unpin(pins)
	return l.items, e
}

// elements is Collect for a caller that does nothing with the values but read
// them before it runs anything else.
func (m *Machine) elements(v Value) ([]Value, *Exception) {
	if v.ref.kind != KindTuple {
		return m.Collect(v)
	}
	items := v.tuple().items
	if e := m.ChargeLen(0, len(items), 4); e != nil {
		return nil, e
	}
	return items, m.Reserve(len(items) * valueSize)
}

func (m *Machine) copyOut(items []Value) ([]Value, *Exception) {
	if e := m.ChargeLen(0, len(items), 4); e != nil {
		return nil, e
	}
	if e := m.Reserve(len(items) * valueSize); e != nil {
		return nil, e
	}
	out := make([]Value, len(items))
	copy(out, items)
	return out, nil
}

// Unpack returns exactly n values of an iterable.
func (m *Machine) Unpack(v Value, n int, out []Value) *Exception {
	switch v.ref.kind {
	case KindTuple:
		return m.unpackItems(v.tuple().items, n, out)
	case KindList:
		return m.unpackItems(v.list().items, n, out)
	}
	it, e := m.unpackIter(v)
	if e != nil {
		return e
	}
	for i := 0; i < n; i++ {
		x, e := m.Next(it)
		if e != nil {
			return e
		}
		if x.ref == nil {
			return m.ValueError("not enough values to unpack (expected %d, got %d)", n, i)
		}
		out[i] = x
	}
	x, e := m.Next(it)
	if e != nil {
		return e
	}
	if x.ref != nil {
		return m.ValueError("too many values to unpack (expected %d)", n)
	}
	return nil
}

func (m *Machine) unpackIter(v Value) (Value, *Exception) {
	if v.ref.typ.Slots.Iter == nil && v.ref.typ.Slots.GetItem == nil {
		return Value{}, m.TypeError("cannot unpack non-iterable %s object", v.ref.typ.Name)
	}
	return m.Iter(v)
}

func (m *Machine) unpackItems(items []Value, n int, out []Value) *Exception {
	if len(items) < n {
		return m.ValueError("not enough values to unpack (expected %d, got %d)", n, len(items))
	}
	if len(items) > n {
		return m.ValueError("too many values to unpack (expected %d)", n)
	}
	copy(out, items)
	return nil
}

// UnpackStar returns before values, a list of those between, and after values.
func (m *Machine) UnpackStar(v Value, before, after int, out []Value) *Exception {
	if v.ref.typ.Slots.Iter == nil && v.ref.typ.Slots.GetItem == nil {
		return m.TypeError("cannot unpack non-iterable %s object", v.ref.typ.Name)
	}
	items, e := m.Collect(v)
	if e != nil {
		return e
	}
	if len(items) < before+after {
		return m.ValueError("not enough values to unpack (expected at least %d, got %d)", before+after, len(items))
	}
	copy(out[:before], items[:before])
	rest := len(items) - after
	m.meter.Owe(len(items))
	middle := make([]Value, rest-before)
	copy(middle, items[before:rest])
	out[before] = m.NewList(middle).Value()
	copy(out[before+1:before+1+after], items[rest:])
	return nil
}
