package object

import "math"

// List is a list.
type List struct {
	Object
	items []Value
}

// Tuple is a tuple.
type Tuple struct {
	Object
	items []Value
	hash  int64 // 0 while unknown
}

const (
	listSize  = 40
	tupleSize = 40
)

// NewList returns a list that takes over items.
func (m *Machine) NewList(items []Value) *List {
	// Room that Go left behind the elements must not count: it differs.
	l := &List{items: items[:len(items):len(items)]}
	l.typ, l.kind = &TypeList, KindList
	m.account(listSize + len(items)*valueSize)
	return l
}

// List returns a new list value of items, which it takes over.
func (m *Machine) List(items ...Value) Value { return m.NewList(items).Value() }

// listRoom returns a list of n elements, which the caller sets.
func (m *Machine) listRoom(n int) *List { return m.NewList(make([]Value, n)) }

// Value returns the list as a value.
func (l *List) Value() Value { return Value{ref: &l.Object} }

// Items returns the elements; the slice is the list's own.
func (l *List) Items() []Value { return l.items }

// Len returns the number of elements.
func (l *List) Len() int { return len(l.items) }

// Append adds v at the end.
func (l *List) Append(m *Machine, v Value) {
	if len(l.items) == cap(l.items) {
		if !m.Grow(l.growth(1), l.Value(), v) {
			return
		}
		l.grow(m, 1)
	}
	l.items = append(l.items, v)
	if v.ref.kind&^Sub >= KindSlice {
		m.noteStore(&l.Object, v)
	}
}

// grow makes room for n more elements, by a formula of our own so that the
// memory counted does not depend on Go's.
func (l *List) grow(m *Machine, n int) {
	room := roomFor(len(l.items) + n)
	if n > 1 {
		m.account((room - cap(l.items)) * valueSize)
	} else {
		m.hold((room - cap(l.items)) * valueSize)
		m.meter.left -= growthCost(room)
	}
	grown := make([]Value, len(l.items), room)
	copy(grown, l.items)
	l.items = grown
}

// roomFor is the capacity of a list that had to grow to n elements.
func roomFor(n int) int { return (n + n>>2 + 6) &^ 3 }

// growthCost is the price of growing by one element to a room: what a list has is moved, some five times for each element until it is long.
func growthCost(room int) int64 { return int64(room) * 3 / 4 }

// growth is how many bytes n more elements add at the most.
func (l *List) growth(n int) int {
	want := len(l.items) + n
	if want <= cap(l.items) {
		return 0
	}
	return (want + want>>2 + 6 - cap(l.items)) * valueSize
}

// Extend adds the elements of items at the end.
func (l *List) Extend(m *Machine, items []Value) {
	if len(l.items)+len(items) > cap(l.items) {
		l.grow(m, len(items))
	}
	l.items = append(l.items, items...)
	m.noteBulk(&l.Object)
}

// setItems replaces the storage.
func (l *List) setItems(m *Machine, items []Value) {
	m.account(max(0, len(items)-cap(l.items)) * valueSize)
	l.items = items[:len(items):len(items)]
	m.noteBulk(&l.Object)
}

type tuple1 struct {
	Tuple
	v [1]Value
}
type tuple2 struct {
	Tuple
	v [2]Value
}
type tuple3 struct {
	Tuple
	v [3]Value
}
type tuple4 struct {
	Tuple
	v [4]Value
}

var emptyTuple = newEmptyTuple()

func newEmptyTuple() *Tuple {
	t := &Tuple{}
	t.typ, t.kind, t.flags = &TypeTuple, KindTuple, flagStatic
	return t
}

