package pyiter

import "github.com/cowboyinc/cowboy-go/runtime/pvm/object"

var typeChain, typeZipLongest, typePairwise, typeAccumulate object.Type

// chain runs through the elements of the elements of an iterable, or of its arguments.
type chain struct {
	object.Object
	source value   // of chain.from_iterable; zero once exhausted
	items  []value // arguments that are to come; nil once exhausted
	active value
	one    [1]value // a single argument
}

// following returns an iterator over the next iterable, or the zero value.
func (c *chain) following(m *machine) (next value, e *exception) {
	if c.source.IsZero() {
		if e := m.Charge(argumentCost); e != nil || len(c.items) == 0 {
			return value{}, e
		}
		next = c.items[0]
		c.items[0], c.items = value{}, c.items[1:]
	} else if next, e = m.Next(c.source); e != nil || next.IsZero() {
		return value{}, e
	}
	return m.Iter(next)
}

// argumentCost is the price of the next argument.
const argumentCost = 4

// chainCost is the price of making a chain of arguments, beside its memory.
const chainCost = 8

func newChain(m *machine, t *object.Type, source value) (value, *exception) {
	it, e := m.Iter(source)
	if e != nil {
		return value{}, e
	}
	c := object.Alloc[chain](m, t, 0)
	c.source = it
	return object.Of(&c.Object), nil
}

var _ = define(&typeChain, tool[chain]{
	name: "chain",
	new: func(m *machine, t *object.Type, a object.Args) (value, *exception) {
		if len(a.Names) > 0 {
			return value{}, m.TypeError("chain() takes no keyword arguments")
		}
		c := object.Alloc[chain](m, t, 16*len(a.V))
		if len(a.V) == 1 {
			c.one[0] = a.V[0]
			c.items = c.one[:]
		} else {
			c.items = append([]value{}, a.V...)
		}
		return object.Of(&c.Object), m.Charge(chainCost)
	},
	next: func(m *machine, c *chain) (value, *exception) {
		for !c.source.IsZero() || c.items != nil {
			if c.active.IsZero() {
				next, e := c.following(m)
				if e != nil || next.IsZero() {
					c.source, c.items = value{}, nil
					return value{}, e
				}
				c.active = next
				m.NoteStore(&c.Object, next)
			}
			x, e := m.Next(c.active)
			if e != nil || !x.IsZero() {
				return x, e
			}
			c.active = value{}
			if e := m.Charge(stepCost); e != nil {
				return value{}, e
			}
		}
		return value{}, nil
	},
	traverse: func(c *chain, visit func(value)) { visit(c.source); visitAll(c.items, visit); visit(c.active) },
	size:     func(c *chain) int { return 16 * len(c.items) },
	methods: []object.Method{{
		Name: "from_iterable", Sig: "iterable, /", Class: true,
		Func: func(m *machine, a object.Args) (value, *exception) {
			t, _ := a.V[0].AsType()
			return newChain(m, t, a.V[1])
		},
	}},
})

// zipLongest zips until the longest iterator ends.
type zipLongest struct {
	object.Object
	its  []value // zero where exhausted
	left int
	fill value
}

var _ = define(&typeZipLongest, tool[zipLongest]{
	name:     "zip_longest",
	keywords: true,
	new: func(m *machine, t *object.Type, a object.Args) (value, *exception) {
		fill := object.None
		for i, name := range a.Names {
			if name.String() != "fillvalue" {
				return value{}, m.TypeError("zip_longest() got an unexpected keyword argument")
			}
			fill = a.V[len(a.Pos())+i]
		}
		if e := m.Charge(object.IteratorCost * len(a.Pos())); e != nil {
			return value{}, e
		}
		its, e := iterators(m, a.Pos())
		if e != nil {
			return value{}, e
		}
		z := object.Alloc[zipLongest](m, t, 16*len(its))
		z.its, z.left, z.fill = its, len(its), fill
		return object.Of(&z.Object), nil
	},
	next: func(m *machine, z *zipLongest) (value, *exception) {
		if z.left == 0 {
			return value{}, nil
		}
		if e := m.Charge(tupleCost + 4*len(z.its)); e != nil {
			return value{}, e
		}
		if e := m.Reserve(32 * len(z.its)); e != nil {
			return value{}, e
		}
		row := make([]value, len(z.its))
		for i, it := range z.its {
			row[i] = z.fill
			if it.IsZero() {
				continue
			}
			x, e := m.Next(it)
			if e != nil {
				z.left = 0
				return value{}, e
			}
			if x.IsZero() {
				if !z.its[i].IsZero() { // it may have been found out meanwhile
					z.its[i] = value{}
					z.left--
				}
				if z.left == 0 {
					return value{}, nil
				}
				continue
			}
			m.Pin(x)
			row[i] = x
		}
		return m.Tuple(row...), nil
	},
	traverse: func(z *zipLongest, visit func(value)) { visitAll(z.its, visit); visit(z.fill) },
	size:     func(z *zipLongest) int { return 16 * len(z.its) },
})

