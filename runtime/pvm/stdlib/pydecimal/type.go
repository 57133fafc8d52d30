package pydecimal

import (
	"github.com/cowboyinc/cowboy-go/runtime/pvm/object"
	"github.com/cowboyinc/cowboy-go/runtime/pvm/stdlib/decimal"
	"github.com/cowboyinc/cowboy-go/runtime/softfloat"
)

// typeDecimalDefined orders initialization: the module's entries need the type's
// name.
var typeDecimalDefined = object.Define(&typeDecimal, object.Spec{
	Name: "Decimal", Module: "decimal",
	Doc: "Construct a new Decimal object. 'value' can be an integer, string, tuple,\n" +
		"or another Decimal object. If no value is given, return Decimal('0').\n",
	Layout: object.LayoutOf[Decimal](object.KindLeaf),

	Relocate: object.Unrelated, // a number is never written
	Slots: object.Slots{
		New:  decimalNew,
		Init: func(m *machine, v value, a object.Args) *exception { return nil },
		Repr: func(m *machine, v value) (value, *exception) {
			s, e := textOf(m, self(v))
			return m.Str("Decimal('" + s + "')"), e
		},
		Str: func(m *machine, v value) (value, *exception) {
			s, e := textOf(m, self(v))
			return m.Str(s), e
		},
		Hash: func(m *machine, v value) (int64, *exception) {
			if e := m.Charge(costDivide); e != nil {
				return 0, e
			}
			return hash(m, self(v))
		},
		Compare: compare,
		Bool:    func(m *machine, v value) (bool, *exception) { return !self(v).IsZero(), nil },
		Binary:  binarySlots(),
		PowMod:  powMod,
		Neg:     unarySlot(context.Neg),
		Pos:     unarySlot(context.Plus),
		Abs:     unarySlot(context.Abs),
		ToInt:   func(m *machine, v value) (value, *exception) { return toInt(m, self(v), decimal.Down) },
		ToFloat: toFloat,
	},
	Methods: methods(),
	Fields: []object.Field{
		{Name: "real", Get: func(m *machine, v value) (value, *exception) { return v, nil }},
		{Name: "imag", Get: func(m *machine, v value) (value, *exception) {
			return wrap(m, decimal.FromInt64(0)), m.Charge(costSimple)
		}},
	},
	Size: func(o *object.Object) int { return 24 + numberSize(self(object.Of(o))) },
})

func self(v value) *number { return object.Trust[Decimal](v).n }

func decimalNew(m *machine, t *object.Type, a object.Args) (value, *exception) {
	pos := a.Pos()
	if len(pos) > 2 {
		return value{}, m.TypeError("Decimal() takes at most 2 arguments (%d given)", len(pos))
	}
	v := a.Arg(0)
	if len(pos) == 2 {
		if e := checkContext(m, pos[1]); e != nil {
			return value{}, e
		}
	}
	for i, name := range a.Names {
		switch name.String() {
		case "value":
			v = a.V[len(pos)+i]
		case "context":
			if e := checkContext(m, a.V[len(pos)+i]); e != nil {
				return value{}, e
			}
		default:
			return value{}, m.TypeError("'%s' is an invalid keyword argument for Decimal()", name)
		}
	}
	if v.IsZero() {
		return wrapAs(m, t, decimal.FromInt64(0)), nil
	}
	if t == &typeDecimal && v.Type() == &typeDecimal {
		return v, nil
	}
	if e := m.Charge(costSimple / 2); e != nil {
		return value{}, e
	}
	n, e := newNumber(m, v)
	if e != nil {
		return value{}, e
	}
	return wrapAs(m, t, n), nil
}

// textOf returns str of a number.
func textOf(m *machine, n *number) (string, *exception) {
	if e := m.Charge(textCost(n)); e != nil {
		return "", e
	}
	return n.String(), nil
}

// textCost is the price of the text of a number: digits are converted in quadratic time, and written.
func textCost(n *number) int {
	d := n.Digits()
	return writeCost(n) + 3*d + d*d/256
}

// writeCost is the price of writing the digits of a number once, with zeros in front of them.
func writeCost(n *number) int { return costSimple + n.Digits()/2 }

