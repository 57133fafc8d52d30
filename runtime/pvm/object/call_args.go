package object

// Args are the arguments of one call: positional values, then the values of
// the keyword arguments named by Names. V aliases the caller's window of the
// machine's stack: a callee that keeps it must copy it.
//
// A native function declared with a signature (Method.Sig) gets its arguments
// bound: V in the order of the parameters, Names empty, and Arg(i) the zero
// Value where an optional argument is missing. Without a signature, or with a
// starred one, it gets them as passed.
type Args struct {
	V     []Value
	Names []*Str
}

// Pos returns the positional arguments.
func (a Args) Pos() []Value { return a.V[:len(a.V)-len(a.Names)] }

// Arg returns argument i, or the zero Value if there is none.
func (a Args) Arg(i int) Value {
	if i < len(a.V)-len(a.Names) {
		return a.V[i]
	}
	return Value{}
}

// Or returns argument i, or def if there is none.
func (a Args) Or(i int, def Value) Value {
	if i < len(a.V)-len(a.Names) && a.V[i].ref != nil {
		return a.V[i]
	}
	return def
}

// Keyword returns the keyword argument called name, or the zero Value.
func (a Args) Keyword(name string) Value {
	for i, n := range a.Names {
		if n.s == name {
			return a.V[len(a.V)-len(a.Names)+i]
		}
	}
	return Value{}
}

// Rest drops the first n positional arguments.
func (a Args) Rest(n int) Args { return Args{a.V[n:], a.Names} }

// Positional makes arguments of values alone.
func Positional(v ...Value) Args { return Args{V: v} }
