package pyiter

import "github.com/cowboyinc/cowboy-go/runtime/pvm/object"

// selector is a tool that passes on some elements of one iterator by a
// predicate: filterfalse, takewhile, dropwhile, and starmap, which calls it with
// the elements as arguments.
type selector struct {
	object.Object
	fn, it value
	done   bool // takewhile has ended, dropwhile has begun
}

func (s *selector) visit(visit func(value)) {
	visit(s.fn)
	visit(s.it)
}

var typeFilterFalse, typeTakeWhile, typeDropWhile, typeStarMap object.Type

func newSelector(name string) func(m *machine, t *object.Type, a object.Args) (value, *exception) {
	return func(m *machine, t *object.Type, a object.Args) (value, *exception) {
		args, e := exactly(m, name, 2, a)
		if e != nil {
			return value{}, e
		}
		it, e := m.Iter(args[1])
		if e != nil {
			return value{}, e
		}
		s := object.Alloc[selector](m, t, 0)
		s.fn, s.it = args[0], it
		return object.Of(&s.Object), nil
	}
}

func selectorTool(name string, next func(m *machine, s *selector) (value, *exception)) tool[selector] {
	return tool[selector]{name: name, new: newSelector(name), next: next, traverse: (*selector).visit}
}

// holds asks the predicate.
func (s *selector) holds(m *machine, x value) (bool, *exception) {
	r, e := m.Call(s.fn, object.Positional(x))
	if e != nil {
		return false, e
	}
	return m.Truth(r)
}

var _ = define(&typeFilterFalse, selectorTool("filterfalse", func(m *machine, s *selector) (value, *exception) {
	identity := s.fn.IsNone() || s.fn == object.TypeBool.Value()
	for {
		x, e := m.Step(s.it)
		if e != nil || x.IsZero() {
			return value{}, e
		}
		m.Pin(x)
		var yes bool
		if identity {
			yes, e = m.Truth(x)
		} else {
			yes, e = s.holds(m, x)
		}
		if e != nil {
			return value{}, e
		}
		if !yes {
			return x, nil
		}
		m.Unpin(m.Pinned() - 1)
		if e := m.Charge(stepCost); e != nil {
			return value{}, e
		}
	}
}))

var _ = define(&typeTakeWhile, selectorTool("takewhile", func(m *machine, s *selector) (value, *exception) {
	if s.done {
		return value{}, nil
	}
	x, e := m.Step(s.it)
	if e != nil || x.IsZero() {
		return value{}, e
	}
	m.Pin(x)
	yes, e := s.holds(m, x)
	if e != nil || yes {
		return ifOK(x, e)
	}
	s.done = true
	return value{}, nil
}))

var _ = define(&typeDropWhile, selectorTool("dropwhile", func(m *machine, s *selector) (value, *exception) {
	for {
		x, e := m.Step(s.it)
		if e != nil || x.IsZero() || s.done {
			return x, e
		}
		m.Pin(x)
		yes, e := s.holds(m, x)
		if e != nil {
			return value{}, e
		}
		if !yes {
			s.done = true
			return x, nil
		}
		m.Unpin(m.Pinned() - 1)
		if e := m.Charge(stepCost); e != nil {
			return value{}, e
		}
	}
}))

var _ = define(&typeStarMap, selectorTool("starmap", func(m *machine, s *selector) (value, *exception) {
	x, e := m.Step(s.it)
	if e != nil || x.IsZero() {
		return value{}, e
	}
	args, e := m.Collect(x)
	if e != nil {
		return value{}, e
	}
	return m.Call(s.fn, object.Positional(args...))
}))

// ifOK returns x unless there is an exception.
func ifOK(x value, e *exception) (value, *exception) {
	if e != nil {
		return value{}, e
	}
	return x, nil
}

// compress passes on the elements whose selector is true.
type compress struct {
	object.Object
	data, selectors value
}

var typeCompress object.Type

var _ = define(&typeCompress, tool[compress]{
	name:     "compress",
	keywords: true,
	new: func(m *machine, t *object.Type, a object.Args) (value, *exception) {
		args, e := (&parameters{function: "compress", names: []string{"data", "selectors"}, required: 2}).bind(m, a)
		if e != nil {
			return value{}, e
		}
		its, e := iterators(m, args)
		if e != nil {
			return value{}, e
		}
		c := object.Alloc[compress](m, t, 0)
		c.data, c.selectors = its[0], its[1]
		return object.Of(&c.Object), nil
	},
	next: func(m *machine, c *compress) (value, *exception) {
		for {
			x, e := m.Step(c.data)
			if e != nil || x.IsZero() {
				return value{}, e
			}
			m.Pin(x)
			s, e := m.Step(c.selectors)
			if e != nil || s.IsZero() {
				return value{}, e
			}
			yes, e := m.Truth(s)
			if e != nil {
				return value{}, e
			}
			if yes {
				return x, nil
			}
			m.Unpin(m.Pinned() - 1)
			if e := m.Charge(stepCost); e != nil {
				return value{}, e
			}
		}
	},
	traverse: func(c *compress, visit func(value)) { visit(c.data); visit(c.selectors) },
})