// room returns a tuple for n elements, which the caller sets.
func (m *Machine) room(n int) *Tuple {
	var t *Tuple
	switch n {
	case 0:
		return emptyTuple
	case 1:
		s := new(tuple1)
		t = &s.Tuple
		t.items = s.v[:]
	case 2:
		s := new(tuple2)
		t = &s.Tuple
		t.items = s.v[:]
	case 3:
		s := new(tuple3)
		t = &s.Tuple
		t.items = s.v[:]
	case 4:
		s := new(tuple4)
		t = &s.Tuple
		t.items = s.v[:]
	default:
		t = &Tuple{items: make([]Value, n)}
	}
	t.typ, t.kind = &TypeTuple, KindTuple
	m.account(tupleSize + n*valueSize)
	return t
}

// Tuple returns a new tuple value of a copy of items.
func (m *Machine) Tuple(items ...Value) Value { return m.NewTuple(items).Value() }

// MadeTuple returns a new tuple of a copy of what an attribute has, at the price of a display.
func (m *Machine) MadeTuple(items ...Value) (Value, *Exception) {
	m.meter.Owe(m.costs.Display)
	return m.Tuple(items...), nil
}

// NewTuple returns a new tuple of a copy of items.
func (m *Machine) NewTuple(items []Value) *Tuple {
	t := m.room(len(items))
	copy(t.items, items)
	return t
}

// AccountTuple counts and charges for a tuple of n elements that is not made.
func (m *Machine) AccountTuple(n int) {
	if n > 0 {
		m.account(tupleSize + n*valueSize)
	}
}

// TupleOf returns a tuple that takes over items.
func (m *Machine) TupleOf(items []Value) *Tuple { return m.ownTuple(items) }

// ownTuple is TupleOf.
func (m *Machine) ownTuple(items []Value) *Tuple {
	if len(items) == 0 {
		return emptyTuple
	}
	t := &Tuple{items: items}
	t.typ, t.kind = &TypeTuple, KindTuple
	m.account(tupleSize + len(items)*valueSize)
	return t
}

// StaticTuple returns a tuple shared by all machines, for constants.
func StaticTuple(items []Value) *Tuple {
	if len(items) == 0 {
		return emptyTuple
	}
	t := &Tuple{items: items}
	t.typ, t.kind, t.flags = &TypeTuple, KindTuple, flagStatic
	return t
}

// Value returns the tuple as a value.
func (t *Tuple) Value() Value { return Value{ref: &t.Object} }

// Items returns the elements; not to be modified.
func (t *Tuple) Items() []Value { return t.items }

// Len returns the number of elements.
func (t *Tuple) Len() int { return len(t.items) }

// Slice is a slice object.
type Slice struct {
	Object
	Start, Stop, Step Value
}

// NewSlice returns a new slice object; None stands for what is missing.
func (m *Machine) NewSlice(start, stop, step Value) Value {
	s := &Slice{Start: start, Stop: stop, Step: step}
	s.typ, s.kind = &TypeSlice, KindSlice
	m.account(64)
	return Value{ref: &s.Object}
}

// Value returns the slice as a value.
func (s *Slice) Value() Value { return Value{ref: &s.Object} }

// settled returns the slice with ints for bounds. Converting them may run Python code, which may change the length of
// the sequence that the slice is for: ask for it afterwards.
func (s *Slice) settled(m *Machine) (*Slice, *Exception) {
	if s.Step.IsNone() && (s.Start.IsNone() || s.Start.IsInt()) && (s.Stop.IsNone() || s.Stop.IsInt()) {
		return s, nil
	}
	r := *s
	for _, v := range [...]*Value{&r.Step, &r.Start, &r.Stop} {
		if v.IsNone() || v.IsInt() && (v != &r.Step || v.Int64() != 0) {
			continue
		}
		i, e := m.sliceIndex(*v)
		if e != nil {
			return nil, e
		}
		*v = Int(int64(i))
		if v == &r.Step && i == 0 {
			return nil, m.ValueError("slice step cannot be zero")
		}
	}
	return &r, nil
}

