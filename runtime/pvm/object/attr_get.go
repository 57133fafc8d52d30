package object

import (
	"strings"
)

// GetAttr returns v.name.
func (m *Machine) GetAttr(v Value, name *Str) (Value, *Exception) {
	r, e := v.ref.typ.Slots.GetAttr(m, v, name)
	if e != nil {
		m.lacks(e, v, name)
	}
	return r, e
}

// lacks lets an AttributeError that a program raised say what was looked up where.
func (m *Machine) lacks(e *Exception, v Value, name *Str) {
	if !e.Is(&ExcAttributeError) || !e.Field(0).IsZero() || !e.Field(1).IsZero() {
		return
	}
	e.SetField(0, name.Value())
	e.SetField(1, v)
	m.noteStore(&e.Object, v)
}

// SetAttr performs v.name = val, or del v.name if val is the zero Value.
func (m *Machine) SetAttr(v Value, name *Str, val Value) *Exception {
	t := v.ref.typ
	if t.Slots.SetAttr == nil {
		return m.noAttrToSet(v, name)
	}
	return t.Slots.SetAttr(m, v, name, val)
}

// LookupAttr returns v.name, or the zero Value if there is no such attribute.
func (m *Machine) LookupAttr(v Value, name *Str) (Value, *Exception) {
	if v.ref.typ.Slots.GetAttr == nil {
		return Value{}, nil
	}
	if k, t := v.ref.kind, v.ref.typ; k == KindFunction || t.plainAttrs || t.classAttrs {
		var r Value
		var found bool
		var e *Exception
		of := t.Name
		switch {
		case k == KindFunction:
			r, found, e = m.functionAttr(v, name)
		case t.classAttrs:
			r, found, e = m.classAttr(v.typ(), name)
			of = v.typ().Name
		default:
			r, found, e = m.genericAttr(v, name)
		}
		if !found {
			m.missed(of, name)
		}
		if e != nil && e.Is(&ExcAttributeError) {
			return Value{}, nil
		}
		return r, e
	}
	r, e := m.GetAttr(v, name)
	if e != nil && e.Is(&ExcAttributeError) {
		return Value{}, nil
	}
	return r, e
}

// Attr is GetAttr for a name given as text.
func (m *Machine) Attr(v Value, name string) (Value, *Exception) { return m.GetAttr(v, m.name(name)) }

// name returns a string object for a name that native code looks up.
func (m *Machine) name(s string) *Str {
	if n, ok := KnownName(s); ok {
		return n
	}
	return NewStatic(s)
}

func (m *Machine) noAttr(v Value, name *Str) *Exception {
	if t, ok := v.AsType(); ok {
		return m.AttributeError(v, name, "type object '%s' has no attribute '%s'", t.Name, name.s)
	}
	if mod, ok := v.AsModule(); ok {
		return m.AttributeError(v, name, "module '%s' has no attribute '%s'", mod.Name, name.s)
	}
	return m.AttributeError(v, name, "'%s' object has no attribute '%s'", v.ref.typ.Name, name.s)
}

// noAttrToSet is noAttr where an attribute is set or deleted: the error keeps neither
// its name nor the object.
func (m *Machine) noAttrToSet(v Value, name *Str) *Exception {
	e := m.noAttr(v, name)
	e.extra = nil
	return e
}

// missed pays for and counts what noAttr makes, for a caller that would drop it: of is the class, or the type of another object than a module.
func (m *Machine) missed(of string, name *Str) {
	m.meter.Owe(m.costs.Error)
	m.hold(exceptionSize + attrsSize + messageSize + operandSize + shownSize(of) + operandSize + shownSize(name.s))
}

