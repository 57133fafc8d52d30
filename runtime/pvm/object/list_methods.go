package object

func listMethods() []Method {
	return []Method{
		{Name: "append", Sig: "object, /", Func: func(m *Machine, a Args) (Value, *Exception) {
			if e := m.Charge(2); e != nil {
				return Value{}, e
			}
			a.V[0].list().Append(m, a.V[1])
			return None, nil
		}},
		{Name: "extend", Sig: "iterable, /", Func: func(m *Machine, a Args) (Value, *Exception) {
			return None, a.V[0].list().extendFrom(m, a.V[1])
		}},
		{Name: "insert", Sig: "index, object, /", Func: func(m *Machine, a Args) (Value, *Exception) {
			l := a.V[0].list()
			at, e := m.IndexInt(a.V[1], nil)
			if e != nil {
				return Value{}, e
			}
			if at < 0 {
				at = max(at+len(l.items), 0)
			}
			at = min(at, len(l.items))
			return None, l.splice(m, at, at, a.V[2:3])
		}},
		{Name: "pop", Sig: "index=-1, /", Func: listPop},
		{Name: "remove", Sig: "value, /", Func: func(m *Machine, a Args) (Value, *Exception) {
			l := a.V[0].list()
			i, e := m.indexOf(func() []Value { return l.items }, a.V[1], 0, maxIndex)
			if e != nil {
				return Value{}, e
			}
			if i < 0 || i >= len(l.items) {
				return Value{}, m.ValueError("list.remove(x): x not in list")
			}
			return None, l.removeRange(m, i, i+1)
		}},
		{Name: "clear", Func: func(m *Machine, a Args) (Value, *Exception) {
			a.V[0].list().items = nil
			return None, nil
		}},
		{Name: "copy", Func: func(m *Machine, a Args) (Value, *Exception) {
			out, e := m.copyOut(a.V[0].list().items)
			if e != nil {
				return Value{}, e
			}
			return m.NewList(out).Value(), nil
		}},
		{Name: "index", Sig: "value, start=0, stop=9223372036854775807, /", Func: func(m *Machine, a Args) (Value, *Exception) {
			l := a.V[0].list()
			lo, hi, e := m.indexBounds(a.Arg(2), a.Arg(3), len(l.items))
			if e != nil {
				return Value{}, e
			}
			i, e := m.indexOf(func() []Value { return l.items }, a.V[1], lo, hi)
			if e != nil {
				return Value{}, e
			}
			if i < 0 {
				r, e := m.reprText(a.V[1])
				if e != nil {
					return Value{}, e
				}
				return Value{}, m.ValueError("%s is not in list", r)
			}
			return Int(int64(i)), nil
		}},
		{Name: "count", Sig: "value, /", Func: func(m *Machine, a Args) (Value, *Exception) {
			return m.countEqual(func() []Value { return a.V[0].list().items }, a.V[1])
		}},
		{Name: "reverse", Func: func(m *Machine, a Args) (Value, *Exception) {
			items := a.V[0].list().items
			if e := m.ChargeLen(0, len(items), 4); e != nil {
				return Value{}, e
			}
			for i, j := 0, len(items)-1; i < j; i, j = i+1, j-1 {
				items[i], items[j] = items[j], items[i]
			}
			return None, nil
		}},
		{Name: "sort", Sig: "*, key=None, reverse=False", Func: listSort},
		{Name: "__reversed__", Func: func(m *Machine, a Args) (Value, *Exception) { return m.newListReverseIter(a.V[0]), nil }},
		classGetItem(),
	}
}

func listPop(m *Machine, a Args) (Value, *Exception) {
	l := a.V[0].list()
	if e := m.Charge(2); e != nil {
		return Value{}, e
	}
	n := len(l.items)
	if len(a.V) == 1 {
		if n == 0 {
			return Value{}, m.IndexError("pop from empty list")
		}
		v := l.items[n-1]
		l.items[n-1] = Value{}
		l.items = l.items[:n-1]
		return v, nil
	}
	i, e := m.IndexInt(a.V[1], nil)
	if e != nil {
		return Value{}, e
	}
	n = len(l.items) // which __index__ may have changed
	if n == 0 {
		return Value{}, m.IndexError("pop from empty list")
	}
	if i < 0 {
		i += n
	}
	if i < 0 || i >= n {
		return Value{}, m.IndexError("pop index out of range")
	}
	v := l.items[i]
	return v, l.removeRange(m, i, i+1)
}

func listSort(m *Machine, a Args) (Value, *Exception) {
	l := a.V[0].list()
	reverse := false
	if r := a.Arg(2); r.ref != nil {
		i, e := m.Index(r)
		if e != nil {
			return Value{}, e
		}
		reverse = i != Int(0)
	}
	items := l.items
	l.items = nil
	pins := len(m.pins)
	for _, v := range items {
		if v.ref.kind >= KindSlice {
			m.Pin(m.NewTuple(items).Value())
			break
		}
	}
	e := m.Sort(items, noneAsZero(a.Arg(1)), reverse)
	m.Unpin(pins)
	changed := l.items != nil
	l.items = items
	if e == nil && changed {
		e = m.ValueError("list modified during sort")
	}
	return None, e
}
