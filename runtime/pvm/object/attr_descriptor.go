package object

import (
	"unsafe"
)

// The descriptor types.
var (
	TypeProperty              Type
	TypeClassMethod           Type
	TypeStaticMethod          Type
	TypeMember                Type
	TypeGetSet                Type
	TypeNativeMember          Type
	TypeBuiltin               Type
	TypeMethodDescriptor      Type
	TypeWrapperDescriptor     Type
	TypeClassMethodDescriptor Type
	TypeSuper                 Type
)

// Property is a property object.
type Property struct {
	Object
	get, set, del, doc Value
	name               *Str
	attrs_             Value
	getterDoc          bool // the docstring is the getter's
}

// Wrapper is a classmethod or staticmethod object.
type Wrapper struct {
	Object
	fn    Value
	attrs Attrs
}

// Member is the descriptor of one entry of __slots__.
type Member struct {
	Object
	owner *Type
	name  *Str
	index int
}

// GetSet is the descriptor of a computed attribute of a native type.
type GetSet struct {
	Object
	owner *Type
	field Field
}

func newGetSet(t *Type, f Field) Value {
	g := &GetSet{owner: t, field: f}
	g.typ, g.kind, g.flags = &TypeGetSet, KindDescriptor, flagStatic
	if f.Member {
		g.typ = &TypeNativeMember
	}
	return Value{ref: &g.Object}
}

func staticMethodValue(b *Builtin) Value {
	w := &Wrapper{fn: b.Value()}
	w.typ, w.kind, w.flags = &TypeStaticMethod, KindDescriptor, flagStatic
	return Value{ref: &w.Object}
}

// newWrapper is the __new__ of a native type: a static method taking the class.
func newWrapper(t *Type) Value {
	b := NewBuiltin(Method{Name: "__new__", Sig: Unbound, Func: func(m *Machine, a Args) (Value, *Exception) {
		if len(a.Pos()) == 0 {
			return Value{}, m.TypeError("%s.__new__(): not enough arguments", t.Name)
		}
		c, ok := a.V[0].AsType()
		if !ok {
			return Value{}, m.TypeError("%s.__new__(X): X is not a type object (%s)", t.Name, a.V[0].ref.typ.Name)
		}
		if !c.IsSubtype(t) {
			return Value{}, m.TypeError("%s.__new__(%s): %s is not a subtype of %s", t.Name, c.Name, c.Name, t.Name)
		}
		if s := nativeType(c); s != t {
			if _, owner := s.lookupOwner(nNew); owner != t || s.New == nil || t == &TypeObject && s.layout.kind != TypeObject.layout.kind {
				// The structure of s is not what t makes.
				return Value{}, m.TypeError("%s.__new__(%s) is not safe, use %s.__new__()", t.Name, c.Name, s.Name)
			}
		}
		return t.Slots.New(m, c, a.Rest(1))
	}})
	b.Owner = t
	return b.Value()
}

func (m *Machine) newStaticMethod(fn Value) Value { return m.newWrapperOf(&TypeStaticMethod, fn) }
func (m *Machine) newClassMethod(fn Value) Value  { return m.newWrapperOf(&TypeClassMethod, fn) }

func (m *Machine) newWrapperOf(t *Type, fn Value) Value {
	w := Alloc[Wrapper](m, t, 0)
	w.fn = fn
	return Value{ref: &w.Object}
}

func classMethodFunc(v Value) Value { return Trust[Wrapper](v).fn }

func (m *Machine) newMember(t *Type, name *Str, index int) Value {
	d := &Member{owner: t, name: name, index: index}
	d.typ, d.kind = &TypeMember, KindDescriptor
	m.account(64)
	return Value{ref: &d.Object}
}

func memberGet(m *Machine, d, obj Value, owner *Type) (Value, *Exception) {
	mb := Trust[Member](d)
	if obj.ref == nil {
		return d, nil
	}
	if !obj.ref.typ.IsSubtype(mb.owner) {
		return Value{}, m.TypeError("descriptor '%s' for '%s' objects doesn't apply to a '%s' object", mb.name.s, mb.owner.Name, obj.ref.typ.Name)
	}
	v := obj.ref.attrs().slots[mb.index]
	if v.ref == nil {
		return Value{}, m.AttributeError(obj, mb.name, "'%s' object has no attribute '%s'", obj.ref.typ.Name, mb.name.s)
	}
	return v, nil
}

