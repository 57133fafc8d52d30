package pyfunc

import "github.com/cowboyinc/cowboy-go/runtime/pvm/object"

// reduce is functools.reduce.
func reduce(m *machine, a object.Args) (value, *exception) {
	total := a.Arg(2)
	first := total.IsZero()
	fn := a.V[0]
	if t := a.V[1].Type(); t.Slots.Iter == nil && t.Slots.GetItem == nil {
		return value{}, m.TypeError("reduce() arg 2 must support iteration")
	}
	e := m.Iterate(a.V[1], func(x value) (bool, *exception) {
		if first {
			total, first = x, false
			return true, nil
		}
		var e *exception
		total, e = m.Call(fn, object.Positional(total, x))
		return true, e
	})
	switch {
	case e != nil:
		return value{}, e
	case first:
		return value{}, m.TypeError("reduce() of empty iterable with no initial value")
	}
	return total, nil
}

var typeKey object.Type

// key wraps an object for ordering by a comparison function.
type key struct {
	object.Object
	cmp, v value // v zero for the factory itself
}

var _ = object.Define(&typeKey, object.Spec{
	Name: "KeyWrapper", Module: "functools", NoNew: true, Final: true,
	Layout: object.LayoutOf[key](object.KindNative),
	Slots: object.Slots{
		Compare: keyCompare,
		Call: func(m *machine, v value, a object.Args) (value, *exception) {
			obj := a.Arg(0)
			if obj.IsZero() {
				obj = a.Keyword("obj")
			}
			if obj.IsZero() || len(a.V) != 1 {
				return value{}, m.TypeError("K() takes exactly one argument (%d given)", len(a.V))
			}
			return newKey(m, object.Trust[key](v).cmp, obj), nil
		},
	},
	Fields: []object.Field{{Name: "obj", Get: func(m *machine, v value) (value, *exception) {
		if k := object.Trust[key](v); !k.v.IsZero() {
			return k.v, nil
		}
		return value{}, m.Raise(&object.ExcAttributeError, "object")
	}}},
	Traverse: func(o *object.Object, visit func(value)) {
		k := object.Trust[key](object.Of(o))
		visitAll(visit, k.cmp, k.v)
	},
	Relocate: func(r *object.Relocation, o *object.Object) {
		k := object.Trust[key](object.Of(o))
		k.cmp, k.v = r.Value(k.cmp), r.Value(k.v)
	},
})

func newKey(m *machine, cmp, v value) value {
	k := object.Alloc[key](m, &typeKey, 0)
	k.cmp, k.v = cmp, v
	return object.Of(&k.Object)
}

func keyCompare(m *machine, op object.CompareOp, a, b value) (value, *exception) {
	x := object.Trust[key](a)
	y, ok := object.Cast[key](b, &typeKey)
	if !ok {
		return value{}, m.TypeError("other argument must be K instance")
	}
	if x.v.IsZero() || y.v.IsZero() {
		return value{}, m.Raise(&object.ExcAttributeError, "object")
	}
	r, e := m.Call(x.cmp, object.Positional(x.v, y.v))
	if e != nil {
		return value{}, e
	}
	return m.Compare(op, r, object.Int(0))
}

// cmpToKey is functools.cmp_to_key.
func cmpToKey(m *machine, a object.Args) (value, *exception) {
	return newKey(m, a.V[0], value{}), nil
}
