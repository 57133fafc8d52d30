package object

import "unsafe"

// TypeANextDefault is the awaitable of anext with a default.
var TypeANextDefault Type

// CallIter is iter(callable, sentinel).
type CallIter struct {
	Object
	fn, sentinel Value
}

// Enumerate is an enumerate object.
type Enumerate struct {
	Object
	it   Value
	n    Value // next number
	list *List // what it walks directly, if that is a plain list
	at   int
}

// Zip is a zip object.
type Zip struct {
	Object
	its    []Value
	strict bool
}

// MapIter is a map or filter object.
type MapIter struct {
	Object
	fn  Value
	its []Value
}

// ANextDefault is an awaitable with a default.
type ANextDefault struct {
	Object
	awaitable, def Value
}

func (m *Machine) newCallIter(fn, sentinel Value) Value {
	c := Alloc[CallIter](m, &TypeCallableIter, 0)
	c.fn, c.sentinel = fn, sentinel
	return Value{ref: &c.Object}
}

func (m *Machine) newANextDefault(awaitable, def Value) Value {
	a := Alloc[ANextDefault](m, &TypeANextDefault, 0)
	a.awaitable, a.def = awaitable, def
	return Value{ref: &a.Object}
}

func defineFunctional() {
	Define(&TypeCallableIter, Spec{
		Name: "callable_iterator", Layout: LayoutOf[CallIter](KindIterator), NoNew: true, Final: true,
		Traverse: func(o *Object, visit func(Value)) {
			c := (*CallIter)(unsafe.Pointer(o))
			each([]Value{c.fn, c.sentinel}, visit)
		},
		Slots: Slots{Iter: selfIter, Next: func(m *Machine, v Value) (Value, *Exception) {
			c := Trust[CallIter](v)
			if c.fn.ref == nil {
				return Value{}, nil
			}
			r, e := m.Call(c.fn, Args{})
			if c.fn.ref == nil {
				return Value{}, e // exhausted meanwhile, by the call itself
			}
			if e != nil {
				if e.Is(&ExcStopIteration) {
					c.fn = Value{}
					return Value{}, nil
				}
				return Value{}, e
			}
			same, e := m.Same(c.sentinel, r)
			if e != nil || same {
				c.fn = Value{}
				return Value{}, e
			}
			return r, nil
		}},
	})
	Define(&TypeEnumerate, Spec{
		Name: "enumerate", Layout: LayoutOf[Enumerate](KindIterator),
		Traverse: func(o *Object, visit func(Value)) {
			x := (*Enumerate)(unsafe.Pointer(o))
			each([]Value{x.it, x.n}, visit)
			if x.list != nil {
				visit(x.list.Value())
			}
		},
		Slots: Slots{New: enumerateNew, Iter: selfIter, Next: func(m *Machine, v Value) (Value, *Exception) {
			i, x, ok, e := Trust[Enumerate](v).next(m)
			if e != nil || !ok {
				return Value{}, e
			}
			m.meter.Owe(m.costs.Display + m.costs.Operand)
			return m.pair(i, x), nil
		}},
		Methods: []Method{classGetItem()},
	})
	Define(&TypeZip, Spec{
		Name: "zip", Layout: LayoutOf[Zip](KindIterator),
		Traverse: func(o *Object, visit func(Value)) { each((*Zip)(unsafe.Pointer(o)).its, visit) },
		Slots:    Slots{New: zipNew, Iter: selfIter, Next: zipNext},
	})
	visitMap := func(o *Object, visit func(Value)) {
		x := (*MapIter)(unsafe.Pointer(o))
		visit(x.fn)
		each(x.its, visit)
	}
	Define(&TypeMap, Spec{
		Name: "map", Layout: LayoutOf[MapIter](KindIterator), Traverse: visitMap,
		Slots: Slots{New: mapNew, Iter: selfIter, Next: mapNext},
	})
	Define(&TypeFilter, Spec{
		Name: "filter", Layout: LayoutOf[MapIter](KindIterator), Traverse: visitMap,
		Slots: Slots{New: filterNew, Iter: selfIter, Next: filterNext},
	})
	Define(&TypeANextDefault, Spec{
		Name: "anext_awaitable", Layout: LayoutOf[ANextDefault](KindNative), NoNew: true, Final: true,
		Traverse: func(o *Object, visit func(Value)) {
			x := (*ANextDefault)(unsafe.Pointer(o))
			visit(x.awaitable)
			visit(x.def)
		},
		Slots: Slots{Iter: selfIter, Await: selfIter, Next: func(m *Machine, v Value) (Value, *Exception) {
			return Trust[ANextDefault](v).step(m, func(it Value) (Value, *Exception) {
				r, e := it.ref.typ.Slots.Next(m, it)
				if e == nil && r.ref == nil {
					return Value{}, m.Raise(&ExcStopIteration, "")
				}
				return r, e
			})
		}},
		Methods: []Method{
			{Name: "send", Sig: "value, /", Func: func(m *Machine, a Args) (Value, *Exception) {
				return Trust[ANextDefault](a.V[0]).step(m, func(it Value) (Value, *Exception) { return m.CallMethod(it, nSend, a.V[1]) })
			}},
			{Name: "throw", Sig: Unbound, Func: func(m *Machine, a Args) (Value, *Exception) {
				return Trust[ANextDefault](a.V[0]).step(m, func(it Value) (Value, *Exception) { return m.CallMethod(it, nThrow, a.V[1:]...) })
			}},
			{Name: "close", Func: func(m *Machine, a Args) (Value, *Exception) {
				return Trust[ANextDefault](a.V[0]).step(m, func(it Value) (Value, *Exception) { return m.CallMethod(it, nClose) })
			}},
		},
	})
}

