package object

import (
	"strings"
	"unsafe"
)

// TypeType is type.
var TypeType Type

func defineType() {
	lay := Layout{
		kind:  KindType,
		plain: func() *Object { return &new(Type).Object },
		sub:   func() *Object { return &new(Type).Object },
		off:   unsafe.Offsetof(Type{}.meta),
		bytes: typeSize,
	}
	Define(&TypeType, Spec{
		Name: "type", Layout: lay,
		Slots: Slots{
			Repr: typeRepr, Call: instantiate, GetAttr: typeGetAttr, SetAttr: typeSetAttr,
			New: typeNew, Init: typeInit, Hash: objectHash,
			Binary: [numOperators]Binary{Or: typeOr},
		},
		Methods: []Method{
			{Name: "mro", Func: func(m *Machine, a Args) (Value, *Exception) {
				t, _ := a.V[0].AsType()
				mro, e := m.c3(t, nil)
				return m.typeList(mro), e
			}},
			{Name: "__subclasses__", Func: typeSubclasses},
			{Name: "__prepare__", Sig: Unbound, Class: true, Func: func(m *Machine, a Args) (Value, *Exception) { return m.NewDict().Value(), nil }},
			{Name: "__instancecheck__", Sig: "instance, /", Func: func(m *Machine, a Args) (Value, *Exception) {
				ok, e := m.plainIsInstance(a.V[1], a.V[0])
				return Bool(ok), e
			}},
			{Name: "__subclasscheck__", Sig: "subclass, /", Func: func(m *Machine, a Args) (Value, *Exception) {
				ok, e := m.plainIsSubclass(a.V[1], a.V[0])
				return Bool(ok), e
			}},
			{Name: "__dir__", Func: typeDir},
		},
		Fields: []Field{
			{Name: "__name__", Get: func(m *Machine, v Value) (Value, *Exception) { return m.called(v.typ().ShortName()), nil }, Set: setTypeName},
			{Name: "__qualname__", Get: func(m *Machine, v Value) (Value, *Exception) { return m.called(v.typ().Qualname), nil }, Set: setTypeQualname},
			{Name: "__module__", Get: typeModule, Set: setTypeModule},
			{Name: "__bases__", Get: func(m *Machine, v Value) (Value, *Exception) { return m.typeTuple(v.typ().bases), nil }, Set: setBases},
			{Name: "__base__", Member: true, Get: func(m *Machine, v Value) (Value, *Exception) {
				if b := v.typ().base; b != nil {
					return b.Value(), nil
				}
				return None, nil
			}},
			{Name: "__mro__", Member: true, Get: func(m *Machine, v Value) (Value, *Exception) { return m.typeTuple(v.typ().mro), nil }},
			{Name: "__dict__", Get: func(m *Machine, v Value) (Value, *Exception) { return m.newProxy(v.typ().dict.Value()), nil }},
			{Name: "__doc__", Get: typeDoc, Set: setTypeDoc},
			{Name: "__abstractmethods__", Get: typeAbstract, Set: setTypeAbstract},
			{Name: "__annotations__", Get: typeAnnotations, Set: func(m *Machine, v, val Value) *Exception {
				if _, ok := v.typ().dict.getStr(nAnnotations); !ok && val.ref == nil && !v.typ().Static() {
					return m.AttributeError(v, nAnnotations, "__annotations__")
				}
				return setTypeEntry(m, v, nAnnotations, val)
			}},
			{Name: "__text_signature__", Get: func(m *Machine, v Value) (Value, *Exception) { return None, nil }},
			{Name: "__flags__", Get: func(m *Machine, v Value) (Value, *Exception) { return Int(0), nil }},
			{Name: "__basicsize__", Get: func(m *Machine, v Value) (Value, *Exception) { return Int(int64(v.typ().layout.bytes)), nil }},
			{Name: "__itemsize__", Get: func(m *Machine, v Value) (Value, *Exception) { return Int(0), nil }},
			{Name: "__dictoffset__", Get: func(m *Machine, v Value) (Value, *Exception) { return Int(0), nil }},
		},
	})
}

// typeNew is type.__new__; type(x) is handled by instantiate.
func typeNew(m *Machine, t *Type, a Args) (Value, *Exception) {
	pos := a.Pos()
	if len(pos) != 3 {
		if t == &TypeType {
			return Value{}, m.TypeError("type() takes 1 or 3 arguments")
		}
		return Value{}, m.TypeError("type.__new__() takes exactly 3 arguments (%d given)", len(pos))
	}
	name, ok := pos[0].AsStr()
	if !ok {
		return Value{}, m.TypeError("type.__new__() argument 1 must be str, not %s", argName(pos[0]))
	}
	bases, ok := pos[1].AsTuple()
	if !ok {
		return Value{}, m.TypeError("type.__new__() argument 2 must be tuple, not %s", argName(pos[1]))
	}
	ns, ok := pos[2].AsDict()
	if !ok {
		return Value{}, m.TypeError("type.__new__() argument 3 must be dict, not %s", argName(pos[2]))
	}
	return m.NewClass(t, name, bases.items, ns, Args{a.V[3:], a.Names})
}

