package pydecimal

import (
	"github.com/cowboyinc/cowboy-go/runtime/pvm/object"
	"github.com/cowboyinc/cowboy-go/runtime/pvm/stdlib/decimal"
)

// operation is a method that rounds to the context: its operands beside the
// receiver, and what it computes.
type operation struct {
	name  string
	bare  bool // takes no context
	cost  int
	one   func(x *number) (*number, decimal.Condition)
	two   func(x, y *number) (*number, decimal.Condition)
	three func(x, y, z *number) (*number, decimal.Condition)
}

// sure makes an operation without conditions.
func sure(f func(x *number) *number) func(x *number) (*number, decimal.Condition) {
	return func(x *number) (*number, decimal.Condition) { return f(x), 0 }
}

func next(up bool) func(x *number) (*number, decimal.Condition) {
	return func(x *number) (*number, decimal.Condition) { return context.Next(x, up) }
}

func total(f func(x, y *number) int) func(x, y *number) (*number, decimal.Condition) {
	return func(x, y *number) (*number, decimal.Condition) { return decimal.FromInt64(int64(f(x, y))), 0 }
}

func operations() []operation {
	same := sure(func(x *number) *number { return x })
	return []operation{
		{name: "canonical", bare: true, cost: 1, one: same}, {name: "conjugate", bare: true, cost: 1, one: same},
		{name: "copy_abs", bare: true, cost: costSimple, one: sure((*number).CopyAbs)},
		{name: "copy_negate", bare: true, cost: costSimple, one: sure((*number).CopyNegate)},
		{name: "exp", cost: costExp, one: context.Exp}, {name: "ln", cost: costLog, one: context.Ln},
		{name: "log10", cost: costLog, one: context.Log10}, {name: "logb", cost: costSimple, one: context.LogB},
		{name: "logical_invert", cost: costDivide, one: context.Invert}, {name: "next_minus", cost: costDivide, one: next(false)},
		{name: "next_plus", cost: costDivide, one: next(true)}, {name: "normalize", cost: costDivide, one: context.Reduce},
		{name: "sqrt", cost: costRoot, one: context.Sqrt},
		{name: "compare", cost: costSimple, two: context.Compare}, {name: "compare_signal", cost: costSimple, two: context.CompareSignal},
		{name: "compare_total", cost: costSimple, two: total(decimal.CompareTotal)},
		{name: "compare_total_mag", cost: costSimple, two: total(decimal.CompareTotalMag)},
		{name: "copy_sign", cost: costSimple, two: func(x, y *number) (*number, decimal.Condition) { return x.CopySign(y), 0 }},
		{name: "logical_and", cost: costDivide, two: context.And}, {name: "logical_or", cost: costDivide, two: context.Or},
		{name: "logical_xor", cost: costDivide, two: context.Xor}, {name: "max", cost: costSimple, two: context.Max},
		{name: "max_mag", cost: costSimple, two: context.MaxMag}, {name: "min", cost: costSimple, two: context.Min},
		{name: "min_mag", cost: costSimple, two: context.MinMag}, {name: "next_toward", cost: costDivide, two: context.NextToward},
		{name: "remainder_near", cost: costDivide, two: context.RemNear}, {name: "rotate", cost: costDivide, two: context.Rotate},
		{name: "scaleb", cost: costSimple, two: context.ScaleB}, {name: "shift", cost: costDivide, two: context.Shift},
		{name: "fma", cost: costDivide, three: context.FMA},
	}
}

// method makes the method of Decimal; operands follow the receiver.
func (o operation) method() object.Method {
	sig := "context=None"
	switch {
	case o.bare:
		sig = ""
	case o.two != nil:
		sig = "other, context=None"
	case o.three != nil:
		sig = "other, third, context=None"
	}
	return object.Method{Name: o.name, Sig: sig, Func: o.apply}
}

// apply computes the operation on as many arguments as it has operands.
func (o operation) apply(m *machine, a object.Args) (value, *exception) {
	var x [3]*number
	n := 1
	switch {
	case o.two != nil:
		n = 2
	case o.three != nil:
		n = 3
	}
	if e := checkContext(m, a.Arg(n)); e != nil {
		return value{}, e
	}
	for i := range n {
		var e *exception
		if x[i], e = argument(m, a.V[i]); e != nil {
			return value{}, e
		}
	}
	if e := charge(m, o.cost, x[:n]...); e != nil {
		return value{}, e
	}
	var r *number
	var cond decimal.Condition
	switch n {
	case 1:
		r, cond = o.one(x[0])
	case 2:
		r, cond = o.two(x[0], x[1])
	default:
		r, cond = o.three(x[0], x[1], x[2])
	}
	return result(m, r, cond)
}

// checkContext refuses what is no context where one may be given.
func checkContext(m *machine, v value) *exception {
	if v.IsZero() || v.IsNone() || v.Type() == &typeContext {
		return nil
	}
	return m.TypeError("optional argument must be a context")
}

