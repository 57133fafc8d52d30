package pycoll

import (
	"github.com/cowboyinc/cowboy-go/runtime/pvm/object"
	"github.com/cowboyinc/cowboy-go/runtime/pvm/stdlib/signature"
)

var typeGetter, typeMaker object.Type

// getter is the descriptor of one field of a named tuple.
type getter struct {
	object.Object
	index int
	doc   value
}

var _ = object.Define(&typeGetter, object.Spec{
	Name: "_tuplegetter", Module: "collections", NoNew: true, Final: true,
	Layout: object.LayoutOf[getter](object.KindNative),
	Slots: object.Slots{
		GetAttr: func(m *machine, v value, name *object.Str) (value, *exception) {
			if name.String() == "__doc__" {
				return object.Trust[getter](v).doc, nil
			}
			return object.GenericGetAttr(m, v, name)
		},
		SetAttr: func(m *machine, v value, name *object.Str, val value) *exception {
			if name.String() != "__doc__" || val.IsZero() {
				return object.GenericSetAttr(m, v, name, val)
			}
			g := object.Trust[getter](v)
			g.doc = val
			m.NoteStore(&g.Object, val)
			return nil
		},
		DescrGet: func(m *machine, d, obj value, owner *object.Type) (value, *exception) {
			if obj.IsZero() {
				return d, nil
			}
			g := object.Trust[getter](d)
			t, ok := obj.AsTuple()
			if !ok {
				return value{}, m.TypeError("descriptor for index '%d' for tuple subclasses doesn't apply to '%s' object", g.index, obj.Type().Name)
			}
			if g.index >= t.Len() {
				return value{}, m.IndexError("tuple index out of range")
			}
			return t.Items()[g.index], nil
		},
		DescrSet: func(m *machine, d, obj, val value) *exception {
			if val.IsZero() {
				return m.Raise(&object.ExcAttributeError, "can't delete attribute")
			}
			return m.Raise(&object.ExcAttributeError, "can't set attribute")
		},
	},
	Traverse: func(o *object.Object, visit func(value)) { visit(object.Trust[getter](object.Of(o)).doc) },
	Relocate: func(r *object.Relocation, o *object.Object) {
		g := object.Trust[getter](object.Of(o))
		g.doc = r.Value(g.doc)
	},
})

func newGetter(m *machine, a object.Args) (value, *exception) {
	i, e := m.IndexInt(a.V[0], nil)
	if e != nil {
		return value{}, e
	}
	g := object.Alloc[getter](m, &typeGetter, 0)
	g.index, g.doc = i, a.V[1]
	return object.Of(&g.Object), nil
}

// maker is the __new__ of a named tuple: it binds the arguments to the fields
// and makes the tuple.
type maker struct {
	object.Object
	qualname string
	names    signature.Signature // the class comes first
	defaults []value             // of the last fields
	types    value               // the annotations, if there are any
}

var _ = object.Define(&typeMaker, object.Spec{
	Name: "_tuplemaker", Module: "collections", NoNew: true, Final: true,
	Layout: object.LayoutOf[maker](object.KindNative),
	Slots:  object.Slots{Call: makeTuple},
	Fields: []object.Field{
		{Name: "__defaults__", Get: func(m *machine, v value) (value, *exception) {
			if d := object.Trust[maker](v).defaults; len(d) > 0 {
				return m.Tuple(d...), nil
			}
			return object.None, nil
		}},
		{Name: "__annotations__", Get: func(m *machine, v value) (value, *exception) {
			k := object.Trust[maker](v)
			if k.types.IsZero() {
				k.types = m.NewDict().Value()
			}
			return k.types, nil
		}, Set: func(m *machine, v, types value) *exception {
			k := object.Trust[maker](v)
			k.types = types
			if !types.IsZero() {
				m.NoteStore(&k.Object, types)
			}
			return nil
		}},
		{Name: "__name__", Get: func(m *machine, v value) (value, *exception) { return m.Str("__new__"), nil }},
		{Name: "__qualname__", Get: func(m *machine, v value) (value, *exception) { return m.Str(object.Trust[maker](v).qualname), nil }},
	},
	Traverse: func(o *object.Object, visit func(value)) {
		k := object.Trust[maker](object.Of(o))
		for _, v := range k.defaults {
			visit(v)
		}
		if !k.types.IsZero() {
			visit(k.types)
		}
	},
	Size: func(o *object.Object) int {
		k := object.Trust[maker](object.Of(o))
		return 128 + 9*len(k.names.Names) + 16*len(k.defaults)
	},
	Relocate: func(r *object.Relocation, o *object.Object) {
		k := object.Trust[maker](object.Of(o))
		k.names.Names, k.defaults, k.types = r.Strs(k.names.Names), r.Fixed(k.defaults), r.Value(k.types)
	},
})

var nameClass = object.StaticName("_cls")

// newMaker is _tuplemaker(typename, names, defaults).
func newMaker(m *machine, a object.Args) (value, *exception) {
	typename, ok := a.V[0].AsStr()
	if !ok {
		return value{}, m.TypeError("typename must be a str")
	}
	names, e := m.Collect(a.V[1])
	if e != nil {
		return value{}, e
	}
	defaults, e := m.Collect(a.V[2])
	if e != nil {
		return value{}, e
	}
	if len(defaults) > len(names) {
		return value{}, m.TypeError("Got more default values than field names")
	}
	k := object.Alloc[maker](m, &typeMaker, 9*len(names)+16*len(defaults))
	k.qualname, k.defaults = typename.String()+".__new__", defaults
	k.names.Names = append(k.names.Names, nameClass)
	k.names.Optional = make([]bool, 1+len(names))
	for i, v := range names {
		s, ok := v.AsStr()
		if !ok {
			return value{}, m.TypeError("field names must be str")
		}
		k.names.Names = append(k.names.Names, s)
		k.names.Optional[i+1] = i >= len(names)-len(defaults)
	}
	k.names.Positional = 1 + len(names)
	return object.Of(&k.Object), nil
}

func makeTuple(m *machine, v value, a object.Args) (value, *exception) {
	k := object.Trust[maker](v)
	n := len(k.names.Names)
	if e := m.Charge(n); e != nil {
		return value{}, e
	}
	args := a.V
	if len(a.Names) > 0 || len(args) != n {
		bound, e := k.names.Bind(m, k.qualname, a)
		if e != nil {
			return value{}, e
		}
		first := n - len(k.defaults)
		for i, d := range k.defaults {
			if bound[first+i].IsZero() {
				bound[first+i] = d
			}
		}
		args = bound
	}
	t, ok := args[0].AsType()
	if !ok || !t.IsSubtype(&object.TypeTuple) {
		return value{}, m.TypeError("%s: the first argument must be a subclass of tuple", k.qualname)
	}
	return object.TypeTuple.Slots.New(m, t, object.Positional(m.Tuple(args[1:]...)))
}

// dot is _dot(cls): messages name the class with its module, as they do classes that CPython has in C.
func dot(m *machine, a object.Args) (value, *exception) {
	t, ok := a.V[0].AsType()
	if !ok || t.Static() { // a built-in type belongs to all machines
		return value{}, m.TypeError("_dot() argument must be a class of the program")
	}
	t.Dot("collections")
	return t.Value(), nil
}
