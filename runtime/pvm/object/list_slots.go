package object

// The sequence types.
var (
	TypeList  Type
	TypeTuple Type
	TypeSlice Type
)

func defineList() {
	Define(&TypeList, Spec{
		Name: "list", Layout: LayoutOf[List](KindList), Relocate: relocateList, Sequence: true, MatchSelf: true,
		Slots: Slots{
			New: func(m *Machine, t *Type, a Args) (Value, *Exception) {
				return Value{ref: &Alloc[List](m, t, 0).Object}, nil
			},
			Init: listInit,
			Repr: func(m *Machine, v Value) (Value, *Exception) {
				return m.reprItems(v, "[", "]", func() []Value { return v.list().items })
			},
			Compare: func(m *Machine, op CompareOp, a, b Value) (Value, *Exception) {
				x, ok := a.AsList()
				if !ok {
					return NotImplemented, nil
				}
				y, ok := b.AsList()
				if !ok {
					return NotImplemented, nil
				}
				return m.compareSequences(op, func() []Value { return x.items }, func() []Value { return y.items })
			},
			Len:     func(m *Machine, v Value) (int, *Exception) { return len(v.list().items), nil },
			GetItem: listGetItem, SetItem: listSetItem,
			Contains: func(m *Machine, v, item Value) (bool, *Exception) {
				i, e := m.indexOf(func() []Value { return v.list().items }, item, 0, maxIndex)
				return i >= 0, e
			},
			Iter:    func(m *Machine, v Value) (Value, *Exception) { return m.newListIter(v), nil },
			Binary:  [numOperators]Binary{Add: listConcat, Mul: listRepeat},
			InPlace: [DivMod]Binary{Add: listInPlaceConcat, Mul: listInPlaceRepeat},
		},
		Methods: listMethods(),
	})
	TypeList.Slots.Hash = Unhashable
}

func listInit(m *Machine, v Value, a Args) *Exception {
	if e := m.refuseKeywords(v.ref.typ, a, nNew); e != nil {
		return e
	}
	a = Args{V: a.Pos()}
	if e := m.chargeMade(m.costs.Display, len(a.V)); e != nil {
		return e
	}
	if len(a.V) > 1 {
		return m.TypeError("list expected at most 1 argument, got %d", len(a.V))
	}
	l := v.list()
	l.items = nil
	if len(a.V) == 0 {
		return nil
	}
	return l.extendFrom(m, a.V[0])
}

// extendFrom appends the values of an iterable.
func (l *List) extendFrom(m *Machine, src Value) *Exception {
	switch src.ref.kind {
	case KindList, KindTuple:
		var from []Value
		if src.ref.kind == KindList {
			from = src.list().items
		} else {
			from = src.tuple().items
		}
		if e := m.ChargeLen(0, len(from), 2); e != nil {
			return e
		}
		if e := m.Reserve(l.growth(len(from))); e != nil {
			return e
		}
		l.Extend(m, from)
		return nil
	}
	if r, ok := smallRangeOf(src); ok {
		return l.extendRange(m, r)
	}
	it, e := m.Iter(src)
	if e != nil {
		return e
	}
	if e := m.askLength(src); e != nil {
		return e
	}
	return l.takeAll(m, it)
}

// askLength asks an object of a class of the program for its length or length
// hint, as CPython does before it fills a list; the answer is not needed.
func (m *Machine) askLength(v Value) *Exception {
	if v.ref.typ.Static() {
		return nil
	}
	if f := v.ref.typ.Slots.Len; f != nil {
		if _, e := f(m, v); e == nil || !e.Is(&ExcTypeError) {
			return e
		}
	}
	hint, e := m.special(v, nLengthHint)
	if e != nil {
		if e.Is(&ExcTypeError) {
			return nil
		}
		return e
	}
	if hint.ref == nil || hint == NotImplemented {
		return nil
	}
	n, ok := asInt(hint)
	switch {
	case !ok:
		return m.TypeError("__length_hint__ must be an integer, not %s", hint.ref.typ.Name)
	case !n.IsInt():
		return m.OverflowError("Python int too large to convert to C ssize_t")
	case n.Int64() < 0:
		return m.ValueError("__length_hint__() should return >= 0")
	}
	return nil
}

// sequenceIndex converts an index into a sequence of n elements; what names it
// in messages.
func (m *Machine) sequenceIndex(key Value, n int, what string) (int, *Exception) {
	var i int
	if key.IsInt() {
		i = clipIndex(key.Int64())
	} else {
		var e *Exception
		if key.ref.typ.Slots.ToIndex == nil {
			return 0, m.TypeError("%s indices must be integers or slices, not %s", what, key.ref.typ.Name)
		}
		if i, e = m.IndexInt(key, &ExcIndexError); e != nil {
			return 0, e
		}
	}
	if i < 0 {
		i += n
	}
	if uint(i) >= uint(n) {
		return 0, m.IndexError("%s index out of range", what)
	}
	return i, nil
}

