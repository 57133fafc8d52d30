package pyiter

import "github.com/cowboyinc/cowboy-go/runtime/pvm/object"

const (
	argumentIterator = 14 // of each argument of a new tool
	stepCost         = 10 // of one step of a tool
	tupleCost        = 26 // of the tuple a step gives, on top of a cycle for each element
)

type (
	value     = object.Value
	exception = object.Exception
	machine   = object.Machine
)

// tool describes an iterator type whose structure is T.
type tool[T any] struct {
	name     string
	new      func(m *machine, t *object.Type, a object.Args) (value, *exception)
	keywords bool // new takes keyword arguments
	next     func(m *machine, it *T) (value, *exception)
	traverse func(it *T, visit func(value))
	size     func(it *T) int // beside the structure, or nil
	slots    object.Slots
	methods  []object.Method
}

// define makes the type t out of a description. T begins with an Object.
func define[T any](t *object.Type, d tool[T]) *object.Type {
	s := object.Spec{
		Name: d.name, Module: "itertools",
		Layout:  object.LayoutOf[T](object.KindNative),
		Slots:   d.slots,
		Methods: d.methods,
		Traverse: func(o *object.Object, visit func(value)) {
			d.traverse(object.Trust[T](object.Of(o)), func(v value) {
				if !v.IsZero() {
					visit(v)
				}
			})
		},
	}
	if d.size != nil {
		s.Size = func(o *object.Object) int { return 64 + d.size(object.Trust[T](object.Of(o))) }
	}
	if d.new != nil {
		s.Slots.New = func(m *machine, own *object.Type, a object.Args) (value, *exception) {
			if len(a.Names) > 0 && !d.keywords && own.Overrides(t, nameInit) {
				a = object.Positional(a.Pos()...) // keywords are for a subclass's __init__ if it has one
			}
			if e := m.Charge(object.IteratorCost + argumentIterator*len(a.V)); e != nil {
				return value{}, e
			}
			return d.new(m, own, a)
		}
	}
	s.NoNew = d.new == nil
	s.Slots.Init = acceptInit
	s.Slots.Iter = func(m *machine, v value) (value, *exception) { return v, nil }
	s.Slots.Next = func(m *machine, v value) (value, *exception) {
		if e := m.Charge(stepCost); e != nil {
			return value{}, e
		}
		return d.next(m, object.Trust[T](v))
	}
	return object.Define(t, s)
}

var nameInit = object.StaticName("__init__")

// acceptInit is the __init__ of types whose __new__ has taken the arguments.
func acceptInit(m *machine, v value, a object.Args) *exception { return nil }

// parameters binds the arguments of a constructor: names in order, the first
// required of them mandatory, the first positional of them not by keyword.
type parameters struct {
	function   string
	names      []string
	required   int
	positional int // positional-only parameters
	most       int // positional arguments accepted; 0 means all
}

// bind returns one value per parameter, zero where it is missing.
func (p *parameters) bind(m *machine, a object.Args) ([]value, *exception) {
	pos := a.Pos()
	most := p.most
	if most == 0 {
		most = len(p.names)
	}
	if len(pos) > most {
		return nil, m.TypeError("%s() takes at most %d argument%s (%d given)", p.function, most, object.Plural(most), len(pos))
	}
	out := make([]value, len(p.names))
	copy(out, pos)
	var wrong *exception // reported behind missing arguments, as CPython's parsers do
	for i, name := range a.Names {
		at := -1
		for k := p.positional; k < len(p.names); k++ {
			if p.names[k] == name.String() {
				at = k
			}
		}
		switch {
		case at >= 0 && out[at].IsZero():
			out[at] = a.V[len(pos)+i]
		case wrong != nil:
		case at < 0:
			wrong = m.TypeError("'%s' is an invalid keyword argument for %s()", name, p.function)
		default:
			wrong = m.TypeError("argument for %s() given by name ('%s') and position (%d)", p.function, name, at+1)
		}
	}
	for i := range p.required {
		if out[i].IsZero() {
			if p.positional >= p.required {
				return nil, m.TypeError("%s expected %d argument%s, got %d", p.function, p.required, object.Plural(p.required), len(pos))
			}
			return nil, m.TypeError("%s() missing required argument '%s' (pos %d)", p.function, p.names[i], i+1)
		}
	}
	return out, wrong
}

// exactly returns n positional arguments of a constructor without keywords.
func exactly(m *machine, function string, n int, a object.Args) ([]value, *exception) {
	switch {
	case len(a.Names) > 0:
		return nil, m.TypeError("%s() takes no keyword arguments", function)
	case len(a.V) != n:
		return nil, m.TypeError("%s expected %d argument%s, got %d", function, n, object.Plural(n), len(a.V))
	}
	return a.V, nil
}

// visitAll visits the values of a slice.
func visitAll(vs []value, visit func(value)) {
	for _, v := range vs {
		visit(v)
	}
}

// items collects an iterable whose values the tool keeps.
func items(m *machine, v value) ([]value, *exception) {
	vs, e := m.Collect(v)
	if e != nil {
		return nil, e
	}
	return vs[:len(vs):len(vs)], nil
}

// iterators calls iter() on every value.
func iterators(m *machine, vs []value) ([]value, *exception) {
	out := make([]value, len(vs))
	for i, v := range vs {
		it, e := m.Iter(v)
		if e != nil {
			return nil, e
		}
		m.Pin(it)
		out[i] = it
	}
	return out, nil
}
