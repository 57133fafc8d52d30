package pyre

import (
	"math"
	"strings"

	"github.com/cowboyinc/cowboy-go/runtime/pvm/object"
	"github.com/cowboyinc/cowboy-go/runtime/pvm/text/regex"
)

// Pattern is re.Pattern.
type Pattern struct {
	object.Object
	source object.Value // str or bytes
	prog   *regex.Program
}

var typePattern object.Type

var _ = object.Define(&typePattern, object.Spec{
	Name: "Pattern", Module: "re", NoNew: true, Final: true,
	Layout: object.LayoutOf[Pattern](object.KindNative),
	Slots: object.Slots{
		Repr: patternRepr,
		Hash: func(m *object.Machine, v object.Value) (int64, *object.Exception) {
			p := object.Trust[Pattern](v)
			h, e := m.Hash(p.source)
			return h ^ int64(p.prog.Flags()), e
		},
		Compare: func(m *object.Machine, op object.CompareOp, a, b object.Value) (object.Value, *object.Exception) {
			x, ok := object.Cast[Pattern](a, &typePattern)
			y, ok2 := object.Cast[Pattern](b, &typePattern)
			if !ok || !ok2 || op > object.Ne {
				return object.NotImplemented, nil
			}
			same := x.prog.Flags() == y.prog.Flags() && x.prog.IsText() == y.prog.IsText()
			if same {
				var e *object.Exception
				if same, e = m.Equal(x.source, y.source); e != nil {
					return object.Value{}, e
				}
			}
			return object.Bool(same == (op == object.Eq)), nil
		},
	},
	Methods: patternMethods(),
	Fields: []object.Field{
		patternField("pattern", func(m *object.Machine, p *Pattern) object.Value { return p.source }),
		patternField("flags", func(m *object.Machine, p *Pattern) object.Value { return object.Int(int64(p.prog.Flags())) }),
		patternField("groups", func(m *object.Machine, p *Pattern) object.Value { return object.Int(int64(p.prog.Groups())) }),
		{Name: "groupindex", Get: func(m *object.Machine, v object.Value) (object.Value, *object.Exception) {
			m.Meter().Owe(m.Costs().Operand)
			p := object.Trust[Pattern](v).prog
			d := m.NewDict()
			for g := 1; g <= p.Groups(); g++ {
				if name := p.GroupName(g); name != "" {
					if e := d.Set(m, m.Str(name), object.Int(int64(g))); e != nil {
						return object.Value{}, e
					}
				}
			}
			if d.Len() == 0 {
				return d.Value(), nil // as CPython has it, not read-only
			}
			return m.ReadOnly(d), nil
		}},
	},
	Traverse: func(o *object.Object, visit func(object.Value)) { visit(object.Trust[Pattern](object.Of(o)).source) },
	Size: func(o *object.Object) int {
		return patternSize + object.Trust[Pattern](object.Of(o)).prog.Size()*instSize
	},
	Relocate: func(r *object.Relocation, o *object.Object) {
		p := object.Trust[Pattern](object.Of(o))
		p.source = r.Value(p.source) // a program is never written
	},
})

// Sizes by formula: a pattern, an instruction of its program with its share of character sets, a match.
const (
	patternSize = 200
	instSize    = 96
	matchSize   = 120
)

func patternField(name string, get func(m *object.Machine, p *Pattern) object.Value) object.Field {
	return object.Field{Name: name, Member: true, Get: func(m *object.Machine, v object.Value) (object.Value, *object.Exception) {
		return get(m, object.Trust[Pattern](v)), nil
	}}
}

// newPattern returns a Pattern of a program; the source is its pattern.
func newPattern(m *object.Machine, source object.Value, prog *regex.Program) (*Pattern, *object.Exception) {
	if e := m.Reserve(prog.Size() * instSize); e != nil {
		return nil, e
	}
	p := object.Alloc[Pattern](m, &typePattern, prog.Size()*instSize)
	m.Hold(patternSize)
	p.source, p.prog = source, prog
	return p, nil
}

func patternRepr(m *object.Machine, v object.Value) (object.Value, *object.Exception) {
	m.Meter().Owe(3 * m.Costs().Format)
	p := object.Trust[Pattern](v)
	shown, e := m.ReprText(p.source)
	if e != nil {
		return object.Value{}, e
	}
	if len(shown) > 200 {
		shown = cutText(shown, 200)
	}
	flags := int64(p.prog.Flags())
	if p.prog.IsText() {
		flags &^= int64(regex.Unicode)
	}
	var b strings.Builder
	b.WriteString("re.compile(" + shown)
	if flags != 0 {
		b.WriteString(", " + strings.Join(flagParts(flags), "|"))
	}
	b.WriteString(")")
	return m.Str(b.String()), nil
}