func memberSet(m *Machine, d, obj, val Value) *Exception {
	mb := Trust[Member](d)
	if !obj.ref.typ.IsSubtype(mb.owner) {
		return m.TypeError("descriptor '%s' for '%s' objects doesn't apply to a '%s' object", mb.name.s, mb.owner.Name, obj.ref.typ.Name)
	}
	slot := &obj.ref.attrs().slots[mb.index]
	if val.ref == nil {
		if slot.ref == nil {
			return m.Raise(&ExcAttributeError, "%s", mb.name.s)
		}
		*slot = Value{}
		return nil
	}
	*slot = val
	m.noteStore(obj.ref, val)
	return nil
}

func defineDescriptors() {
	refsOf := func(o *Object, visit func(Value)) {
		w := (*Wrapper)(unsafe.Pointer(o))
		visit(w.fn)
	}
	defineBuiltin()
	for _, d := range []struct {
		t    *Type
		name string
	}{{&TypeMethodDescriptor, "method_descriptor"}, {&TypeWrapperDescriptor, "wrapper_descriptor"}, {&TypeClassMethodDescriptor, "classmethod_descriptor"}} {
		Define(d.t, Spec{
			Name: d.name, Layout: LayoutOf[Builtin](KindBuiltin), NoNew: true, Final: true,
			Slots: Slots{Repr: builtinRepr, Call: callBuiltin, Hash: objectHash, DescrGet: func(m *Machine, d, obj Value, owner *Type) (Value, *Exception) {
				return m.bindBuiltin(d.builtin(), obj, owner)
			}},
			Fields: append(builtinFields(), objclassField),
		})
	}
	defineGetSet(&TypeGetSet, "getset_descriptor", "attribute")
	defineGetSet(&TypeNativeMember, "member_descriptor", "member")
	Define(&TypeMember, Spec{
		Name: "member_descriptor", Layout: LayoutOf[Member](KindDescriptor), Relocate: relocateMember, NoNew: true, Final: true,
		Slots: Slots{DescrGet: memberGet, DescrSet: memberSet, Repr: func(m *Machine, v Value) (Value, *Exception) {
			d := Trust[Member](v)
			return m.shown("<member '" + d.name.s + "' of '" + d.owner.Name + "' objects>"), nil
		}},
		Fields: []Field{
			{Name: "__name__", Get: func(m *Machine, v Value) (Value, *Exception) { return Trust[Member](v).name.Value(), nil }},
			{Name: "__qualname__", Get: func(m *Machine, v Value) (Value, *Exception) {
				d := Trust[Member](v)
				return m.shown(d.owner.Qualname + "." + d.name.s), nil
			}},
			{Name: "__objclass__", Get: func(m *Machine, v Value) (Value, *Exception) { return Trust[Member](v).owner.Value(), nil }},
		},
	})
	Define(&TypeStaticMethod, wrapperSpec("staticmethod", refsOf, func(m *Machine, d, obj Value, owner *Type) (Value, *Exception) {
		return Trust[Wrapper](d).fn, nil
	}))
	TypeStaticMethod.Slots.Call = func(m *Machine, v Value, a Args) (Value, *Exception) { return m.Call(Trust[Wrapper](v).fn, a) }
	Define(&TypeClassMethod, wrapperSpec("classmethod", refsOf, classMethodGet))
	defineProperty()
}

// defineGetSet defines a type of descriptors of native attributes.
func defineGetSet(t *Type, name, kind string) {
	Define(t, Spec{
		Name: name, Layout: LayoutOf[GetSet](KindDescriptor), Relocate: relocateGetSet, NoNew: true, Final: true,
		Slots: Slots{DescrGet: getSetGet, DescrSet: getSetSet, Repr: func(m *Machine, v Value) (Value, *Exception) {
			g := Trust[GetSet](v)
			return m.shown("<" + kind + " '" + g.field.Name + "' of '" + g.owner.Name + "' objects>"), nil
		}},
		Fields: []Field{
			{Name: "__name__", Get: func(m *Machine, v Value) (Value, *Exception) { return m.Str(Trust[GetSet](v).field.Name), nil }},
			{Name: "__qualname__", Get: func(m *Machine, v Value) (Value, *Exception) {
				g := Trust[GetSet](v)
				return m.shown(g.owner.Name + "." + g.field.Name), nil
			}},
			{Name: "__objclass__", Get: func(m *Machine, v Value) (Value, *Exception) { return Trust[GetSet](v).owner.Value(), nil }},
			{Name: "__doc__", Get: func(m *Machine, v Value) (Value, *Exception) { return docValue(m, Trust[GetSet](v).field.Doc), nil }},
		},
	})
}