// settledIndex is the same for an index; what is none is left as it is.
func (m *Machine) settledIndex(key Value) (Value, *Exception) {
	if key.IsInt() || key.ref.typ.Slots.ToIndex == nil {
		return key, nil
	}
	i, e := m.Index(key)
	if e == nil && !i.IsInt() {
		e = m.IndexError("cannot fit '%s' into an index-sized integer", key.ref.typ.Name)
	}
	return i, e
}

// Indices clips the slice to a sequence of n elements, as slice.indices does.
// The result selects count elements start, start+step, ….
func (s *Slice) Indices(m *Machine, n int) (start, stop, step, count int, e *Exception) {
	m.meter.Owe(2 * m.costs.Display)
	step = 1
	if !s.Step.IsNone() {
		st, e := m.sliceIndex(s.Step)
		if e != nil {
			return 0, 0, 0, 0, e
		}
		if st == 0 {
			return 0, 0, 0, 0, m.ValueError("slice step cannot be zero")
		}
		step = max(st, -maxIndex)
	}
	lower, upper := 0, n
	if step < 0 {
		lower, upper = -1, n-1
	}
	clip := func(v Value, def int) (int, *Exception) {
		if v.IsNone() {
			return def, nil
		}
		i, e := m.sliceIndex(v)
		if e != nil {
			return 0, e
		}
		if i < 0 {
			i += n
			if i < lower {
				i = lower
			}
		} else if i > upper {
			i = upper
		}
		return i, nil
	}
	first, last := lower, upper
	if step < 0 {
		first, last = upper, lower
	}
	if start, e = clip(s.Start, first); e != nil {
		return
	}
	if stop, e = clip(s.Stop, last); e != nil {
		return
	}
	switch {
	case step > 0 && start < stop:
		count = (stop-start-1)/step + 1
	case step < 0 && start > stop:
		count = (start-stop-1)/(-step) + 1
	}
	return
}

// spanOf clips the slice lo:hi to a sequence of n elements; plain says that both
// bounds are ints or missing.
func spanOf(lo, hi Value, n int) (start, count int, plain bool) {
	end := n
	switch {
	case lo.IsInt():
		start = within(lo.Int64(), n)
	case !lo.IsNone():
		return 0, 0, false
	}
	switch {
	case hi.IsInt():
		end = within(hi.Int64(), n)
	case !hi.IsNone():
		return 0, 0, false
	}
	return start, max(end-start, 0), true
}

// within clips a bound of a slice of n elements.
func within(i int64, n int) int {
	if i < 0 {
		i = max(i+int64(n), 0)
	}
	return int(min(i, int64(n)))
}

// maxIndex is where indices and counts are clipped. It lies far beyond the length
// of anything that fits the memory limit, whatever the size of int.
const maxIndex = math.MaxInt >> 1

// clipIndex brings an index into the range of int.
func clipIndex(i int64) int { return int(min(max(i, -maxIndex), maxIndex)) }

// SliceIndex converts a bound of a slice, clipping what does not fit.
func (m *Machine) SliceIndex(v Value) (int, *Exception) { return m.sliceIndex(v) }

// sliceIndex is SliceIndex.
func (m *Machine) sliceIndex(v Value) (int, *Exception) {
	if v.IsInt() {
		return clipIndex(v.Int64()), nil
	}
	if v.ref.typ.ToIndex == nil {
		return 0, m.TypeError("slice indices must be integers or None or have an __index__ method")
	}
	i, e := m.Index(v)
	if e != nil {
		return 0, e
	}
	if i.IsInt() {
		return clipIndex(i.Int64()), nil
	}
	if i.big().i.Sign() < 0 {
		return -maxIndex, nil
	}
	return maxIndex, nil
}

// Range is a range object whose bounds fit 64 bits, or an arbitrary one with
// wide set.
type Range struct {
	Object
	start, stop, step int64
	n                 int64
	wide              *wideRange
}

// movedPerCycle is how many items are moved within a list for a cycle.
const movedPerCycle = 2
