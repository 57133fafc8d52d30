package pycoll

import "github.com/cowboyinc/cowboy-go/runtime/pvm/object"

var typeDeque, typeDequeIter, typeDequeBack object.Type

// Deque is a double-ended queue in a ring whose length is a power of two.
type Deque struct {
	object.Object
	ring    []value
	head, n int
	maxLen  int64  // -1 for no limit
	state   uint64 // changes with every change of the length
	showing bool   // its repr is being made
}

// at returns element i.
func (d *Deque) at(i int) *value { return &d.ring[(d.head+i)&(len(d.ring)-1)] }

// room makes room for v as one more element. If the memory limit does not allow
// it, the deque stays as it is and the machine raises MemoryError.
func (d *Deque) room(m *machine, v value) bool {
	if d.n < len(d.ring) {
		return true
	}
	size := max(8, 2*len(d.ring))
	if !m.Grow(16*(size-len(d.ring)), object.Of(&d.Object), v) {
		return false
	}
	d.grow(m, size)
	return true
}

// grow makes the ring longer.
func (d *Deque) grow(m *machine, size int) {
	m.Account(16 * (size - len(d.ring)))
	ring := make([]value, size)
	tail := d.ring[d.head:]
	if len(tail) > d.n {
		tail = tail[:d.n]
	}
	copy(ring[copy(ring, tail):], d.ring[:d.n-len(tail)])
	d.ring, d.head = ring, 0
}

// pushRight appends v, dropping the first element if the limit is passed.
func (d *Deque) pushRight(m *machine, v value) {
	if !d.room(m, v) {
		return
	}
	d.n++
	*d.at(d.n - 1) = v
	d.state++
	m.NoteStore(&d.Object, v)
	if d.maxLen >= 0 && int64(d.n) > d.maxLen {
		d.popLeft()
	}
}

// pushLeft prepends v, dropping the last element if the limit is passed.
func (d *Deque) pushLeft(m *machine, v value) {
	if !d.room(m, v) {
		return
	}
	d.head = (d.head - 1) & (len(d.ring) - 1)
	d.n++
	d.ring[d.head] = v
	d.state++
	m.NoteStore(&d.Object, v)
	if d.maxLen >= 0 && int64(d.n) > d.maxLen {
		d.popRight()
	}
}

func (d *Deque) popRight() value {
	p := d.at(d.n - 1)
	v := *p
	*p = value{}
	d.n--
	d.state++
	return v
}

func (d *Deque) popLeft() value {
	p := d.at(0)
	v := *p
	*p = value{}
	d.head = (d.head + 1) & (len(d.ring) - 1)
	d.n--
	d.state++
	return v
}

func (d *Deque) clear() {
	d.ring, d.head, d.n = nil, 0, 0
	d.state++
}

// extend adds the values of an iterable on one side; one that is the deque
// itself is copied first.
func (d *Deque) extend(m *machine, src value, push func(*machine, value)) *exception {
	if src.Ref() == &d.Object {
		items, e := d.items(m)
		if e != nil {
			return e
		}
		src = m.List(items...)
	}
	return m.Iterate(src, func(v value) (bool, *exception) {
		m.Meter().Owe(m.Costs().Operand)
		push(m, v)
		return true, nil
	})
}

// items returns the elements in a fresh slice.
func (d *Deque) items(m *machine) ([]value, *exception) {
	if e := m.ChargeLen(0, d.n, 1); e != nil {
		return nil, e
	}
	if e := m.Reserve(64 * d.n); e != nil { // and for the ring made of them
		return nil, e
	}
	tail := d.ring[d.head:]
	if len(tail) >= d.n {
		return append([]value(nil), tail[:d.n]...), nil
	}
	return append(append(make([]value, 0, d.n), tail...), d.ring[:d.n-len(tail)]...), nil
}

// newDeque returns a deque of values with the limit and type of d.
func (d *Deque) like(m *machine, fill func(r *Deque)) (value, *exception) {
	t := d.Type()
	if t != &typeDeque { // a subclass is made as its constructor wants
		args := []value{m.List()}
		if d.maxLen >= 0 {
			args = append(args, object.Int(d.maxLen))
		}
		v, e := m.Call(t.Value(), object.Positional(args...))
		if e != nil {
			return value{}, e
		}
		r, ok := object.Cast[Deque](v, &typeDeque)
		if !ok {
			return value{}, m.TypeError("%s() must return a deque, not %s", t.Name, v.Type().Name)
		}
		fill(r)
		return v, nil
	}
	r := object.Alloc[Deque](m, t, 0)
	r.maxLen = d.maxLen
	fill(r)
	return object.Of(&r.Object), nil
}

// copy returns a deque with the same elements.
func (d *Deque) copy(m *machine) (value, *exception) {
	items, e := d.items(m)
	if e != nil {
		return value{}, e
	}
	return d.like(m, func(r *Deque) { r.append(m, items) })
}

// append appends values.
func (d *Deque) append(m *machine, items []value) {
	if d.maxLen >= 0 && int64(d.n+len(items)) > d.maxLen {
		for _, v := range items {
			d.pushRight(m, v)
		}
		return
	}
	size := max(8, len(d.ring))
	for size < d.n+len(items) {
		size *= 2
	}
	if size > len(d.ring) {
		d.grow(m, size)
	}
	end := (d.head + d.n) & (size - 1)
	copy(d.ring, items[copy(d.ring[end:], items):])
	d.n += len(items)
	d.state++
	for _, v := range items {
		m.NoteStore(&d.Object, v)
	}
}