// pairwise gives overlapping pairs.
type pairwise struct {
	object.Object
	it, old value
}

var _ = define(&typePairwise, tool[pairwise]{
	name: "pairwise",
	new: func(m *machine, t *object.Type, a object.Args) (value, *exception) {
		args, e := exactly(m, "pairwise", 1, a)
		if e != nil {
			return value{}, e
		}
		it, e := m.Iter(args[0])
		if e != nil {
			return value{}, e
		}
		p := object.Alloc[pairwise](m, t, 0)
		p.it = it
		return object.Of(&p.Object), nil
	},
	next: func(m *machine, p *pairwise) (value, *exception) {
		if p.it.IsZero() {
			return value{}, nil
		}
		old := p.old
		if old.IsZero() {
			var e *exception
			if old, e = m.Step(p.it); e != nil || old.IsZero() {
				p.it = value{}
				return value{}, e
			}
			if p.it.IsZero() { // the iterator has used the pairs itself, up to their end
				p.old = value{}
				return value{}, nil
			}
			p.old = old
		}
		if e := m.Charge(tupleCost + 2); e != nil {
			return value{}, e
		}
		m.Pin(old)
		x, e := m.Step(p.it)
		if e != nil || x.IsZero() {
			p.it, p.old = value{}, value{}
			return value{}, e
		}
		p.old = x
		m.NoteStore(&p.Object, x)
		return m.Tuple(old, x), nil
	},
	traverse: func(p *pairwise, visit func(value)) { visit(p.it); visit(p.old) },
})

// accumulate gives running results of a function of two arguments.
type accumulate struct {
	object.Object
	it, fn         value // fn zero or None for addition
	total, initial value
}

var _ = define(&typeAccumulate, tool[accumulate]{
	name:     "accumulate",
	keywords: true,
	new: func(m *machine, t *object.Type, a object.Args) (value, *exception) {
		p := parameters{function: "accumulate", names: []string{"iterable", "func", "initial"}, required: 1, most: 2}
		args, e := p.bind(m, a)
		if e != nil {
			return value{}, e
		}
		it, e := m.Iter(args[0])
		if e != nil {
			return value{}, e
		}
		c := object.Alloc[accumulate](m, t, 0)
		c.it, c.fn, c.initial = it, args[1], args[2]
		if !c.fn.IsZero() && c.fn.IsNone() {
			c.fn = value{}
		}
		if !c.initial.IsZero() && c.initial.IsNone() {
			c.initial = value{}
		}
		return object.Of(&c.Object), nil
	},
	next: func(m *machine, c *accumulate) (value, *exception) {
		if !c.initial.IsZero() {
			c.total, c.initial = c.initial, value{}
			return c.total, nil
		}
		x, e := m.Step(c.it)
		if e != nil || x.IsZero() {
			return value{}, e
		}
		if !c.total.IsZero() {
			if c.fn.IsZero() {
				m.Meter().Owe(m.Costs().Operand)
				x, e = m.BinaryOp(object.Add, c.total, x)
			} else {
				m.Pin(x)
				x, e = m.Call(c.fn, object.Positional(c.total, x))
			}
			if e != nil {
				return value{}, e
			}
		}
		c.total = x
		m.NoteStore(&c.Object, x)
		return x, nil
	},
	traverse: func(c *accumulate, visit func(value)) {
		visitAll([]value{c.it, c.fn, c.total, c.initial}, visit)
	},
})