// bind applies the descriptor protocol to what was found on a type: d.__get__(obj,
// owner). A zero obj stands for access through the type.
func (m *Machine) bind(d, obj Value, owner *Type) (Value, *Exception) {
	switch d.ref.kind {
	case KindFunction:
		if obj.ref == nil {
			return d, nil
		}
		return m.NewMethod(d, obj), nil
	case KindBuiltin:
		return m.bindBuiltin(d.builtin(), obj, owner)
	}
	if get := d.ref.typ.DescrGet; get != nil {
		if e := m.Enter(); e != nil { // a property of a property
			return Value{}, e
		}
		r, e := get(m, d, obj, owner)
		m.Leave()
		return r, e
	}
	return d, nil
}

func (m *Machine) bindBuiltin(b *Builtin, obj Value, owner *Type) (Value, *Exception) {
	switch {
	case b.class:
		if b.Owner == nil || b.typ != &TypeClassMethodDescriptor {
			return b.Value(), nil
		}
		return m.NewMethod(b.Value(), owner.Value()), nil
	case b.self:
		if obj.ref == nil {
			return b.Value(), nil
		}
		return m.NewMethod(b.Value(), obj), nil
	}
	return b.Value(), nil
}

// isData says whether a descriptor takes part in stores, so that it goes before
// the instance's own attributes.
func isData(d Value) bool { return d.ref.kind != KindFunction && d.ref.typ.DescrSet != nil }

// overrides says whether a descriptor goes before the instance's own attributes
// when they are read: it takes part in loads as well as in stores.
func overrides(d Value) bool { return isData(d) && d.ref.typ.DescrGet != nil }

// GenericGetAttr is object.__getattribute__.
func GenericGetAttr(m *Machine, v Value, name *Str) (Value, *Exception) {
	r, found, e := m.genericAttr(v, name)
	if !found {
		e = m.noAttr(v, name)
	}
	return r, e
}

// genericAttr is GenericGetAttr but for the exception where nothing is found.
func (m *Machine) genericAttr(v Value, name *Str) (r Value, found bool, e *Exception) {
	t := v.ref.typ
	attr, ok := t.Lookup(name)
	if ok && overrides(attr) {
		r, e = m.bind(attr, v, t)
		return r, true, e
	}
	if a := v.ref.attrs(); a != nil {
		if r, has := a.get(name); has {
			return r, true, nil
		}
	}
	if ok {
		r, e = m.bind(attr, v, t)
	}
	return r, ok, e
}

// GenericSetAttr is object.__setattr__ and object.__delattr__.
func GenericSetAttr(m *Machine, v Value, name *Str, val Value) *Exception {
	t := v.ref.typ
	found, ok := t.Lookup(name)
	if ok && isData(found) {
		return found.ref.typ.DescrSet(m, found, v, val)
	}
	if v.ref.kind&^Sub == KindType {
		// Classes have their own way; object's would pass by what they check.
		what := "__setattr__"
		if val.ref == nil {
			what = "__delattr__"
		}
		return m.TypeError("can't apply this %s to %s object", what, t.Name)
	}
	a := v.ref.attrs()
	if a == nil || !t.hasDict {
		if ok {
			return m.Raise(&ExcAttributeError, "'%s' object attribute '%s' is read-only", t.Name, name.s)
		}
		return m.noAttrToSet(v, name)
	}
	if val.ref == nil {
		if !a.delete(m, v.ref, name) {
			return m.noAttrToSet(v, name)
		}
		return nil
	}
	a.set(m, v.ref, name, val)
	return nil
}

// KeepsAttributes says whether v is an instance that can be given any attribute.
func KeepsAttributes(v Value) bool { return v.ref.attrs() != nil && v.ref.typ.hasDict }

// typeGetAttr is type.__getattribute__: the metaclass's data descriptors, then
// the attributes along the MRO, then the metaclass's other attributes.
func typeGetAttr(m *Machine, v Value, name *Str) (Value, *Exception) {
	r, found, e := m.classAttr(v.typ(), name)
	if !found {
		e = m.noAttrToSet(v, name) // m.GetAttr completes it
	}
	return r, e
}

