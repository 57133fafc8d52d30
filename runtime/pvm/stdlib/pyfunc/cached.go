package pyfunc

import "github.com/cowboyinc/cowboy-go/runtime/pvm/object"

var typeCachedProperty object.Type

// cachedProperty is a method computed once per instance: its value goes into the
// instance's attributes, where it hides the descriptor.
type cachedProperty struct {
	object.Object
	fn, name, doc value // name None until __set_name__
	attrs         attributes
}

var nameDoc = object.StaticName("__doc__")

var _ = object.Define(&typeCachedProperty, object.Spec{
	Name: "cached_property", Module: "functools", Plain: true,
	Layout: object.LayoutOf[cachedProperty](object.KindNative),
	Slots: object.Slots{
		New: func(m *machine, t *object.Type, a object.Args) (value, *exception) {
			p := object.Alloc[cachedProperty](m, t, 0)
			p.fn, p.name, p.doc = object.None, object.None, object.None
			return object.Of(&p.Object), nil
		},
		Init: func(m *machine, v value, a object.Args) *exception {
			fn := a.Arg(0)
			if fn.IsZero() {
				fn = a.Keyword("func")
			}
			if fn.IsZero() {
				return m.TypeError("cached_property.__init__() missing 1 required positional argument: 'func'")
			}
			doc, e := m.LookupAttr(fn, nameDoc)
			if e != nil {
				return e
			}
			p := object.Trust[cachedProperty](v)
			p.fn = fn
			if !doc.IsZero() {
				p.doc = doc
			}
			m.NoteStore(&p.Object, fn)
			return nil
		},
		DescrGet: cachedGet,
		GetAttr: func(m *machine, v value, name *object.Str) (value, *exception) {
			p := object.Trust[cachedProperty](v)
			if name == nameDoc || name.String() == "__doc__" {
				return p.doc, nil
			}
			return p.attrs.get(m, v, name)
		},
		SetAttr: func(m *machine, v value, name *object.Str, x value) *exception {
			p := object.Trust[cachedProperty](v)
			if name == nameDoc || name.String() == "__doc__" {
				return p.put(m, &p.doc, x)
			}
			return p.attrs.set(m, v, name, x)
		},
	},
	Methods: []object.Method{
		{Name: "__set_name__", Sig: "owner, name", Func: cachedSetName},
		{Name: "__class_getitem__", Sig: "item, /", Class: true, Func: func(m *machine, a object.Args) (value, *exception) {
			return m.NewAlias(a.V[0], a.V[1]), nil
		}},
	},
	Fields: []object.Field{
		cachedField("func", func(p *cachedProperty) *value { return &p.fn }),
		cachedField("attrname", func(p *cachedProperty) *value { return &p.name }),
	},
	Traverse: func(o *object.Object, visit func(value)) {
		p := object.Trust[cachedProperty](object.Of(o))
		visitAll(visit, p.fn, p.name, p.doc)
		p.attrs.visit(visit)
	},
	Relocate: func(r *object.Relocation, o *object.Object) {
		p := object.Trust[cachedProperty](object.Of(o))
		p.fn, p.name, p.doc = r.Value(p.fn), r.Value(p.name), r.Value(p.doc)
		p.attrs.relocate(r)
	},
})

// cachedField is an attribute that programs may replace.
func cachedField(name string, at func(p *cachedProperty) *value) object.Field {
	return object.Field{Name: name,
		Get: func(m *machine, v value) (value, *exception) { return *at(object.Trust[cachedProperty](v)), nil },
		Set: func(m *machine, v, x value) *exception {
			p := object.Trust[cachedProperty](v)
			return p.put(m, at(p), x)
		}}
}

// put stores an attribute; a deleted one is None.
func (p *cachedProperty) put(m *machine, at *value, x value) *exception {
	if x.IsZero() {
		x = object.None
	}
	*at = x
	m.NoteStore(&p.Object, x)
	return nil
}

func cachedSetName(m *machine, a object.Args) (value, *exception) {
	p := object.Trust[cachedProperty](a.V[0])
	name := a.V[2]
	if p.name.IsNone() {
		p.name = name
		return object.None, nil
	}
	same, e := m.Equal(name, p.name)
	if e != nil || same {
		return object.None, e
	}
	old, e := m.ReprText(p.name)
	if e != nil {
		return value{}, e
	}
	text, e := m.ReprText(name)
	if e != nil {
		return value{}, e
	}
	return value{}, m.TypeError("Cannot assign the same cached_property to two different names (%s and %s).", old, text)
}

func cachedGet(m *machine, d, obj value, owner *object.Type) (value, *exception) {
	if obj.IsZero() {
		return d, nil
	}
	p := object.Trust[cachedProperty](d)
	name, ok := p.name.AsStr()
	if !ok {
		return value{}, m.TypeError("Cannot use cached_property instance without calling __set_name__ on it.")
	}
	if _, class := obj.AsType(); class || !object.KeepsAttributes(obj) {
		if attributes, e := m.LookupAttr(obj, nameDict); e != nil || attributes.IsZero() {
			return value{}, m.TypeError("No '__dict__' attribute on '%s' instance to cache '%s' property.", obj.Type().Name, name)
		}
		// A class: the value is made before it turns out that it cannot be kept.
		if _, e := m.Call(p.fn, object.Positional(obj)); e != nil {
			return value{}, e
		}
		return value{}, m.TypeError("The '__dict__' attribute on '%s' instance does not support item assignment for caching '%s' property.", obj.Type().Name,
			name)
	}
	// A value stored meanwhile hides this descriptor unless the class looks
	// attributes up in its own way.
	r, e := m.Call(p.fn, object.Positional(obj))
	if e != nil {
		return value{}, e
	}
	return r, object.GenericSetAttr(m, obj, name, r)
}
