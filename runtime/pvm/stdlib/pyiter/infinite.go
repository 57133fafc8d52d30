package pyiter

import "github.com/cowboyinc/cowboy-go/runtime/pvm/object"

var typeCount, typeCycle, typeRepeat object.Type

// count counts from a number by a step.
type count struct {
	object.Object
	at, step value
}

var _ = define(&typeCount, tool[count]{
	name:     "count",
	keywords: true,
	new: func(m *machine, t *object.Type, a object.Args) (value, *exception) {
		args, e := (&parameters{function: "count", names: []string{"start", "step"}}).bind(m, a)
		if e != nil {
			return value{}, e
		}
		for i, def := range []int64{0, 1} {
			if args[i].IsZero() {
				args[i] = object.Int(def)
			} else if !isNumber(args[i]) {
				return value{}, m.TypeError("a number is required")
			} else if args[i] == object.True || args[i] == object.False {
				args[i], _ = m.BinaryOp(object.Add, args[i], object.Int(0)) // counted as the integer it is
			}
		}
		c := object.Alloc[count](m, t, 0)
		c.at, c.step = args[0], args[1]
		return object.Of(&c.Object), nil
	},
	next: func(m *machine, c *count) (value, *exception) {
		at := c.at
		next, e := m.BinaryOp(object.Add, at, c.step)
		if e != nil {
			return value{}, e
		}
		c.at = next
		m.NoteStore(&c.Object, next)
		return at, nil
	},
	traverse: func(c *count, visit func(value)) { visit(c.at); visit(c.step) },
	slots: object.Slots{Repr: func(m *machine, v value) (value, *exception) {
		c := object.Trust[count](v)
		text, e := m.ReprText(c.at)
		if e != nil {
			return value{}, e
		}
		if c.step == object.Int(1) {
			m.Meter().Owe(2 * m.Costs().Format)
			return m.Str(v.Type().ShortName() + "(" + text + ")"), nil
		}
		step, e := m.ReprText(c.step)
		return ifOK(m.Str(v.Type().ShortName()+"("+text+", "+step+")"), e)
	}},
})

// isNumber says whether v takes part in arithmetic.
func isNumber(v value) bool {
	s := &v.Type().Slots
	if _, _, ok := v.AsComplex(); ok {
		return true
	}
	return s.ToIndex != nil || s.ToInt != nil || s.ToFloat != nil
}

// cycle repeats an iterable for ever, from memory after the first time.
type cycle struct {
	object.Object
	it    value // zero once exhausted
	saved []value
	at    int
}

var _ = define(&typeCycle, tool[cycle]{
	name: "cycle",
	new: func(m *machine, t *object.Type, a object.Args) (value, *exception) {
		args, e := exactly(m, "cycle", 1, a)
		if e != nil {
			return value{}, e
		}
		it, e := m.Iter(args[0])
		if e != nil {
			return value{}, e
		}
		c := object.Alloc[cycle](m, t, 0)
		c.it = it
		return object.Of(&c.Object), nil
	},
	next: func(m *machine, c *cycle) (value, *exception) {
		if !c.it.IsZero() {
			x, e := m.Next(c.it)
			if e != nil {
				return value{}, e
			}
			if !x.IsZero() {
				c.saved = c.grown(m, x)
				m.NoteStore(&c.Object, x)
				return x, nil
			}
			c.it = value{}
		}
		if len(c.saved) == 0 {
			return value{}, nil
		}
		x := c.saved[c.at]
		if c.at++; c.at == len(c.saved) {
			c.at = 0
		}
		return x, nil
	},
	traverse: func(c *cycle, visit func(value)) { visit(c.it); visitAll(c.saved, visit) },
	size:     func(c *cycle) int { return 16 * cap(c.saved) },
})

// grown appends to storage that is counted, and grows by a formula of its own so
// that the count does not depend on Go's. Where the memory limit does not allow
// it the machine raises MemoryError.
func (c *cycle) grown(m *machine, v value) []value {
	vs := c.saved
	if len(vs) == cap(vs) {
		room := 2*cap(vs) + 4
		if !m.Grow(16*(room-cap(vs)), object.Of(&c.Object), v) {
			return vs
		}
		m.Account(16 * (room - cap(vs)))
		vs = append(make([]value, 0, room), vs...)
	}
	return append(vs, v)
}

// repeat gives one object again and again.
type repeat struct {
	object.Object
	v    value
	left int64 // -1 for ever
}

var _ = define(&typeRepeat, tool[repeat]{
	name:     "repeat",
	keywords: true,
	new: func(m *machine, t *object.Type, a object.Args) (value, *exception) {
		m.Meter().Owe(m.Costs().Display)
		args, e := (&parameters{function: "repeat", names: []string{"object", "times"}, required: 1}).bind(m, a)
		if e != nil {
			return value{}, e
		}
		left := int64(-1)
		if !args[1].IsZero() {
			if left, e = m.IndexInt64(args[1], nil); e != nil {
				return value{}, e
			}
			left = max(left, 0)
		}
		r := object.Alloc[repeat](m, t, 0)
		r.v, r.left = args[0], left
		return object.Of(&r.Object), nil
	},
	next: func(m *machine, r *repeat) (value, *exception) {
		if r.left == 0 {
			return value{}, nil
		}
		if r.left > 0 {
			r.left--
		}
		return r.v, nil
	},
	traverse: func(r *repeat, visit func(value)) { visit(r.v) },
	slots: object.Slots{Repr: func(m *machine, v value) (value, *exception) {
		r := object.Trust[repeat](v)
		text, e := m.ReprText(r.v)
		if e != nil {
			return value{}, e
		}
		if r.left >= 0 {
			left, _ := m.ReprText(object.Int(r.left))
			text += ", " + left
		}
		m.Meter().Owe(2 * m.Costs().Format)
		return m.Str(v.Type().ShortName() + "(" + text + ")"), nil
	}},
	methods: []object.Method{{Name: "__length_hint__", Func: func(m *machine, a object.Args) (value, *exception) {
		r := object.Trust[repeat](a.V[0])
		if r.left < 0 {
			return value{}, m.TypeError("len() of unsized object")
		}
		return object.Int(r.left), nil
	}}},
})
