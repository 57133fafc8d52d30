package object

func setMethods() []Method {
	fold := func(name string, op Operator) Method {
		return Method{Name: name, Sig: "*others", Func: func(m *Machine, a Args) (Value, *Exception) {
			t := nativeType(a.V[0].ref.typ)
			r := m.NewSet(t)
			if e := m.addAll(r, a.V[0]); e != nil {
				return Value{}, e
			}
			m.meter.Owe(4 * eachCost * len(a.V))
			for _, src := range a.V[1:] {
				y, e := m.asSetArg(src)
				if e != nil {
					return Value{}, e
				}
				v, e := m.setOp(op, t, r, y)
				if e != nil {
					return Value{}, e
				}
				r = v.set()
			}
			return r.Value(), nil
		}}
	}
	test := func(name string, op CompareOp) Method {
		return Method{Name: name, Sig: "other, /", Func: func(m *Machine, a Args) (Value, *Exception) {
			if _, ready := a.V[1].AsSet(); op == Ge && !ready {
				return m.holdsAll(a.V[0].set(), a.V[1])
			}
			y, e := m.asSetArg(a.V[1])
			if e != nil {
				return Value{}, e
			}
			return m.compareSets(op, a.V[0].set(), y)
		}}
	}
	sym := fold("symmetric_difference", Xor)
	sym.Sig = "other, /"
	return []Method{
		fold("union", Or), fold("intersection", And), fold("difference", Sub_), sym,
		test("issubset", Le), test("issuperset", Ge),
		{Name: "isdisjoint", Sig: "other, /", Func: func(m *Machine, a Args) (Value, *Exception) {
			disjoint := true
			e := m.Iterate(a.V[1], func(x Value) (bool, *Exception) {
				has, e := a.V[0].set().Has(m, x)
				disjoint = !has
				return !has, e
			})
			return Bool(disjoint), e
		}},
		{Name: "copy", Func: func(m *Machine, a Args) (Value, *Exception) {
			if a.V[0].ref.kind == KindFrozenSet {
				return a.V[0], nil
			}
			r, e := m.setFrom(nativeType(a.V[0].ref.typ), a.V[0])
			return r.Value(), e
		}},
		classGetItem(),
	}
}

// holdsAll says whether all values of an iterable are in a set; it looks no further
// than the first that is not.
func (m *Machine) holdsAll(s *Set, src Value) (Value, *Exception) {
	all := true
	e := m.Iterate(src, func(x Value) (more bool, e *Exception) {
		all, e = s.Has(m, x)
		return all, e
	})
	return Bool(all), e
}

func mutableSetMethods() []Method {
	update := func(name string, op Operator) Method {
		return Method{Name: name, Sig: "*others", Func: func(m *Machine, a Args) (Value, *Exception) {
			if op == And { // all others are read before the set changes
				for i := 1; i < len(a.V); i++ {
					if a.V[i].ref.typ.Slots.Iter == nil && a.V[i].ref.typ.Slots.GetItem == nil {
						_, e := m.Iter(a.V[i])
						return Value{}, e
					}
				}
			}
			m.meter.Owe(eachCost * len(a.V))
			for _, src := range a.V[1:] {
				_, ready := src.AsSet()
				if op == Or || op == Sub_ && !ready { // value by value
					all := m.addAll
					if op == Sub_ {
						all = m.removeAll
					}
					if e := all(a.V[0].set(), src); e != nil {
						return Value{}, e
					}
					continue
				}
				y, e := m.asSetArg(src)
				if e != nil {
					return Value{}, e
				}
				if e := m.setUpdate(op, a.V[0].set(), y); e != nil {
					return Value{}, e
				}
			}
			return None, nil
		}}
	}
	sym := update("symmetric_difference_update", Xor)
	sym.Sig = "other, /"
	return []Method{
		{Name: "add", Sig: "object, /", Func: func(m *Machine, a Args) (Value, *Exception) {
			if e := m.Charge(3); e != nil {
				return Value{}, e
			}
			_, e := a.V[0].set().Add(m, a.V[1])
			return None, e
		}},
		{Name: "discard", Sig: "object, /", Func: func(m *Machine, a Args) (Value, *Exception) {
			k, e := m.setKey(a.V[1])
			if e != nil {
				return Value{}, e
			}
			_, e = a.V[0].set().Discard(m, k)
			return None, e
		}},
		{Name: "remove", Sig: "object, /", Func: func(m *Machine, a Args) (Value, *Exception) {
			k, e := m.setKey(a.V[1])
			if e != nil {
				return Value{}, e
			}
			ok, e := a.V[0].set().Discard(m, k)
			if e == nil && !ok {
				e = m.KeyError(a.V[1])
			}
			return None, e
		}},
		{Name: "pop", Func: func(m *Machine, a Args) (Value, *Exception) {
			d := &a.V[0].set().d
			i := d.next(0)
			if i < 0 {
				return Value{}, m.KeyError(m.Str("pop from an empty set"))
			}
			if e := m.Charge(3); e != nil {
				return Value{}, e
			}
			v := d.entries[i].key
			d.remove(i)
			return v, nil
		}},
		{Name: "clear", Func: func(m *Machine, a Args) (Value, *Exception) {
			a.V[0].set().d.Clear()
			return None, nil
		}},
		update("update", Or), update("intersection_update", And), update("difference_update", Sub_), sym,
	}
}
