package object

import (
	"strings"

	"github.com/cowboyinc/cowboy-go/runtime/softfloat"
)

// Complex is a complex number.
type Complex struct {
	Object
	re, im uint64
}

// TypeComplex is complex.
var TypeComplex Type

// StaticComplex returns a complex constant of a program, from the encodings of
// its parts.
func StaticComplex(re, im uint64) Value {
	c := &Complex{re: re, im: im}
	c.typ, c.kind, c.flags = &TypeComplex, KindComplex, flagStatic
	return Value{ref: &c.Object}
}

// Complex returns a new complex number from the encodings of its parts.
func (m *Machine) Complex(re, im uint64) Value {
	c := &Complex{re: re, im: im}
	c.typ, c.kind = &TypeComplex, KindComplex
	m.account(32)
	return Value{ref: &c.Object}
}

// AsComplex returns the parts of a complex number or instance of a subclass.
func (v Value) AsComplex() (re, im uint64, ok bool) {
	if v.ref.kind&^Sub != KindComplex {
		return 0, 0, false
	}
	c := Trust[Complex](v)
	return c.re, c.im, true
}

func defineComplex() {
	s := Slots{
		New: complexNew, Repr: complexRepr, Compare: complexCompare,
		Hash: func(m *Machine, v Value) (int64, *Exception) {
			m.meter.Owe(2 * floatHashCost)
			re, im, _ := v.AsComplex()
			h := hashFloat(re) + 1000003*hashFloat(im)
			if h == -1 {
				h = -2
			}
			return h, nil
		},
		Bool: func(m *Machine, v Value) (bool, *Exception) {
			re, im, _ := v.AsComplex()
			return !softfloat.IsZero(re) || !softfloat.IsZero(im), nil
		},
		Neg: func(m *Machine, v Value) (Value, *Exception) {
			re, im, _ := v.AsComplex()
			return m.Complex(softfloat.Neg(re), softfloat.Neg(im)), nil
		},
		Pos: func(m *Machine, v Value) (Value, *Exception) {
			re, im, _ := v.AsComplex()
			return m.Complex(re, im), nil
		},
		Abs: func(m *Machine, v Value) (Value, *Exception) {
			if e := m.Charge(absCost); e != nil {
				return Value{}, e
			}
			re, im, _ := v.AsComplex()
			f := softfloat.Hypot(re, im)
			if softfloat.IsInf(f) && softfloat.IsFinite(re) && softfloat.IsFinite(im) {
				return Value{}, m.OverflowError("absolute value too large")
			}
			return Float(f), nil
		},
	}
	for _, op := range []Operator{Add, Sub_, Mul, TrueDiv, Pow} {
		s.Binary[op] = func(m *Machine, a, b Value) (Value, *Exception) { return complexOp(m, op, a, b) }
	}
	for _, op := range []Operator{FloorDiv, Mod, DivMod} {
		s.Binary[op] = func(m *Machine, a, b Value) (Value, *Exception) { return NotImplemented, nil }
	}
	part := func(get func(re, im uint64) uint64) Unary {
		return func(m *Machine, v Value) (Value, *Exception) {
			re, im, _ := v.AsComplex()
			return Float(get(re, im)), nil
		}
	}
	Define(&TypeComplex, Spec{
		Name: "complex", Layout: LayoutOf[Complex](KindComplex), Relocate: Unrelated, Slots: s,
		Fields: []Field{
			{Name: "real", Member: true, Get: part(func(re, im uint64) uint64 { return re })},
			{Name: "imag", Member: true, Get: part(func(re, im uint64) uint64 { return im })},
		},
		Methods: []Method{
			formatMethod((*Machine).formatComplex),
			{Name: "conjugate", Func: func(m *Machine, a Args) (Value, *Exception) {
				re, im, _ := a.V[0].AsComplex()
				return m.Complex(re, softfloat.Neg(im)), nil
			}},
			{Name: "__complex__", Func: func(m *Machine, a Args) (Value, *Exception) {
				re, im, _ := a.V[0].AsComplex()
				return m.Complex(re, im), nil
			}},
			{Name: "__getnewargs__", Func: func(m *Machine, a Args) (Value, *Exception) {
				re, im, _ := a.V[0].AsComplex()
				return m.pair(Float(re), Float(im)), nil
			}},
		},
	})
}

