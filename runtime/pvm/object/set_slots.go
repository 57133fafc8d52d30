package object

// The set types.
var (
	TypeSet       Type
	TypeFrozenSet Type
)

func defineSets() {
	for _, t := range []*Type{&TypeSet, &TypeFrozenSet} {
		name, kind := "set", KindSet
		if t == &TypeFrozenSet {
			name, kind = "frozenset", KindFrozenSet
		}
		s := Spec{
			Name: name, Layout: LayoutOf[Set](kind), Relocate: relocateSet, MatchSelf: true,
			Slots: Slots{
				Repr: setRepr, Compare: setCompare,
				Len: func(m *Machine, v Value) (int, *Exception) { return v.set().d.used, nil },
				Contains: func(m *Machine, v, x Value) (bool, *Exception) {
					k, e := m.setKey(x)
					if e != nil {
						return false, e
					}
					return v.set().Has(m, k)
				},
				Iter: func(m *Machine, v Value) (Value, *Exception) {
					return m.newDictIter(&TypeSetIter, v, &v.set().d, false), nil
				},
			},
			Methods: setMethods(),
		}
		for _, op := range []Operator{And, Or, Xor, Sub_} {
			s.Slots.Binary[op] = func(m *Machine, a, b Value) (Value, *Exception) {
				x, ok := a.AsSet()
				if !ok {
					return NotImplemented, nil
				}
				y, ok := b.AsSet()
				if !ok {
					return NotImplemented, nil
				}
				return m.setOp(op, nativeType(x.typ), x, y)
			}
		}
		if t == &TypeSet {
			s.Slots.New = func(m *Machine, t *Type, a Args) (Value, *Exception) { return m.NewSet(t).Value(), nil }
			s.Slots.Init = setInit
			s.Methods = append(s.Methods, mutableSetMethods()...)
			for _, op := range []Operator{And, Or, Xor, Sub_} {
				s.Slots.InPlace[op] = func(m *Machine, a, b Value) (Value, *Exception) {
					y, ok := b.AsSet()
					if !ok {
						return NotImplemented, nil
					}
					return a, m.setUpdate(op, a.set(), y)
				}
			}
		} else {
			s.Slots.New, s.Slots.Hash = frozenSetNew, frozenSetHash
		}
		Define(t, s)
	}
}

// setKey turns a set, which cannot be hashed, into a frozenset for look-up.
func (m *Machine) setKey(x Value) (Value, *Exception) {
	if x.ref.kind&^Sub != KindSet {
		return x, nil
	}
	if x.ref.kind != KindSet {
		_, e := m.Hash(x)
		if e == nil || !e.Is(&ExcTypeError) {
			return x, e
		}
	}
	s := m.NewSet(&TypeFrozenSet)
	s.copyFrom(m, x.set())
	return s.Value(), m.Charge(x.set().d.used)
}

func setInit(m *Machine, v Value, a Args) *Exception {
	if len(a.Names) > 0 {
		return m.TypeError("set() takes no keyword arguments")
	}
	if len(a.V) > 1 {
		return m.TypeError("set expected at most 1 argument, got %d", len(a.V))
	}
	s := v.set()
	s.d.Clear()
	if len(a.V) == 0 {
		return nil
	}
	return m.addAll(s, a.V[0])
}

// addAll adds the values of an iterable.
func (m *Machine) addAll(s *Set, src Value) *Exception {
	if t, ok := src.AsSet(); ok {
		if e := m.Charge(3 * t.d.used); e != nil {
			return e
		}
		if s.d.used == 0 {
			if e := m.Reserve(t.d.used * (entrySize + 8)); e != nil {
				return e
			}
			s.copyFrom(m, t)
			return nil
		}
		for i := 0; i < len(t.d.entries); i++ {
			if en := t.d.entries[i]; en.key.ref != nil {
				if _, e := s.addHashed(m, en.hash, en.key); e != nil {
					return e
				}
			}
		}
		return nil
	}
	if src.ref.kind == KindDict {
		d := src.dict()
		if e := m.Charge(3 * d.used); e != nil {
			return e
		}
		for i := 0; i < len(d.entries); i++ {
			if en := d.entries[i]; en.key.ref != nil {
				if _, e := s.addHashed(m, en.hash, en.key); e != nil {
					return e
				}
			}
		}
		return nil
	}
	return m.Iterate(src, func(x Value) (bool, *Exception) {
		if e := m.Charge(m.costs.DictAccess); e != nil {
			return false, e
		}
		_, e := s.Add(m, x)
		return true, e
	})
}