// rotate moves n elements from the right end to the left.
func (d *Deque) rotate(m *machine, n int) *exception {
	if d.n < 2 {
		return nil
	}
	if n %= d.n; n < 0 {
		n += d.n
	}
	if n > d.n/2 {
		n -= d.n
	}
	if e := m.ChargeLen(0, max(n, -n), movedPerCycle); e != nil {
		return e
	}
	mask := len(d.ring) - 1
	d.state++
	for ; n > 0; n-- {
		p := d.at(d.n - 1)
		v := *p
		*p = value{}
		d.head = (d.head - 1) & mask
		d.ring[d.head] = v
	}
	for ; n < 0; n++ {
		v := d.ring[d.head]
		d.ring[d.head] = value{}
		d.head = (d.head + 1) & mask
		*d.at(d.n - 1) = v
	}
	return nil
}

// movedPerCycle is how many elements are moved to another place for a cycle.
const movedPerCycle = 1

// remove deletes element i by moving the shorter side.
func (d *Deque) remove(m *machine, i int) *exception {
	if e := m.ChargeLen(0, min(i, d.n-i), movedPerCycle); e != nil {
		return e
	}
	if i < d.n/2 {
		for ; i > 0; i-- {
			*d.at(i) = *d.at(i - 1)
		}
		d.popLeft()
		return nil
	}
	for ; i < d.n-1; i++ {
		*d.at(i) = *d.at(i + 1)
	}
	d.popRight()
	return nil
}

// insert puts v before element i.
func (d *Deque) insert(m *machine, i int, v value) *exception {
	if e := m.ChargeLen(0, min(i, d.n-i), movedPerCycle); e != nil {
		return e
	}
	if i < d.n/2 {
		d.pushLeft(m, v)
		for k := range i {
			*d.at(k) = *d.at(k + 1)
		}
	} else {
		d.pushRight(m, v)
		for k := d.n - 1; k > i; k-- {
			*d.at(k) = *d.at(k - 1)
		}
	}
	*d.at(i) = v
	return nil
}

// find returns the position of the first element equal to v in [from, to), or
// -1. Comparing may change the deque, which is an error.
func (d *Deque) find(m *machine, v value, from, to int) (int, *exception) {
	state := d.state
	for i := from; i < to && i < d.n; i++ {
		if e := m.Charge(2); e != nil {
			return 0, e
		}
		same, e := m.Same(*d.at(i), v)
		switch {
		case e != nil:
			return 0, e
		case same:
			return i, nil
		case d.state != state:
			return 0, m.RuntimeError("deque mutated during iteration")
		}
	}
	return -1, nil
}

// dequeIter walks a deque from one of its ends.
type dequeIter struct {
	object.Object
	d     *Deque
	at    int
	left  int // elements still to come
	back  bool
	state uint64
}

func (d *Deque) iterator(m *machine, back bool) value {
	t := &typeDequeIter
	if back {
		t = &typeDequeBack
	}
	it := object.Alloc[dequeIter](m, t, 0)
	it.d, it.left, it.back, it.state = d, d.n, back, d.state
	return object.Of(&it.Object)
}

var _ = []*object.Type{
	object.Define(&typeDequeIter, dequeIterator("_deque_iterator", false)),
	object.Define(&typeDequeBack, dequeIterator("_deque_reverse_iterator", true)),
}

// dequeIterator describes the iterators in one direction.
func dequeIterator(name string, back bool) object.Spec {
	return object.Spec{
		Name: name, Module: "_collections", Final: true,
		Layout: object.LayoutOf[dequeIter](object.KindNative),
		Slots: object.Slots{
			Iter: func(m *machine, v value) (value, *exception) { return v, nil },
			Next: dequeIterNext,
			New: func(m *machine, t *object.Type, a object.Args) (value, *exception) {
				return dequeIterNew(m, name, back, a)
			},
		},
		Methods: []object.Method{{Name: "__length_hint__", Func: func(m *machine, a object.Args) (value, *exception) {
			return object.Int(int64(object.Trust[dequeIter](a.V[0]).left)), nil
		}}},
		Traverse: func(o *object.Object, visit func(value)) {
			if it := object.Trust[dequeIter](object.Of(o)); it.d != nil {
				visit(object.Of(&it.d.Object))
			}
		},
	}
}

// dequeIterNew makes an iterator over a deque, past its first elements if a second
// argument says so.
func dequeIterNew(m *machine, name string, back bool, a object.Args) (value, *exception) {
	if len(a.Names) > 0 || len(a.V) < 1 || len(a.V) > 2 {
		return value{}, m.TypeError("%s() takes a deque and an index", name)
	}
	d, ok := object.Cast[Deque](a.V[0], &typeDeque)
	if !ok {
		return value{}, m.TypeError("%s() argument 1 must be collections.deque, not %s", name, a.V[0].Type().Name)
	}
	skip := 0
	if len(a.V) == 2 {
		var e *exception
		if skip, e = m.IndexInt(a.V[1], nil); e != nil {
			return value{}, e
		}
	}
	v := d.iterator(m, back)
	it := object.Trust[dequeIter](v)
	it.at = min(max(skip, 0), d.n)
	it.left -= it.at
	return v, nil
}

func dequeIterNext(m *machine, v value) (value, *exception) {
	it := object.Trust[dequeIter](v)
	d := it.d
	switch {
	case it.back && it.left == 0:
		return value{}, nil
	case d.state != it.state:
		it.left = 0
		return value{}, m.RuntimeError("deque mutated during iteration")
	case it.left == 0:
		return value{}, nil
	}
	m.Meter().Owe(m.Costs().Operand)
	i := it.at
	it.at++
	it.left--
	if it.back {
		i = d.n - 1 - i
	}
	return *d.at(i), nil
}