// cutText shortens text to n characters.
func cutText(s string, n int) string {
	for i := range s {
		if n == 0 {
			return s[:i]
		}
		n--
	}
	return s
}

func patternMethods() []object.Method {
	const window = "string, pos=0, endpos=9223372036854775807"
	list := []object.Method{
		{Name: "search", Sig: window, Func: matchMethod(regex.Search)},
		{Name: "match", Sig: window, Func: matchMethod(regex.Match)},
		{Name: "fullmatch", Sig: window, Func: matchMethod(regex.FullMatch)},
		{Name: "findall", Sig: window, Func: func(m *object.Machine, a object.Args) (object.Value, *object.Exception) {
			p, s, start, e := window3(m, a)
			if e != nil {
				return object.Value{}, e
			}
			return findAll(m, p, s, start)
		}},
		{Name: "finditer", Sig: window, Func: func(m *object.Machine, a object.Args) (object.Value, *object.Exception) {
			p, s, start, e := window3(m, a)
			if e != nil {
				return object.Value{}, e
			}
			return newFinder(m, p, s, start), nil
		}},
		{Name: "scanner", Sig: window, Func: func(m *object.Machine, a object.Args) (object.Value, *object.Exception) {
			p, s, start, e := window3(m, a)
			if e != nil {
				return object.Value{}, e
			}
			return newScanner(m, p, s, start), nil
		}},
		{Name: "sub", Sig: "repl, string, count=0", Func: func(m *object.Machine, a object.Args) (object.Value, *object.Exception) {
			r, _, e := substitute(m, object.Trust[Pattern](a.V[0]), a.V[1], a.V[2], a.Arg(3))
			return r, e
		}},
		{Name: "subn", Sig: "repl, string, count=0", Func: func(m *object.Machine, a object.Args) (object.Value, *object.Exception) {
			r, n, e := substitute(m, object.Trust[Pattern](a.V[0]), a.V[1], a.V[2], a.Arg(3))
			if e != nil {
				return object.Value{}, e
			}
			return m.Tuple(r, object.Int(int64(n))), nil
		}},
		{Name: "split", Sig: "string, maxsplit=0", Func: func(m *object.Machine, a object.Args) (object.Value, *object.Exception) {
			return split(m, object.Trust[Pattern](a.V[0]), a.V[1], a.Arg(2))
		}},
		{Name: "__class_getitem__", Class: true, Sig: "item, /", Func: func(m *object.Machine, a object.Args) (object.Value, *object.Exception) {
			return m.NewAlias(a.V[0], a.V[1]), nil
		}},
	}
	return append(list, copyMethods()...)
}

// copyMethods answer the object itself: it cannot change.
func copyMethods() []object.Method {
	self := func(m *object.Machine, a object.Args) (object.Value, *object.Exception) { return a.V[0], nil }
	return []object.Method{{Name: "__copy__", Func: self}, {Name: "__deepcopy__", Sig: "memo, /", Func: self}}
}

// window3 reads the arguments string, pos and endpos of a method.
func window3(m *object.Machine, a object.Args) (*Pattern, *subject, int, *object.Exception) {
	p := object.Trust[Pattern](a.V[0])
	pos, e := position(m, a.Arg(2), 0)
	if e != nil {
		return nil, nil, 0, e
	}
	end, e := position(m, a.Arg(3), math.MaxInt32)
	if e != nil {
		return nil, nil, 0, e
	}
	s, e := newSubject(m, p.prog, a.V[1])
	if e != nil {
		return nil, nil, 0, e
	}
	return p, s, s.bounds(pos, end), nil
}

// position converts an optional index, clipped to what subjects can be long.
func position(m *object.Machine, v object.Value, fallback int) (int, *object.Exception) {
	if v.IsZero() {
		return fallback, nil
	}
	i, e := m.Index(v)
	if e != nil {
		return 0, e
	}
	if !i.IsInt() {
		return 0, m.OverflowError("Python int too large to convert to C ssize_t")
	}
	return int(min(max(i.Int64(), 0), math.MaxInt32)), nil
}

func matchMethod(mode regex.Mode) object.Func {
	return func(m *object.Machine, a object.Args) (object.Value, *object.Exception) {
		p, s, start, e := window3(m, a)
		if e != nil {
			return object.Value{}, e
		}
		return matchOnce(m, p, s, start, mode)
	}
}

// matchOnce returns a match or None.
func matchOnce(m *object.Machine, p *Pattern, s *subject, start int, mode regex.Mode) (object.Value, *object.Exception) {
	matcher := regex.NewMatcher(p.prog, 0)
	ok, e := run(m, matcher, s, start, mode)
	if e != nil || !ok {
		return object.None, e
	}
	return newMatch(m, p, s, start, matcher), nil
}