// is makes a predicate.
func is(name string, f func(x *number) bool) object.Method {
	sig := ""
	if name == "is_normal" || name == "is_subnormal" {
		sig = "context=None"
	}
	return object.Method{Name: name, Sig: sig, Func: func(m *machine, a object.Args) (value, *exception) {
		return object.Bool(f(self(a.V[0]))), checkContext(m, a.Arg(1))
	}}
}

func normal(x *number) bool {
	return x.IsFinite() && !x.IsZero() && x.Adjusted() >= context.Emin
}

func methods() []object.Method {
	var out []object.Method
	for _, o := range operations() {
		out = append(out, o.method())
	}
	return append(out,
		is("is_canonical", func(x *number) bool { return true }),
		is("is_finite", (*number).IsFinite),
		is("is_infinite", func(x *number) bool { return x.Form() == decimal.Infinite }),
		is("is_nan", (*number).IsNaN),
		is("is_normal", normal),
		is("is_qnan", func(x *number) bool { return x.Form() == decimal.QuietNaN }),
		is("is_signed", (*number).Signed),
		is("is_snan", func(x *number) bool { return x.Form() == decimal.SignalingNaN }),
		is("is_subnormal", func(x *number) bool { return x.IsFinite() && !x.IsZero() && x.Adjusted() < context.Emin }),
		is("is_zero", (*number).IsZero),
		object.Method{Name: "adjusted", Func: func(m *machine, a object.Args) (value, *exception) {
			x := self(a.V[0])
			if !x.IsFinite() || x.IsZero() && x.Exp() == 0 {
				return object.Int(0), nil
			}
			return object.Int(x.Adjusted()), nil
		}},
		object.Method{Name: "as_integer_ratio", Func: asIntegerRatio},
		object.Method{Name: "as_tuple", Func: asTuple},
		object.Method{Name: "from_float", Sig: "f, /", Class: true, Func: fromFloatMethod},
		object.Method{Name: "number_class", Sig: "context=None", Func: func(m *machine, a object.Args) (value, *exception) {
			return m.Str(context.Class(self(a.V[0]))), checkContext(m, a.Arg(1))
		}},
		object.Method{Name: "quantize", Sig: "exp, rounding=None, context=None", Func: quantize},
		object.Method{Name: "radix", Func: func(m *machine, a object.Args) (value, *exception) {
			return wrap(m, decimal.FromInt64(10)), nil
		}},
		object.Method{Name: "same_quantum", Sig: "other, context=None", Func: func(m *machine, a object.Args) (value, *exception) {
			y, e := argument(m, a.V[1])
			if e != nil {
				return value{}, e
			}
			return object.Bool(decimal.SameQuantum(self(a.V[0]), y)), nil
		}},
		object.Method{Name: "to_eng_string", Sig: "context=None", Func: func(m *machine, a object.Args) (value, *exception) {
			x := self(a.V[0])
			if e := m.Charge(textCost(x) + 3*writeCost(x)); e != nil { // the digits are moved about
				return value{}, e
			}
			return m.Str(x.Engineering()), checkContext(m, a.Arg(1))
		}},
		object.Method{Name: "to_integral", Sig: "rounding=None, context=None", Func: toIntegral},
		object.Method{Name: "to_integral_exact", Sig: "rounding=None, context=None", Func: toIntegral},
		object.Method{Name: "to_integral_value", Sig: "rounding=None, context=None", Func: toIntegral},
		object.Method{Name: "__ceil__", Func: rounder(decimal.Ceiling)},
		object.Method{Name: "__floor__", Func: rounder(decimal.Floor)},
		object.Method{Name: "__trunc__", Func: rounder(decimal.Down)},
		object.Method{Name: "__round__", Sig: "ndigits=None, /", Func: roundMethod},
		object.Method{Name: "__format__", Sig: "spec, override=None, /", Func: formatMethod},
		object.Method{Name: "__copy__", Func: itself},
		object.Method{Name: "__deepcopy__", Sig: "memo, /", Func: itself},
	)
}

func itself(m *machine, a object.Args) (value, *exception) { return a.V[0], nil }

func rounder(mode decimal.Rounding) object.Func {
	return func(m *machine, a object.Args) (value, *exception) { return toInt(m, self(a.V[0]), mode) }
}

// roundMethod is round(d) and round(d, n), half-even.
func roundMethod(m *machine, a object.Args) (value, *exception) {
	digits := a.Arg(1)
	if digits.IsZero() {
		return toInt(m, self(a.V[0]), decimal.HalfEven)
	}
	i, ok := digits.AsInt()
	if !ok {
		return value{}, m.TypeError("optional arg must be an integer")
	}
	const limit = 999999999999999999
	if !i.IsInt() || i.Int64() > limit || i.Int64() < -limit {
		return value{}, trap(m, decimal.InvalidOperation)
	}
	unit := decimal.New(false, decimal.FromInt64(1).Coef(), -i.Int64())
	x := self(a.V[0])
	if e := charge(m, costDivide, x); e != nil {
		return value{}, e
	}
	r, cond := context.Quantize(x, unit, decimal.HalfEven)
	return result(m, r, cond)
}

