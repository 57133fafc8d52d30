package object

import (
	"github.com/cowboyinc/cowboy-go/runtime/pvm/cost"
	"strings"
)

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
	noNames  bool // no argument by name
	min, max int  // positional arguments, receiver included
	required int  // parameters that must be given, by position or name
	least    int  // positional arguments that need no binding, from least
	most     int  // to most; none if most is less
	params   []*Str
	posOnly  int
	wrapper  bool // made from a slot
	self     bool // has a receiver
	checked  bool // the first argument is a receiver, of a class method the class
	class    bool
	static   bool
}

// NewBuiltin returns the native function declared by d, for a package variable
// or a module's table; it may be shared by machines. It may be called only while
// package variables are initialised, as StaticName may.
func NewBuiltin(d Method) *Builtin { return newBuiltin(d, StaticName) }

// NewLateBuiltin is NewBuiltin for a function that is made while machines run: it adds
// nothing to the names that native code knows.
func NewLateBuiltin(d Method) *Builtin {
	return newBuiltin(d, func(name string) *Str {
		if n, ok := KnownName(name); ok {
			return n
		}
		return NewStatic(name)
	})
}

func newBuiltin(d Method, intern func(string) *Str) *Builtin {
	b := &Builtin{Name: d.Name, Fn: d.Func, Doc: d.Doc, Sig: d.Sig, class: d.Class, static: d.Static}
	b.typ, b.kind, b.flags = &TypeBuiltin, KindBuiltin, flagStatic
	b.parse(d.Sig, intern)
	b.measure()
	return b
}

// parse reads the signature.
func (b *Builtin) parse(sig string, intern func(string) *Str) {
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
			b.noNames = len(b.params) == 0 && !strings.Contains(sig, "**")
			return
		}
		name, _, optional := strings.Cut(p, "=")
		b.params = append(b.params, intern(strings.TrimSpace(name)))
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
	b.self, b.checked = true, true
	if b.raw {
		return
	}
	b.params = append([]*Str{nSelf}, b.params...)
	b.posOnly = max(b.posOnly+1, 1)
	b.min++
	b.max++
	b.required++
	b.measure()
}

// measure sets how many positional arguments need no binding.
func (b *Builtin) measure() {
	b.least, b.most = max(b.min, b.required), b.max
	if b.raw {
		b.least, b.most = 1, 0
	}
}

// Value returns the function as a value.
func (b *Builtin) Value() Value { return Value{ref: &b.Object} }

// Call calls the native function.
func (b *Builtin) Call(m *Machine, a Args) (Value, *Exception) {
	if b.raw {
		if b.noNames && len(a.Names) > 0 {
			return Value{}, m.TypeError("%s() takes no keyword arguments", b.display())
		}
		if b.checked && len(a.Pos()) == 0 {
			return Value{}, b.needsReceiver(m)
		}
		if b.checked && !b.Receiver(a.V[0]) {
			return Value{}, b.wrongReceiver(m, a.V[0])
		}
		return b.Fn(m, a)
	}
	if len(a.Names) == 0 && b.Direct(len(a.V)) {
		if b.checked && !b.Receiver(a.V[0]) {
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

func (b *Builtin) needsReceiver(m *Machine) *Exception {
	if b.wrapper || b.class {
		return m.TypeError("descriptor '%s' of '%s' object needs an argument", b.Name, b.Owner.Name)
	}
	return m.TypeError("unbound method %s.%s() needs an argument", b.Owner.ShortName(), b.Name)
}

func (b *Builtin) wrongReceiver(m *Machine, v Value) *Exception {
	if b.class {
		if t, ok := v.AsType(); ok {
			return m.TypeError("descriptor '%s' requires a subtype of '%s' but received '%s'", b.Name, b.Owner.Name, t.Name)
		}
		return m.TypeError("descriptor '%s' for type '%s' needs a type, not a '%s' as arg 2", b.Name, b.Owner.Name, v.ref.typ.Name)
	}
	if b.wrapper {
		return m.TypeError("descriptor '%s' requires a '%s' object but received a '%s'", b.Name, b.Owner.Name, v.ref.typ.Name)
	}
	return m.TypeError("descriptor '%s' for '%s' objects doesn't apply to a '%s' object", b.Name, b.Owner.Name, v.ref.typ.Name)
}

// bindCost is the price of binding arguments, some of them named.
func (b *Builtin) bindCost(p *cost.Prices, named int) int {
	return p.Display + p.Element*len(b.params)*(1+named)
}

// bind puts keyword arguments in their places and refuses wrong counts.
func (b *Builtin) bind(m *Machine, a Args) (Args, *Exception) {
	pos := a.Pos()
	if b.checked && len(pos) == 0 {
		return a, b.needsReceiver(m)
	}
	if b.checked && !b.Receiver(pos[0]) {
		return a, b.wrongReceiver(m, pos[0])
	}
	if b.written() {
		return b.bindWritten(m, a)
	}
	if len(pos) > b.max || len(a.V) > len(b.params) && b.named() {
		return a, b.tooMany(m, len(a.V)-b.hidden(), len(pos)-b.hidden())
	}
	m.meter.Owe(b.bindCost(m.costs, len(a.Names)))
	out := make([]Value, len(b.params))
	copy(out, pos)
	var wrong *Exception // reported behind missing arguments, as CPython's parsers do
	for i, name := range a.Names {
		at := b.param(name)
		switch {
		case at < 0 && b.posOnly == len(b.params):
			return a, b.noKeywords(m)
		case at >= 0 && out[at].ref == nil:
			out[at] = a.V[len(pos)+i]
		case wrong != nil:
		case at < 0:
			wrong = m.TypeError("'%s' is an invalid keyword argument for %s", name.s, b.calledBy())
		default:
			wrong = m.TypeError("argument for %s() given by name ('%s') and position (%d)", b.Name, name.s, at+1-b.hidden())
		}
	}
	for i := 0; i < len(b.params); i++ {
		if out[i].ref == nil && b.isRequired(i) {
			if len(a.Names) > 0 && b.Name == "enumerate" {
				return a, m.TypeError("'%s' is an invalid keyword argument for enumerate()", a.Names[0].s)
			}
			return a, b.tooFew(m, i, len(pos)-b.hidden())
		}
	}
	return Args{V: out}, wrong
}

func (b *Builtin) noKeywords(m *Machine) *Exception {
	if b.wrapper {
		return m.TypeError("wrapper %s() takes no keyword arguments", b.Name)
	}
	if b.parsedByHand() || b.Module == "functools" && b.Name == "reduce" {
		return m.TypeError("%s() takes no keyword arguments", b.Name)
	}
	return m.TypeError("%s() takes no keyword arguments", b.display())
}

// calledBy names the function whose parser refuses an unknown keyword.
func (b *Builtin) calledBy() string {
	switch s := b.subject(); {
	case s == "function":
		return "this function"
	case b.Name == "sorted":
		return "sort()"
	default:
		return s
	}
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
