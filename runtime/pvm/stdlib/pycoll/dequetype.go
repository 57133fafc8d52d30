package pycoll

import (
	"strconv"

	"github.com/cowboyinc/cowboy-go/runtime/pvm/object"
)

var _ = object.Define(&typeDeque, object.Spec{
	Name: "deque", Module: "collections", Sequence: true,
	Doc:    "deque([iterable[, maxlen]]) --> deque object\n\nA list-like sequence optimized for data accesses near its endpoints.",
	Layout: object.LayoutOf[Deque](object.KindNative),
	Slots: object.Slots{
		New: func(m *machine, t *object.Type, a object.Args) (value, *exception) {
			if e := m.Charge(dequeCost); e != nil {
				return value{}, e
			}
			d := object.Alloc[Deque](m, t, 0)
			d.maxLen = -1
			return object.Of(&d.Object), nil
		},
		Init: dequeInit, Repr: dequeRepr, Compare: dequeCompare,
		Len:  func(m *machine, v value) (int, *exception) { return self(v).n, nil },
		Bool: func(m *machine, v value) (bool, *exception) { return self(v).n > 0, nil },
		Iter: func(m *machine, v value) (value, *exception) { return self(v).iterator(m, false), nil },
		Contains: func(m *machine, v, item value) (bool, *exception) {
			d := self(v)
			i, e := d.find(m, item, 0, d.n)
			return i >= 0, e
		},
		GetItem: dequeGetItem, SetItem: dequeSetItem,
		Binary:  binary(object.Add, dequeAdd, object.Mul, dequeMul),
		InPlace: inPlace(object.Add, dequeInPlaceAdd, object.Mul, dequeInPlaceMul),
	},
	Methods: dequeMethods(),
	Fields: []object.Field{{Name: "maxlen", Get: func(m *machine, v value) (value, *exception) {
		if d := self(v); d.maxLen >= 0 {
			return object.Int(d.maxLen), nil
		}
		return object.None, nil
	}}},
	Traverse: func(o *object.Object, visit func(value)) {
		d := self(object.Of(o))
		for i := range d.n {
			visit(*d.at(i))
		}
	},
	Size: func(o *object.Object) int { return 96 + 16*len(self(object.Of(o)).ring) },
	Relocate: func(r *object.Relocation, o *object.Object) {
		d := self(object.Of(o))
		d.ring = r.Values(d.ring)
	},
})

// dequeCost is the price of a deque without elements, which is made and filled in two turns.
const dequeCost = 40

func self(v value) *Deque { return object.Trust[Deque](v) }

func binary(op1 object.Operator, f1 object.Binary, op2 object.Operator, f2 object.Binary) (s [object.DivMod + 1]object.Binary) {
	s[op1], s[op2] = f1, f2
	return s
}

func inPlace(op1 object.Operator, f1 object.Binary, op2 object.Operator, f2 object.Binary) (s [object.DivMod]object.Binary) {
	s[op1], s[op2] = f1, f2
	return s
}

func dequeInit(m *machine, v value, a object.Args) *exception {
	d := self(v)
	pos := a.Pos()
	if len(pos) > 2 {
		return m.TypeError("deque() takes at most 2 arguments (%d given)", len(a.V))
	}
	args := [2]value{a.Arg(0), a.Arg(1)}
	for i, name := range a.Names {
		at := 1
		switch name.String() {
		case "iterable":
			at = 0
		case "maxlen":
		default:
			return m.TypeError("'%s' is an invalid keyword argument for deque()", name)
		}
		args[at] = a.V[len(pos)+i]
	}
	d.maxLen = -1
	if limit := args[1]; !limit.IsZero() && !limit.IsNone() {
		n, ok := limit.AsInt()
		if !ok {
			return m.TypeError("an integer is required")
		}
		size, e := m.IndexInt64(n, nil)
		if e != nil {
			return e
		}
		if size < 0 {
			return m.ValueError("maxlen must be non-negative")
		}
		d.maxLen = size
	}
	d.clear()
	if args[0].IsZero() {
		return nil
	}
	return d.extend(m, args[0], d.pushRight)
}

func dequeRepr(m *machine, v value) (value, *exception) {
	d := self(v)
	if d.showing {
		return m.Str("[...]"), nil
	}
	items, e := d.items(m)
	if e != nil {
		return value{}, e
	}
	d.showing = true
	list := m.List(items...)
	m.Pin(list)
	text, e := m.ReprText(list)
	d.showing = false
	if e != nil {
		return value{}, e
	}
	if e := m.ChargeLen(0, len(text), 8); e != nil {
		return value{}, e
	}
	if d.maxLen >= 0 {
		text += ", maxlen=" + strconv.FormatInt(d.maxLen, 10)
	}
	return m.Str(v.Type().ShortName() + "(" + text + ")"), nil
}

