// Package signature binds the arguments of native functions that stand for
// Python functions: the generated methods of dataclasses and named tuples. The
// errors are those of a Python function with the same parameters.
//
// Spec: Python 3.11 language reference, "Calls".
package signature

import (
	"strconv"

	"github.com/cowboyinc/cowboy-go/runtime/pvm/object"
)

// Signature is a parameter list without starred parameters.
type Signature struct {
	// Names are the parameters, positional ones first.
	Names []*object.Str
	// Positional is how many of them can be given by position.
	Positional int
	// Optional says which have a default; the binder leaves them zero.
	Optional []bool
}

// Bind puts arguments in the order of the parameters; a missing optional one is
// the zero Value. qualname names the function in errors.
func (s *Signature) Bind(m *object.Machine, qualname string, a object.Args) ([]object.Value, *object.Exception) {
	if e := m.ChargeLen(0, len(s.Names)+len(a.Names)*len(s.Names)/8, 4); e != nil {
		return nil, e
	}
	pos := a.Pos()
	out := make([]object.Value, len(s.Names))
	copy(out, pos[:min(len(pos), s.Positional)])
	for i, name := range a.Names {
		at := s.index(name)
		switch {
		case at < 0:
			return nil, m.TypeError("%s() got an unexpected keyword argument '%s'", qualname, name)
		case !out[at].IsZero():
			return nil, m.TypeError("%s() got multiple values for argument '%s'", qualname, name)
		}
		out[at] = a.V[len(pos)+i]
	}
	if len(pos) > s.Positional {
		return nil, s.tooMany(m, qualname, len(pos), out)
	}
	return out, s.missing(m, qualname, out)
}

func (s *Signature) index(name *object.Str) int {
	for i, n := range s.Names {
		if n == name || n.String() == name.String() {
			return i
		}
	}
	return -1
}

func (s *Signature) missing(m *object.Machine, qualname string, out []object.Value) *object.Exception {
	for _, part := range []struct {
		from, to int
		kind     string
	}{{0, s.Positional, "positional"}, {s.Positional, len(s.Names), "keyword-only"}} {
		var names []string
		for i := part.from; i < part.to; i++ {
			if out[i].IsZero() && !s.Optional[i] {
				names = append(names, s.Names[i].String())
			}
		}
		if len(names) > 0 {
			return m.MissingArguments(qualname, part.kind, names)
		}
	}
	return nil
}

func (s *Signature) tooMany(m *object.Machine, qualname string, given int, out []object.Value) *object.Exception {
	required, keywords := 0, 0
	for i := range s.Names {
		if i < s.Positional && !s.Optional[i] {
			required++
		}
		if i >= s.Positional && !out[i].IsZero() {
			keywords++
		}
	}
	takes := strconv.Itoa(s.Positional)
	many := s.Positional
	if required < s.Positional {
		takes = "from " + strconv.Itoa(required) + " to " + takes
		many = 2
	}
	verb, extra := "were", ""
	if given == 1 && keywords == 0 {
		verb = "was"
	}
	if keywords > 0 {
		extra = " positional argument" + object.Plural(given) + " (and " + strconv.Itoa(keywords) + " keyword-only argument" + object.Plural(keywords) + ")"
	}
	return m.TypeError("%s() takes %s positional argument%s but %d%s %s given", qualname, takes, object.Plural(many), given, extra, verb)
}
