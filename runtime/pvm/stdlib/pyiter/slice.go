package pyiter

import (
	"math"

	"github.com/cowboyinc/cowboy-go/runtime/pvm/object"
)

var typeISlice, typeTee, typeTeeLink object.Type

// islice selects elements by position.
type islice struct {
	object.Object
	it         value // zero once exhausted
	next, stop int64 // stop -1 for no end
	step, at   int64
}

// position reads an index of islice: None, or 0 <= x.
func position(m *machine, v value, def int64, message string) (int64, *exception) {
	if v.IsZero() || v.IsNone() {
		return def, nil
	}
	n, e := m.IndexInt64(v, &object.ExcValueError)
	if e != nil && !e.Is(&object.ExcTypeError) && !e.Is(&object.ExcValueError) {
		return 0, e
	}
	if e != nil || n < 0 {
		return 0, m.ValueError("%s", message)
	}
	return n, nil
}

// stopPosition reads where islice ends: what is no index and -1 have a message of
// their own.
func stopPosition(m *machine, v value) (int64, *exception) {
	if v.IsInt() && v.Int64() < -1 {
		return 0, m.ValueError(badIndex)
	}
	return position(m, v, -1, badStop)
}

const (
	badStop  = "Stop argument for islice() must be None or an integer: 0 <= x <= sys.maxsize."
	badIndex = "Indices for islice() must be None or an integer: 0 <= x <= sys.maxsize."
	badStep  = "Step for islice() must be a positive integer or None."
)

// typeISliceDefined orders initialization: the module's entries need the type's name.
var typeISliceDefined = define(&typeISlice, tool[islice]{
	name: "islice",
	new: func(m *machine, t *object.Type, a object.Args) (value, *exception) {
		switch {
		case len(a.Names) > 0:
			return value{}, m.TypeError("islice() takes no keyword arguments")
		case len(a.V) < 2:
			return value{}, m.TypeError("islice expected at least 2 arguments, got %d", len(a.V))
		case len(a.V) > 4:
			return value{}, m.TypeError("islice expected at most 4 arguments, got %d", len(a.V))
		}
		s := islice{step: 1}
		var e *exception
		if len(a.V) == 2 {
			s.stop, e = stopPosition(m, a.V[1])
		} else {
			s.next, e = position(m, a.V[1], 0, badIndex)
			if e == nil || e.Fatal == 0 {
				var bad *exception
				if s.stop, bad = stopPosition(m, a.V[2]); bad != nil {
					e = bad
				}
			}
			if e == nil {
				s.step, e = position(m, a.Arg(3), 1, badStep)
			}
			if e == nil && s.step < 1 {
				e = m.ValueError(badStep)
			}
		}
		if e != nil {
			return value{}, e
		}
		if s.it, e = m.Iter(a.V[0]); e != nil {
			return value{}, e
		}
		o := object.Alloc[islice](m, t, 0)
		o.it, o.next, o.stop, o.step = s.it, s.next, s.stop, s.step
		return object.Of(&o.Object), nil
	},
	next: func(m *machine, s *islice) (value, *exception) {
		it := s.it // which the iterator may use up itself
		if it.IsZero() {
			return value{}, nil
		}
		for s.at < s.next { // what comes before the start is used up even if the stop lies before it
			if e := m.Charge(stepCost); e != nil {
				return value{}, e
			}
			x, e := m.Step(it)
			if e != nil || x.IsZero() {
				s.it = value{}
				return value{}, e
			}
			s.at++
		}
		if s.stop >= 0 && s.at >= s.stop {
			s.it = value{}
			return value{}, nil
		}
		x, e := m.Step(it)
		if e != nil || x.IsZero() {
			s.it = value{}
			return value{}, e
		}
		s.at++
		if s.next > math.MaxInt64-s.step {
			s.next = math.MaxInt64
		} else {
			s.next += s.step
		}
		if s.stop >= 0 {
			s.next = min(s.next, s.stop)
		}
		return x, nil
	},
	traverse: func(s *islice, visit func(value)) { visit(s.it) },
})

// teeLink is one element of the queue that the iterators of a tee share. The
// last link has no value yet.
type teeLink struct {
	object.Object
	source value // the iterator, in every link
	v      value
	next   *teeLink
	busy   bool // the iterator is running
}

func (l *teeLink) visit(visit func(value)) {
	visit(l.source)
	visit(l.v)
	if l.next != nil {
		visit(object.Of(&l.next.Object))
	}
}

var _ = define(&typeTeeLink, tool[teeLink]{
	name: "_tee_dataobject", traverse: (*teeLink).visit,
	next: func(m *machine, l *teeLink) (value, *exception) { return value{}, nil },
})

// tee is one of several iterators over the same source.
type tee struct {
	object.Object
	at *teeLink
}

func newLink(m *machine, source value) *teeLink {
	l := object.Alloc[teeLink](m, &typeTeeLink, 0)
	l.source = source
	return l
}

// teeOf returns a tee at the given link.
func teeOf(m *machine, l *teeLink) value {
	t := object.Alloc[tee](m, &typeTee, 0)
	t.at = l
	return object.Of(&t.Object)
}

// startTee returns a tee over an iterable, which may be one already.
func startTee(m *machine, v value) (value, *exception) {
	it, e := m.Iter(v)
	if e != nil {
		return value{}, e
	}
	if _, ok := object.Cast[tee](it, &typeTee); ok {
		return it, nil
	}
	return teeOf(m, newLink(m, it)), nil
}

var _ = define(&typeTee, tool[tee]{
	name: "_tee",
	new: func(m *machine, t *object.Type, a object.Args) (value, *exception) {
		args, e := exactly(m, "_tee", 1, a)
		if e != nil {
			return value{}, e
		}
		return startTee(m, args[0])
	},
	next: func(m *machine, t *tee) (value, *exception) {
		l := t.at
		if l.next == nil {
			if l.busy {
				return value{}, m.RuntimeError("cannot re-enter the tee iterator")
			}
			l.busy = true
			x, e := m.Next(l.source)
			l.busy = false
			if e != nil || x.IsZero() {
				return value{}, e
			}
			l.v, l.next = x, newLink(m, l.source)
			m.NoteStore(&l.Object, x)
		}
		t.at = l.next
		return l.v, nil
	},
	traverse: func(t *tee, visit func(value)) { visit(object.Of(&t.at.Object)) },
	methods: []object.Method{{Name: "__copy__", Func: func(m *machine, a object.Args) (value, *exception) {
		return teeOf(m, object.Trust[tee](a.V[0]).at), nil
	}}},
})

// teeFunction is itertools.tee.
func teeFunction(m *machine, a object.Args) (value, *exception) {
	n := 2
	if v := a.Arg(1); !v.IsZero() {
		var e *exception
		if n, e = m.IndexInt(v, nil); e != nil {
			return value{}, e
		}
		if n < 0 {
			return value{}, m.ValueError("n must be >= 0")
		}
	}
	if n == 0 {
		return m.Tuple(), nil
	}
	n = min(n, 1<<24) // of which none fits
	if e := m.Charge(15 * n); e != nil {
		return value{}, e
	}
	if e := m.Reserve(80 * n); e != nil {
		return value{}, e
	}
	first, e := startTee(m, a.V[0])
	if e != nil {
		return value{}, e
	}
	out := make([]value, n)
	out[0] = first
	for i := 1; i < n; i++ {
		out[i] = teeOf(m, object.Trust[tee](first).at)
	}
	return m.Tuple(out...), nil
}
