package object

import (
	"math/big"
	"math/bits"
	"strings"

	"github.com/cowboyinc/cowboy-go/runtime/softfloat"
)

func defineNumbers() {
	ints := Slots{
		New: intNew, Repr: intRepr, Hash: intHash, Compare: intCompare, Bool: intBool,
		Neg: intNeg, Pos: intPos, Abs: intAbs, Invert: intInvert, ToInt: intPos, ToIndex: intPos,
		ToFloat: func(m *Machine, v Value) (Value, *Exception) {
			i, _ := asInt(v)
			f, e := m.intToFloat(i)
			return Float(f), e
		},
	}
	for op := Add; op < numOperators; op++ {
		if op != MatMul {
			ints.Binary[op] = intSlot(op)
		}
	}
	Define(&TypeInt, Spec{Name: "int", Layout: LayoutOf[IntSub](KindInt), Relocate: RelocateInt, MatchSelf: true, Slots: ints,
		Methods: append(intMethods(), formatMethod((*Machine).formatInt)), Fields: intFields()})
	bools := Slots{New: boolNew, Repr: func(m *Machine, v Value) (Value, *Exception) {
		if v.IsTrue() {
			return strTrue.Value(), nil
		}
		return strFalse.Value(), nil
	}}
	for _, op := range []Operator{And, Or, Xor} {
		bools.Binary[op] = func(m *Machine, a, b Value) (Value, *Exception) {
			if a.IsBool() && b.IsBool() {
				r, _ := smallOp(op, a.Int64(), b.Int64())
				return Bool(r.Int64() != 0), nil
			}
			return ints.Binary[op](m, a, b)
		}
	}
	Define(&TypeBool, Spec{Name: "bool", Base: &TypeInt, Final: true, Slots: bools})
	floats := Slots{
		New: floatNew, Repr: floatRepr, Compare: floatCompare,
		Hash: func(m *Machine, v Value) (int64, *Exception) {
			f, _ := asFloat(v)
			return hashFloat(f), nil
		},
		Bool: func(m *Machine, v Value) (bool, *Exception) {
			f, _ := asFloat(v)
			return !softfloat.IsZero(f), nil
		},
		Neg: floatUnary(softfloat.Neg), Pos: floatUnary(func(f uint64) uint64 { return f }), Abs: floatUnary(softfloat.Abs),
		ToFloat: floatUnary(func(f uint64) uint64 { return f }),
		ToInt: func(m *Machine, v Value) (Value, *Exception) {
			f, _ := asFloat(v)
			return m.floatToInt(f)
		},
	}
	for _, op := range []Operator{Add, Sub_, Mul, TrueDiv, FloorDiv, Mod, DivMod, Pow} {
		floats.Binary[op] = floatSlot(op)
	}
	Define(&TypeFloat, Spec{Name: "float", Layout: LayoutOf[FloatSub](KindFloat), Relocate: Unrelated, MatchSelf: true, Slots: floats,
		Methods: append(floatMethods(), formatMethod((*Machine).formatFloat)), Fields: floatFields()})
}

var (
	strTrue  = NewStatic("True")
	strFalse = NewStatic("False")
)

func floatUnary(f func(uint64) uint64) Unary {
	return func(m *Machine, v Value) (Value, *Exception) {
		x, _ := asFloat(v)
		return Float(f(x)), nil
	}
}

func boolNew(m *Machine, t *Type, a Args) (Value, *Exception) {
	if len(a.Names) > 0 {
		return Value{}, m.TypeError("bool() takes no keyword arguments")
	}
	switch len(a.V) {
	case 0:
		return False, nil
	case 1:
		b, e := m.Truth(a.V[0])
		return Bool(b), e
	}
	return Value{}, m.TypeError("bool expected at most 1 argument, got %d", len(a.V))
}

var intSig = NewBuiltin(Method{Name: "int", Sig: "x=0, /, base=10"})

func intNew(m *Machine, t *Type, a Args) (Value, *Exception) {
	if len(a.V) == 1 && len(a.Names) == 0 && t == &TypeInt {
		return m.ToInt(a.V[0])
	}
	a, e := intSig.bind(m, a)
	if e != nil {
		return Value{}, e
	}
	var r Value
	switch x, base := a.Arg(0), a.Arg(1); {
	case x.ref == nil && base.ref != nil:
		return Value{}, m.TypeError("int() missing string argument")
	case x.ref == nil:
		r = Int(0)
	case base.ref != nil:
		r, e = m.intFromText(x, base)
	default:
		r, e = m.ToInt(x)
	}
	if e != nil || t == &TypeInt {
		return r, e
	}
	s := Alloc[IntSub](m, t, 0)
	s.Val = r
	return Value{ref: &s.Object}, nil
}