func classMethodGet(m *Machine, d, _ Value, owner *Type) (Value, *Exception) {
	for {
		fn := Trust[Wrapper](d).fn
		if fn.ref.kind == KindFunction || fn.ref.kind == KindBuiltin || fn.ref.typ.DescrGet == nil {
			return m.NewMethod(fn, owner.Value()), nil
		}
		if e := m.Charge(m.costs.Attribute); e != nil { // such wrappers can lie in one another by the thousand
			return Value{}, e
		}
		if fn.ref.typ != &TypeClassMethod {
			return fn.ref.typ.DescrGet(m, fn, owner.Value(), owner)
		}
		d = fn
	}
}

// wrapperCost is the price of a static or class method, which takes what its function says of itself.
const wrapperCost = 185

func wrapperSpec(name string, refs func(*Object, func(Value)), get func(m *Machine, d, obj Value, owner *Type) (Value, *Exception)) Spec {
	lay := LayoutOf[Wrapper](KindDescriptor)
	lay.sub, lay.copySub, lay.off = lay.plain, lay.copy, unsafe.Offsetof(Wrapper{}.attrs)
	return Spec{
		Name: name, Layout: lay, Traverse: refs, Relocate: relocateWrapper, Dict: true, DictAt: lay.off,
		Slots: Slots{
			DescrGet: get,
			New: func(m *Machine, t *Type, a Args) (Value, *Exception) {
				if len(a.Names) > 0 {
					return Value{}, m.TypeError("%s() takes no keyword arguments", name)
				}
				if len(a.V) != 1 {
					return Value{}, m.TypeError("%s expected 1 argument, got %d", name, len(a.V))
				}
				if e := m.Charge(wrapperCost); e != nil {
					return Value{}, e
				}
				v := m.newWrapperOf(t, a.V[0])
				return v, m.copyFunctionAttrs(v, a.V[0])
			},
			Init: func(m *Machine, v Value, a Args) *Exception { return nil },
			Repr: func(m *Machine, v Value) (Value, *Exception) {
				r, e := m.reprText(Trust[Wrapper](v).fn)
				return m.shown("<" + name + "(" + r + ")>"), e
			},
		},
		Fields: []Field{
			{Name: "__func__", Get: func(m *Machine, v Value) (Value, *Exception) { return Trust[Wrapper](v).fn, nil }},
			{Name: "__wrapped__", Get: func(m *Machine, v Value) (Value, *Exception) { return Trust[Wrapper](v).fn, nil }},
			{Name: "__isabstractmethod__", Get: func(m *Machine, v Value) (Value, *Exception) { return m.abstractFlag(Trust[Wrapper](v).fn) }},
			{Name: "__dict__", Get: instanceDict},
		},
	}
}

// copyFunctionAttrs takes over what identifies a wrapped function.
func (m *Machine) copyFunctionAttrs(v, fn Value) *Exception {
	names := [...]*Str{nModule, nName, nQualname, nDoc, nAnnotations}
	m.meter.Owe(m.costs.Mapping + len(names)*(m.costs.Attribute+m.costs.DictAccess))
	if a := v.ref.attrs(); a.shape == nil {
		a.materialise(m, v.ref).Expect(len(names))
	}
	for _, n := range names {
		x, e := m.LookupAttr(fn, n)
		if e != nil {
			return e
		}
		if x.ref != nil {
			v.ref.attrs().set(m, v.ref, n, x)
		}
	}
	return nil
}

// abstractFlag returns the truth of fn.__isabstractmethod__.
func (m *Machine) abstractFlag(fn Value) (Value, *Exception) {
	if fn.ref == nil || fn.IsNone() {
		return False, nil
	}
	v, e := m.LookupAttr(fn, nIsAbstract)
	if e != nil || v.ref == nil {
		return False, e
	}
	t, e := m.Truth(v)
	return Bool(t), e
}

func getSetGet(m *Machine, d, obj Value, owner *Type) (Value, *Exception) {
	g := Trust[GetSet](d)
	if obj.ref == nil {
		return d, nil
	}
	if !obj.ref.typ.IsSubtype(g.owner) {
		return Value{}, m.TypeError("descriptor '%s' for '%s' objects doesn't apply to a '%s' object", g.field.Name, g.owner.Name, obj.ref.typ.Name)
	}
	return g.field.Get(m, obj)
}

