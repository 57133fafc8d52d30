package object

import "strings"

// Method declares a native function, or a method of a native type.
type Method struct {
	Name string
	// Sig is the parameter list as Python writes it, without the receiver:
	// "sep=None, maxsplit=-1", "x, /", "*, key=None". The text of defaults is not
	// evaluated: the function sees the zero Value for what was not given. A
	// signature with *args or **kwargs, and "…", are not bound.
	Sig  string
	Func Func
	Doc  string
	// Static and Class make the method a static or class method: its receiver is
	// absent, or the type.
	Static, Class bool
}

// Unbound is the signature of native functions that take their arguments as
// passed.
const Unbound = "…"

// Builtin is a native function, or a method of a native type before it is bound.
// A method's receiver is its first argument.
type Builtin struct {
	Object
	Name   string
	Fn     Func
	Owner  *Type // of a method
	Module string
	Doc    string
	Sig    string

	raw      bool // arguments as passed
	min, max int  // positional arguments, receiver included
	required int  // parameters that must be given, by position or name
	params   []*Str
	posOnly  int
	wrapper  bool // made from a slot
	self     bool // has a receiver
	class    bool
	static   bool
}

// NewBuiltin returns the native function declared by d, for a package variable
// or a module's table; it may be shared by machines.
func NewBuiltin(d Method) *Builtin {
	b := &Builtin{Name: d.Name, Fn: d.Func, Doc: d.Doc, Sig: d.Sig, class: d.Class, static: d.Static}
	b.typ, b.kind, b.flags = &TypeBuiltin, KindBuiltin, flagStatic
	b.parse(d.Sig)
	return b
}

// parse reads the signature.
func (b *Builtin) parse(sig string) {
	if strings.Contains(sig, "…") {
		b.raw = true
		return
	}
	kwOnly := false
	for _, p := range splitParams(sig) {
		switch {
		case p == "/":
			b.posOnly = len(b.params)
			continue
		case p == "*":
			kwOnly = true
			continue
		case p[0] == '*':
			b.raw = true
			return
		}
		name, _, optional := strings.Cut(p, "=")
		b.params = append(b.params, StaticName(strings.TrimSpace(name)))
		if !kwOnly {
			b.max++
			if !optional {
				b.min++
			}
		}
		if !optional {
			b.required = len(b.params)
		}
	}
}

func splitParams(sig string) []string {
	var out []string
	for _, p := range strings.Split(sig, ",") {
		if p = strings.TrimSpace(p); p != "" {
			out = append(out, p)
		}
	}
	return out
}

// receiver makes room for the receiver of a method.
func (b *Builtin) receiver() {
	b.self = true
	if b.raw {
		return
	}
	b.params = append([]*Str{nSelf}, b.params...)
	b.posOnly = max(b.posOnly+1, 1)
	b.min++
	b.max++
	b.required++
}

// Value returns the function as a value.
func (b *Builtin) Value() Value { return Value{ref: &b.Object} }

// Call calls the native function.
func (b *Builtin) Call(m *Machine, a Args) (Value, *Exception) {
	if b.raw {
		if b.self && len(a.Pos()) == 0 {
			return Value{}, m.TypeError("unbound method %s.%s() needs an argument", b.Owner.Name, b.Name)
		}
		if b.self && !a.V[0].ref.typ.IsSubtype(b.Owner) {
			return Value{}, b.wrongReceiver(m, a.V[0])
		}
		return b.Fn(m, a)
	}
	if len(a.Names) == 0 && len(a.V) >= b.min && len(a.V) <= b.max && b.required <= len(a.V) {
		if b.self && a.V[0].ref.typ != b.Owner && !a.V[0].ref.typ.IsSubtype(b.Owner) {
			return Value{}, b.wrongReceiver(m, a.V[0])
		}
		return b.Fn(m, a)
	}
	bound, e := b.bind(m, a)
	if e != nil {
		return Value{}, e
	}
	return b.Fn(m, bound)
}

func (b *Builtin) wrongReceiver(m *Machine, v Value) *Exception {
	return m.TypeError("descriptor '%s' for '%s' objects doesn't apply to a '%s' object", b.Name, b.Owner.Name, v.ref.typ.Name)
}

// bind puts keyword arguments in their places and refuses wrong counts.
func (b *Builtin) bind(m *Machine, a Args) (Args, *Exception) {
	pos := a.Pos()
	if b.self && len(pos) == 0 {
		return a, m.TypeError("unbound method %s.%s() needs an argument", b.Owner.Name, b.Name)
	}
	if b.self && !pos[0].ref.typ.IsSubtype(b.Owner) {
		return a, b.wrongReceiver(m, pos[0])
	}
	hidden := 0
	if b.self {
		hidden = 1
	}
	if len(pos) > b.max {
		return a, b.tooMany(m, len(a.V)-hidden, hidden)
	}
	out := make([]Value, len(b.params))
	copy(out, pos)
	for i, name := range a.Names {
		at := b.param(name)
		if at < 0 {
			if b.posOnly == len(b.params) {
				return a, m.TypeError("%s() takes no keyword arguments", b.display())
			}
			return a, m.TypeError("'%s' is an invalid keyword argument for %s()", name.s, b.Name)
		}
		if out[at].ref != nil {
			return a, m.TypeError("argument for %s() given by name ('%s') and position (%d)", b.Name, name.s, at+1-hidden)
		}
		out[at] = a.V[len(pos)+i]
	}
	for i := 0; i < len(b.params); i++ {
		if out[i].ref == nil && b.isRequired(i) {
			if i < b.posOnly || len(a.Names) == 0 && len(pos) < b.min {
				return a, b.tooFew(m, len(pos)-hidden, hidden)
			}
			return a, m.TypeError("%s() missing required argument '%s' (pos %d)", b.Name, b.params[i].s, i+1-hidden)
		}
	}
	return Args{V: out}, nil
}

func (b *Builtin) isRequired(i int) bool {
	if i < b.max {
		return i < b.min
	}
	return i < b.required
}

func (b *Builtin) param(name *Str) int {
	for i := b.posOnly; i < len(b.params); i++ {
		if b.params[i].equal(name) {
			return i
		}
	}
	return -1
}

func (b *Builtin) display() string {
	if b.Owner != nil {
		return b.Owner.Name + "." + b.Name
	}
	return b.Name
}

func (b *Builtin) tooMany(m *Machine, given, hidden int) *Exception {
	lo, hi := b.min-hidden, b.max-hidden
	switch {
	case hi == 0 && lo == 0:
		return m.TypeError("%s() takes no arguments (%d given)", b.display(), given)
	case lo == hi && hi == 1:
		return m.TypeError("%s() takes exactly one argument (%d given)", b.display(), given)
	case lo == hi:
		return m.TypeError("%s expected %d arguments, got %d", b.Name, hi, given)
	}
	return m.TypeError("%s expected at most %d argument%s, got %d", b.Name, hi, plural(hi), given)
}

func (b *Builtin) tooFew(m *Machine, given, hidden int) *Exception {
	lo, hi := b.min-hidden, b.max-hidden
	switch {
	case lo == hi && hi == 1:
		return m.TypeError("%s() takes exactly one argument (%d given)", b.display(), given)
	case lo == hi:
		return m.TypeError("%s expected %d arguments, got %d", b.Name, lo, given)
	}
	return m.TypeError("%s expected at least %d argument%s, got %d", b.Name, lo, plural(lo), given)
}

func plural(n int) string {
	if n == 1 {
		return ""
	}
	return "s"
}