func dequeCompare(m *machine, op object.CompareOp, a, b value) (value, *exception) {
	x, ok := object.Cast[Deque](a, &typeDeque)
	if !ok {
		return object.NotImplemented, nil
	}
	y, ok := object.Cast[Deque](b, &typeDeque)
	if !ok {
		return object.NotImplemented, nil
	}
	if (op == object.Eq || op == object.Ne) && x.n != y.n {
		return object.Bool(op == object.Ne), nil
	}
	if e := m.Enter(); e != nil {
		return value{}, e
	}
	defer m.Leave()
	stateX, stateY := x.state, y.state
	for i := 0; i < x.n && i < y.n; i++ {
		if e := m.Charge(2); e != nil {
			return value{}, e
		}
		same, e := m.Same(*x.at(i), *y.at(i))
		if e != nil {
			return value{}, e
		}
		if x.state != stateX || y.state != stateY {
			return value{}, m.RuntimeError("deque mutated during iteration")
		}
		if !same {
			if op == object.Eq || op == object.Ne {
				return object.Bool(op == object.Ne), nil
			}
			return m.Compare(op, *x.at(i), *y.at(i))
		}
	}
	return m.Compare(op, object.Int(int64(x.n)), object.Int(int64(y.n)))
}

// index converts a subscript.
func (d *Deque) index(m *machine, key value) (int, *exception) {
	if key.Type().Slots.ToIndex == nil {
		return 0, m.TypeError("sequence index must be integer, not '%s'", key.Type().Name)
	}
	i, e := m.IndexInt(key, &object.ExcIndexError)
	if e != nil {
		return 0, e
	}
	if i < 0 {
		i += d.n
	}
	if i < 0 || i >= d.n {
		return 0, m.IndexError("deque index out of range")
	}
	return i, nil
}

func dequeGetItem(m *machine, v, key value) (value, *exception) {
	d := self(v)
	i, e := d.index(m, key)
	if e != nil {
		return value{}, e
	}
	return *d.at(i), nil
}

func dequeSetItem(m *machine, v, key, val value) *exception {
	d := self(v)
	i, e := d.index(m, key)
	if e != nil {
		return e
	}
	if val.IsZero() {
		return d.remove(m, i)
	}
	*d.at(i) = val
	m.NoteStore(&d.Object, val)
	return nil
}

// joinCost is the price of a deque that is made of others, beside copying them and the operator's.
const joinCost = 60

func dequeAdd(m *machine, a, b value) (value, *exception) {
	x, ok := object.Cast[Deque](a, &typeDeque)
	if !ok {
		return object.NotImplemented, nil
	}
	if _, ok := object.Cast[Deque](b, &typeDeque); !ok {
		return object.NotImplemented, nil // the other side comes first
	}
	m.Meter().Owe(joinCost)
	r, e := x.copy(m)
	if e != nil {
		return value{}, e
	}
	m.Pin(r)
	d := self(r)
	return r, d.extend(m, b, d.pushRight)
}

func dequeInPlaceAdd(m *machine, a, b value) (value, *exception) {
	d := self(a)
	return a, d.extend(m, b, d.pushRight)
}

func dequeMul(m *machine, a, b value) (value, *exception) {
	x, ok := object.Cast[Deque](a, &typeDeque)
	if !ok {
		if x, ok = object.Cast[Deque](b, &typeDeque); !ok {
			return object.NotImplemented, nil
		}
		b = a
	}
	if b.Type().Slots.ToIndex == nil {
		return object.NotImplemented, nil
	}
	m.Meter().Owe(joinCost)
	r, e := x.copy(m)
	if e != nil {
		return value{}, e
	}
	m.Pin(r)
	return dequeInPlaceMul(m, r, b)
}

func dequeInPlaceMul(m *machine, a, b value) (value, *exception) {
	d := self(a)
	if b.Type().Slots.ToIndex == nil {
		return object.NotImplemented, nil
	}
	n, e := m.IndexInt(b, &object.ExcOverflowError)
	if e != nil {
		return value{}, e
	}
	if n <= 0 {
		d.clear()
		return a, nil
	}
	if d.maxLen >= 0 && d.n > 0 { // only the last repetitions remain
		n = int(min(int64(n), d.maxLen/int64(d.n)+2))
	}
	if d.n == 0 {
		return a, nil
	}
	if n > (1<<25)/d.n {
		return value{}, m.Reserve(-1)
	}
	if e := m.ChargeLen(0, 2*d.n*n, 1); e != nil {
		return value{}, e
	}
	if e := m.Reserve(32 * d.n * n); e != nil {
		return value{}, e
	}
	items, e := d.items(m)
	if e != nil {
		return value{}, e
	}
	for range n - 1 {
		d.append(m, items)
	}
	return a, nil
}

// method wraps an operation on a deque that returns None.
func method(name, sig string, f func(m *machine, d *Deque, a object.Args) *exception) object.Method {
	return object.Method{Name: name, Sig: sig, Func: func(m *machine, a object.Args) (value, *exception) {
		if e := f(m, self(a.V[0]), a); e != nil {
			return value{}, e
		}
		return object.None, nil
	}}
}