// removeAll removes the values of an iterable that is no set.
func (m *Machine) removeAll(s *Set, src Value) *Exception {
	return m.Iterate(src, func(x Value) (bool, *Exception) {
		if e := m.Charge(m.costs.DictAccess); e != nil {
			return false, e
		}
		_, e := s.Discard(m, x)
		return true, e
	})
}

// setFrom returns a new set of the values of an iterable.
func (m *Machine) setFrom(t *Type, src Value) (*Set, *Exception) {
	s := m.NewSet(t)
	return s, m.addAll(s, src)
}

// asSetArg returns src if it is a set, else a new one of its values.
func (m *Machine) asSetArg(src Value) (*Set, *Exception) {
	if s, ok := src.AsSet(); ok {
		return s, nil
	}
	return m.setFrom(&TypeSet, src)
}

func frozenSetNew(m *Machine, t *Type, a Args) (Value, *Exception) {
	if e := m.refuseKeywords(t, a, nInit); e != nil {
		return Value{}, e
	}
	a = Args{V: a.Pos()}
	if len(a.V) > 1 {
		return Value{}, m.TypeError("frozenset expected at most 1 argument, got %d", len(a.V))
	}
	if len(a.V) == 1 && a.V[0].ref.kind == KindFrozenSet && t == &TypeFrozenSet {
		return a.V[0], nil
	}
	s := m.NewSet(t)
	if len(a.V) == 0 {
		return s.Value(), nil
	}
	return s.Value(), m.addAll(s, a.V[0])
}

func frozenSetHash(m *Machine, v Value) (int64, *Exception) {
	s := v.set()
	if s.hashed {
		return s.hash, nil
	}
	if e := m.Charge(s.d.used); e != nil {
		return 0, e
	}
	var h uint64
	for i := range s.d.entries {
		if en := &s.d.entries[i]; en.key.ref != nil {
			x := uint64(en.hash)
			h ^= ((x ^ 89869747) ^ (x << 16)) * 3644798167
		}
	}
	h ^= (uint64(s.d.used) + 1) * 1927868237
	h ^= (h >> 11) ^ (h >> 25)
	h = h*69069 + 907133923
	if h == ^uint64(0) {
		h = 590923713
	}
	if s.flags&flagStatic == 0 {
		s.hash, s.hashed = int64(h), true
	}
	return int64(h), nil
}

func setRepr(m *Machine, v Value) (Value, *Exception) {
	s := v.set()
	name := v.ref.typ.ShortName()
	if s.d.used == 0 {
		return m.shown(name + "()"), nil
	}
	items := make([]Value, 0, s.d.used)
	s.Each(func(x Value) bool {
		items = append(items, x)
		return true
	})
	open, end := "{", "}"
	if v.ref.typ != &TypeSet {
		open, end = name+"({", "})"
	}
	for _, o := range m.showing {
		if o == v.ref {
			return m.shown(name + "(...)"), nil
		}
	}
	return m.reprItems(v, open, end, func() []Value { return items })
}

func setCompare(m *Machine, op CompareOp, a, b Value) (Value, *Exception) {
	x, ok := a.AsSet()
	if !ok {
		return NotImplemented, nil
	}
	y, ok := b.AsSet()
	if !ok {
		return NotImplemented, nil
	}
	return m.compareSets(op, x, y)
}

// compareSets answers equality and inclusion.
func (m *Machine) compareSets(op CompareOp, x, y *Set) (Value, *Exception) {
	switch op {
	case Eq, Ne:
		same := x.d.used == y.d.used
		if same {
			var e *Exception
			if same, e = m.subset(x, y); e != nil {
				return Value{}, e
			}
		}
		return Bool(same == (op == Eq)), nil
	case Gt, Ge:
		x, y = y, x
	}
	if (op == Lt || op == Gt) && x.d.used >= y.d.used || x.d.used > y.d.used {
		return False, nil
	}
	ok, e := m.subset(x, y)
	return Bool(ok), e
}