func listGetItem(m *Machine, v, key Value) (Value, *Exception) {
	l := v.list()
	if s, ok := key.AsSlice(); ok {
		s, e := s.settled(m)
		if e != nil {
			return Value{}, e
		}
		start, _, step, n, e := s.Indices(m, len(l.items))
		if e != nil {
			return Value{}, e
		}
		return m.listSlice(l.items, start, step, n)
	}
	key, e := m.settledIndex(key)
	if e != nil {
		return Value{}, e
	}
	i, e := m.sequenceIndex(key, len(l.items), "list")
	if e != nil {
		return Value{}, e
	}
	return l.items[i], nil
}

// listSlice returns a list of n elements start, start+step, ….
func (m *Machine) listSlice(items []Value, start, step, n int) (Value, *Exception) {
	m.meter.Owe(m.costs.Operand)
	if e := m.copyRoom(n); e != nil {
		return Value{}, e
	}
	l := m.listRoom(n)
	pick(l.items, items, start, step)
	return l.Value(), nil
}

// copyRoom charges for a copy of n elements and asks for its memory.
func (m *Machine) copyRoom(n int) *Exception {
	if e := m.ChargeLen(0, n, 4); e != nil {
		return e
	}
	return m.Reserve(n * valueSize)
}

// pick fills out with the elements start, start+step, … of items.
func pick(out, items []Value, start, step int) {
	if step == 1 {
		copy(out, items[start:])
		return
	}
	for i := range out {
		out[i] = items[start+i*step]
	}
}

// assignmentIndex words the error of an index that an assignment or deletion
// found out of range.
func (m *Machine) assignmentIndex(key Value, e *Exception) *Exception {
	if i, ok := asInt(key); ok && i.IsInt() && e.typ == &ExcIndexError {
		return m.IndexError("list assignment index out of range")
	}
	return e
}

func listSetItem(m *Machine, v, key, val Value) *Exception {
	l := v.list()
	if s, ok := key.AsSlice(); ok {
		return l.setSlice(m, s, val)
	}
	key, e := m.settledIndex(key)
	if e != nil {
		return m.assignmentIndex(key, e)
	}
	if val.ref == nil {
		i, e := m.sequenceIndex(key, len(l.items), "list")
		if e != nil {
			return m.assignmentIndex(key, e)
		}
		return l.removeRange(m, i, i+1)
	}
	i, e := m.sequenceIndex(key, len(l.items), "list")
	if e != nil {
		return m.assignmentIndex(key, e)
	}
	l.items[i] = val
	m.noteStore(&l.Object, val)
	return nil
}

// removeRange deletes elements lo up to hi.
func (l *List) removeRange(m *Machine, lo, hi int) *Exception {
	if e := m.ChargeLen(0, len(l.items)-lo, movedPerCycle); e != nil {
		return e
	}
	n := copy(l.items[lo:], l.items[hi:])
	clear(l.items[lo+n:])
	l.items = l.items[:lo+n]
	return nil
}

// setSlice assigns to, or with the zero Value deletes, a slice of the list.
func (l *List) setSlice(m *Machine, s *Slice, val Value) *Exception {
	var from []Value
	if val.ref != nil {
		if val.ref.typ.Slots.Iter == nil && val.ref.typ.Slots.GetItem == nil {
			if !s.Step.IsNone() && s.Step != Int(1) {
				return m.TypeError("must assign iterable to extended slice")
			}
			return m.TypeError("can only assign an iterable")
		}
		var e *Exception
		if from, e = m.Collect(val); e != nil {
			return e
		}
	}
	s, e := s.settled(m)
	if e != nil {
		return e
	}
	start, stop, step, n, e := s.Indices(m, len(l.items))
	if e != nil {
		return e
	}
	if step == 1 {
		return l.splice(m, start, max(start, stop), from)
	}
	if val.ref == nil {
		return l.removeEvery(m, start, step, n)
	}
	if len(from) != n {
		return m.ValueError("attempt to assign sequence of size %d to extended slice of size %d", len(from), n)
	}
	for i, x := range from {
		l.items[start+i*step] = x
	}
	m.noteBulk(&l.Object)
	return nil
}

// splice replaces elements lo up to hi by from.
func (l *List) splice(m *Machine, lo, hi int, from []Value) *Exception {
	tail := len(l.items) - hi
	if e := m.ChargeLen(0, tail+len(from), movedPerCycle); e != nil {
		return e
	}
	size := lo + len(from) + tail
	if size > cap(l.items) {
		if e := m.Reserve(l.growth(size - len(l.items))); e != nil {
			return e
		}
		l.grow(m, size-len(l.items))
	}
	old := len(l.items)
	if size > old {
		l.items = l.items[:size]
	}
	copy(l.items[lo+len(from):size], l.items[hi:hi+tail])
	copy(l.items[lo:], from)
	if size < old {
		clear(l.items[size:old])
		l.items = l.items[:size]
	}
	if len(from) > 0 {
		m.noteBulk(&l.Object)
	}
	return nil
}

