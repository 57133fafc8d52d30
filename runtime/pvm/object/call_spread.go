package object

// A call f(*args, **keywords) passes on a tuple and a dict, most often ones that a function with such parameters has just
// received. They are not copied, because the call only reads them, but a copy is what they cost and count for.

// SpreadArguments returns the values of an iterable, the only positional arguments of a call of fn, as a tuple.
func (m *Machine) SpreadArguments(v, fn Value) (Value, *Exception) {
	if v.ref.kind == KindTuple {
		return v, m.spreadTuple(len(v.tuple().items))
	}
	m.meter.Owe(2 * loopIteratorCost)
	l := m.NewList(nil)
	if v.ref.typ.Slots.Iter == nil && v.ref.typ.Slots.GetItem == nil {
		return Value{}, m.TypeError("%s argument after * must be an iterable, not %s", m.functionText(fn), v.ref.typ.Name)
	}
	l.flags |= flagOutside
	pins := len(m.pins)
	m.Pin(l.Value())
	e := l.extendFrom(m, v)
	m.Unpin(pins)
	if e == nil && len(l.items) > longSpread {
		e = m.Reserve(len(l.items) * valueSize)
	}
	if e != nil {
		return Value{}, e
	}
	return m.ownTuple(l.items).Value(), nil
}

// longSpread is the number of arguments from which their tuple asks for its memory first.
const longSpread = 128

// spreadTuple is the price of a list that is filled with n elements of a tuple, and of the tuple made of it.
func (m *Machine) spreadTuple(n int) *Exception {
	m.account(listSize)
	if e := m.ChargeLen(0, n, 2); e != nil {
		return e
	}
	if e := m.Reserve((n + n>>2 + 6) * valueSize); e != nil {
		return e
	}
	if bytes := roomFor(n) * valueSize; n > 1 {
		m.account(bytes)
	} else if n > 0 {
		m.hold(bytes)
	}
	if n > longSpread {
		if e := m.Reserve(n * valueSize); e != nil {
			return e
		}
	}
	m.AccountTuple(n)
	return nil
}

// fewKeywords is how many keyword arguments a call takes from the dict they are in.
const fewKeywords = 4

// SpreadKeywords returns the items of a mapping, the only keyword arguments of a call of fn, as a dict.
func (m *Machine) SpreadKeywords(v, fn Value) (Value, *Exception) {
	if v.ref.kind == KindDict && v.dict().named() {
		m.account(dictSize)
		n := v.dict().used
		if e := m.Charge(m.costs.DictAccess * n); e != nil {
			return Value{}, e
		}
		if n > 0 {
			m.account(fewKeywords * entrySize)
		}
		return v, nil
	}
	if v.ref.kind != KindDict {
		m.meter.Owe(2 * m.costs.Operand)
	}
	d := m.NewDict()
	d.flags |= flagOutside
	pins := len(m.pins)
	m.Pin(d.Value())
	e := m.MergeKeywords(d, v, fn)
	m.Unpin(pins)
	return d.Value(), e
}

// named says whether the dict has few keys and all of them are strings.
func (d *Dict) named() bool {
	if d.used > fewKeywords || len(d.entries) > 2*fewKeywords {
		return false
	}
	for i := range d.entries {
		if k := d.entries[i].key; k.ref != nil && k.ref.kind != KindStr {
			return false
		}
	}
	return true
}

// ExtendDisplay appends the values of an iterable to a list being built.
func (m *Machine) ExtendDisplay(l *List, v Value) *Exception {
	if v.ref.typ.Slots.Iter == nil && v.ref.typ.Slots.GetItem == nil {
		return m.TypeError("Value after * must be an iterable, not %s", v.ref.typ.Name)
	}
	switch v.ref.kind {
	case KindList:
		m.meter.Owe(2*m.costs.Operand + len(v.list().items)/2)
	case KindTuple:
		m.meter.Owe(2*m.costs.Operand + len(v.tuple().items)/2)
	case KindRange:
	default:
		m.meter.Owe(loopIteratorCost)
	}
	return l.extendFrom(m, v)
}