// parts returns the operand of a complex operation.
func (m *Machine) parts(v Value) (re, im uint64, ok bool, e *Exception) {
	if re, im, ok = v.AsComplex(); ok {
		return
	}
	re, ok, e = m.real(v)
	return re, 0, ok, e
}

// complexCost is the price of an operator of complex numbers, beside that of any.
const complexCost = 24

func complexOp(m *Machine, op Operator, x, y Value) (Value, *Exception) {
	a, b, ok, e := m.parts(x)
	if e != nil || !ok {
		return NotImplemented, e
	}
	c, d, ok, e := m.parts(y)
	if e != nil || !ok {
		return NotImplemented, e
	}
	if e := m.Charge(complexCost); e != nil {
		return Value{}, e
	}
	switch op {
	case Add:
		return m.Complex(softfloat.Add(a, c), softfloat.Add(b, d)), nil
	case Sub_:
		return m.Complex(softfloat.Sub(a, c), softfloat.Sub(b, d)), nil
	case Mul:
		return m.Complex(softfloat.Sub(softfloat.Mul(a, c), softfloat.Mul(b, d)),
			softfloat.Add(softfloat.Mul(a, d), softfloat.Mul(b, c))), nil
	case TrueDiv:
		return m.complexDiv(a, b, c, d)
	}
	return m.complexPow(a, b, c, d)
}

// complexDiv divides by scaling with the larger part of the divisor, as CPython.
func (m *Machine) complexDiv(a, b, c, d uint64) (Value, *Exception) {
	if softfloat.IsZero(c) && softfloat.IsZero(d) {
		return Value{}, m.Raise(&ExcZeroDivisionError, "complex division by zero")
	}
	return m.Complex(quotient(a, b, c, d)), nil
}

// quotient is (a+bj) / (c+dj), whose divisor is not zero.
func quotient(a, b, c, d uint64) (re, im uint64) {
	add, sub, mul, div := softfloat.Add, softfloat.Sub, softfloat.Mul, softfloat.Div
	if softfloat.Le(softfloat.Abs(d), softfloat.Abs(c)) {
		r := div(d, c)
		den := add(c, mul(d, r))
		return div(add(a, mul(b, r)), den), div(sub(b, mul(a, r)), den)
	}
	if softfloat.Le(softfloat.Abs(c), softfloat.Abs(d)) {
		r := div(c, d)
		den := add(mul(c, r), d)
		return div(add(mul(a, r), b), den), div(sub(mul(b, r), a), den)
	}
	return softfloat.NaN, softfloat.NaN
}

// complexPow raises to small integer powers by multiplication, to others by way of polar coordinates.
func (m *Machine) complexPow(a, b, c, d uint64) (Value, *Exception) {
	n, ok := softfloat.ToInt64(c)
	if !softfloat.IsZero(d) || !softfloat.IsInteger(c) || !ok || n > 100 || n < -100 {
		return m.polarPow(a, b, c, d)
	}
	if e := m.Charge(100); e != nil {
		return Value{}, e
	}
	neg := n < 0
	if neg {
		n = -n
	}
	re, im := uint64(softfloat.One), uint64(0)
	mul := func(a, b, c, d uint64) (uint64, uint64) {
		return softfloat.Sub(softfloat.Mul(a, c), softfloat.Mul(b, d)), softfloat.Add(softfloat.Mul(a, d), softfloat.Mul(b, c))
	}
	for ; n > 0; n >>= 1 {
		if n&1 == 1 {
			re, im = mul(re, im, a, b)
		}
		a, b = mul(a, b, a, b)
	}
	if neg {
		if softfloat.IsZero(re) && softfloat.IsZero(im) {
			return Value{}, m.zeroToPower()
		}
		re, im = quotient(softfloat.One, 0, re, im)
	}
	return m.powerOf(re, im)
}

// costPolar is the price of a power by way of polar coordinates: six functions of package math and a length.
const costPolar = 700