// subset says whether every element of x is in y.
func (m *Machine) subset(x, y *Set) (bool, *Exception) {
	if e := m.Charge(2 * x.d.used); e != nil {
		return false, e
	}
	for i := 0; i < len(x.d.entries); i++ {
		en := x.d.entries[i]
		if en.key.ref == nil {
			continue
		}
		at, e := y.d.find(m, en.key, en.hash)
		if e != nil || at < 0 {
			return false, e
		}
	}
	return true, nil
}

// setOp returns a new set of type t.
func (m *Machine) setOp(op Operator, t *Type, x, y *Set) (Value, *Exception) {
	r := m.NewSet(t)
	r.flags |= flagOutside
	defer func() { r.flags &^= flagOutside }()
	switch op {
	case Or:
		if e := m.addAll(r, x.Value()); e != nil {
			return Value{}, e
		}
		return r.Value(), m.addAll(r, y.Value())
	case And:
		return r.Value(), m.filterInto(r, x, y, true)
	case Sub_:
		return r.Value(), m.filterInto(r, x, y, false)
	}
	if e := m.filterInto(r, x, y, false); e != nil {
		return Value{}, e
	}
	return r.Value(), m.filterInto(r, y, x, false)
}

// filterInto adds the elements of x that are, or are not, in y. Plain ones differ
// from each other and from what r has.
func (m *Machine) filterInto(r, x, y *Set, in bool) *Exception {
	if e := m.Charge(3 * x.d.used); e != nil {
		return e
	}
	plain := !x.d.exotic && !y.d.exotic
	if plain && r.d.used == 0 {
		return r.fillFrom(m, x, y, in)
	}
	for i := 0; i < len(x.d.entries); i++ {
		en := x.d.entries[i]
		if en.key.ref == nil {
			continue
		}
		at, e := y.d.find(m, en.key, en.hash)
		if e != nil {
			return e
		}
		if at >= 0 != in {
			continue
		}
		if plain {
			if e := r.addNew(m, en.hash, en.key); e != nil {
				return e
			}
		} else if _, e := r.addHashed(m, en.hash, en.key); e != nil {
			return e
		}
	}
	return nil
}

// setUpdate performs x op= y.
func (m *Machine) setUpdate(op Operator, x, y *Set) *Exception {
	switch {
	case op == Or:
		return m.addAll(x, y.Value())
	case op == Sub_ && y.d.used <= x.d.used && !x.d.exotic && !y.d.exotic:
		return m.takeOut(x, y)
	}
	r, e := m.setOp(op, &TypeSet, x, y)
	if e != nil {
		return e
	}
	s := r.set()
	x.d.entries, x.d.index, x.d.used, x.d.front, x.d.exotic = s.d.entries, s.d.index, s.d.used, s.d.front, s.d.exotic
	x.d.keys++
	m.noteBulk(&x.Object)
	return nil
}

// takeOut removes the elements of y from x, both of plain ones.
func (m *Machine) takeOut(x, y *Set) *Exception {
	if e := m.Charge(3 * y.d.used); e != nil {
		return e
	}
	for i := 0; i < len(y.d.entries); i++ {
		en := y.d.entries[i]
		if en.key.ref == nil {
			continue
		}
		at, e := x.d.find(m, en.key, en.hash)
		if e != nil {
			return e
		}
		if at >= 0 {
			x.d.remove(at)
		}
	}
	if len(x.d.entries) > smallDict && 2*x.d.used < len(x.d.entries) {
		x.d.rebuild(m, x.d.used+smallDict)
	}
	return nil
}

func setMethods() []Method {
	fold := func(name string, op Operator) Method {
		return Method{Name: name, Sig: "*others", Func: func(m *Machine, a Args) (Value, *Exception) {
			t := nativeType(a.V[0].ref.typ)
			r := m.NewSet(t)
			if e := m.addAll(r, a.V[0]); e != nil {
				return Value{}, e
			}
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