// ToInt returns int(x).
func (m *Machine) ToInt(x Value) (Value, *Exception) {
	if i, ok := asInt(x); ok && !x.ref.typ.overrides(nInt) {
		return i, nil
	}
	if f := x.ref.typ.Slots.ToInt; f != nil {
		r, e := f(m, x)
		if e != nil {
			return Value{}, e
		}
		i, ok := asInt(r)
		if !ok {
			return Value{}, m.TypeError("__int__ returned non-int (type %s)", r.ref.typ.Name)
		}
		return i, nil
	}
	if x.ref.typ.Slots.ToIndex != nil {
		return m.Index(x)
	}
	if r, e := m.special(x, nTrunc); r.ref != nil || e != nil {
		if e != nil {
			return Value{}, e
		}
		if r.ref.typ.Slots.ToIndex == nil {
			return Value{}, m.TypeError("__trunc__ returned non-Integral (type %s)", r.ref.typ.Name)
		}
		return m.Index(r)
	}
	if _, ok := x.AsStr(); ok {
		return m.intFromText(x, Int(10))
	}
	if k := x.ref.kind &^ Sub; k == KindBytes || k == KindByteArray {
		return m.intFromText(x, Int(10))
	}
	if b, ok := m.bytesLike(x); ok {
		return m.intFromText(m.Bytes(b), Int(10))
	}
	return Value{}, m.TypeError("int() argument must be a string, a bytes-like object or a real number, not '%s'", x.ref.typ.Name)
}

// intFromText parses a string or bytes object as int(x, base) does.
func (m *Machine) intFromText(x, baseArg Value) (Value, *Exception) {
	base, e := m.clippedInt(baseArg)
	if e != nil {
		return Value{}, e
	}
	if base != 0 && (base < 2 || base > 36) {
		return Value{}, m.ValueError("int() base must be >= 2 and <= 36, or 0")
	}
	var s string
	kind := x.ref.kind &^ Sub
	if x.ref.typ.overrides(nFloat) {
		kind = KindInstance
	}
	switch kind {
	case KindStr:
		s = decimalText(x.str())
	case KindBytes, KindByteArray:
		s = string(bytesOf(x))
	default:
		return Value{}, m.TypeError("int() can't convert non-string with explicit base")
	}
	if e := m.Charge(baseCost + len(s) + len(s)*len(s)/512); e != nil {
		return Value{}, e
	}
	if base == 10 {
		if i, ok := parseShort(s); ok {
			return Int(i), nil
		}
	} else if i, ok := parseDigits(s, base); ok {
		return Int(i), nil
	}
	m.meter.Owe(longBaseCost + len(s)/2)
	i, ok := parseInt(strings.TrimFunc(s, isPythonSpace), base)
	if !ok {
		if kind != KindStr {
			x = m.Bytes([]byte(s[:min(len(s), mostQuoted)]))
		}
		return Value{}, m.ValueError("invalid literal for int() with base %d: %s", base, quoted(m.quietRepr(x)))
	}
	return m.IntOf(i)
}

// mostQuoted is how many characters of a text that is no integer the message quotes.
const mostQuoted = 200

func quoted(s string) string {
	count := 0
	for i := range s {
		if count == mostQuoted {
			return s[:i]
		}
		count++
	}
	return s
}

func isPythonSpace(r rune) bool { return r == ' ' || r >= 9 && r <= 13 || r >= 0x1c && r <= 0x1f }

// parseShort reads up to 18 decimal digits with an optional sign.
func parseShort(s string) (i int64, ok bool) {
	neg := s != "" && s[0] == '-'
	if neg {
		s = s[1:]
	}
	if len(s) == 0 || len(s) > 18 {
		return 0, false
	}
	for _, c := range []byte(s) {
		if c < '0' || c > '9' {
			return 0, false
		}
		i = i*10 + int64(c-'0')
	}
	if neg {
		i = -i
	}
	return i, true
}

// parseDigits reads digits of a base, with its prefix or without, whose value fits
// a word whatever they are.
func parseDigits(s string, base int) (int64, bool) {
	if len(s) > 2 && s[0] == '0' {
		switch c := s[1] | 0x20; {
		case base == 16 && c == 'x', base == 8 && c == 'o', base == 2 && c == 'b':
			s = s[2:]
		}
	}
	if base < 2 || s == "" || len(s)*bits.Len(uint(base-1)) > 62 {
		return 0, false
	}
	n := int64(0)
	for i := range len(s) {
		d := int(s[i])
		switch {
		case d >= '0' && d <= '9':
			d -= '0'
		case d|0x20 >= 'a' && d|0x20 <= 'z':
			d = (d | 0x20) - 'a' + 10
		default:
			return 0, false
		}
		if d >= base {
			return 0, false
		}
		n = n*int64(base) + int64(d)
	}
	return n, true
}