// polarPow is the formula that CPython has, r**c / exp(d*phi) turned by c*phi + d*log(r), over functions that are correctly
// rounded: of each step the result is defined, of the whole it is as exact as there.
func (m *Machine) polarPow(a, b, c, d uint64) (Value, *Exception) {
	if e := m.Charge(costPolar); e != nil {
		return Value{}, e
	}
	switch {
	case softfloat.IsZero(c) && softfloat.IsZero(d):
		return m.Complex(softfloat.One, 0), nil
	case softfloat.IsZero(a) && softfloat.IsZero(b):
		if !softfloat.IsZero(d) || softfloat.Lt(c, 0) {
			return Value{}, m.zeroToPower()
		}
		return m.Complex(0, 0), nil
	}
	r, phi := softfloat.Hypot(a, b), softfloat.Atan2(b, a)
	size := infinite(softfloat.Pow(r, c))
	turn := softfloat.Mul(phi, c)
	if !softfloat.IsZero(d) {
		size = softfloat.Div(size, infinite(softfloat.Exp(softfloat.Mul(phi, d))))
		log, err := softfloat.Log(r)
		if err != nil {
			return Value{}, m.zeroToPower()
		}
		turn = softfloat.Add(turn, softfloat.Mul(d, log))
	}
	cos, err := softfloat.Cos(turn)
	if err != nil { // of an infinite angle; the exception is CPython's
		return Value{}, m.zeroToPower()
	}
	sin, err := softfloat.Sin(turn)
	if err != nil {
		return Value{}, m.zeroToPower()
	}
	return m.powerOf(softfloat.Mul(size, cos), softfloat.Mul(size, sin))
}

// infinite is the result of a function that grows beyond the doubles as C has it.
func infinite(x uint64, err error) uint64 {
	if err != nil {
		return softfloat.Inf
	}
	return x
}

// powerOf is the result of a power unless it is too large.
func (m *Machine) powerOf(re, im uint64) (Value, *Exception) {
	if softfloat.IsInf(re) || softfloat.IsInf(im) {
		return Value{}, m.Raise(&ExcOverflowError, "complex exponentiation")
	}
	return m.Complex(re, im), nil
}

func (m *Machine) zeroToPower() *Exception {
	return m.Raise(&ExcZeroDivisionError, "0.0 to a negative or complex power")
}

func complexCompare(m *Machine, op CompareOp, x, y Value) (Value, *Exception) {
	if op > Ne {
		return NotImplemented, nil
	}
	a, b, _ := x.AsComplex()
	if c, d, ok := y.AsComplex(); ok {
		return Bool((softfloat.Eq(a, c) && softfloat.Eq(b, d)) == (op == Eq)), nil
	}
	if _, ok := asInt(y); !ok {
		if _, ok := asFloat(y); !ok {
			return NotImplemented, nil
		}
	}
	if !softfloat.IsZero(b) {
		return Bool(op == Ne), nil
	}
	r, e := floatCompare(m, Eq, Float(a), y)
	return Bool(r.IsTrue() == (op == Eq)), e
}

func complexRepr(m *Machine, v Value) (Value, *Exception) {
	re, im, _ := v.AsComplex()
	if e := m.Charge(20); e != nil {
		return Value{}, e
	}
	part := func(f uint64) string { return strings.TrimSuffix(softfloat.Repr(f), ".0") }
	if softfloat.IsZero(re) && !softfloat.SignBit(re) {
		return m.shown(part(im) + "j"), nil
	}
	s := part(im)
	if s[0] != '-' {
		s = "+" + s
	}
	return m.shown("(" + part(re) + s + "j)"), nil
}

var complexSig = NewBuiltin(Method{Name: "complex", Sig: "real=0, imag=0"})

