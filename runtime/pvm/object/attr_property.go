package object

import "unsafe"

func defineProperty() {
	Define(&TypeProperty, Spec{
		Name: "property", Layout: LayoutOf[Property](KindDescriptor), Relocate: relocateProperty,
		Traverse: func(o *Object, visit func(Value)) {
			p := (*Property)(unsafe.Pointer(o))
			each([]Value{p.get, p.set, p.del, p.doc}, visit)
		},
		Slots: Slots{
			DescrGet: propertyGet, DescrSet: propertySet,
			New: func(m *Machine, t *Type, a Args) (Value, *Exception) {
				return Value{ref: &Alloc[Property](m, t, 0).Object}, nil
			},
			Init: propertyInit,
		},
		Methods: []Method{
			{Name: "getter", Sig: "fget, /", Func: func(m *Machine, a Args) (Value, *Exception) { return m.propertyWith(a.V[0], a.V[1], Value{}, Value{}) }},
			{Name: "setter", Sig: "fset, /", Func: func(m *Machine, a Args) (Value, *Exception) { return m.propertyWith(a.V[0], Value{}, a.V[1], Value{}) }},
			{Name: "deleter", Sig: "fdel, /", Func: func(m *Machine, a Args) (Value, *Exception) { return m.propertyWith(a.V[0], Value{}, Value{}, a.V[1]) }},
			{Name: "__set_name__", Sig: Unbound, Func: func(m *Machine, a Args) (Value, *Exception) {
				if len(a.V) != 3 || len(a.Names) > 0 {
					return Value{}, m.TypeError("__set_name__() takes 2 positional arguments but %d were given", len(a.V)-1)
				}
				Trust[Property](a.V[0]).name, _ = a.V[2].AsStr()
				return None, nil
			}},
		},
		Fields: []Field{
			{Name: "fget", Member: true, Get: func(m *Machine, v Value) (Value, *Exception) { return orNone(Trust[Property](v).get), nil }},
			{Name: "fset", Member: true, Get: func(m *Machine, v Value) (Value, *Exception) { return orNone(Trust[Property](v).set), nil }},
			{Name: "fdel", Member: true, Get: func(m *Machine, v Value) (Value, *Exception) { return orNone(Trust[Property](v).del), nil }},
			{Name: "__doc__", Get: func(m *Machine, v Value) (Value, *Exception) { return orNone(Trust[Property](v).doc), nil },
				Set: func(m *Machine, v, val Value) *Exception {
					Trust[Property](v).doc = val
					return nil
				}},
			{Name: "__isabstractmethod__", Get: func(m *Machine, v Value) (Value, *Exception) {
				p := Trust[Property](v)
				for _, f := range []Value{p.get, p.set, p.del} {
					if r, e := m.abstractFlag(f); e != nil || r.IsTrue() {
						return r, e
					}
				}
				return False, nil
			}},
		},
	})
}

func orNone(v Value) Value {
	if v.ref == nil {
		return None
	}
	return v
}

func noneAsZero(v Value) Value {
	if v.ref != nil && v.IsNone() {
		return Value{}
	}
	return v
}

var propertySig = NewBuiltin(Method{Name: "property", Sig: "fget=None, fset=None, fdel=None, doc=None"})

func propertyInit(m *Machine, v Value, a Args) *Exception {
	a, e := propertySig.bind(m, a)
	if e != nil {
		return e
	}
	p := Trust[Property](v)
	p.get, p.set, p.del = noneAsZero(a.Arg(0)), noneAsZero(a.Arg(1)), noneAsZero(a.Arg(2))
	p.doc, p.getterDoc = a.Or(3, None), false
	if p.doc.IsNone() && p.get.ref != nil {
		if e := p.takeDoc(m, v); e != nil {
			return e
		}
	}
	if p.get.ref != nil {
		if f, ok := p.get.AsFunction(); ok && p.name == nil {
			p.name = f.Name
		}
	}
	return nil
}

// takeDoc copies the getter's docstring. An instance of a subclass keeps it among
// its own attributes, where it hides the docstring of the class.
func (p *Property) takeDoc(m *Machine, v Value) *Exception {
	d, e := m.LookupAttr(p.get, nDoc)
	if e != nil || d.ref == nil {
		return e
	}
	p.getterDoc = true
	if v.ref.typ != &TypeProperty {
		return m.SetAttr(v, nDoc, d)
	}
	p.doc = d
	return nil
}