// powMod is pow(x, y, z), one of which is a Decimal.
func powMod(m *machine, xv, yv, zv value) (value, *exception) {
	x, ok := operand(xv)
	y, ok2 := operand(yv)
	mod, ok3 := operand(zv)
	if !ok || !ok2 || !ok3 {
		return value{}, m.TypeError("unsupported operand type(s) for ** or pow(): '%s', '%s', '%s'", xv.Type().Name, yv.Type().Name, zv.Type().Name)
	}
	if e := charge(m, costPower, x, y, mod); e != nil {
		return value{}, e
	}
	r, cond := context.PowMod(x, y, mod)
	return result(m, r, cond)
}

func quantize(m *machine, a object.Args) (value, *exception) {
	y, e := argument(m, a.V[1])
	if e != nil {
		return value{}, e
	}
	mode, e := rounding(m, a.Arg(2))
	if e != nil {
		return value{}, e
	}
	if e := checkContext(m, a.Arg(3)); e != nil {
		return value{}, e
	}
	x := self(a.V[0])
	if e := charge(m, costDivide, x, y); e != nil {
		return value{}, e
	}
	if s, _, ok := smallResult(context.QuantizeSmall, a.V[0], a.V[1]); ok && mode == decimal.HalfEven {
		return wrapSmall(m, s), nil
	}
	r, cond := context.Quantize(x, y, mode)
	return result(m, r, cond)
}

func toIntegral(m *machine, a object.Args) (value, *exception) {
	mode, e := rounding(m, a.Arg(1))
	if e == nil {
		e = checkContext(m, a.Arg(2))
	}
	if e != nil {
		return value{}, e
	}
	x := self(a.V[0])
	if e := charge(m, costDivide, x); e != nil {
		return value{}, e
	}
	r, cond := context.ToIntegral(x, mode)
	return result(m, r, cond)
}

func asIntegerRatio(m *machine, a object.Args) (value, *exception) {
	x := self(a.V[0])
	switch {
	case x.IsNaN():
		return value{}, m.ValueError("cannot convert NaN to integer ratio")
	case x.Form() == decimal.Infinite:
		return value{}, m.OverflowError("cannot convert Infinity to integer ratio")
	}
	if e := charge(m, costDivide, x); e != nil {
		return value{}, e
	}
	num, den, ok := x.Ratio()
	if !ok {
		return value{}, m.OverflowError("int result exceeds %d bits", object.MaxBits)
	}
	n, e := m.IntOf(num)
	if e != nil {
		return value{}, e
	}
	d, e := m.IntOf(den)
	if e != nil {
		return value{}, e
	}
	return m.Tuple(n, d), nil
}

// asTuple returns the named tuple (sign, digits, exponent), whose class the
// Python part of the module makes when it is first needed.
func asTuple(m *machine, a object.Args) (value, *exception) {
	x := self(a.V[0])
	if e := m.Charge(textCost(x) + 2*x.Digits()); e != nil {
		return value{}, e
	}
	text := x.Coef().Append(nil, 10)
	exponent := object.Int(x.Exp())
	switch x.Form() {
	case decimal.Infinite:
		exponent = m.Str("F")
	case decimal.QuietNaN:
		exponent = m.Str("n")
	case decimal.SignalingNaN:
		exponent = m.Str("N")
	}
	if x.IsNaN() && x.Coef().Sign() == 0 {
		text = nil
	}
	digits := make([]value, len(text))
	for i, c := range text {
		digits[i] = object.Int(int64(c - '0'))
	}
	sign := int64(0)
	if x.Signed() {
		sign = 1
	}
	args := []value{object.Int(sign), m.Tuple(digits...), exponent}
	if mod, ok := m.Modules["decimal"]; ok {
		if fn, ok := mod.Lookup("_decimal_tuple"); ok {
			return m.Call(fn, object.Positional(args...))
		}
	}
	return m.Tuple(args...), nil
}

func fromFloatMethod(m *machine, a object.Args) (value, *exception) {
	t, _ := a.V[0].AsType()
	var n *number
	if x, ok := a.V[1].AsFloat(); ok {
		var e *exception
		if n, e = fromFloat(m, x); e != nil {
			return value{}, e
		}
	} else if i, ok := a.V[1].AsInt(); ok {
		n = decimal.FromInt(i.BigInt())
	} else {
		return value{}, m.TypeError("argument must be int or float")
	}
	v := wrap(m, n)
	if t == &typeDecimal {
		return v, nil
	}
	return m.Call(a.V[0], object.Positional(v))
}