func getSetSet(m *Machine, d, obj, val Value) *Exception {
	g := Trust[GetSet](d)
	if g.field.Set == nil && g.field.Member {
		return m.Raise(&ExcAttributeError, "readonly attribute")
	}
	if g.field.Set == nil {
		return m.Raise(&ExcAttributeError, "attribute '%s' of '%s' objects is not writable", g.field.Name, g.owner.Name)
	}
	if !obj.ref.typ.IsSubtype(g.owner) {
		return m.TypeError("descriptor '%s' for '%s' objects doesn't apply to a '%s' object", g.field.Name, g.owner.Name, obj.ref.typ.Name)
	}
	return g.field.Set(m, obj, val)
}

// defineBuiltin defines the type of native functions and of native methods bound to a receiver, whose kind is KindMethod.
func defineBuiltin() {
	Define(&TypeBuiltin, Spec{
		Name: "builtin_function_or_method", Layout: LayoutOf[Builtin](KindBuiltin), NoNew: true, Final: true,
		Slots: Slots{
			Repr: func(m *Machine, v Value) (Value, *Exception) {
				if v.ref.kind == KindMethod {
					return methodRepr(m, v)
				}
				return builtinRepr(m, v)
			},
			Call: func(m *Machine, v Value, a Args) (Value, *Exception) { return m.Call(v, a) },
			Hash: func(m *Machine, v Value) (int64, *Exception) {
				if v.ref.kind == KindMethod {
					return methodHash(m, v)
				}
				return objectHash(m, v)
			},
			Compare: methodCompare,
		},
		Fields: append(builtinFields(), Field{Name: "__module__", Get: func(m *Machine, v Value) (Value, *Exception) {
			b := native(v)
			if b.Owner != nil {
				return None, nil
			}
			if b.Module == "" {
				return nBuiltins.Value(), nil
			}
			return m.Str(b.Module), nil
		}}, Field{Name: "__self__", Get: func(m *Machine, v Value) (Value, *Exception) {
			if v.ref.kind == KindMethod {
				return v.method().Self, nil
			}
			if b := v.builtin(); b.Owner != nil && b.Name == "__new__" {
				return b.Owner.Value(), nil
			}
			return None, nil
		}}),
	})
}

// native is the native function that v is, or binds to a receiver.
func native(v Value) *Builtin {
	if v.ref.kind == KindMethod {
		v = v.method().Func
	}
	return v.builtin()
}

func callBuiltin(m *Machine, v Value, a Args) (Value, *Exception) { return v.builtin().Call(m, a) }

func builtinRepr(m *Machine, v Value) (Value, *Exception) {
	b := v.builtin()
	switch {
	case b.wrapper:
		return m.shown("<slot wrapper '" + b.Name + "' of '" + b.Owner.Name + "' objects>"), nil
	case b.typ == &TypeMethodDescriptor || b.typ == &TypeClassMethodDescriptor:
		return m.shown("<method '" + b.Name + "' of '" + b.Owner.Name + "' objects>"), nil
	case b.Owner != nil:
		return m.shown("<built-in method " + b.Name + " of type object at 0x" + hex12(m.ID(b.Owner.Value())) + ">"), nil
	}
	return m.shown("<built-in function " + b.Name + ">"), nil
}

func builtinFields() []Field {
	return []Field{
		{Name: "__name__", Get: func(m *Machine, v Value) (Value, *Exception) { return m.called(native(v).Name), nil }},
		{Name: "__qualname__", Get: func(m *Machine, v Value) (Value, *Exception) {
			b := native(v)
			if v.ref.kind == KindMethod { // of the receiver's class, whichever defines it
				self := v.method().Self
				t, ok := self.AsType()
				if !ok {
					t = self.ref.typ
				}
				return m.shown(t.Qualname + "." + b.Name), nil
			}
			if b.Owner != nil {
				return m.shown(b.Owner.Name + "." + b.Name), nil
			}
			return m.called(b.Name), nil
		}},
		{Name: "__doc__", Get: func(m *Machine, v Value) (Value, *Exception) { return docValue(m, native(v).Doc), nil }},
		{Name: "__text_signature__", Get: func(m *Machine, v Value) (Value, *Exception) { return None, nil }},
	}
}

var objclassField = Field{Name: "__objclass__", Get: func(m *Machine, v Value) (Value, *Exception) {
	if b := v.builtin(); b.Owner != nil {
		return b.Owner.Value(), nil
	}
	return Value{}, m.noAttr(v, m.name("__objclass__"))
}}

func docValue(m *Machine, doc string) Value {
	if doc == "" {
		return None
	}
	return m.Str(doc)
}