func typeInit(m *Machine, v Value, a Args) *Exception {
	if n := len(a.Pos()); n != 1 && n != 3 {
		return m.TypeError("type.__init__() takes 1 or 3 arguments")
	}
	return nil
}

func typeRepr(m *Machine, v Value) (Value, *Exception) {
	return m.shown("<class '" + v.typ().FullName() + "'>"), nil
}

func (m *Machine) typeTuple(ts []*Type) Value {
	out := m.room(len(ts))
	for i, t := range ts {
		out.items[i] = t.Value()
	}
	return out.Value()
}

func (m *Machine) typeList(ts []*Type) Value {
	out := make([]Value, len(ts))
	for i, t := range ts {
		out[i] = t.Value()
	}
	return m.NewList(out).Value()
}

func typeSubclasses(m *Machine, a Args) (Value, *Exception) {
	return m.typeList(*m.below(a.V[0].typ())), nil
}

func typeModule(m *Machine, v Value) (Value, *Exception) {
	t := v.typ()
	if mod, ok := t.dict.getStr(nModule); ok {
		return mod, nil
	}
	if t.Static() {
		return nBuiltins.Value(), nil
	}
	return Value{}, m.noAttr(v, nModule)
}

func setTypeEntry(m *Machine, v Value, name *Str, val Value) *Exception {
	t := v.typ()
	if t.Static() {
		return m.TypeError("cannot set '%s' attribute of immutable type '%s'", name.s, t.FullName())
	}
	if val.ref == nil {
		t.dict.deleteStr(name)
	} else {
		t.dict.setStr(m, name, val)
	}
	return t.changed(m)
}

func setTypeDoc(m *Machine, v, val Value) *Exception {
	if val.ref == nil {
		return m.TypeError("cannot delete '__doc__' attribute of immutable type '%s'", v.typ().Name)
	}
	return setTypeEntry(m, v, nDoc, val)
}

func setTypeModule(m *Machine, v, val Value) *Exception { return setTypeEntry(m, v, nModule, val) }

func setTypeName(m *Machine, v, val Value) *Exception {
	if v.typ().Static() {
		return m.TypeError("cannot set '__name__' attribute of immutable type '%s'", v.typ().FullName())
	}
	if val.ref == nil {
		return m.TypeError("cannot delete '__name__' attribute of immutable type '%s'", v.typ().Name)
	}
	s, ok := strOrNone(val)
	if !ok {
		return m.TypeError("can only assign string to %s.__name__, not '%s'", v.typ().Name, typeName(val))
	}
	if strings.IndexByte(s.s, 0) >= 0 {
		return m.ValueError("type name must not contain null characters")
	}
	if e := m.checkText(s); e != nil {
		return e
	}
	v.typ().Name, v.typ().short = s.s, 0
	return nil
}

func setTypeQualname(m *Machine, v, val Value) *Exception {
	if v.typ().Static() {
		return m.TypeError("cannot set '__qualname__' attribute of immutable type '%s'", v.typ().FullName())
	}
	if val.ref == nil {
		return m.TypeError("cannot delete '__qualname__' attribute of immutable type '%s'", v.typ().Name)
	}
	s, ok := strOrNone(val)
	if !ok {
		return m.TypeError("can only assign string to %s.__qualname__, not '%s'", v.typ().Name, typeName(val))
	}
	v.typ().Qualname = s.s
	return nil
}

func strOrNone(v Value) (*Str, bool) {
	if v.ref == nil {
		return nil, false
	}
	return v.AsStr()
}

func typeName(v Value) string {
	if v.ref == nil {
		return "NoneType"
	}
	return v.ref.typ.Name
}

func typeDoc(m *Machine, v Value) (Value, *Exception) {
	d, ok := v.typ().dict.getStr(nDoc)
	if !ok {
		return None, nil
	}
	if d.ref.typ.DescrGet != nil {
		return m.bind(d, Value{}, v.typ())
	}
	return d, nil
}

func typeAbstract(m *Machine, v Value) (Value, *Exception) {
	if d, ok := v.typ().dict.getStr(nAbstract); ok && v.typ() != &TypeType {
		return d, nil
	}
	return Value{}, m.AttributeError(v, nAbstract, "__abstractmethods__")
}

func setTypeAbstract(m *Machine, v, val Value) *Exception {
	if _, ok := v.typ().dict.getStr(nAbstract); val.ref == nil && !ok {
		return m.AttributeError(v, nAbstract, "__abstractmethods__")
	}
	if e := setTypeEntry(m, v, nAbstract, val); e != nil {
		return e
	}
	v.typ().abstract = val.ref != nil
	return nil
}

func typeAnnotations(m *Machine, v Value) (Value, *Exception) {
	t := v.typ()
	if d, ok := t.dict.getStr(nAnnotations); ok {
		return d, nil
	}
	if t.Static() {
		return Value{}, m.noAttr(v, nAnnotations)
	}
	d := m.NewDict().Value()
	t.dict.setStr(m, nAnnotations, d)
	return d, t.changed(m)
}

