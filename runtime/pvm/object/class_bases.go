package object

import "slices"

// setBases is the assignment to __bases__ of a class: instances keep their layout,
// the class and all below it get new resolution orders and operations. If one of
// the orders cannot be made nothing changes.
func setBases(m *Machine, v, val Value) *Exception {
	t := v.typ()
	bases, e := m.newBases(t, val)
	if e != nil {
		return e
	}
	base, e := m.bestBase(bases)
	if e != nil {
		return e
	}
	if base.solidNative() != t.base.solidNative() || !sameSlots(base, t.base) || base.hasDict != t.base.hasDict {
		return m.TypeError("__bases__ assignment: '%s' object layout differs from '%s'", base.Name, t.base.Name)
	}
	old, oldBase := t.bases, t.base
	t.bases, t.base = bases, base
	var undo []reordered
	if e := m.reorder(t, &undo); e != nil {
		for _, u := range undo {
			if slices.Equal(u.t.mro, u.now) {
				u.t.mro = u.was
			}
		}
		if slices.Equal(t.bases, bases) {
			t.bases, t.base = old, oldBase
		}
		return e
	}
	for _, b := range old {
		m.dropSubclass(b, t)
	}
	for _, b := range t.bases {
		m.addSubclass(b, t)
	}
	t.refixAll()
	return m.bindingChanged()
}

// newBases checks what is assigned to __bases__.
func (m *Machine) newBases(t *Type, val Value) ([]*Type, *Exception) {
	switch {
	case t.Static():
		return nil, m.TypeError("cannot set '__bases__' attribute of immutable type '%s'", t.FullName())
	case val.ref == nil:
		return nil, m.TypeError("cannot delete '__bases__' attribute of immutable type '%s'", t.Name)
	}
	tu, ok := val.AsTuple()
	if !ok {
		return nil, m.TypeError("can only assign tuple to %s.__bases__, not %s", t.Name, val.ref.typ.Name)
	}
	if len(tu.items) == 0 {
		return nil, m.TypeError("can only assign non-empty tuple to %s.__bases__, not ()", t.Name)
	}
	for _, b := range tu.items {
		u, ok := b.AsType()
		if !ok {
			return nil, m.TypeError("%s.__bases__ must be tuple of classes, not '%s'", t.Name, b.ref.typ.Name)
		}
		if u.IsSubtype(t) || u.derives(t) {
			return nil, m.TypeError("a __bases__ item causes an inheritance cycle")
		}
	}
	return m.classBases(tu.items)
}

// derives says whether u is above t by bases, whatever its resolution order says.
func (t *Type) derives(u *Type) bool {
	for b := t; b != nil; b = b.base {
		if b == u {
			return true
		}
	}
	return false
}

// reordered is a class whose resolution order was changed.
type reordered struct {
	t        *Type
	was, now []*Type
}

// reorder computes the resolution orders of t and of all classes below it, and
// notes what they were.
func (m *Machine) reorder(t *Type, undo *[]reordered) *Exception {
	if e := m.Enter(); e != nil {
		return e
	}
	defer m.Leave()
	was := t.mro
	if e := m.Charge(mroCost * len(was)); e != nil {
		return e
	}
	mro, e := m.mroOf(t, t.typ, nil)
	if e != nil {
		return e
	}
	t.mro = mro
	*undo = append(*undo, reordered{t, was, mro})
	if e := m.chargeMRO(t); e != nil {
		return e
	}
	for _, s := range slices.Clone(t.subs) {
		if e := m.reorder(s, undo); e != nil {
			return e
		}
	}
	return nil
}

// addSubclass notes that t is a direct subclass of b.
func (m *Machine) addSubclass(b, t *Type) {
	if list := m.below(b); !slices.Contains(*list, t) {
		*list = append(*list, t)
	}
}

// derived are the classes of the program directly under a static type.
type derived struct {
	base    *Type
	classes []*Type
}

// below is the list of b's direct subclasses among the classes of the program.
func (m *Machine) below(b *Type) *[]*Type {
	if !b.Static() {
		return &b.subs
	}
	for i := range m.subs {
		if m.subs[i].base == b {
			return &m.subs[i].classes
		}
	}
	m.subs = append(m.subs, derived{base: b})
	return &m.subs[len(m.subs)-1].classes
}

// dropSubclass undoes addSubclass.
func (m *Machine) dropSubclass(b, t *Type) {
	list := m.below(b)
	*list = slices.DeleteFunc(*list, func(u *Type) bool { return u == t })
}

// refixAll computes the operations of t and of all classes below it anew.
func (t *Type) refixAll() {
	t.fixSlots()
	t.fixNew()
	t.fixAccess()
	for _, s := range t.subs {
		s.refixAll()
	}
}
