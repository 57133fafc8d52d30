package pymath

import (
	"github.com/cowboyinc/cowboy-go/runtime/pvm/object"
	"github.com/cowboyinc/cowboy-go/runtime/softfloat"
)

func sumFunctions() []object.Method {
	return []object.Method{
		{Name: "dist", Sig: "p, q, /", Func: dist},
		{Name: "fsum", Sig: "seq, /", Func: fsum},
		{Name: "hypot", Sig: "*coordinates", Func: hypot},
		{Name: "prod", Sig: "iterable, /, *, start=1", Func: prod},
	}
}

func fsum(m *object.Machine, a object.Args) (object.Value, *object.Exception) {
	if e := m.Charge(40); e != nil {
		return object.Value{}, e
	}
	var s softfloat.Sum
	mixed, special := false, uint64(0)
	e := m.Iterate(a.V[0], func(v object.Value) (bool, *object.Exception) {
		if e := m.Charge(costSum); e != nil {
			return false, e
		}
		x, e := m.ToFloat(v)
		if e != nil {
			return false, e
		}
		if softfloat.IsInf(x) {
			mixed = mixed || special != 0 && special != x
			special = x
		}
		s.Add(x)
		return true, nil
	})
	if e != nil {
		return object.Value{}, e
	}
	if mixed {
		return object.Value{}, m.ValueError("-inf + inf in fsum")
	}
	r, err := s.Value()
	switch err {
	case nil:
		return object.Float(r), nil
	case softfloat.ErrRange:
		return object.Value{}, m.OverflowError("intermediate overflow in fsum")
	}
	return object.Value{}, fail(m, err)
}

// coordinates converts values to floats, charging for the length to come.
func coordinates(m *object.Machine, vs []object.Value) ([]uint64, *object.Exception) {
	if e := m.Charge(2*costHypot + costHypot/2*len(vs)); e != nil {
		return nil, e
	}
	if e := m.Reserve(8 * len(vs)); e != nil {
		return nil, e
	}
	out := make([]uint64, len(vs))
	for i, v := range vs {
		x, e := m.ToFloat(v)
		if e != nil {
			return nil, e
		}
		out[i] = x
	}
	return out, nil
}

func hypot(m *object.Machine, a object.Args) (object.Value, *object.Exception) {
	if len(a.Names) > 0 {
		return object.Value{}, m.TypeError("math.hypot() takes no keyword arguments")
	}
	xs, e := coordinates(m, a.V)
	if e != nil {
		return object.Value{}, e
	}
	return object.Float(softfloat.Hypot(xs...)), nil
}

func dist(m *object.Machine, a object.Args) (object.Value, *object.Exception) {
	p, e := m.Collect(a.V[0])
	if e != nil {
		return object.Value{}, e
	}
	q, e := m.Collect(a.V[1])
	if e != nil {
		return object.Value{}, e
	}
	if len(p) != len(q) {
		return object.Value{}, m.ValueError("both points must have the same number of dimensions")
	}
	xs, e := coordinates(m, p)
	if e != nil {
		return object.Value{}, e
	}
	ys, e := coordinates(m, q)
	if e != nil {
		return object.Value{}, e
	}
	return object.Float(softfloat.Dist(xs, ys)), nil
}

func prod(m *object.Machine, a object.Args) (object.Value, *object.Exception) {
	r := a.Or(1, object.Int(1))
	e := m.Iterate(a.V[0], func(v object.Value) (bool, *object.Exception) {
		var e *object.Exception
		r, e = m.BinaryOp(object.Mul, r, v)
		return true, e
	})
	if e != nil {
		return object.Value{}, e
	}
	return r, nil
}