// classAttr is typeGetAttr but for the exception where nothing is found.
func (m *Machine) classAttr(t *Type, name *Str) (r Value, found bool, e *Exception) {
	meta := t.typ
	fromMeta, hasMeta := meta.Lookup(name)
	if hasMeta && overrides(fromMeta) {
		r, e = m.bind(fromMeta, t.Value(), meta)
		return r, true, e
	}
	if own, ok := t.Lookup(name); ok {
		r, e = m.bindClass(own, t)
		return r, true, e
	}
	if hasMeta {
		r, e = m.bind(fromMeta, t.Value(), meta)
	}
	return r, hasMeta, e
}

// bindClass applies the descriptor protocol for access through the class.
func (m *Machine) bindClass(d Value, t *Type) (Value, *Exception) {
	switch d.ref.kind {
	case KindFunction:
		return d, nil
	}
	return m.bind(d, Value{}, t)
}

// typeSetAttr is type.__setattr__ and type.__delattr__.
func typeSetAttr(m *Machine, v Value, name *Str, val Value) *Exception {
	t := v.typ()
	if t.Static() {
		return m.TypeError("cannot set '%s' attribute of immutable type '%s'", name.s, t.FullName())
	}
	if found, ok := v.ref.typ.Lookup(name); ok && isData(found) {
		return found.ref.typ.DescrSet(m, found, v, val)
	}
	if name.s == nDel.s {
		return m.DeterminismError("__del__ is forbidden: when an object dies is not part of its meaning")
	}
	m.meter.Owe(changedCost)
	if val.ref == nil {
		if !t.dict.deleteStr(name) {
			return m.noAttrToSet(v, name)
		}
	} else {
		old, _ := t.dict.getStr(name)
		t.dict.setStr(m, name, val)
		if inert(old) && inert(val) && !strings.HasPrefix(name.s, "__") {
			return t.replaced(m, name)
		}
	}
	if e := t.changed(m); e != nil {
		return e
	}
	t.refix(m, name)
	if name.s == nGet.s || name.s == nSet.s || name.s == nDelete.s {
		return m.bindingChanged()
	}
	return nil
}

// inert says whether v is an object of a built-in type that means nothing but
// itself when it is found on a class.
func inert(v Value) bool {
	if v.ref == nil || v.ref.typ.flags&flagStatic == 0 || v.ref.kind >= KindInstance {
		return false
	}
	return v.ref.kind != KindBuiltin && v.ref.typ.DescrGet == nil && v.ref.typ.DescrSet == nil
}

// refix updates the slots of t and its subclasses after a special method changed.
func (t *Type) refix(m *Machine, name *Str) {
	if len(name.s) < 5 || name.s[0] != '_' {
		return
	}
	m.meter.Owe(refixCost)
	t.fixSlot(name)
	t.fixAccess()
	if name.s == nNew.s {
		t.fixNew()
	}
	for _, s := range t.subs {
		s.refix(m, name)
	}
}

// moduleGetAttr looks in the module's namespace, then for its __getattr__.
func moduleGetAttr(m *Machine, v Value, name *Str) (Value, *Exception) {
	mod := v.module()
	if r, ok := mod.Dict.getStr(name); ok {
		return r, nil
	}
	if r, ok := v.ref.typ.Lookup(name); ok {
		return m.bind(r, v, v.ref.typ)
	}
	if name.s == nAnnotations.s {
		d := m.NewDict().Value()
		mod.Dict.setStr(m, nAnnotations, d)
		return d, nil
	}
	if hook, ok := mod.Dict.getStr(nGetAttr); ok {
		return m.Call(hook, Positional(name.Value()))
	}
	return Value{}, m.noAttr(v, name)
}

func moduleSetAttr(m *Machine, v Value, name *Str, val Value) *Exception {
	mod := v.module()
	if mod.Frozen {
		return m.DeterminismError("setting attributes of module '%s' is forbidden", mod.Name)
	}
	if val.ref == nil {
		if !mod.Dict.deleteStr(name) {
			return m.noAttrToSet(v, name)
		}
		return nil
	}
	mod.Dict.setStr(m, name, val)
	return nil
}