func binarySlots() (s [object.DivMod + 1]object.Binary) {
	for _, op := range []struct {
		op    object.Operator
		cost  int
		f     func(x, y *number) (*number, decimal.Condition)
		small func(x, y decimal.Small) (decimal.Small, bool)
	}{
		{object.Add, costSimple, context.Add, context.AddSmall}, {object.Sub_, costSimple, context.Sub, context.SubSmall},
		{object.Mul, costSimple, context.Mul, context.MulSmall}, {object.TrueDiv, costDivide, context.Quo, context.QuoSmall},
		{object.FloorDiv, costDivide, context.QuoInteger, nil}, {object.Mod, costDivide, context.Rem, nil},
		{object.Pow, costPower, context.Pow, nil},
	} {
		// What is too long for the short form takes half as much again.
		s[op.op] = func(m *machine, a, b value) (value, *exception) {
			if op.small != nil {
				if r, words, ok := smallResult(op.small, a, b); ok {
					if e := m.Charge(op.cost + words*words); e != nil {
						return value{}, e
					}
					return wrapSmall(m, r), nil
				}
			}
			cost := op.cost
			if op.small != nil {
				cost += cost / 2
			}
			if e := m.Charge(costSimple / 2); e != nil {
				return value{}, e
			}
			x, ok := operand(a)
			if !ok {
				return object.NotImplemented, nil
			}
			y, ok := operand(b)
			if !ok {
				return object.NotImplemented, nil
			}
			if (op.op == object.Add || op.op == object.Sub_) && far(x, y) {
				cost += costDivide
			}
			if e := charge(m, cost, x, y); e != nil {
				return value{}, e
			}
			r, cond := op.f(x, y)
			return result(m, r, cond)
		}
	}
	s[object.DivMod] = func(m *machine, a, b value) (value, *exception) {
		x, ok := operand(a)
		if !ok {
			return object.NotImplemented, nil
		}
		y, ok := operand(b)
		if !ok {
			return object.NotImplemented, nil
		}
		if e := charge(m, costDivide, x, y); e != nil {
			return value{}, e
		}
		q, r, cond := context.DivMod(x, y)
		if e := trap(m, cond); e != nil {
			return value{}, e
		}
		return m.Tuple(wrap(m, q), wrap(m, r)), nil
	}
	return s
}

// far says whether the first digits of two finite numbers are further apart than the digits of a result, so that zeros are put in between.
func far(x, y *number) bool {
	if !x.IsFinite() || !y.IsFinite() {
		return false
	}
	d := x.Adjusted() - y.Adjusted()
	return max(d, -d) > int64(context.Prec)
}

// smallResult applies an operation to two small numbers; words are those that
// charge counts.
func smallResult(f func(x, y decimal.Small) (decimal.Small, bool), a, b value) (r decimal.Small, words int, ok bool) {
	x, ok := small(a)
	if !ok {
		return r, 0, false
	}
	y, ok := small(b)
	if !ok {
		return r, 0, false
	}
	r, ok = f(x, y)
	return r, max(x.BitLen(), y.BitLen()) / 64, ok
}

func unarySlot(f func(x *number) (*number, decimal.Condition)) object.Unary {
	return func(m *machine, v value) (value, *exception) {
		x := self(v)
		if e := charge(m, costSimple, x); e != nil {
			return value{}, e
		}
		r, cond := f(x)
		return result(m, r, cond)
	}
}

// compare is the comparison with other Decimals, ints and floats, all exact.
func compare(m *machine, op object.CompareOp, a, b value) (value, *exception) {
	if x, ok := small(a); ok {
		if y, ok := small(b); ok {
			if sign, ok := decimal.CmpSmall(x, y); ok {
				words := max(x.BitLen(), y.BitLen()) / 64
				if e := m.Charge(costSimple + words*words); e != nil {
					return value{}, e
				}
				return m.Compare(op, object.Int(int64(sign)), object.Int(0))
			}
		}
	}
	if e := m.Charge(costSimple / 2); e != nil {
		return value{}, e
	}
	x := self(a)
	y, ok := operand(b)
	if !ok {
		f, ok := b.AsFloat()
		if re, im, complex := b.AsComplex(); complex && softfloat.IsZero(im) && (op == object.Eq || op == object.Ne) {
			f, ok = re, true
		}
		if !ok {
			return object.NotImplemented, nil
		}
		var e *exception
		if y, e = fromFloat(m, f); e != nil {
			return value{}, e
		}
	}
	if e := charge(m, costSimple, x, y); e != nil {
		return value{}, e
	}
	if x.IsNaN() || y.IsNaN() {
		ordering := op != object.Eq && op != object.Ne
		if ordering || x.Form() == decimal.SignalingNaN || y.Form() == decimal.SignalingNaN {
			return value{}, trap(m, decimal.InvalidOperation)
		}
		return object.Bool(op == object.Ne), nil
	}
	return m.Compare(op, object.Int(int64(decimal.Cmp(x, y))), object.Int(0))
}

// toInt rounds to an int.
func toInt(m *machine, n *number, mode decimal.Rounding) (value, *exception) {
	switch {
	case n.IsNaN():
		return value{}, m.ValueError("cannot convert NaN to integer")
	case n.Form() == decimal.Infinite:
		return value{}, m.OverflowError("cannot convert Infinity to integer")
	}
	if e := charge(m, costDivide, n); e != nil {
		return value{}, e
	}
	i, ok := n.Int(mode)
	if !ok {
		return value{}, m.OverflowError("int result exceeds %d bits", object.MaxBits)
	}
	return m.IntOf(i)
}

// toFloat is float(d): the nearest double.
func toFloat(m *machine, v value) (value, *exception) {
	n := self(v)
	if n.Form() == decimal.SignalingNaN {
		return value{}, m.ValueError("cannot convert signaling NaN to float")
	}
	if n.Form() == decimal.QuietNaN {
		x := softfloat.NaN
		if n.Signed() {
			x = softfloat.Neg(x)
		}
		return object.Float(x), nil
	}
	s, e := textOf(m, n)
	if e != nil {
		return value{}, e
	}
	x, err := softfloat.Parse(s)
	if err != nil {
		return value{}, m.ValueError("%s", err)
	}
	return object.Float(x), nil
}