// step forwards to the awaitable and turns the end of the asynchronous iterator
// into the default.
func (x *ANextDefault) step(m *Machine, fn func(it Value) (Value, *Exception)) (Value, *Exception) {
	it, e := m.Awaitable(x.awaitable, 0)
	if e != nil {
		return Value{}, e
	}
	if it.ref.typ == &TypeCoroutine {
		it = m.newCoroutineWrapper(it)
	}
	r, e := fn(it)
	if e != nil && e.Is(&ExcStopAsyncIteration) {
		return Value{}, m.RaiseValue(&ExcStopIteration, x.def)
	}
	return r, e
}

var enumerateSig = NewBuiltin(Method{Name: "enumerate", Sig: "iterable, start=0"})

func enumerateNew(m *Machine, t *Type, a Args) (Value, *Exception) {
	var e *Exception
	if len(a.V) == 1 && len(a.Names) == 0 {
		m.meter.Owe(enumerateSig.bindCost(m.costs, 0))
	} else if a, e = enumerateSig.bind(m, a); e != nil {
		return Value{}, e
	}
	n := Int(0)
	if s := a.Arg(1); s.ref != nil {
		if n, e = m.Index(s); e != nil {
			return Value{}, e
		}
	}
	x := Alloc[Enumerate](m, t, 0)
	x.n = n
	if l := a.V[0]; l.ref.kind == KindList {
		x.list = l.list()
		return Value{ref: &x.Object}, nil
	}
	x.it, e = m.Iter(a.V[0])
	return Value{ref: &x.Object}, e
}

// next returns the next number and value.
func (x *Enumerate) next(m *Machine) (i, v Value, ok bool, e *Exception) {
	if x.list != nil {
		if x.at >= len(x.list.items) {
			x.list, x.it = nil, emptyTupleIter
			return
		}
		v = x.list.items[x.at]
		x.at++
	} else if v, e = m.Step(x.it); e != nil || v.ref == nil {
		return
	}
	i = x.n
	if i.IsInt() && i.Int64() < maxIndex {
		x.n = Int(i.Int64() + 1)
		return i, v, true, nil
	}
	x.n, e = m.IntOp(Add, i, Int(1))
	return i, v, true, e
}

var emptyTupleIter = makeEmptyIter()

func makeEmptyIter() Value {
	it := &SeqIter{}
	it.typ, it.kind, it.flags = &TypeTupleIter, KindIterator, flagStatic
	return Value{ref: &it.Object}
}

// IteratorCost is the price of making an iterator over others, beside its memory.
const IteratorCost = 8

func (m *Machine) iterators(vs []Value) ([]Value, *Exception) {
	m.meter.Owe(IteratorCost + len(vs))
	out := make([]Value, len(vs))
	for i, v := range vs {
		it, e := m.Iter(v)
		if e != nil {
			return nil, e
		}
		out[i] = it
	}
	return out, nil
}

func zipNew(m *Machine, t *Type, a Args) (Value, *Exception) {
	m.meter.Owe(severalCost)
	strict := false
	for i, n := range a.Names {
		if n.s != "strict" {
			return Value{}, m.TypeError("'%s' is an invalid keyword argument for zip()", n.s)
		}
		var e *Exception
		if strict, e = m.Truth(a.V[len(a.Pos())+i]); e != nil {
			return Value{}, e
		}
	}
	m.meter.Owe(eachCost * len(a.Pos()))
	its := make([]Value, len(a.Pos()))
	for i, v := range a.Pos() {
		if v.ref.typ.Slots.Iter == nil && v.ref.typ.Slots.GetItem == nil {
			return Value{}, m.TypeError("'%s' object is not iterable", v.ref.typ.Name)
		}
		it, e := m.Iter(v)
		if e != nil {
			return Value{}, e
		}
		its[i] = it
	}
	z := Alloc[Zip](m, t, len(its)*valueSize)
	z.its, z.strict = its, strict
	return Value{ref: &z.Object}, nil
}

func zipNext(m *Machine, v Value) (Value, *Exception) {
	z := Trust[Zip](v)
	if len(z.its) == 0 {
		return Value{}, nil
	}
	m.meter.Owe(m.costs.Display + m.costs.Operand)
	t := m.room(len(z.its))
	ok, e := z.fill(m, t.items)
	if e != nil || !ok {
		return Value{}, e
	}
	return t.Value(), nil
}

