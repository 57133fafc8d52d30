package pyre

import (
	"github.com/cowboyinc/cowboy-go/runtime/pvm/object"
	"github.com/cowboyinc/cowboy-go/runtime/pvm/text/regex"
)

// MatchObject is re.Match.
type MatchObject struct {
	object.Object
	pattern *Pattern
	s       *subject
	pos     int
	spans   []int32 // start and end of every group, the whole match first; -1 for a group that took no part
	last    int     // group closed last, or -1
}

var typeMatch object.Type

var _ = object.Define(&typeMatch, object.Spec{
	Name: "Match", Module: "re", NoNew: true, Final: true,
	Layout: object.LayoutOf[MatchObject](object.KindNative),
	Slots: object.Slots{
		Repr: matchRepr,
		GetItem: func(m *object.Machine, v, key object.Value) (object.Value, *object.Exception) {
			x := object.Trust[MatchObject](v)
			g, e := x.group(m, key)
			if e != nil {
				return object.Value{}, e
			}
			return x.text(m, g, object.None)
		},
	},
	Methods: append(matchMethods(), copyMethods()...),
	Fields:  matchFields(),
	Traverse: func(o *object.Object, visit func(object.Value)) {
		x := object.Trust[MatchObject](object.Of(o))
		visit(object.Of(&x.pattern.Object))
		visit(x.s.value)
	},
	Size: func(o *object.Object) int { return matchSize + 4*len(object.Trust[MatchObject](object.Of(o)).spans) },
})

// newMatch keeps what the matcher found.
func newMatch(m *object.Machine, p *Pattern, s *subject, pos int, matcher *regex.Matcher) object.Value {
	n := p.prog.Groups() + 1
	x := object.Alloc[MatchObject](m, &typeMatch, 8*n)
	x.pattern, x.s, x.pos, x.last = p, s, pos, matcher.LastGroup()
	x.spans = make([]int32, 2*n)
	m.Hold(matchSize)
	for g := range n {
		lo, hi := matcher.Span(g)
		x.spans[2*g], x.spans[2*g+1] = int32(lo), int32(hi)
	}
	return object.Of(&x.Object)
}

func (x *MatchObject) span(g int) (lo, hi int) { return int(x.spans[2*g]), int(x.spans[2*g+1]) }

// named says whether any group has a name: names are looked up in a dict then.
func (x *MatchObject) named() bool {
	for g := range len(x.spans) / 2 {
		if x.pattern.prog.GroupName(g) != "" {
			return true
		}
	}
	return false
}

// group converts an argument that names a group.
func (x *MatchObject) group(m *object.Machine, v object.Value) (int, *object.Exception) {
	g := -1
	if s, ok := v.AsStr(); ok {
		if n, found := x.pattern.prog.GroupNumber(s.String()); found {
			g = n
		}
	} else if v.Type().Slots.ToIndex != nil {
		i, e := m.Index(v)
		if e != nil {
			return 0, e
		}
		if i.IsInt() && i.Int64() < int64(len(x.spans)/2) {
			g = int(i.Int64())
		}
	} else if x.named() {
		if _, e := m.Hash(v); e != nil {
			return 0, e
		}
	}
	if g < 0 {
		return 0, m.IndexError("no such group")
	}
	return g, nil
}

// text returns what a group matched, or fallback when it took no part.
func (x *MatchObject) text(m *object.Machine, g int, fallback object.Value) (object.Value, *object.Exception) {
	lo, hi := x.span(g)
	if lo < 0 {
		return fallback, nil
	}
	return x.s.slice(m, lo, hi)
}

func matchRepr(m *object.Machine, v object.Value) (object.Value, *object.Exception) {
	x := object.Trust[MatchObject](v)
	text, e := x.text(m, 0, object.None)
	if e != nil {
		return object.Value{}, e
	}
	shown, e := m.ReprText(text)
	if e != nil {
		return object.Value{}, e
	}
	lo, hi := x.span(0)
	return m.Str("<re.Match object; span=(" + decimal(int64(lo)) + ", " + decimal(int64(hi)) + "), match=" + cutText(shown, 50) + ">"), nil
}

