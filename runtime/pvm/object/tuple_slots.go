package object

import "math/big"

func defineTuple() {
	Define(&TypeTuple, Spec{
		Name: "tuple", Layout: LayoutOf[Tuple](KindTuple), Relocate: relocateTuple, Sequence: true, MatchSelf: true,
		Slots: Slots{
			New: tupleNew,
			Repr: func(m *Machine, v Value) (Value, *Exception) {
				end := ")"
				if len(v.tuple().items) == 1 {
					end = ",)"
				}
				return m.reprItems(v, "(", end, func() []Value { return v.tuple().items })
			},
			Hash: tupleHashOf,
			Compare: func(m *Machine, op CompareOp, a, b Value) (Value, *Exception) {
				x, ok := a.AsTuple()
				if !ok {
					return NotImplemented, nil
				}
				y, ok := b.AsTuple()
				if !ok {
					return NotImplemented, nil
				}
				return m.compareTuples(op, x, y)
			},
			Len:     func(m *Machine, v Value) (int, *Exception) { return len(v.tuple().items), nil },
			GetItem: tupleGetItem,
			Contains: func(m *Machine, v, item Value) (bool, *Exception) {
				i, e := m.indexOf(func() []Value { return v.tuple().items }, item, 0, maxIndex)
				return i >= 0, e
			},
			Iter:   func(m *Machine, v Value) (Value, *Exception) { return m.newTupleIter(v), nil },
			Binary: [numOperators]Binary{Add: tupleConcat, Mul: tupleRepeat},
		},
		Methods: tupleMethods(),
	})
	Define(&TypeSlice, Spec{
		Name: "slice", Layout: LayoutOf[Slice](KindSlice), Relocate: relocateSlice, Final: true,
		Slots: Slots{
			New: sliceNew,
			Repr: func(m *Machine, v Value) (Value, *Exception) {
				s := v.slice()
				r, e := m.reprText(m.Tuple(s.Start, s.Stop, s.Step))
				return m.shown("slice" + r), e
			},
			Compare: func(m *Machine, op CompareOp, a, b Value) (Value, *Exception) {
				if b.ref.kind != KindSlice {
					return NotImplemented, nil
				}
				x, y := a.slice(), b.slice()
				m.meter.Owe(m.costs.Display)
				return m.Compare(op, m.Tuple(x.Start, x.Stop, x.Step), m.Tuple(y.Start, y.Stop, y.Step))
			},
		},
		Fields: []Field{
			{Name: "start", Member: true, Get: func(m *Machine, v Value) (Value, *Exception) { return v.slice().Start, nil }},
			{Name: "stop", Member: true, Get: func(m *Machine, v Value) (Value, *Exception) { return v.slice().Stop, nil }},
			{Name: "step", Member: true, Get: func(m *Machine, v Value) (Value, *Exception) { return v.slice().Step, nil }},
		},
		Methods: []Method{{Name: "indices", Sig: "len, /", Func: sliceIndices}},
	})
}

// sliceIndices is slice.indices, for lengths and bounds of any size.
func sliceIndices(m *Machine, a Args) (Value, *Exception) {
	n, e := m.Index(a.V[1])
	if e != nil {
		return Value{}, e
	}
	size := n.BigInt()
	if size.Sign() < 0 {
		return Value{}, m.ValueError("length should not be negative")
	}
	s := a.V[0].slice()
	step, e := m.slicePart(s.Step)
	if e != nil {
		return Value{}, e
	}
	if step == nil {
		step = big.NewInt(1)
	}
	if step.Sign() == 0 {
		return Value{}, m.ValueError("slice step cannot be zero")
	}
	lower, upper := new(big.Int), size
	if step.Sign() < 0 {
		lower, upper = big.NewInt(-1), new(big.Int).Sub(size, big.NewInt(1))
	}
	clip := func(v Value, def *big.Int) (Value, *Exception) {
		i, e := m.slicePart(v)
		if e != nil {
			return Value{}, e
		}
		switch {
		case i == nil:
			i = def
		case i.Sign() < 0:
			if i = new(big.Int).Add(i, size); i.Cmp(lower) < 0 {
				i = lower
			}
		case i.Cmp(upper) > 0:
			i = upper
		}
		return m.IntOf(i)
	}
	first, last := lower, upper
	if step.Sign() < 0 {
		first, last = upper, lower
	}
	start, e := clip(s.Start, first)
	if e != nil {
		return Value{}, e
	}
	stop, e := clip(s.Stop, last)
	if e != nil {
		return Value{}, e
	}
	st, e := m.IntOf(step)
	return m.Tuple(start, stop, st), e
}

