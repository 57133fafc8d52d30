package pymath

import (
	"math"

	"github.com/cowboyinc/cowboy-go/runtime/pvm/object"
	"github.com/cowboyinc/cowboy-go/runtime/softfloat"
)

// Special methods asked by the rounding functions.
var (
	nameCeil  = object.StaticName("__ceil__")
	nameFloor = object.StaticName("__floor__")
	nameTrunc = object.StaticName("__trunc__")
)

func partFunctions() []object.Method {
	return []object.Method{
		{Name: "ceil", Sig: "x, /", Func: rounded(nameCeil, softfloat.Ceil)},
		{Name: "floor", Sig: "x, /", Func: rounded(nameFloor, softfloat.Floor)},
		{Name: "trunc", Sig: "x, /", Func: truncated},
		{Name: "frexp", Sig: "x, /", Func: frexp},
		{Name: "ldexp", Sig: "x, i, /", Func: ldexp},
		{Name: "modf", Sig: "x, /", Func: modf},
	}
}

// rounded is math.ceil or math.floor: floats directly, other objects through
// their special method, or else as floats.
func rounded(name *object.Str, f func(uint64) uint64) object.Func {
	return func(m *object.Machine, a object.Args) (object.Value, *object.Exception) {
		v := a.V[0]
		if !v.IsFloat() {
			if v.IsInt() {
				return v, nil
			}
			if _, ok := v.Type().Lookup(name); ok {
				return m.CallMethod(v, name)
			}
		}
		x, e := m.ToFloat(v)
		if e != nil {
			return object.Value{}, e
		}
		return toInt(m, f(x))
	}
}

// toInt returns the int of an integral float.
func toInt(m *object.Machine, x uint64) (object.Value, *object.Exception) {
	if i, ok := softfloat.ToInt64(x); ok {
		return object.Int(i), nil
	}
	if e := m.Charge(20); e != nil {
		return object.Value{}, e
	}
	i, err := softfloat.ToBig(x)
	switch err {
	case nil:
		return m.IntOf(i)
	case softfloat.ErrInfinite:
		return object.Value{}, m.OverflowError("%s", err)
	}
	return object.Value{}, m.ValueError("%s", err)
}

func truncated(m *object.Machine, a object.Args) (object.Value, *object.Exception) {
	v := a.V[0]
	if v.IsFloat() {
		return toInt(m, v.FloatBits())
	}
	if _, ok := v.Type().Lookup(nameTrunc); !ok {
		return object.Value{}, m.TypeError("type %s doesn't define __trunc__ method", v.Type().Name)
	}
	return m.CallMethod(v, nameTrunc)
}

func frexp(m *object.Machine, a object.Args) (object.Value, *object.Exception) {
	x, e := m.ToFloat(a.V[0])
	if e != nil {
		return object.Value{}, e
	}
	f, n := softfloat.Frexp(x)
	return m.Tuple(object.Float(f), object.Int(int64(n))), nil
}

func ldexp(m *object.Machine, a object.Args) (object.Value, *object.Exception) {
	x, e := m.ToFloat(a.V[0])
	if e != nil {
		return object.Value{}, e
	}
	i, ok := a.V[1].AsInt()
	if !ok {
		return object.Value{}, m.TypeError("Expected an int as second argument to ldexp.")
	}
	// What does not fit 32 bits overflows or vanishes all the same.
	n := int64(math.MaxInt32)
	if i.IsInt() {
		n = max(min(i.Int64(), math.MaxInt32), math.MinInt32)
	} else if i.BigInt().Sign() < 0 {
		n = math.MinInt32
	}
	r := softfloat.Ldexp(x, int(n))
	if softfloat.IsInf(r) && softfloat.IsFinite(x) {
		return object.Value{}, fail(m, softfloat.ErrRange)
	}
	return object.Float(r), nil
}

func modf(m *object.Machine, a object.Args) (object.Value, *object.Exception) {
	x, e := m.ToFloat(a.V[0])
	if e != nil {
		return object.Value{}, e
	}
	fraction, integer := softfloat.Modf(x)
	return m.Tuple(object.Float(fraction), object.Float(integer)), nil
}