// parseInt reads an int literal without surrounding space.
func parseInt(s string, base int) (*big.Int, bool) {
	neg := false
	if s != "" && (s[0] == '+' || s[0] == '-') {
		neg, s = s[0] == '-', s[1:]
	}
	prefix := 0
	if len(s) > 2 && s[0] == '0' {
		switch s[1] | 0x20 {
		case 'x':
			prefix = 16
		case 'o':
			prefix = 8
		case 'b':
			prefix = 2
		}
	}
	if prefix != 0 && (base == 0 || base == prefix) {
		base = prefix
		s = strings.TrimPrefix(s[2:], "_")
	} else if base == 0 {
		base = 10
		if len(s) > 1 && s[0] == '0' && strings.Trim(s, "0_") != "" {
			return nil, false
		}
	}
	if s == "" || s[0] == '_' || s[len(s)-1] == '_' || strings.Contains(s, "__") || s[0] == '+' || s[0] == '-' {
		return nil, false
	}
	i, ok := new(big.Int).SetString(strings.ReplaceAll(s, "_", ""), base)
	if !ok {
		return nil, false
	}
	if neg {
		i.Neg(i)
	}
	return i, true
}

func floatNew(m *Machine, t *Type, a Args) (Value, *Exception) {
	if e := m.refuseKeywords(t, a, nInit); e != nil {
		return Value{}, e
	}
	a = Args{V: a.Pos()}
	if len(a.V) > 1 {
		return Value{}, m.TypeError("float expected at most 1 argument, got %d", len(a.V))
	}
	f := uint64(0)
	if len(a.V) == 1 {
		var e *Exception
		if f, e = m.floatFrom(a.V[0]); e != nil {
			return Value{}, e
		}
	}
	if t == &TypeFloat {
		return Float(f), nil
	}
	s := Alloc[FloatSub](m, t, 0)
	s.Bits = f
	return Value{ref: &s.Object}, nil
}

// floatFrom is float(x).
func (m *Machine) floatFrom(x Value) (uint64, *Exception) {
	var s string
	kind := x.ref.kind &^ Sub
	if x.ref.typ.overrides(nFloat) {
		kind = KindInstance
	}
	switch kind {
	case KindStr:
		s = decimalText(x.str())
	case KindBytes, KindByteArray:
		s = string(bytesOf(x))
	default:
		if b, ok := m.bytesLike(x); ok {
			s = string(b)
			break
		}
		f, e := m.ToFloat(x)
		if e != nil && e.typ == &ExcTypeError && x.ref.typ.Slots.ToFloat == nil && x.ref.typ.Slots.ToIndex == nil {
			return 0, m.TypeError("float() argument must be a string or a real number, not '%s'", x.ref.typ.Name)
		}
		return f, e
	}
	if e := m.Charge(25 + len(s)); e != nil {
		return 0, e
	}
	f, err := softfloat.Parse(strings.TrimFunc(s, isPythonSpace))
	if err != nil {
		return 0, m.ValueError("could not convert string to float: %s", m.quietRepr(x))
	}
	return f, nil
}

// floatToInt truncates towards zero.
func (m *Machine) floatToInt(f uint64) (Value, *Exception) {
	if softfloat.IsNaN(f) {
		return Value{}, m.ValueError("cannot convert float NaN to integer")
	}
	if softfloat.IsInf(f) {
		return Value{}, m.OverflowError("cannot convert float infinity to integer")
	}
	if i, ok := softfloat.ToInt64(f); ok {
		return Int(i), nil
	}
	if e := m.Charge(roundCost); e != nil {
		return Value{}, e
	}
	b, err := softfloat.ToBig(f)
	if err != nil {
		return Value{}, m.OverflowError("cannot convert float to integer")
	}
	return m.IntOf(b)
}

// easyPow computes powers that are one rounded operation: squares and square
// roots. It leaves results at the ends of the range to others.
func easyPow(x, y uint64) (uint64, bool) {
	const half, two = 0x3fe << 52, 0x400 << 52
	var r uint64
	switch {
	case y == two && softfloat.IsFinite(x):
		r = softfloat.Mul(x, x)
	case y == half && softfloat.IsFinite(x) && !softfloat.SignBit(x):
		r = softfloat.Sqrt(x)
	default:
		return 0, false
	}
	return r, softfloat.IsFinite(r) && !softfloat.IsZero(r)
}

// powCost is the price of a power of floats, baseCost that of reading an int in a base, beside its characters, and longBaseCost
// what it takes more where spaces stand around the digits or a word may not hold them.
const (
	powCost      = 80
	baseCost     = 12
	longBaseCost = 30
)

func (m *Machine) floatPow(x, y uint64) (Value, *Exception) {
	if e := m.Charge(powCost); e != nil {
		return Value{}, e
	}
	if softfloat.IsZero(x) && softfloat.SignBit(y) && !softfloat.IsZero(y) && softfloat.IsFinite(y) {
		return Value{}, m.Raise(&ExcZeroDivisionError, "0.0 cannot be raised to a negative power")
	}
	if f, ok := easyPow(x, y); ok {
		return Float(f), nil
	}
	f, err := softfloat.Pow(x, y)
	switch err {
	case nil:
		return Float(f), nil
	case softfloat.ErrRange:
		return Value{}, m.RaiseValue(&ExcOverflowError, Int(34), m.Str("Numerical result out of range"))
	}
	return m.complexPow(x, 0, y, 0) // a negative number to a fractional power
}