// fill takes one value of each iterator.
func (z *Zip) fill(m *Machine, out []Value) (bool, *Exception) {
	if len(z.its) > 2 {
		if e := m.Charge(len(z.its)); e != nil {
			return false, e
		}
	}
	for i, it := range z.its {
		x, e := m.Step(it)
		if e != nil && !(z.strict && e.Is(&ExcStopIteration)) {
			return false, e
		}
		if x.ref == nil {
			if z.strict {
				return false, z.unequal(m, i)
			}
			return false, nil
		}
		out[i] = x
	}
	return true, nil
}

// unequal is called when iterator i ended first: all must end now.
func (z *Zip) unequal(m *Machine, i int) *Exception {
	if i > 0 {
		return m.ValueError("zip() argument %d is shorter than argument%s", i+1, oneOrRange(i))
	}
	for j, it := range z.its[1:] {
		x, e := m.Next(it)
		if e != nil {
			return e
		}
		if x.ref != nil {
			return m.ValueError("zip() argument %d is longer than argument%s", j+2, oneOrRange(j+1))
		}
	}
	return nil
}

func oneOrRange(n int) string {
	if n == 1 {
		return " 1"
	}
	return "s 1-" + itoa(int64(n))
}

func mapNew(m *Machine, t *Type, a Args) (Value, *Exception) {
	m.meter.Owe(severalCost + eachCost*len(a.V))
	if len(a.Names) > 0 {
		if !t.Overrides(&TypeMap, nInit) {
			return Value{}, m.TypeError("map() takes no keyword arguments")
		}
		a = Positional(a.Pos()...)
	}
	if len(a.V) < 2 {
		return Value{}, m.TypeError("map() must have at least two arguments.")
	}
	its, e := m.iterators(a.V[1:])
	if e != nil {
		return Value{}, e
	}
	x := Alloc[MapIter](m, t, len(its)*valueSize)
	x.fn, x.its = a.V[0], its
	return Value{ref: &x.Object}, nil
}

func mapNext(m *Machine, v Value) (Value, *Exception) {
	x := Trust[MapIter](v)
	var buf [4]Value
	args := buf[:0]
	for _, it := range x.its {
		y, e := m.Step(it)
		if e != nil || y.ref == nil {
			return Value{}, e
		}
		args = append(args, y)
	}
	m.meter.Owe(m.costs.Operand)
	if len(args) == 1 {
		return m.Call1(x.fn, args[0])
	}
	return m.Call(x.fn, Args{V: append([]Value(nil), args...)})
}

func filterNew(m *Machine, t *Type, a Args) (Value, *Exception) {
	if len(a.Names) > 0 {
		if !t.Overrides(&TypeFilter, nInit) {
			return Value{}, m.TypeError("filter() takes no keyword arguments")
		}
		a = Positional(a.Pos()...)
	}
	if len(a.V) != 2 {
		return Value{}, m.TypeError("filter expected 2 arguments, got %d", len(a.V))
	}
	it, e := m.Iter(a.V[1])
	if e != nil {
		return Value{}, e
	}
	m.meter.Owe(m.costs.Display)
	x := Alloc[MapIter](m, t, valueSize)
	x.fn, x.its = noneAsZero(a.V[0]), []Value{it}
	if x.fn.ref == nil {
		x.fn = TypeBool.Value()
	}
	return Value{ref: &x.Object}, nil
}

func filterNext(m *Machine, v Value) (Value, *Exception) {
	x := Trust[MapIter](v)
	for {
		y, e := m.Step(x.its[0])
		if e != nil || y.ref == nil {
			return Value{}, e
		}
		if e := m.Charge(8); e != nil {
			return Value{}, e
		}
		r := y
		if x.fn != TypeBool.Value() {
			if r, e = m.Call1(x.fn, y); e != nil {
				return Value{}, e
			}
		}
		keep, e := m.Truth(r)
		if e != nil {
			return Value{}, e
		}
		if keep {
			return y, nil
		}
	}
}

// NextPair steps an iterator that yields pairs without making a tuple; is says
// whether the iterator is of that sort.
func (m *Machine) NextPair(it Value) (a, b Value, ok bool, e *Exception, is bool) {
	switch it.ref.typ {
	case &TypeEnumerate:
		a, b, ok, e = Trust[Enumerate](it).next(m)
		return a, b, ok, unlessStop(e), true
	case &TypeZip:
		if z := Trust[Zip](it); len(z.its) == 2 {
			var out [2]Value
			ok, e = z.fill(m, out[:])
			return out[0], out[1], ok, unlessStop(e), true
		}
	}
	return Value{}, Value{}, false, nil, false
}

// unlessStop returns an exception unless it is the end of an iteration.
func unlessStop(e *Exception) *Exception {
	if e != nil && e.Is(&ExcStopIteration) {
		return nil
	}
	return e
}
