package object

// TypeDict is dict.
var TypeDict Type

func defineDict() {
	Define(&TypeDict, Spec{
		Name: "dict", Layout: LayoutOf[Dict](KindDict), Relocate: relocateDictSub, Mapping: true, MatchSelf: true,
		Slots: Slots{
			New: func(m *Machine, t *Type, a Args) (Value, *Exception) {
				return Alloc[Dict](m, t, 0).Value(), nil
			},
			Init:    dictInit,
			Repr:    dictRepr,
			Compare: dictCompare,
			Len:     func(m *Machine, v Value) (int, *Exception) { return v.dict().used, nil },
			GetItem: dictGetItem, SetItem: dictSetItem,
			Contains: func(m *Machine, v, key Value) (bool, *Exception) {
				_, ok, e := v.dict().Get(m, key)
				return ok, e
			},
			Iter: func(m *Machine, v Value) (Value, *Exception) {
				return m.newDictIter(&TypeDictKeyIter, v, v.dict(), false), nil
			},
			Binary:  [numOperators]Binary{Or: dictOr},
			InPlace: [DivMod]Binary{Or: dictInPlaceOr},
		},
		Methods: dictMethods(),
	})
}

func dictInit(m *Machine, v Value, a Args) *Exception {
	if n := len(a.Pos()); n > 1 {
		return m.TypeError("dict expected at most 1 argument, got %d", n)
	}
	if e := m.chargeMade(m.costs.Mapping, len(a.V)); e != nil {
		return e
	}
	return m.dictUpdate(v.dict(), a)
}

// dictUpdate adds the items of an optional mapping or iterable of pairs, then
// keyword arguments.
func (m *Machine) dictUpdate(d *Dict, a Args) *Exception {
	pos := a.Pos()
	if len(pos) == 1 {
		if e := m.mergeInto(d, pos[0]); e != nil {
			return e
		}
	}
	for i, n := range a.Names {
		if e := m.Charge(3); e != nil {
			return e
		}
		d.setStr(m, n, a.V[len(pos)+i])
	}
	return nil
}

// keysCost is the price of asking a mapping that is no dict for its keys, beside what its method takes.
const keysCost = 30

// mergeInto adds the items of a mapping or an iterable of pairs.
func (m *Machine) mergeInto(d *Dict, src Value) *Exception {
	if s, ok := src.AsDict(); ok && (src.ref.kind == KindDict || sameSlot(src.ref.typ)) {
		if src.ref.kind != KindDict { // whose methods are looked for
			m.meter.Owe(2 * m.costs.Operand)
		}
		return m.mergeDict(d, s)
	}
	keys, e := m.LookupAttr(src, nKeys)
	if e != nil {
		return e
	}
	if keys.ref != nil {
		m.meter.Owe(keysCost)
		ks, e := m.Call(keys, Args{})
		if e != nil {
			return e
		}
		return m.Iterate(ks, func(k Value) (bool, *Exception) {
			if e := m.Charge(4 * m.costs.DictAccess); e != nil {
				return false, e
			}
			v, e := m.GetItem(src, k)
			if e != nil {
				return false, e
			}
			return true, d.Set(m, k, v)
		})
	}
	i := 0
	return m.Iterate(src, func(x Value) (bool, *Exception) {
		if x.ref.typ.Slots.Iter == nil && x.ref.typ.Slots.GetItem == nil {
			return false, m.TypeError("cannot convert dictionary update sequence element #%d to a sequence", i)
		}
		if e := m.Charge(m.costs.DictAccess); e != nil {
			return false, e
		}
		pair, e := m.elements(x)
		if e != nil {
			return false, e
		}
		if len(pair) != 2 {
			return false, m.ValueError("dictionary update sequence element #%d has length %d; 2 is required", i, len(pair))
		}
		i++
		return true, d.Set(m, pair[0], pair[1])
	})
}

// sameSlot says whether a subclass of dict leaves iteration and keys alone, so
// that its table can be read directly.
func sameSlot(t *Type) bool {
	_, a := t.lookupOwner(nIter)
	_, b := t.lookupOwner(nKeys)
	_, c := t.lookupOwner(nGetItem)
	return a == &TypeDict && b == &TypeDict && c == &TypeDict
}

