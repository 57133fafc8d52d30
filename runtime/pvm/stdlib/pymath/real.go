package pymath

import (
	"github.com/cowboyinc/cowboy-go/runtime/pvm/object"
	"github.com/cowboyinc/cowboy-go/runtime/softfloat"
)

// unary declares a function of one float.
func unary(name string, cost int, f func(x uint64) (uint64, error)) object.Method {
	return object.Method{Name: name, Sig: "x, /", Func: func(m *object.Machine, a object.Args) (object.Value, *object.Exception) {
		x, e := m.ToFloat(a.V[0])
		if e != nil {
			return object.Value{}, e
		}
		if e := m.Charge(cost); e != nil {
			return object.Value{}, e
		}
		r, err := f(x)
		if err != nil {
			return object.Value{}, fail(m, err)
		}
		return object.Float(r), nil
	}}
}

// total gives a function that cannot fail the signature of those that can.
func total(f func(uint64) uint64) func(uint64) (uint64, error) {
	return func(x uint64) (uint64, error) { return f(x), nil }
}

// binary declares a function of two floats.
func binary(name string, cost int, f func(x, y uint64) (uint64, error)) object.Method {
	return object.Method{Name: name, Sig: "x, y, /", Func: func(m *object.Machine, a object.Args) (object.Value, *object.Exception) {
		x, e := m.ToFloat(a.V[0])
		if e != nil {
			return object.Value{}, e
		}
		y, e := m.ToFloat(a.V[1])
		if e != nil {
			return object.Value{}, e
		}
		if e := m.Charge(cost); e != nil {
			return object.Value{}, e
		}
		r, err := f(x, y)
		if err != nil {
			return object.Value{}, fail(m, err)
		}
		return object.Float(r), nil
	}}
}

func realFunctions() []object.Method {
	return []object.Method{
		unary("acos", costTwice, softfloat.Acos),
		unary("acosh", costTwice, softfloat.Acosh),
		unary("asin", costTwice, softfloat.Asin),
		unary("asinh", costTwice, total(softfloat.Asinh)),
		unary("atan", costBasic, total(softfloat.Atan)),
		unary("atanh", costTwice, softfloat.Atanh),
		unary("cbrt", costTwice, total(softfloat.Cbrt)),
		unary("cos", costBasic, softfloat.Cos),
		unary("cosh", costTwice, softfloat.Cosh),
		unary("degrees", costBasic, total(softfloat.Degrees)),
		unary("erf", costErf, total(softfloat.Erf)),
		unary("erfc", costErf, total(softfloat.Erfc)),
		unary("exp", costBasic, softfloat.Exp),
		unary("exp2", costBasic, softfloat.Exp2),
		unary("expm1", costBasic, softfloat.Expm1),
		unary("fabs", costCheap, total(softfloat.Abs)),
		unary("gamma", costGamma, softfloat.Gamma),
		unary("lgamma", costGamma, softfloat.LogGamma),
		unary("log1p", costBasic, softfloat.Log1p),
		unary("radians", costBasic, total(softfloat.Radians)),
		unary("sin", costBasic, softfloat.Sin),
		unary("sinh", costTwice, softfloat.Sinh),
		unary("sqrt", costCheap, sqrt),
		unary("tan", costBasic, softfloat.Tan),
		unary("tanh", costTwice, total(softfloat.Tanh)),
		unary("ulp", costCheap, total(softfloat.Ulp)),
		binary("atan2", costTwice, func(y, x uint64) (uint64, error) { return softfloat.Atan2(y, x), nil }),
		binary("copysign", costCheap, func(x, y uint64) (uint64, error) { return softfloat.CopySign(x, y), nil }),
		binary("fmod", costDivision, fmod),
		binary("nextafter", costCheap, func(x, y uint64) (uint64, error) { return softfloat.NextAfter(x, y), nil }),
		binary("pow", costTwice, softfloat.Pow),
		binary("remainder", costDivision, softfloat.Remainder),
		{Name: "log", Sig: "x, base=None, /", Func: logAnyBase},
		{Name: "log2", Sig: "x, /", Func: func(m *object.Machine, a object.Args) (object.Value, *object.Exception) {
			return value(logarithm(m, a.V[0], base2))
		}},
		{Name: "log10", Sig: "x, /", Func: func(m *object.Machine, a object.Args) (object.Value, *object.Exception) {
			return value(logarithm(m, a.V[0], base10))
		}},
		{Name: "isclose", Sig: "a, b, *, rel_tol=1e-09, abs_tol=0.0", Func: isClose},
		test("isfinite", softfloat.IsFinite),
		test("isinf", softfloat.IsInf),
		test("isnan", softfloat.IsNaN),
	}
}

func value(x uint64, e *object.Exception) (object.Value, *object.Exception) {
	if e != nil {
		return object.Value{}, e
	}
	return object.Float(x), nil
}

func sqrt(x uint64) (uint64, error) {
	if softfloat.Lt(x, softfloat.Zero) {
		return 0, softfloat.ErrDomain
	}
	return softfloat.Sqrt(x), nil
}

func fmod(x, y uint64) (uint64, error) {
	r := softfloat.Fmod(x, y)
	if softfloat.IsNaN(r) && !softfloat.Unordered(x, y) {
		return 0, softfloat.ErrDomain
	}
	return r, nil
}

func test(name string, f func(uint64) bool) object.Method {
	return object.Method{Name: name, Sig: "x, /", Func: func(m *object.Machine, a object.Args) (object.Value, *object.Exception) {
		x, e := m.ToFloat(a.V[0])
		if e != nil {
			return object.Value{}, e
		}
		return object.Bool(f(x)), nil
	}}
}

// isClose is math.isclose.
func isClose(m *object.Machine, a object.Args) (object.Value, *object.Exception) {
	// 1e-09 and 0.0
	args := [4]uint64{2: 0x3e112e0be826d695}
	for i := range args {
		if v := a.Arg(i); !v.IsZero() {
			x, e := m.ToFloat(v)
			if e != nil {
				return object.Value{}, e
			}
			args[i] = x
		}
	}
	x, y, relative, absolute := args[0], args[1], args[2], args[3]
	if softfloat.Lt(relative, 0) || softfloat.Lt(absolute, 0) {
		return object.Value{}, m.ValueError("tolerances must be non-negative")
	}
	switch {
	case softfloat.Eq(x, y):
		return object.True, nil
	case softfloat.IsInf(x) || softfloat.IsInf(y):
		return object.False, nil
	}
	diff := softfloat.Abs(softfloat.Sub(y, x))
	within := func(limit uint64) bool { return softfloat.Le(diff, limit) }
	return object.Bool(within(softfloat.Abs(softfloat.Mul(relative, y))) ||
		within(softfloat.Abs(softfloat.Mul(relative, x))) || within(absolute)), nil
}
