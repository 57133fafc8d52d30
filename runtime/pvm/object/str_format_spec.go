package object

import (
	"errors"

	"github.com/cowboyinc/cowboy-go/runtime/pvm/text/format"
	"github.com/cowboyinc/cowboy-go/runtime/softfloat"
)

// formatCost is the price of one formatting operation beside one cycle for each character of the specification and of
// the result.
const formatCost = 10

// specCost is the price, beside that, of taking a specification out of the text of str.format, which is read anew each time.
const specCost = 35

// Format returns format(v, spec), as format() and f-strings do. Exact str, int and float take no way through an attribute
// lookup.
func (m *Machine) Format(v Value, spec *Str) (Value, *Exception) {
	switch v.ref.kind {
	case KindStr:
		return m.formatStr(v, spec)
	case KindInt, KindBig:
		return m.formatInt(v, spec)
	case KindFloat:
		return m.formatFloat(v, spec)
	}
	fn, ok := v.ref.typ.Lookup(nFormat)
	if !ok {
		return Value{}, m.TypeError("Type %s doesn't define __format__", v.ref.typ.Name)
	}
	r, e := m.callUnbound(fn, v, spec.Value())
	if e != nil {
		return Value{}, e
	}
	if _, ok := r.AsStr(); !ok {
		return Value{}, m.TypeError("__format__ must return a str, not %s", r.ref.typ.Name)
	}
	return r, nil
}

// formatMethod is the __format__ of a built-in type.
func formatMethod(apply func(m *Machine, v Value, spec *Str) (Value, *Exception)) Method {
	return Method{Name: "__format__", Sig: "format_spec, /", Func: func(m *Machine, a Args) (Value, *Exception) {
		spec, ok := a.V[1].AsStr()
		if !ok {
			return Value{}, m.TypeError("__format__() argument must be str, not %s", argName(a.V[1]))
		}
		return apply(m, a.V[0], spec)
	}}
}

// formatError turns an error of package format into an exception.
func (m *Machine) formatError(err error) *Exception {
	var bad *format.Error
	if errors.As(err, &bad) {
		return m.RaiseValue(&ExcValueError, m.Str(bad.Message))
	}
	return m.RaiseValue(&ExcOverflowError, m.Str(err.Error()))
}

// formatSpec parses a specification for a value of v's type.
func (m *Machine) formatSpec(spec *Str, kind rune, align byte, v Value) (format.Spec, *Exception) {
	if e := m.Charge(formatCost + 2*spec.n); e != nil {
		return format.Spec{}, e
	}
	var s format.Spec
	var err error
	if spec.ASCII() {
		s, err = format.Parse(spec.Bytes(), kind, align, v.ref.typ.Name)
	} else {
		s, err = format.Parse(spec.Runes(), kind, align, v.ref.typ.Name)
	}
	if err != nil {
		return s, m.formatError(err)
	}
	return s, nil
}

// formatStr is str.__format__.
func (m *Machine) formatStr(v Value, spec *Str) (Value, *Exception) {
	if spec.n == 0 {
		return m.ToStr(v)
	}
	s, e := m.formatSpec(spec, format.StringType, format.LeftAlign, v)
	if e != nil {
		return Value{}, e
	}
	if err := s.CheckString(v.ref.typ.Name); err != nil {
		return Value{}, m.formatError(err)
	}
	text := v.str()
	size := s.StringLen(text.n)
	if text.ASCII() && s.Fill < 0x80 {
		if e := m.output(size, 1); e != nil {
			return Value{}, e
		}
		return m.ownASCII(format.AppendString(make([]byte, 0, size), s, text.Bytes())), nil
	}
	if e := m.output(size, 8); e != nil {
		return Value{}, e
	}
	m.meter.Owe(text.n / 2)
	return m.StrOf(format.AppendString(make([]rune, 0, size), s, m.Decoded(text))), nil
}