func dequeMethods() []object.Method {
	copyMethod := func(m *machine, a object.Args) (value, *exception) { return self(a.V[0]).copy(m) }
	return []object.Method{
		method("append", "x, /", func(m *machine, d *Deque, a object.Args) *exception { d.pushRight(m, a.V[1]); return nil }),
		method("appendleft", "x, /", func(m *machine, d *Deque, a object.Args) *exception { d.pushLeft(m, a.V[1]); return nil }),
		method("clear", "", func(m *machine, d *Deque, a object.Args) *exception { d.clear(); return nil }),
		method("extend", "iterable, /", func(m *machine, d *Deque, a object.Args) *exception { return d.extend(m, a.V[1], d.pushRight) }),
		method("extendleft", "iterable, /", func(m *machine, d *Deque, a object.Args) *exception { return d.extend(m, a.V[1], d.pushLeft) }),
		method("insert", "index, object, /", dequeInsert),
		method("remove", "value, /", dequeRemove),
		method("reverse", "", func(m *machine, d *Deque, a object.Args) *exception {
			if e := m.ChargeLen(0, d.n, 4); e != nil {
				return e
			}
			for i, j := 0, d.n-1; i < j; i, j = i+1, j-1 {
				p, q := d.at(i), d.at(j)
				*p, *q = *q, *p
			}
			d.state++
			return nil
		}),
		method("rotate", "n=1, /", func(m *machine, d *Deque, a object.Args) *exception {
			n, e := m.IndexInt64(a.Or(1, object.Int(1)), nil)
			if e != nil || d.n == 0 {
				return e
			}
			return d.rotate(m, int(n%int64(d.n)))
		}),
		{Name: "copy", Func: copyMethod},
		{Name: "__copy__", Func: copyMethod},
		{Name: "count", Sig: "value, /", Func: dequeCount},
		{Name: "index", Sig: "value, start=0, stop=None, /", Func: dequeIndex},
		{Name: "pop", Func: func(m *machine, a object.Args) (value, *exception) {
			if d := self(a.V[0]); d.n > 0 {
				return d.popRight(), nil
			}
			return value{}, m.IndexError("pop from an empty deque")
		}},
		{Name: "popleft", Func: func(m *machine, a object.Args) (value, *exception) {
			if d := self(a.V[0]); d.n > 0 {
				return d.popLeft(), nil
			}
			return value{}, m.IndexError("pop from an empty deque")
		}},
		{Name: "__reversed__", Func: func(m *machine, a object.Args) (value, *exception) {
			return self(a.V[0]).iterator(m, true), nil
		}},
		{Name: "__class_getitem__", Sig: "item, /", Class: true, Func: func(m *machine, a object.Args) (value, *exception) {
			return m.NewAlias(a.V[0], a.V[1]), nil
		}},
	}
}

func dequeInsert(m *machine, d *Deque, a object.Args) *exception {
	i, e := m.IndexInt(a.V[1], nil)
	if e != nil {
		return e
	}
	if d.maxLen >= 0 && int64(d.n) >= d.maxLen {
		return m.IndexError("deque already at its maximum size")
	}
	if i < 0 {
		i = max(i+d.n, 0)
	}
	return d.insert(m, min(i, d.n), a.V[2])
}

func dequeRemove(m *machine, d *Deque, a object.Args) *exception {
	n := d.n
	for i := range n {
		if e := m.Charge(2); e != nil {
			return e
		}
		same, e := m.Same(*d.at(i), a.V[1])
		switch {
		case e != nil:
			return e
		case n != d.n:
			return m.IndexError("deque mutated during remove().")
		case same:
			return d.remove(m, i)
		}
	}
	return notInDeque(m, a.V[1])
}

func dequeCount(m *machine, a object.Args) (value, *exception) {
	d, n := self(a.V[0]), int64(0)
	state := d.state
	for i := 0; i < d.n; i++ {
		if e := m.Charge(2); e != nil {
			return value{}, e
		}
		same, e := m.Same(*d.at(i), a.V[1])
		switch {
		case e != nil:
			return value{}, e
		case d.state != state:
			return value{}, m.RuntimeError("deque mutated during iteration")
		case same:
			n++
		}
	}
	return object.Int(n), nil
}

func dequeIndex(m *machine, a object.Args) (value, *exception) {
	d := self(a.V[0])
	bounds := [2]int{0, d.n}
	for i := range bounds {
		v := a.Arg(2 + i)
		if v.IsZero() {
			continue
		}
		if v.Type().Slots.ToIndex == nil {
			return value{}, m.TypeError("slice indices must be integers or have an __index__ method")
		}
		n, e := m.SliceIndex(v)
		if e != nil {
			return value{}, e
		}
		if n < 0 {
			n = max(n+d.n, 0)
		}
		bounds[i] = min(n, d.n)
	}
	i, e := d.find(m, a.V[1], bounds[0], bounds[1])
	if e != nil {
		return value{}, e
	}
	if i < 0 {
		return value{}, notInDeque(m, a.V[1])
	}
	return object.Int(int64(i)), nil
}

func notInDeque(m *machine, v value) *exception {
	text, e := m.ReprText(v)
	if e != nil {
		return e
	}
	return m.ValueError("%s is not in deque", text)
}