func complexNew(m *Machine, t *Type, a Args) (Value, *Exception) {
	a, e := complexSig.bind(m, a)
	if e != nil {
		return Value{}, e
	}
	x, y := a.Or(0, Int(0)), a.Arg(1)
	if s, ok := x.AsStr(); ok {
		if y.ref != nil {
			return Value{}, m.TypeError("complex() can't take second arg if first is a string")
		}
		return m.complexOfType(t, func() (re, im uint64, e *Exception) { return m.parseComplex(s) })
	}
	if y.ref != nil {
		if _, ok := y.AsStr(); ok {
			return Value{}, m.TypeError("complex() second arg can't be a string")
		}
	}
	if t == &TypeComplex && x.ref.typ == t && y.ref == nil {
		return x, nil
	}
	return m.complexOfType(t, func() (uint64, uint64, *Exception) {
		first, e := m.asComplex(x)
		if e != nil {
			return 0, 0, e
		}
		switch {
		case !isNumber(first):
			return 0, 0, m.TypeError("complex() first argument must be a string or a number, not '%s'", first.ref.typ.Name)
		case y.ref != nil && !isNumber(y):
			return 0, 0, m.TypeError("complex() second argument must be a number, not '%s'", y.ref.typ.Name)
		}
		a, b, e := m.coordinates(first)
		if e != nil || y.ref == nil {
			return a, b, e
		}
		c, d, e := m.coordinates(y)
		if e != nil {
			return 0, 0, e
		}
		// Parts that are real numbers keep their signs of zero.
		if _, _, ok := y.AsComplex(); ok {
			a = softfloat.Sub(a, d)
		}
		if _, _, ok := first.AsComplex(); ok {
			c = softfloat.Add(b, c)
		}
		return a, c, nil
	})
}

// asComplex is what __complex__ of v returns, or v if it has none.
func (m *Machine) asComplex(v Value) (Value, *Exception) {
	if _, _, ok := v.AsComplex(); ok && !v.ref.typ.overrides(nComplex) {
		return v, nil
	}
	r, e := m.special(v, nComplex)
	if e != nil || r.ref == nil {
		return v, e
	}
	if _, _, ok := r.AsComplex(); !ok {
		return v, m.TypeError("__complex__ returned non-complex (type %s)", r.ref.typ.Name)
	}
	return r, nil
}

// isNumber says whether v is a complex or becomes a float.
func isNumber(v Value) bool {
	_, _, ok := v.AsComplex()
	return ok || v.ref.typ.Slots.ToFloat != nil || v.ref.typ.Slots.ToIndex != nil
}

// coordinates are the parts of a number.
func (m *Machine) coordinates(v Value) (re, im uint64, e *Exception) {
	if re, im, ok := v.AsComplex(); ok {
		return re, im, nil
	}
	re, e = m.ToFloat(v)
	return re, 0, e
}

func (m *Machine) complexOfType(t *Type, get func() (re, im uint64, e *Exception)) (Value, *Exception) {
	re, im, e := get()
	if e != nil {
		return Value{}, e
	}
	c := Alloc[Complex](m, t, 0)
	c.re, c.im = re, im
	return Value{ref: &c.Object}, nil
}

// absCost is the price of an absolute value, which is a root of 128 bits; wideDigit that of looking for the digit that a character which is not ASCII may be.
const (
	absCost   = 340
	wideDigit = 5
)

// parseComplex reads a complex literal with optional parentheses.
func (m *Machine) parseComplex(s *Str) (re, im uint64, e *Exception) {
	each := 1
	if !s.ASCII() {
		each = wideDigit
	}
	if e := m.Charge(10 + each*s.n); e != nil {
		return 0, 0, e
	}
	bad := m.ValueError("complex() arg is a malformed string")
	t := strings.TrimFunc(decimalText(s), isPythonSpace)
	if strings.HasPrefix(t, "(") && strings.HasSuffix(t, ")") {
		t = strings.TrimFunc(t[1:len(t)-1], isPythonSpace)
	}
	if t == "" || strings.ContainsFunc(t, isPythonSpace) {
		return 0, 0, bad
	}
	if last := t[len(t)-1]; last != 'j' && last != 'J' {
		f, err := softfloat.Parse(t)
		if err != nil {
			return 0, 0, bad
		}
		return f, 0, nil
	}
	t = t[:len(t)-1]
	cut := 0
	for i := len(t) - 1; i > 0; i-- {
		if (t[i] == '+' || t[i] == '-') && t[i-1] != 'e' && t[i-1] != 'E' {
			cut = i
			break
		}
	}
	if cut > 0 {
		f, err := softfloat.Parse(t[:cut])
		if err != nil {
			return 0, 0, bad
		}
		re = f
		t = t[cut:]
	}
	if t == "" || t == "+" || t == "-" {
		t += "1"
	}
	f, err := softfloat.Parse(t)
	if err != nil {
		return 0, 0, bad
	}
	return re, f, nil
}