// formatInt is int.__format__.
func (m *Machine) formatInt(v Value, spec *Str) (Value, *Exception) {
	if spec.n == 0 {
		return m.ToStr(v)
	}
	s, e := m.formatSpec(spec, format.IntegerType, format.RightAlign, v)
	if e != nil {
		return Value{}, e
	}
	i, _ := asInt(v)
	if s.IsFloatType() {
		f, e := m.intToFloat(i)
		if e != nil {
			return Value{}, e
		}
		return m.formatDouble(f, s, v)
	}
	if !s.IsIntegerType() {
		return Value{}, m.formatError(s.UnknownType(v.ref.typ.Name))
	}
	if err := s.CheckInteger(); err != nil {
		return Value{}, m.formatError(err)
	}
	digits := int64(bitLen(i)) // at least as many as in base 2
	if e := m.output(max(s.Width, 0)+2*digits+3, 1); e != nil {
		return Value{}, e
	}
	if e := m.chargeDigits(i); e != nil {
		return Value{}, e
	}
	if s.Fill >= 0x80 || s.Type == 'c' {
		if e := m.Reserve(int(max(s.Width, 0)) * 8); e != nil {
			return Value{}, e
		}
		out, err := format.AppendBig([]rune(nil), s, i.BigInt())
		if err != nil {
			return Value{}, m.formatError(err)
		}
		return m.StrOf(out), nil
	}
	var out []byte
	var err error
	if i.IsInt() {
		m.digits, err = format.AppendInt(m.digits[:0], s, i.Int64())
		if err == nil && len(m.digits) <= shortText {
			return m.ASCIIOf(m.digits), nil
		}
		out, m.digits = m.digits, nil
	} else {
		out, err = format.AppendBig([]byte(nil), s, i.BigInt())
	}
	if err != nil {
		return Value{}, m.formatError(err)
	}
	return m.ownASCII(out), nil
}

// chargeDigits takes the price of turning an exact int into digits, which is quadratic in its size.
func (m *Machine) chargeDigits(i Value) *Exception {
	if i.IsInt() {
		return nil
	}
	words := bitLen(i)/64 + 1
	return m.Charge(20 + words*words*3/4 + words*8)
}

// formatFloat is float.__format__.
func (m *Machine) formatFloat(v Value, spec *Str) (Value, *Exception) {
	if spec.n == 0 {
		return m.ToStr(v)
	}
	s, e := m.formatSpec(spec, format.FloatType, format.RightAlign, v)
	if e != nil {
		return Value{}, e
	}
	f, _ := asFloat(v)
	return m.formatDouble(f, s, v)
}

// doubleCost is the price of the digits of a double beside one cycle for each character: the exact expansion of the
// largest takes some twenty words.
const doubleCost = 80

func (m *Machine) formatDouble(f uint64, s format.Spec, v Value) (Value, *Exception) {
	if err := s.CheckFloat(v.ref.typ.Name); err != nil {
		return Value{}, m.formatError(err)
	}
	if e := m.Charge(doubleCost); e != nil {
		return Value{}, e
	}
	room := max(s.Width, 0) + max(s.Precision, 6)
	if room > 64 || hasLongExpansion(f) {
		room = s.FloatLen()
	}
	if s.Fill >= 0x80 {
		if e := m.output(room, 8); e != nil {
			return Value{}, e
		}
		return m.StrOf(format.AppendFloat([]rune(nil), s, f)), nil
	}
	if e := m.output(room, 2); e != nil {
		return Value{}, e
	}
	return m.ownASCII(format.AppendFloat([]byte(nil), s, f)), nil
}

// hasLongExpansion says whether a double has more than some twenty digits before the point.
func hasLongExpansion(f uint64) bool {
	const twoTo64 = 0x43F0000000000000
	return softfloat.Abs(f) >= twoTo64
}

// formatComplex is complex.__format__.
func (m *Machine) formatComplex(v Value, spec *Str) (Value, *Exception) {
	if spec.n == 0 {
		return m.ToStr(v)
	}
	s, e := m.formatSpec(spec, format.FloatType, format.RightAlign, v)
	if e != nil {
		return Value{}, e
	}
	if err := s.CheckComplex(v.ref.typ.Name); err != nil {
		return Value{}, m.formatError(err)
	}
	if e := m.Charge(2 * doubleCost); e != nil {
		return Value{}, e
	}
	re, im, _ := v.AsComplex()
	if s.Fill >= 0x80 {
		if e := m.output(2*s.FloatLen(), 8); e != nil {
			return Value{}, e
		}
		return m.StrOf(format.AppendComplex([]rune(nil), s, re, im)), nil
	}
	if e := m.output(2*s.FloatLen(), 2); e != nil {
		return Value{}, e
	}
	return m.ownASCII(format.AppendComplex([]byte(nil), s, re, im)), nil
}