func (l *List) removeEvery(m *Machine, start, step, n int) *Exception {
	if n == 0 {
		return nil
	}
	if e := m.ChargeLen(0, len(l.items), movedPerCycle); e != nil {
		return e
	}
	if step < 0 {
		start, step = start+(n-1)*step, -step
	}
	out := l.items[:start]
	for i := start; i < len(l.items); i++ {
		if (i-start)%step == 0 && (i-start)/step < n {
			continue
		}
		out = append(out, l.items[i])
	}
	clear(l.items[len(out):])
	l.items = out
	return nil
}

func listConcat(m *Machine, a, b Value) (Value, *Exception) {
	x, ok := a.AsList()
	if !ok {
		return NotImplemented, nil
	}
	y, ok := b.AsList()
	if !ok {
		return NotImplemented, nil
	}
	n := len(x.items) + len(y.items)
	m.meter.Owe(m.costs.Display + m.costs.Operand)
	if e := m.joinRoom(n); e != nil {
		return Value{}, e
	}
	l := m.listRoom(n)
	copy(l.items[copy(l.items, x.items):], y.items)
	return l.Value(), nil
}

// joinRoom is copyRoom but that memory runs out first.
func (m *Machine) joinRoom(n int) *Exception {
	if e := m.Reserve(n * valueSize); e != nil {
		return e
	}
	return m.ChargeLen(0, n, 4)
}

func listInPlaceConcat(m *Machine, a, b Value) (Value, *Exception) {
	return a, a.list().extendFrom(m, b)
}

// repeatCount converts the number in sequence * number; ok is false if v is none.
func (m *Machine) repeatCount(v Value, size int) (n int, ok bool, e *Exception) {
	if v.ref.typ.Slots.ToIndex == nil {
		return 0, false, nil
	}
	m.meter.Owe(repeatCost)
	i, e := m.Index(v)
	if e != nil {
		return 0, true, e
	}
	if !i.IsInt() {
		return 0, true, m.OverflowError("cannot fit '%s' into an index-sized integer", v.ref.typ.Name)
	}
	n = clipIndex(max(i.Int64(), 0))
	if size > 0 && n > maxIndex/size/valueSize {
		return 0, true, m.Reserve(-1)
	}
	return n, true, nil
}

func listRepeat(m *Machine, a, b Value) (Value, *Exception) {
	l, ok := a.AsList()
	if !ok {
		if l, ok = b.AsList(); !ok {
			return NotImplemented, nil
		}
		b = a
	}
	n, ok, e := m.repeatCount(b, len(l.items))
	if !ok || e != nil {
		return NotImplemented, e
	}
	if e := m.joinRoom(len(l.items) * n); e != nil {
		return Value{}, e
	}
	out := m.listRoom(len(l.items) * n)
	repeat(out.items, l.items)
	return out.Value(), nil
}

// repeat fills out, which has room for them, with items over and over.
func repeat(out, items []Value) {
	if len(items) == 1 {
		for i := range out {
			out[i] = items[0]
		}
		return
	}
	for done := copy(out, items); done < len(out); done *= 2 {
		copy(out[done:], out[:done])
	}
}

func listInPlaceRepeat(m *Machine, a, b Value) (Value, *Exception) {
	l := a.list()
	n, ok, e := m.repeatCount(b, len(l.items))
	if !ok || e != nil {
		return NotImplemented, e
	}
	if e := m.joinRoom(len(l.items) * n); e != nil {
		return Value{}, e
	}
	out := make([]Value, len(l.items)*n)
	repeat(out, l.items)
	l.setItems(m, out)
	return a, nil
}

// smallRangeOf returns the range v is, if its elements fit 64 bits.
func smallRangeOf(v Value) (*Range, bool) {
	if v.ref.kind != KindRange || v.rng().wide != nil {
		return nil, false
	}
	return v.rng(), true
}

// extendRange appends the elements of a range.
func (l *List) extendRange(m *Machine, r *Range) *Exception {
	n := int(min(r.n, int64(maxIndex/valueSize)))
	if e := m.Reserve(n * valueSize); e != nil {
		return e
	}
	if e := m.Charge(n); e != nil {
		return e
	}
	if len(l.items)+n > cap(l.items) {
		l.grow(m, n)
	}
	for i := int64(0); i < r.n; i++ {
		l.items = append(l.items, Int(r.start+i*r.step))
	}
	return nil
}