// slicePart converts a part of a slice; nil stands for None.
func (m *Machine) slicePart(v Value) (*big.Int, *Exception) {
	if v.IsNone() {
		return nil, nil
	}
	if v.ref.typ.Slots.ToIndex == nil {
		return nil, m.TypeError("slice indices must be integers or None or have an __index__ method")
	}
	i, e := m.Index(v)
	if e != nil {
		return nil, e
	}
	return i.BigInt(), nil
}

func sliceNew(m *Machine, t *Type, a Args) (Value, *Exception) {
	if len(a.Names) > 0 {
		return Value{}, m.TypeError("slice() takes no keyword arguments")
	}
	switch len(a.V) {
	case 1:
		return m.NewSlice(None, a.V[0], None), nil
	case 2:
		return m.NewSlice(a.V[0], a.V[1], None), nil
	case 3:
		return m.NewSlice(a.V[0], a.V[1], a.V[2]), nil
	case 0:
		return Value{}, m.TypeError("slice expected at least 1 argument, got 0")
	}
	return Value{}, m.TypeError("slice expected at most 3 arguments, got %d", len(a.V))
}

func tupleNew(m *Machine, t *Type, a Args) (Value, *Exception) {
	if e := m.refuseKeywords(t, a, nInit); e != nil {
		return Value{}, e
	}
	a = Args{V: a.Pos()}
	if len(a.V) > 1 {
		return Value{}, m.TypeError("tuple expected at most 1 argument, got %d", len(a.V))
	}
	var items []Value
	if len(a.V) == 1 {
		if t == &TypeTuple && a.V[0].ref.kind == KindTuple {
			return a.V[0], nil
		}
		if e := m.chargeMade(m.costs.Display, 1); e != nil {
			return Value{}, e
		}
		l := m.NewList(nil)
		if e := l.extendFrom(m, a.V[0]); e != nil {
			return Value{}, e
		}
		items = l.items
	}
	if t == &TypeTuple {
		return m.ownTuple(items).Value(), nil
	}
	o := Alloc[Tuple](m, t, len(items)*valueSize)
	o.items = items
	return o.Value(), nil
}

func tupleHashOf(m *Machine, v Value) (int64, *Exception) {
	t := v.tuple()
	if t.hash != 0 {
		return t.hash, nil
	}
	h, e := m.HashItems(t.items)
	if e == nil && t.flags&flagStatic == 0 {
		t.hash = h
	}
	return h, e
}

// itemsHashCost is the price of a hash of several values, beside one for each and those of the values.
const itemsHashCost = 2

// HashItems is the hash of a tuple of these elements.
func (m *Machine) HashItems(items []Value) (int64, *Exception) {
	if e := m.Enter(); e != nil {
		return 0, e
	}
	e := m.Charge(itemsHashCost + len(items))
	acc := newTupleHash()
	for i := 0; i < len(items) && e == nil; i++ {
		var h int64
		if h, e = m.Hash(items[i]); e == nil {
			acc.add(h)
		}
	}
	m.Leave()
	if e != nil {
		return 0, e
	}
	return acc.sum(), nil
}

func tupleGetItem(m *Machine, v, key Value) (Value, *Exception) {
	t := v.tuple()
	if s, ok := key.AsSlice(); ok {
		start, _, step, n, e := s.Indices(m, len(t.items))
		if e != nil {
			return Value{}, e
		}
		return m.tupleSlice(v, start, step, n)
	}
	i, e := m.sequenceIndex(key, len(t.items), "tuple")
	if e != nil {
		return Value{}, e
	}
	return t.items[i], nil
}

// tupleSlice returns a tuple of n elements start, start+step, … of the tuple v.
func (m *Machine) tupleSlice(v Value, start, step, n int) (Value, *Exception) {
	t := v.tuple()
	if n == len(t.items) && step == 1 && t.typ == &TypeTuple {
		return v, nil
	}
	m.meter.Owe(m.costs.Operand)
	if e := m.copyRoom(n); e != nil {
		return Value{}, e
	}
	out := m.room(n)
	pick(out.items, t.items, start, step)
	return out.Value(), nil
}

