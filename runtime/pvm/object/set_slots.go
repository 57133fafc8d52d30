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
				m.meter.Owe(m.costs.Mapping)
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
	m.meter.Owe(2 * m.costs.Mapping)
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
	if e := m.chargeMade(m.costs.Mapping, len(a.V)); e != nil {
		return e
	}
	s := v.set()
	s.d.Clear()
	if len(a.V) == 0 {
		return nil
	}
	return m.addAll(s, a.V[0])
}

// addedCost is the price of an element of an iterable that goes into a set, beside the access: it is hashed, and looked for in a table that grows.
const addedCost = 6

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
		if e := m.Charge(m.costs.DictAccess + addedCost); e != nil {
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
	m.meter.Owe(m.costs.Mapping)
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
		if same && x.d.used > 0 {
			m.meter.Owe(sameSetCost)
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

// sameSetCost is the price of comparing sets of the same size beside that of their elements.
const sameSetCost = 40

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