// propertyWith copies a property with one function replaced.
func (m *Machine) propertyWith(v, get, set, del Value) (Value, *Exception) {
	p := Trust[Property](v)
	args := []Value{p.get, p.set, p.del, None}
	for i, f := range []Value{get, set, del} {
		if f.ref != nil && !f.IsNone() {
			args[i] = f
		}
		args[i] = orNone(args[i])
	}
	if !p.getterDoc || args[0].IsNone() {
		args[3] = orNone(p.doc)
	}
	r, e := m.Call(v.ref.typ.Value(), Args{V: args})
	if e == nil && r.ref.kind&^Sub == KindDescriptor {
		if q, ok := Cast[Property](r, &TypeProperty); ok {
			q.name = p.name
		}
	}
	return r, e
}

func propertyGet(m *Machine, d, obj Value, owner *Type) (Value, *Exception) {
	p := Trust[Property](d)
	if obj.ref == nil {
		return d, nil
	}
	if p.get.ref == nil {
		return Value{}, m.propertyError(p, obj, "getter")
	}
	return m.Call1(p.get, obj)
}

func (m *Machine) propertyError(p *Property, obj Value, what string) *Exception {
	if p.name != nil {
		return m.Raise(&ExcAttributeError, "property '%s' of '%s' object has no %s", p.name.s, obj.ref.typ.Qualname, what)
	}
	return m.Raise(&ExcAttributeError, "property of '%s' object has no %s", obj.ref.typ.Qualname, what)
}

func propertySet(m *Machine, d, obj, val Value) *Exception {
	p := Trust[Property](d)
	if val.ref == nil {
		if p.del.ref == nil {
			return m.propertyError(p, obj, "deleter")
		}
		_, e := m.Call(p.del, Positional(obj))
		return e
	}
	if p.set.ref == nil {
		return m.propertyError(p, obj, "setter")
	}
	_, e := m.Call2(p.set, obj, val)
	return e
}

// Super is a super object.
type Super struct {
	Object
	class *Type
	self  Value
	typ2  *Type // whose MRO is searched
}

func defineSuper() {
	Define(&TypeSuper, Spec{
		Name: "super", Layout: LayoutOf[Super](KindNative),
		Traverse: func(o *Object, visit func(Value)) {
			s := (*Super)(unsafe.Pointer(o))
			if s.self.ref != nil {
				visit(s.self)
			}
		},
		Slots: Slots{
			GetAttr: superGetAttr,
			New: func(m *Machine, t *Type, a Args) (Value, *Exception) {
				return Value{ref: &Alloc[Super](m, t, 0).Object}, nil
			},
			Init: superInit,
			Repr: func(m *Machine, v Value) (Value, *Exception) {
				s := Trust[Super](v)
				if s.class == nil {
					return m.Str("<super: <class 'NULL'>, NULL>"), nil
				}
				if s.typ2 == nil {
					return m.shown("<super: <class '" + s.class.Name + "'>, NULL>"), nil
				}
				return m.shown("<super: <class '" + s.class.Name + "'>, <" + s.typ2.Name + " object>>"), nil
			},
			DescrGet: func(m *Machine, d, obj Value, owner *Type) (Value, *Exception) {
				s := Trust[Super](d)
				if obj.ref == nil || s.self.ref != nil || s.class == nil {
					return d, nil
				}
				if d.ref.typ != &TypeSuper {
					return m.Call2(d.ref.typ.Value(), s.class.Value(), obj)
				}
				return m.NewSuper(s.class, obj)
			},
		},
		Fields: []Field{
			{Name: "__thisclass__", Member: true, Get: func(m *Machine, v Value) (Value, *Exception) {
				if t := Trust[Super](v).class; t != nil {
					return t.Value(), nil
				}
				return None, nil
			}},
			{Name: "__self__", Member: true, Get: func(m *Machine, v Value) (Value, *Exception) { return orNone(Trust[Super](v).self), nil }},
			{Name: "__self_class__", Member: true, Get: func(m *Machine, v Value) (Value, *Exception) {
				if t := Trust[Super](v).typ2; t != nil {
					return t.Value(), nil
				}
				return None, nil
			}},
		},
	})
}

