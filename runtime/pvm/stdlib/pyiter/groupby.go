package pyiter

import "github.com/cowboyinc/cowboy-go/runtime/pvm/object"

var typeGroupBy, typeGrouper object.Type

// groupBy gives pairs of a key and an iterator over the run of elements that
// have it.
type groupBy struct {
	object.Object
	it, key      value // key zero or None for the elements themselves
	target       value // the key of the group given last
	currentKey   value
	currentValue value
	group        *grouper // the only one that may still advance
}

// grouper is the iterator over one run.
type grouper struct {
	object.Object
	parent *groupBy
	target value
}

var _ = define(&typeGroupBy, tool[groupBy]{
	name:     "groupby",
	keywords: true,
	new: func(m *machine, t *object.Type, a object.Args) (value, *exception) {
		args, e := (&parameters{function: "groupby", names: []string{"iterable", "key"}, required: 1}).bind(m, a)
		if e != nil {
			return value{}, e
		}
		it, e := m.Iter(args[0])
		if e != nil {
			return value{}, e
		}
		g := object.Alloc[groupBy](m, t, 0)
		g.it, g.key = it, args[1]
		if !g.key.IsZero() && g.key.IsNone() {
			g.key = value{}
		}
		return object.Of(&g.Object), nil
	},
	next: func(m *machine, g *groupBy) (value, *exception) {
		g.group = nil
		for { // skip to the next key
			if !g.currentKey.IsZero() {
				if g.target.IsZero() {
					break
				}
				same, e := m.Same(g.target, g.currentKey)
				if e != nil {
					return value{}, e
				}
				if !same {
					break
				}
				if e := m.Charge(stepCost); e != nil {
					return value{}, e
				}
			}
			if more, e := g.step(m); e != nil || !more {
				return value{}, e
			}
		}
		m.Meter().Owe(m.Costs().Display + m.Costs().Operand)
		g.target = g.currentKey
		r := object.Alloc[grouper](m, &typeGrouper, 0)
		r.parent, r.target = g, g.target
		g.group = r
		return m.Tuple(g.currentKey, object.Of(&r.Object)), nil
	},
	traverse: func(g *groupBy, visit func(value)) {
		visitAll([]value{g.it, g.key, g.target, g.currentKey, g.currentValue}, visit)
	},
})

// step fetches the next element and its key.
func (g *groupBy) step(m *machine) (more bool, e *exception) {
	x, e := m.Next(g.it)
	if e != nil || x.IsZero() {
		return false, e
	}
	key := x
	if !g.key.IsZero() {
		m.Pin(x)
		if key, e = m.Call(g.key, object.Positional(x)); e != nil {
			return false, e
		}
	}
	g.currentValue, g.currentKey = x, key
	m.NoteStore(&g.Object, x)
	m.NoteStore(&g.Object, key)
	return true, nil
}

var _ = define(&typeGrouper, tool[grouper]{
	name: "_grouper",
	next: func(m *machine, r *grouper) (value, *exception) {
		g := r.parent
		if g.group != r {
			return value{}, nil
		}
		if g.currentValue.IsZero() {
			if more, e := g.step(m); e != nil || !more {
				return value{}, e
			}
		}
		same, e := m.Same(r.target, g.currentKey)
		if e != nil || !same {
			return value{}, e
		}
		x := g.currentValue
		g.currentValue = value{}
		return x, nil
	},
	traverse: func(r *grouper, visit func(value)) { visit(object.Of(&r.parent.Object)); visit(r.target) },
})