func matchMethods() []object.Method {
	self := func(a object.Args) *MatchObject { return object.Trust[MatchObject](a.V[0]) }
	side := func(name string, pick func(lo, hi int) int) object.Method {
		return object.Method{Name: name, Sig: "group=0, /", Func: func(m *object.Machine, a object.Args) (object.Value, *object.Exception) {
			x := self(a)
			g, e := x.group(m, a.Or(1, object.Int(0)))
			if e != nil {
				return object.Value{}, e
			}
			return object.Int(int64(pick(x.span(g)))), nil
		}}
	}
	return []object.Method{
		{Name: "group", Sig: "*args", Func: matchGroup},
		{Name: "groups", Sig: "default=None", Func: func(m *object.Machine, a object.Args) (object.Value, *object.Exception) {
			x := self(a)
			items := make([]object.Value, 0, len(x.spans)/2)
			for g := 1; g < len(x.spans)/2; g++ {
				v, e := x.text(m, g, a.Or(1, object.None))
				if e != nil {
					return object.Value{}, e
				}
				items = append(items, v)
			}
			return m.Tuple(items...), nil
		}},
		{Name: "groupdict", Sig: "default=None", Func: func(m *object.Machine, a object.Args) (object.Value, *object.Exception) {
			x := self(a)
			d := m.NewDict()
			for g := 1; g < len(x.spans)/2; g++ {
				name := x.pattern.prog.GroupName(g)
				if name == "" {
					continue
				}
				v, e := x.text(m, g, a.Or(1, object.None))
				if e != nil {
					return object.Value{}, e
				}
				if e := d.Set(m, m.Str(name), v); e != nil {
					return object.Value{}, e
				}
			}
			return d.Value(), nil
		}},
		side("start", func(lo, hi int) int { return lo }),
		side("end", func(lo, hi int) int { return hi }),
		{Name: "span", Sig: "group=0, /", Func: func(m *object.Machine, a object.Args) (object.Value, *object.Exception) {
			x := self(a)
			g, e := x.group(m, a.Or(1, object.Int(0)))
			if e != nil {
				return object.Value{}, e
			}
			return x.pair(m, g), nil
		}},
		{Name: "expand", Sig: "template", Func: func(m *object.Machine, a object.Args) (object.Value, *object.Exception) {
			x := self(a)
			r, e := newReplacement(m, x.pattern, a.V[1])
			if e == nil && r.template.IsZero() && r.literal.IsZero() {
				e = m.TypeError("decoding to str: need a bytes-like object, %s found", a.V[1].Type().Name)
			}
			if e != nil {
				return object.Value{}, e
			}
			out := newOutput(m, x.s)
			if e := r.expand(out, x.span); e != nil {
				return object.Value{}, e
			}
			return out.value(), nil
		}},
		{Name: "__class_getitem__", Class: true, Sig: "item, /", Func: func(m *object.Machine, a object.Args) (object.Value, *object.Exception) {
			return m.NewAlias(a.V[0], a.V[1]), nil
		}},
	}
}

// pairCost is the price of a pair, beside its memory.
const pairCost = 12

func (x *MatchObject) pair(m *object.Machine, g int) object.Value {
	lo, hi := x.span(g)
	return m.Tuple(object.Int(int64(lo)), object.Int(int64(hi)))
}

func matchGroup(m *object.Machine, a object.Args) (object.Value, *object.Exception) {
	x := object.Trust[MatchObject](a.V[0])
	if len(a.Names) > 0 {
		return object.Value{}, m.TypeError("re.Match.group() takes no keyword arguments")
	}
	args := a.V[1:]
	switch len(args) {
	case 0:
		return x.text(m, 0, object.None)
	case 1:
		g, e := x.group(m, args[0])
		if e != nil {
			return object.Value{}, e
		}
		return x.text(m, g, object.None)
	}
	items := make([]object.Value, 0, len(args))
	for _, arg := range args {
		g, e := x.group(m, arg)
		if e != nil {
			return object.Value{}, e
		}
		v, e := x.text(m, g, object.None)
		if e != nil {
			return object.Value{}, e
		}
		items = append(items, v)
	}
	return m.Tuple(items...), nil
}

func matchFields() []object.Field {
	field := func(name string, get func(m *object.Machine, x *MatchObject) object.Value) object.Field {
		return object.Field{Name: name, Get: func(m *object.Machine, v object.Value) (object.Value, *object.Exception) {
			return get(m, object.Trust[MatchObject](v)), nil
		}}
	}
	return []object.Field{
		field("string", func(m *object.Machine, x *MatchObject) object.Value { return x.s.value }),
		field("re", func(m *object.Machine, x *MatchObject) object.Value { return object.Of(&x.pattern.Object) }),
		field("pos", func(m *object.Machine, x *MatchObject) object.Value { return object.Int(int64(x.pos)) }),
		field("endpos", func(m *object.Machine, x *MatchObject) object.Value { return object.Int(int64(x.s.end)) }),
		field("lastindex", func(m *object.Machine, x *MatchObject) object.Value {
			if x.last < 0 {
				return object.None
			}
			return object.Int(int64(x.last))
		}),
		field("lastgroup", func(m *object.Machine, x *MatchObject) object.Value {
			if x.last < 0 || x.pattern.prog.GroupName(x.last) == "" {
				return object.None
			}
			return m.Str(x.pattern.prog.GroupName(x.last))
		}),
		field("regs", func(m *object.Machine, x *MatchObject) object.Value {
			items := make([]object.Value, len(x.spans)/2)
			m.Meter().Owe(pairCost * len(items))
			for g := range items {
				items[g] = x.pair(m, g)
			}
			return m.Tuple(items...)
		}),
	}
}