func superInit(m *Machine, v Value, a Args) *Exception {
	if len(a.Names) > 0 {
		return m.TypeError("super() takes no keyword arguments")
	}
	if len(a.V) == 0 {
		return Trust[Super](v).implicit(m)
	}
	if len(a.V) > 2 {
		return m.TypeError("super() expected at most 2 arguments, got %d", len(a.V))
	}
	t, ok := a.V[0].AsType()
	if !ok {
		return m.TypeError("super() argument 1 must be a type, not %s", a.V[0].ref.typ.Name)
	}
	s := Trust[Super](v)
	s.class = t
	if len(a.V) == 2 && !a.V[1].IsNone() {
		return s.bindTo(m, a.V[1])
	}
	return nil
}

// superCost is the price of what super() gives, beside five for two classes of the object: it is made for one look-up that no cache shortens.
const superCost = 50

// NewSuper returns super(class, self).
func (m *Machine) NewSuper(class *Type, self Value) (Value, *Exception) {
	m.meter.Owe(superCost + 5*len(self.ref.typ.mro)/2)
	s := Alloc[Super](m, &TypeSuper, 0)
	s.class = class
	return Value{ref: &s.Object}, s.bindTo(m, self)
}

func (s *Super) bindTo(m *Machine, self Value) *Exception {
	s.self = self
	if t, ok := self.AsType(); ok && t.IsSubtype(s.class) {
		s.typ2 = t
		return nil
	}
	if self.ref.typ.IsSubtype(s.class) {
		s.typ2 = self.ref.typ
		return nil
	}
	c, e := m.LookupAttr(self, nClass)
	if e != nil {
		return e
	}
	if c.ref != nil {
		// A proxy says what it stands for.
		if t, ok := c.AsType(); ok && t != self.ref.typ && t.IsSubtype(s.class) {
			s.typ2 = t
			return nil
		}
	}
	return m.TypeError("super(type, obj): obj must be an instance or subtype of type")
}

// superLookup finds name behind class in the MRO that a super object searches.
func superLookup(in, class *Type, name *Str) (Value, bool) {
	mro := in.mro
	for i, t := range mro {
		if t == class {
			for _, u := range mro[i+1:] {
				if v, ok := u.dict.getStr(name); ok {
					return v, true
				}
			}
			break
		}
	}
	return Value{}, false
}

func superGetAttr(m *Machine, v Value, name *Str) (Value, *Exception) {
	s := Trust[Super](v)
	if s.typ2 == nil || name.s == "__class__" {
		return GenericGetAttr(m, v, name)
	}
	d, ok := superLookup(s.typ2, s.class, name)
	if !ok {
		return GenericGetAttr(m, v, name)
	}
	if t, isType := s.self.AsType(); isType && t == s.typ2 {
		return m.bind(d, Value{}, s.typ2)
	}
	return m.bind(d, s.self, s.typ2)
}

// implicit is super() without arguments: the class whose body the running
// function was defined in, and the function's first argument.
func (s *Super) implicit(m *Machine) *Exception {
	f := m.Frame
	if f == nil || f.L.Code.Pos == 0 && f.L.Code.Flags&VarArgs == 0 {
		return m.RuntimeError("super(): no arguments")
	}
	c := f.L.Code
	first := f.Regs[0]
	if c.Pos == 0 {
		first = f.Regs[c.KwOnly]
		if t, ok := first.AsTuple(); ok && len(t.items) > 0 {
			first = t.items[0]
		} else {
			return m.RuntimeError("super(): no arguments")
		}
	}
	for i, p := range c.CellParams {
		if p == 0 {
			first = f.Regs[c.Locals+i].cell().V
		}
	}
	if first.ref == nil {
		return m.RuntimeError("super(): arg[0] deleted")
	}
	for i, n := range c.FreeNames {
		if n.s == "__class__" {
			class := f.Closure[i].V
			if class.ref == nil {
				return m.RuntimeError("super(): empty __class__ cell")
			}
			t, ok := class.AsType()
			if !ok {
				return m.RuntimeError("super(): __class__ is not a type (%s)", class.ref.typ.Name)
			}
			s.class = t
			return s.bindTo(m, first)
		}
	}
	return m.RuntimeError("super(): __class__ cell not found")
}
