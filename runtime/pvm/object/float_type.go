package object

import (
	"unsafe"

	"github.com/cowboyinc/cowboy-go/runtime/pvm/cost"
	"github.com/cowboyinc/cowboy-go/runtime/softfloat"
)

// TypeFloat is float.
var TypeFloat Type

// FloatSub is an instance of a subclass of float.
type FloatSub struct {
	Object
	Bits uint64
}

// asFloat returns the encoding of a float or instance of a subclass.
func asFloat(v Value) (uint64, bool) {
	switch v.ref.kind {
	case KindFloat:
		return v.bits, true
	case KindFloat | Sub:
		return (*FloatSub)(unsafe.Pointer(v.ref)).Bits, true
	}
	return 0, false
}

// AsFloat returns the encoding of a float or instance of a subclass.
func (v Value) AsFloat() (uint64, bool) { return asFloat(v) }

// real returns the encoding of a float, or of an int converted to one.
func (m *Machine) real(v Value) (f uint64, ok bool, e *Exception) {
	if f, ok = asFloat(v); ok {
		return f, true, nil
	}
	if i, is := asInt(v); is {
		f, e = m.intToFloat(i)
		return f, true, e
	}
	return 0, false, nil
}

func floatSlot(op Operator) Binary {
	return func(m *Machine, a, b Value) (Value, *Exception) {
		x, ok, e := m.real(a)
		if e != nil || !ok {
			return NotImplemented, e
		}
		y, ok, e := m.real(b)
		if e != nil || !ok {
			return NotImplemented, e
		}
		return m.FloatOp(op, x, y)
	}
}

// FloatOp computes x op y for floats.
func (m *Machine) FloatOp(op Operator, x, y uint64) (Value, *Exception) {
	m.meter.Owe(floatPrice(m.costs, op, x, y))
	switch op {
	case Add:
		return Float(softfloat.Add(x, y)), nil
	case Sub_:
		return Float(softfloat.Sub(x, y)), nil
	case Mul:
		return Float(softfloat.Mul(x, y)), nil
	case TrueDiv:
		if softfloat.IsZero(y) {
			return Value{}, m.Raise(&ExcZeroDivisionError, "float division by zero")
		}
		return Float(softfloat.Div(x, y)), nil
	case FloorDiv:
		if softfloat.IsZero(y) {
			return Value{}, m.Raise(&ExcZeroDivisionError, "float floor division by zero")
		}
		return Float(softfloat.FloorDiv(x, y)), nil
	case Mod:
		if softfloat.IsZero(y) {
			return Value{}, m.Raise(&ExcZeroDivisionError, "float modulo")
		}
		return Float(softfloat.Mod(x, y)), nil
	case DivMod:
		if softfloat.IsZero(y) {
			return Value{}, m.Raise(&ExcZeroDivisionError, "float divmod()")
		}
		q, r := softfloat.DivMod(x, y)
		return m.Tuple(Float(q), Float(r)), nil
	case Pow:
		return m.floatPow(x, y)
	}
	return NotImplemented, nil
}

// floatPrice is what an operation of floats costs beyond the operator.
func floatPrice(p *cost.Prices, op Operator, x, y uint64) int {
	switch op {
	case TrueDiv:
		return p.FloatDiv
	case FloorDiv, Mod, DivMod:
		const exponent = 0x7ff
		return 2*p.FloatMod + max(int(x>>52&exponent)-int(y>>52&exponent), 0)/p.FloatModBits
	}
	return p.Float
}

func floatCompare(m *Machine, op CompareOp, a, b Value) (Value, *Exception) {
	m.meter.Owe(m.Costs().Float)
	x, ok := asFloat(a)
	if !ok {
		return NotImplemented, nil
	}
	if y, ok := asFloat(b); ok {
		return Bool(compareFloats(op, x, y)), nil
	}
	i, ok := asInt(b)
	if !ok {
		return NotImplemented, nil
	}
	if softfloat.IsNaN(x) {
		return Bool(op == Ne), nil
	}
	if i.IsInt() {
		return Bool(ordered(op, softfloat.CompareInt64(x, i.Int64()))), m.Charge(m.costs.Float)
	}
	return Bool(ordered(op, softfloat.CompareBig(x, &i.big().i))), m.Charge(40 + bitLen(i)/64)
}

// compareFloats answers x op y.
func compareFloats(op CompareOp, x, y uint64) bool {
	switch op {
	case Eq:
		return softfloat.Eq(x, y)
	case Ne:
		return !softfloat.Eq(x, y)
	case Lt:
		return softfloat.Lt(x, y)
	case Le:
		return softfloat.Le(x, y)
	case Gt:
		return softfloat.Lt(y, x)
	}
	return softfloat.Le(y, x)
}

// ToFloat returns float(v) for numbers and objects with __float__ or __index__.
func (m *Machine) ToFloat(v Value) (uint64, *Exception) {
	t := v.ref.typ
	switch {
	case v.ref.kind&Sub != 0: // whose methods are looked for
		m.meter.Owe(2 * m.costs.Operand)
	case v.ref.kind != KindFloat:
		m.meter.Owe(m.costs.Float)
	}
	if f, ok, e := m.real(v); ok && !t.overrides(nFloat) {
		return f, e
	}
	if t.Slots.ToFloat != nil {
		r, e := t.Slots.ToFloat(m, v)
		if e != nil {
			return 0, e
		}
		f, ok := asFloat(r)
		if !ok {
			return 0, m.TypeError("%s.__float__ returned non-float (type %s)", t.Name, r.ref.typ.Name)
		}
		return f, nil
	}
	if t.Slots.ToIndex != nil {
		i, e := m.Index(v)
		if e != nil {
			return 0, e
		}
		return m.intToFloat(i)
	}
	return 0, m.TypeError("must be real number, not %s", t.Name)
}

// floatEqualsInt compares a float with an int exactly.
func floatEqualsInt(f uint64, i int64) bool {
	return !softfloat.IsNaN(f) && softfloat.CompareInt64(f, i) == 0
}
