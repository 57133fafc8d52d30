package pyre

import (
	"github.com/cowboyinc/cowboy-go/runtime/pvm/object"
	"github.com/cowboyinc/cowboy-go/runtime/pvm/text/regex"
)

// Finder is the iterator of finditer and the undocumented scanner of a pattern.
type Finder struct {
	object.Object
	pattern *Pattern
	s       *subject
	matcher *regex.Matcher
	scan    regex.Scan
	pos     int
	done    bool
}

var (
	typeFinder  object.Type
	typeScanner object.Type
)

var _ = defineFinders()

func defineFinders() bool {
	spec := object.Spec{
		Name: "callable_iterator", NoNew: true, Final: true,
		Layout: object.LayoutOf[Finder](object.KindNative),
		Slots: object.Slots{
			Iter: func(m *object.Machine, v object.Value) (object.Value, *object.Exception) { return v, nil },
			Next: func(m *object.Machine, v object.Value) (object.Value, *object.Exception) {
				return object.Trust[Finder](v).next(m, regex.Search)
			},
		},
		Traverse: func(o *object.Object, visit func(object.Value)) {
			f := object.Trust[Finder](object.Of(o))
			visit(object.Of(&f.pattern.Object))
			visit(f.s.value)
		},
		Size: func(o *object.Object) int { return matchSize },
	}
	object.Define(&typeFinder, spec)
	step := func(mode regex.Mode) object.Func {
		return func(m *object.Machine, a object.Args) (object.Value, *object.Exception) {
			v, e := object.Trust[Finder](a.V[0]).next(m, mode)
			if e == nil && v.IsZero() {
				v = object.None
			}
			return v, e
		}
	}
	spec.Name, spec.Module, spec.Slots = "SRE_Scanner", "_sre", object.Slots{}
	spec.Methods = []object.Method{{Name: "search", Func: step(regex.Search)}, {Name: "match", Func: step(regex.Match)}}
	spec.Fields = []object.Field{{Name: "pattern", Get: func(m *object.Machine, v object.Value) (object.Value, *object.Exception) {
		return object.Of(&object.Trust[Finder](v).pattern.Object), nil
	}}}
	object.Define(&typeScanner, spec)
	return true
}

func newFinder(m *object.Machine, p *Pattern, s *subject, start int) object.Value {
	return newFinderOf(m, &typeFinder, p, s, start)
}

func newScanner(m *object.Machine, p *Pattern, s *subject, start int) object.Value {
	return newFinderOf(m, &typeScanner, p, s, start)
}

func newFinderOf(m *object.Machine, t *object.Type, p *Pattern, s *subject, start int) object.Value {
	f := object.Alloc[Finder](m, t, 0)
	m.Hold(matchSize)
	f.pattern, f.s, f.pos = p, s, start
	f.matcher = regex.NewMatcher(p.prog, 0)
	f.scan.At = start
	return object.Of(&f.Object)
}

// next returns the next match, or the zero Value at the end.
func (f *Finder) next(m *object.Machine, mode regex.Mode) (object.Value, *object.Exception) {
	if f.done {
		return object.Value{}, nil
	}
	ok, e := next(m, f.matcher, f.s, &f.scan, mode)
	if e != nil || !ok {
		f.done = e == nil
		return object.Value{}, e
	}
	return newMatch(m, f.pattern, f.s, f.pos, f.matcher), nil
}

// findAll collects the texts of all matches: of the group if there is one, tuples if there are more.
func findAll(m *object.Machine, p *Pattern, s *subject, start int) (object.Value, *object.Exception) {
	l := m.NewList(nil)
	pins := m.Pinned()
	m.Pin(l.Value())
	defer m.Unpin(pins)
	matcher := regex.NewMatcher(p.prog, 0)
	scan := regex.Scan{At: start}
	for {
		ok, e := next(m, matcher, s, &scan, regex.Search)
		if e != nil {
			return object.Value{}, e
		}
		if !ok {
			return l.Value(), nil
		}
		v, e := found(m, p, s, matcher)
		if e != nil {
			return object.Value{}, e
		}
		l.Append(m, v)
	}
}

func found(m *object.Machine, p *Pattern, s *subject, matcher *regex.Matcher) (object.Value, *object.Exception) {
	text := func(g int) (object.Value, *object.Exception) {
		lo, hi := matcher.Span(g)
		if lo < 0 {
			return s.empty(m), nil
		}
		return s.slice(m, lo, hi)
	}
	switch n := p.prog.Groups(); n {
	case 0, 1:
		return text(n)
	default:
		items := make([]object.Value, n)
		for g := range items {
			var e *object.Exception
			if items[g], e = text(g + 1); e != nil {
				return object.Value{}, e
			}
		}
		return m.Tuple(items...), nil
	}
}

// split is Pattern.split: the pieces between matches, with what the groups matched among them.
func split(m *object.Machine, p *Pattern, v, maxSplit object.Value) (object.Value, *object.Exception) {
	most, e := limit(m, maxSplit)
	if e != nil {
		return object.Value{}, e
	}
	s, e := newSubject(m, p.prog, v)
	if e != nil {
		return object.Value{}, e
	}
	l := m.NewList(nil)
	pins := m.Pinned()
	m.Pin(l.Value())
	defer m.Unpin(pins)
	add := func(lo, hi int) *object.Exception {
		if lo < 0 {
			l.Append(m, object.None)
			return nil
		}
		x, e := s.slice(m, lo, hi)
		if e == nil {
			l.Append(m, x)
		}
		return e
	}
	matcher := regex.NewMatcher(p.prog, 0)
	var scan regex.Scan
	last := 0
	for n := 0; most >= 0 && (most == 0 || n < most); n++ {
		ok, e := next(m, matcher, s, &scan, regex.Search)
		if e != nil {
			return object.Value{}, e
		}
		if !ok {
			break
		}
		lo, hi := matcher.Span(0)
		if e := add(last, lo); e != nil {
			return object.Value{}, e
		}
		for g := 1; g <= p.prog.Groups(); g++ {
			if e := add(matcher.Span(g)); e != nil {
				return object.Value{}, e
			}
		}
		last = hi
	}
	return l.Value(), add(last, s.end)
}