func tupleConcat(m *Machine, a, b Value) (Value, *Exception) {
	x, ok := a.AsTuple()
	if !ok {
		return NotImplemented, nil
	}
	y, ok := b.AsTuple()
	if !ok {
		return NotImplemented, nil
	}
	if len(y.items) == 0 && a.ref.kind == KindTuple {
		return a, nil
	}
	if len(x.items) == 0 && b.ref.kind == KindTuple {
		return b, nil
	}
	m.meter.Owe(m.costs.Display + m.costs.Operand)
	n := len(x.items) + len(y.items)
	if e := m.joinRoom(n); e != nil {
		return Value{}, e
	}
	t := m.room(n)
	copy(t.items[copy(t.items, x.items):], y.items)
	return t.Value(), nil
}

func tupleRepeat(m *Machine, a, b Value) (Value, *Exception) {
	t, ok := a.AsTuple()
	if !ok {
		if t, ok = b.AsTuple(); !ok {
			return NotImplemented, nil
		}
		b = a
	}
	n, ok, e := m.repeatCount(b, len(t.items))
	if !ok || e != nil {
		return NotImplemented, e
	}
	if n == 1 && t.typ == &TypeTuple {
		return t.Value(), nil
	}
	if e := m.joinRoom(len(t.items) * n); e != nil {
		return Value{}, e
	}
	out := m.room(len(t.items) * n)
	repeat(out.items, t.items)
	return out.Value(), nil
}

func tupleMethods() []Method {
	return []Method{
		{Name: "index", Sig: "value, start=0, stop=9223372036854775807, /", Func: func(m *Machine, a Args) (Value, *Exception) {
			t := a.V[0].tuple()
			lo, hi, e := m.indexBounds(a.Arg(2), a.Arg(3), len(t.items))
			if e != nil {
				return Value{}, e
			}
			i, e := m.indexOf(func() []Value { return t.items }, a.V[1], lo, hi)
			if e != nil {
				return Value{}, e
			}
			if i < 0 {
				return Value{}, m.ValueError("tuple.index(x): x not in tuple")
			}
			return Int(int64(i)), nil
		}},
		{Name: "count", Sig: "value, /", Func: func(m *Machine, a Args) (Value, *Exception) {
			return m.countEqual(func() []Value { return a.V[0].tuple().items }, a.V[1])
		}},
		{Name: "__getnewargs__", Func: func(m *Machine, a Args) (Value, *Exception) {
			return m.Tuple(m.NewTuple(a.V[0].tuple().items).Value()), nil
		}},
		classGetItem(),
	}
}

// classGetItem is the __class_getitem__ of generic native types.
func classGetItem() Method {
	return Method{Name: "__class_getitem__", Class: true, Sig: "item, /", Func: func(m *Machine, a Args) (Value, *Exception) {
		return m.newAlias(a.V[0], a.V[1]), nil
	}}
}

// indexBounds is bounds for sequences whose index method takes no None.
func (m *Machine) indexBounds(start, stop Value, n int) (lo, hi int, e *Exception) {
	for _, v := range []Value{start, stop} {
		if v.ref != nil && v.ref.typ.ToIndex == nil {
			return 0, 0, m.TypeError("slice indices must be integers or have an __index__ method")
		}
	}
	return m.bounds(start, stop, n)
}

// bounds converts the start and stop arguments of index methods.
func (m *Machine) bounds(start, stop Value, n int) (lo, hi int, e *Exception) {
	hi = maxIndex
	if start.ref != nil {
		if lo, e = m.sliceIndex(start); e != nil {
			return
		}
		if lo < 0 {
			lo = max(lo+n, 0)
		}
	}
	if stop.ref != nil {
		if hi, e = m.sliceIndex(stop); e != nil {
			return
		}
		if hi < 0 {
			hi = max(hi+n, 0)
		}
	}
	return
}

func (m *Machine) countEqual(items func() []Value, v Value) (Value, *Exception) {
	n := 0
	for i := 0; i < len(items()); i++ {
		if i&3 == 0 {
			if e := m.Charge(4); e != nil {
				return Value{}, e
			}
		}
		all := items()
		group := all[i:min(len(all), (i|3)+1)]
		known := differing(group, v)
		if i += known; known == len(group) {
			i--
			continue
		}
		same, e := m.Same(all[i], v)
		if e != nil {
			return Value{}, e
		}
		if same {
			n++
		}
	}
	return Int(int64(n)), nil
}
