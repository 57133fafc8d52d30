package pydata

import "github.com/cowboyinc/cowboy-go/runtime/pvm/object"

var typeMethod object.Type

// method is a generated method.
type method struct {
	object.Object
	name, qualname string
	names          []*object.Str // the attributes it looks at
	refs           []value       // values that init refers to
	work           *work
	attrs          *object.Dict // attributes set from outside
}

// work is what a method does. What refers to values is in fields, not captured by
// call, so that a copy of the method can have its own.
type work struct {
	call    func(m *machine, d *method, a object.Args) (value, *exception)
	init    *initializer // of __init__
	showing []value      // of __repr__: instances whose repr is being made
}

var (
	nameClass     = object.StaticName("__class__")
	nameQualname  = object.StaticName("__qualname__")
	namePostInit  = object.StaticName("__post_init__")
	compareByName = map[string]object.CompareOp{
		"__eq__": object.Eq, "__lt__": object.Lt, "__le__": object.Le, "__gt__": object.Gt, "__ge__": object.Ge,
	}
)

var _ = object.Define(&typeMethod, object.Spec{
	Name: "function", Module: "dataclasses", NoNew: true, Final: true, Binds: true,
	Layout: object.LayoutOf[method](object.KindNative),
	Slots: object.Slots{
		Call: func(m *machine, v value, a object.Args) (value, *exception) {
			d := object.Trust[method](v)
			if e := m.Enter(); e != nil {
				return value{}, e
			}
			defer m.Leave()
			return d.work.call(m, d, a)
		},
		DescrGet: func(m *machine, d, obj value, owner *object.Type) (value, *exception) {
			if obj.IsZero() {
				return d, nil
			}
			return m.NewMethod(d, obj), nil
		},
		Repr: func(m *machine, v value) (value, *exception) {
			return m.Str("<function " + object.Trust[method](v).qualname + ">"), nil
		},
		GetAttr: methodGetAttr, SetAttr: methodSetAttr,
	},
	Traverse: func(o *object.Object, visit func(value)) {
		d := object.Trust[method](object.Of(o))
		for _, v := range d.refs {
			if !v.IsZero() {
				visit(v)
			}
		}
		if d.attrs != nil {
			visit(d.attrs.Value())
		}
	},
	Size: func(o *object.Object) int {
		d := object.Trust[method](object.Of(o))
		return 128 + 8*len(d.names) + 16*len(d.refs)
	},
	Relocate: func(r *object.Relocation, o *object.Object) {
		d := object.Trust[method](object.Of(o))
		d.names, d.refs, d.attrs = r.Strs(d.names), r.Fixed(d.refs), r.Dict(d.attrs)
		init := d.work.init.relocate(r)
		if r.Copying() {
			d.work = &work{call: d.work.call, init: init}
		}
	},
})

func newMethod(m *machine, name, qualname string, names []*object.Str) *method {
	d := object.Alloc[method](m, &typeMethod, 8*len(names)+len(qualname))
	d.work = &work{}
	d.name, d.qualname, d.names = name, qualname+"."+name, names
	return d
}

func methodGetAttr(m *machine, v value, name *object.Str) (value, *exception) {
	d := object.Trust[method](v)
	if d.attrs != nil {
		if x, ok := d.attrs.GetStr(name); ok {
			return x, nil
		}
	}
	switch name.String() {
	case "__name__":
		return m.Str(d.name), nil
	case "__qualname__":
		return m.Str(d.qualname), nil
	case "__dict__":
		if d.attrs == nil {
			d.attrs = m.NewDict()
			m.NoteStore(&d.Object, d.attrs.Value())
		}
		return d.attrs.Value(), nil
	}
	return object.GenericGetAttr(m, v, name)
}

func methodSetAttr(m *machine, v value, name *object.Str, x value) *exception {
	d := object.Trust[method](v)
	if x.IsZero() {
		if d.attrs != nil {
			if _, ok, e := d.attrs.Delete(m, name.Value()); ok || e != nil {
				return e
			}
		}
		return m.AttributeError(v, name, "'function' object has no attribute '%s'", name)
	}
	if d.attrs == nil {
		d.attrs = m.NewDict()
		m.NoteStore(&d.Object, d.attrs.Value())
	}
	d.attrs.SetStr(m, name, x)
	return nil
}

// texts reads a list of names.
func texts(m *machine, v value) ([]*object.Str, *exception) {
	items, e := m.Collect(v)
	if e != nil {
		return nil, e
	}
	out := make([]*object.Str, len(items))
	for i, x := range items {
		s, ok := x.AsStr()
		if !ok {
			return nil, m.TypeError("Field names must be strings")
		}
		out[i] = s
	}
	return out, nil
}

func text(m *machine, v value) (string, *exception) {
	s, ok := v.AsStr()
	if !ok {
		return "", m.TypeError("a name must be a string, not %s", v.Type().Name)
	}
	return s.String(), nil
}

// receiver checks for exactly n arguments, the instance first.
func (d *method) receiver(m *machine, a object.Args, n int) *exception {
	if len(a.Names) == 0 && len(a.V) == n {
		return nil
	}
	if len(a.Names) > 0 {
		return m.TypeError("%s() got an unexpected keyword argument '%s'", d.qualname, a.Names[0])
	}
	if len(a.V) < n {
		return m.TypeError("%s() missing %d required positional argument: 'other'", d.qualname, n-len(a.V))
	}
	return m.TypeError("%s() takes %d positional arguments but %d were given", d.qualname, n, len(a.V))
}

// fewFields is how many fields find room without allocating.
const fewFields = 8

// fields returns the attributes of v in order, in room if that suffices, at the
// price of a tuple of them.
func (d *method) fields(m *machine, v value, room []value) ([]value, *exception) {
	if len(d.names) > len(room) {
		room = make([]value, len(d.names))
	}
	out := room[:len(d.names)]
	for i, name := range d.names {
		x, e := m.GetAttr(v, name)
		if e != nil {
			return nil, e
		}
		m.Pin(x)
		out[i] = x
	}
	m.AccountTuple(len(out))
	return out, nil
}
