package pymath

import (
	"math/big"

	"github.com/cowboyinc/cowboy-go/runtime/pvm/object"
	"github.com/cowboyinc/cowboy-go/runtime/softfloat"
)

// A base is a logarithm of floats and of ints of any size.
type base struct {
	real    func(uint64) (uint64, error)
	integer func(*big.Int) (uint64, error)
}

var (
	natural = base{softfloat.Log, softfloat.LogBig}
	base2   = base{softfloat.Log2, softfloat.Log2Big}
	base10  = base{softfloat.Log10, softfloat.Log10Big}
)

// logarithm returns the logarithm of v, an int of any size or a real number.
func logarithm(m *object.Machine, v object.Value, b base) (uint64, *object.Exception) {
	if e := m.Charge(costBasic); e != nil {
		return 0, e
	}
	var r uint64
	var err error
	if i, ok := v.AsInt(); ok {
		r, err = b.integer(i.BigInt())
	} else {
		x, e := m.ToFloat(v)
		if e != nil {
			return 0, e
		}
		r, err = b.real(x)
	}
	if err != nil {
		return 0, fail(m, err)
	}
	return r, nil
}

// logAnyBase is math.log: with a base the quotient of two natural logarithms, as
// CPython computes it.
func logAnyBase(m *object.Machine, a object.Args) (object.Value, *object.Exception) {
	num, e := logarithm(m, a.V[0], natural)
	if e != nil {
		return object.Value{}, e
	}
	b := a.Arg(1)
	if b.IsZero() {
		return object.Float(num), nil
	}
	den, e := logarithm(m, b, natural)
	if e != nil {
		return object.Value{}, e
	}
	if softfloat.IsZero(den) {
		return object.Value{}, m.Raise(&object.ExcZeroDivisionError, "float division by zero")
	}
	return object.Float(softfloat.Div(num, den)), nil
}