func typeDir(m *Machine, a Args) (Value, *Exception) {
	names := m.NewDict()
	if e := m.typeNames(names, a.V[0].typ()); e != nil {
		return Value{}, e
	}
	return m.keyList(names), nil
}

// IsInstance answers isinstance(v, class), class being a type, a union or a
// tuple of them.
func (m *Machine) IsInstance(v, class Value) (bool, *Exception) {
	if t, ok := class.AsType(); ok {
		if v.ref.typ == t {
			return true, nil
		}
		if t.typ == &TypeType {
			return m.plainIsInstance(v, class)
		}
	}
	if tu, ok := class.AsTuple(); ok {
		if e := m.Enter(); e != nil {
			return false, e
		}
		defer m.Leave()
		for i, c := range tu.items {
			if e := m.chargeClass(i); e != nil {
				return false, e
			}
			if ok, e := m.IsInstance(v, c); ok || e != nil {
				return ok, e
			}
		}
		return false, nil
	}
	if hook, ok := class.ref.typ.Lookup(nInstanceCheck); ok {
		r, e := m.callUnbound(hook, class, v)
		if e != nil {
			return false, e
		}
		return m.Truth(r)
	}
	return m.plainIsInstance(v, class)
}

// chargeClass pays for looking at the class at a place of a tuple of classes; the first is part of the question's price.
func (m *Machine) chargeClass(at int) *Exception {
	if at == 0 {
		return nil
	}
	return m.Charge(4)
}

// plainIsInstance is type.__instancecheck__.
func (m *Machine) plainIsInstance(v, class Value) (bool, *Exception) {
	t, ok := class.AsType()
	if !ok {
		if _, e := m.abstractBases(class, "isinstance() arg 2 must be a type, a tuple of types, or a union"); e != nil {
			return false, e
		}
		c, e := m.LookupAttr(v, nClass)
		if e != nil || c.ref == nil {
			return false, e
		}
		return m.abstractSubclass(c, class)
	}
	m.OweBases(v.ref.typ)
	if v.ref.typ.IsSubtype(t) {
		return true, nil
	}
	if v.ref.typ.Static() || v.ref.kind&^Sub == KindType {
		return false, nil
	}
	c, e := m.LookupAttr(v, nClass)
	if e != nil || c.ref == nil {
		return false, e
	}
	if ct, ok := c.AsType(); ok && ct != v.ref.typ {
		m.OweBases(ct)
		return ct.IsSubtype(t), nil
	}
	return false, nil
}

// IsSubclass answers issubclass(sub, class).
func (m *Machine) IsSubclass(sub, class Value) (bool, *Exception) {
	if tu, ok := class.AsTuple(); ok {
		if e := m.Enter(); e != nil {
			return false, e
		}
		defer m.Leave()
		for i, c := range tu.items {
			if e := m.chargeClass(i); e != nil {
				return false, e
			}
			if ok, e := m.IsSubclass(sub, c); ok || e != nil {
				return ok, e
			}
		}
		return false, nil
	}
	if class.ref.typ != &TypeType {
		if hook, ok := class.ref.typ.Lookup(nSubclassCheck); ok {
			r, e := m.callUnbound(hook, class, sub)
			if e != nil {
				return false, e
			}
			return m.Truth(r)
		}
	}
	return m.plainIsSubclass(sub, class)
}

// plainIsSubclass is type.__subclasscheck__.
func (m *Machine) plainIsSubclass(sub, class Value) (bool, *Exception) {
	s, ok := sub.AsType()
	t, ok2 := class.AsType()
	if ok && ok2 {
		m.OweBases(s)
		return s.IsSubtype(t), nil
	}
	if _, e := m.abstractBases(sub, "issubclass() arg 1 must be a class"); e != nil {
		return false, e
	}
	if _, e := m.abstractBases(class, "issubclass() arg 2 must be a class, a tuple of classes, or a union"); e != nil {
		return false, e
	}
	return m.abstractSubclass(sub, class)
}

// abstractBases returns the __bases__ of an object that stands for a class; it
// fails with the message if there are none.
func (m *Machine) abstractBases(v Value, message string) ([]Value, *Exception) {
	b, e := m.LookupAttr(v, nBases)
	if e != nil {
		return nil, e
	}
	if b.ref != nil {
		if t, ok := b.AsTuple(); ok {
			return t.items, nil
		}
	}
	if message == "" {
		return nil, nil
	}
	return nil, m.TypeError("%s", message)
}

// abstractSubclass follows __bases__ from sub to class.
func (m *Machine) abstractSubclass(sub, class Value) (bool, *Exception) {
	if sub == class {
		return true, nil
	}
	if e := m.Charge(4); e != nil {
		return false, e
	}
	bases, e := m.abstractBases(sub, "")
	if e != nil || len(bases) == 0 {
		return false, e
	}
	if e := m.Enter(); e != nil {
		return false, e
	}
	defer m.Leave()
	for _, b := range bases {
		if ok, e := m.abstractSubclass(b, class); ok || e != nil {
			return ok, e
		}
	}
	return false, nil
}