func (m *Machine) mergeDict(d, s *Dict) *Exception {
	if d == s {
		return nil
	}
	if e := m.Charge(3 * s.used); e != nil {
		return e
	}
	if d.used == 0 && cap(d.entries) == 0 && s.used > 0 {
		if e := m.Reserve(s.used * (entrySize + 8)); e != nil {
			return e
		}
		d.rebuildFrom(m, s)
		return nil
	}
	version := s.keys
	for i := 0; i < len(s.entries); i++ {
		en := s.entries[i]
		if en.key.ref == nil {
			continue
		}
		if e := d.setHashed(m, en.hash, en.key, en.val); e != nil {
			return e
		}
		if s.keys != version {
			return m.RuntimeError("dict mutated during update")
		}
	}
	return nil
}

// pairCost is the price of the text of one item, beside those of key and value.
const pairCost = 4

func dictRepr(m *Machine, v Value) (Value, *Exception) {
	d := v.dict()
	if d.used == 0 {
		return m.Str("{}"), nil
	}
	again, e := m.reprGuard(v)
	if e != nil {
		return Value{}, e
	}
	if again {
		return m.Str("{...}"), nil
	}
	defer m.reprDone()
	b := builder{m: m}
	if e := b.text("{"); e != nil {
		return Value{}, e
	}
	first := true
	for i := 0; i < len(d.entries); i++ {
		en := d.entries[i]
		if en.key.ref == nil {
			continue
		}
		if !first {
			if e := b.text(", "); e != nil {
				return Value{}, e
			}
		}
		first = false
		if e := m.Charge(pairCost); e != nil {
			return Value{}, e
		}
		if e := b.repr(en.key); e != nil {
			return Value{}, e
		}
		if e := b.text(": "); e != nil {
			return Value{}, e
		}
		if e := b.repr(en.val); e != nil {
			return Value{}, e
		}
	}
	if e := b.text("}"); e != nil {
		return Value{}, e
	}
	return b.value(), nil
}

func dictCompare(m *Machine, op CompareOp, a, b Value) (Value, *Exception) {
	x, ok := a.AsDict()
	if !ok || op > Ne {
		return NotImplemented, nil
	}
	y, ok := b.AsDict()
	if !ok {
		return NotImplemented, nil
	}
	m.meter.Owe(2 * m.costs.Mapping)
	same, e := m.dictsEqual(x, y)
	return Bool(same == (op == Eq)), e
}

func (m *Machine) dictsEqual(x, y *Dict) (bool, *Exception) {
	if x.used != y.used {
		return false, nil
	}
	if e := m.Enter(); e != nil {
		return false, e
	}
	defer m.Leave()
	for i := 0; i < len(x.entries); i++ {
		en := x.entries[i]
		if en.key.ref == nil {
			continue
		}
		if e := m.Charge(4); e != nil {
			return false, e
		}
		at, e := y.find(m, en.key, en.hash)
		if e != nil || at < 0 {
			return false, e
		}
		same, e := m.Same(en.val, y.entries[at].val)
		if e != nil || !same {
			return false, e
		}
	}
	return true, nil
}

func dictGetItem(m *Machine, v, key Value) (Value, *Exception) {
	d := v.dict()
	r, ok, e := d.Get(m, key)
	if e != nil || ok {
		return r, e
	}
	if v.ref.kind != KindDict {
		if fn, ok := v.ref.typ.Lookup(nMissing); ok {
			return m.callUnbound(fn, v, key)
		}
	}
	return Value{}, m.KeyError(key)
}

func dictSetItem(m *Machine, v, key, val Value) *Exception {
	if val.ref != nil {
		return v.dict().Set(m, key, val)
	}
	_, ok, e := v.dict().Delete(m, key)
	if e == nil && !ok {
		return m.KeyError(key)
	}
	return e
}

func dictOr(m *Machine, a, b Value) (Value, *Exception) {
	x, ok := a.AsDict()
	if !ok {
		return NotImplemented, nil
	}
	y, ok := b.AsDict()
	if !ok {
		return NotImplemented, nil
	}
	m.meter.Owe(2 * m.costs.Mapping)
	d := m.NewDict()
	if e := m.mergeDict(d, x); e != nil {
		return Value{}, e
	}
	return d.Value(), m.mergeDict(d, y)
}

func dictInPlaceOr(m *Machine, a, b Value) (Value, *Exception) { return a, m.mergeInto(a.dict(), b) }
