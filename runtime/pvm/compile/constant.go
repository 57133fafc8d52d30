package compile

import (
	"math/big"

	"github.com/cowboyinc/cowboy-go/runtime/pvm/object"
	"github.com/cowboyinc/cowboy-go/runtime/pvm/syntax"
	"github.com/cowboyinc/cowboy-go/runtime/softfloat"
)

// literal returns the value of a constant expression: a literal, a negated
// number, or a tuple of them.
func (c *coder) literal(x syntax.Expr) (object.Value, bool) {
	switch x := x.(type) {
	case *syntax.Constant:
		return c.literalOf(x), true
	case *syntax.UnaryOp:
		if x.Op != syntax.USub {
			return object.Value{}, false
		}
		k, ok := x.Operand.(*syntax.Constant)
		if !ok {
			return object.Value{}, false
		}
		switch {
		case k.Kind == syntax.Int && k.Big != nil:
			return object.StaticInt(new(big.Int).Neg(k.Big)), true
		case k.Kind == syntax.Int:
			return object.Int(-k.Int), true
		case k.Kind == syntax.Float:
			return object.Float(softfloat.Neg(k.Bits)), true
		}
	case *syntax.Tuple:
		if x.Ctx != syntax.Load {
			return object.Value{}, false
		}
		items := make([]object.Value, len(x.Elts))
		for i, e := range x.Elts {
			v, ok := c.literal(e)
			if !ok {
				return object.Value{}, false
			}
			items[i] = v
		}
		return object.StaticTuple(items).Value(), true
	}
	return object.Value{}, false
}

// container puts a list of constants, or a set of constant strings and ints, which only a test of membership looks at, into a
// register as a constant. It costs what making it would.
func (c *coder) container(op syntax.CmpOperator, x syntax.Expr) (r int, ok bool) {
	if op != syntax.In && op != syntax.NotIn {
		return 0, false
	}
	var v object.Value
	var price int
	switch x := x.(type) {
	case *syntax.List:
		items, ok := c.literals(x.Elts, func(object.Value) bool { return true })
		if !ok {
			return 0, false
		}
		v, price = object.StaticTuple(items).Value(), c.price.Display+c.price.Element*len(items)
	case *syntax.Set:
		items, ok := c.literals(x.Elts, func(v object.Value) bool { return v.Kind() == object.KindStr || v.Kind() == object.KindInt })
		if !ok {
			return 0, false
		}
		v, price = object.StaticFrozenSet(items).Value(), c.price.Mapping+(c.price.DictAccess+c.price.Element)*len(items)
	default:
		return 0, false
	}
	r = c.temp()
	c.emit(price, OpConst, r, 0, 0, int(c.constant(v)), 0)
	return r, true
}

// literals returns the values of the elements of a display if it is no long one and all are literals that fit.
func (c *coder) literals(elts []syntax.Expr, fits func(object.Value) bool) ([]object.Value, bool) {
	if len(elts) > displayBatch {
		return nil, false
	}
	items := make([]object.Value, len(elts))
	for i, e := range elts {
		v, ok := c.literal(e)
		if !ok || !fits(v) {
			return nil, false
		}
		items[i] = v
	}
	return items, true
}

func (c *coder) literalOf(k *syntax.Constant) object.Value {
	switch k.Kind {
	case syntax.True:
		return object.True
	case syntax.False:
		return object.False
	case syntax.Ellipsis:
		return object.Ellipsis
	case syntax.Int:
		if k.Big != nil {
			if k.Big.BitLen() > object.MaxBits {
				fail(k.Span, "int literal exceeds %d bits", object.MaxBits)
			}
			return object.StaticInt(k.Big)
		}
		return object.Int(k.Int)
	case syntax.Float:
		return object.Float(k.Bits)
	case syntax.Complex:
		return object.StaticComplex(0, k.Bits)
	case syntax.Str:
		return c.name(k.Text).Value()
	case syntax.Bytes:
		return object.StaticBytes([]byte(k.Text))
	}
	return object.None
}

// smallInt returns the value of an int literal that fits an immediate operand.
func smallInt(x syntax.Expr) (int, bool) {
	neg := false
	if u, ok := x.(*syntax.UnaryOp); ok && u.Op == syntax.USub {
		neg, x = true, u.Operand
	}
	k, ok := x.(*syntax.Constant)
	if !ok || k.Kind != syntax.Int || k.Big != nil || k.Int > 1<<30 {
		return 0, false
	}
	if neg {
		return -int(k.Int), true
	}
	return int(k.Int), true
}
