package object

import (
	"slices"
	"strings"

	"github.com/cowboyinc/cowboy-go/runtime/pvm/text"
)

// NewClass is type.__new__: it makes a class of the program from a name, bases
// and a namespace, which it copies. The metaclass is the most derived of meta and
// the bases' own.
func (m *Machine) NewClass(meta *Type, name *Str, bases []Value, ns *Dict, kw Args) (Value, *Exception) {
	parents, e := m.classBases(bases)
	if e != nil {
		return Value{}, e
	}
	winner, e := m.Metaclass(meta, bases)
	if e != nil {
		return Value{}, e
	}
	if winner != meta && winner.Slots.New != nil && !sameNew(winner, meta) {
		all := append([]Value{name.Value(), m.Tuple(bases...), ns.Value()}, kw.V...)
		return winner.New(m, winner, Args{all, kw.Names})
	}
	if e := m.Charge(m.costs.Class); e != nil {
		return Value{}, e
	}
	c, e := m.allocClass(winner, name, parents, ns)
	if e != nil {
		return Value{}, e
	}
	t := &c.Type
	if e := t.addSlots(m); e != nil {
		return Value{}, e
	}
	c.finish(m)
	if e := m.announce(t, ns, kw); e != nil {
		return Value{}, e
	}
	return t.Value(), nil
}

// sameNew says whether two metaclasses make classes with the same __new__.
func sameNew(a, b *Type) bool {
	x, _ := a.Lookup(nNew)
	y, _ := b.Lookup(nNew)
	return x == y
}

func (m *Machine) classBases(bases []Value) ([]*Type, *Exception) {
	if len(bases) == 0 {
		return []*Type{&TypeObject}, nil
	}
	out := make([]*Type, len(bases))
	for i, b := range bases {
		t, ok := b.AsType()
		if !ok {
			if fn, has := b.ref.typ.Lookup(nMroEntries); has && fn.ref != nil {
				return nil, m.TypeError("type() doesn't support MRO entry resolution; use types.new_class()")
			}
			return nil, m.TypeError("metaclass conflict: the metaclass of a derived class must be " +
				"a (non-strict) subclass of the metaclasses of all its bases")
		}
		if t.final {
			return nil, m.TypeError("type '%s' is not an acceptable base type", t.FullName())
		}
		out[i] = t
	}
	return out, nil
}

// Metaclass returns the most derived metaclass among meta and those of bases.
func (m *Machine) Metaclass(meta *Type, bases []Value) (*Type, *Exception) {
	winner := meta
	for _, b := range bases {
		t := b.ref.typ
		if winner.IsSubtype(t) {
			continue
		}
		if t.IsSubtype(winner) {
			winner = t
			continue
		}
		return nil, m.TypeError("metaclass conflict: the metaclass of a derived class must be a (non-strict) subclass of the metaclasses of all its bases")
	}
	return winner, nil
}

// solid returns the nearest type of the chain of bases that decides the layout: the
// last class with slots of its own, or a native type.
func (t *Type) solid() *Type {
	for !t.Static() && t.nslots == t.base.nslots {
		t = t.base
	}
	if !t.Static() {
		return t
	}
	return t.solidNative()
}

// solidNative returns the native type that decides the layout.
func (t *Type) solidNative() *Type {
	for !t.Static() || t.base != nil && !t.ownFields && t.layout.plain != nil && t.base.layout.kind == t.layout.kind && t.base.layout.bytes == t.layout.bytes {
		t = t.base
	}
	return t
}

// bestBase picks the base whose layout the class takes.
func (m *Machine) bestBase(bases []*Type) (*Type, *Exception) {
	var best, solid *Type
	for _, b := range bases {
		s := b.solid()
		switch {
		case solid == nil:
			best, solid = b, s
		case solid.IsSubtype(s):
		case s.IsSubtype(solid):
			best, solid = b, s
		default:
			return nil, m.TypeError("multiple bases have instance lay-out conflict")
		}
	}
	for _, b := range bases {
		if !best.holds(b) {
			return nil, m.TypeError("multiple bases have instance lay-out conflict")
		}
	}
	return best, nil
}

// madeClass is a class of the program and what every class has beside it.
type madeClass struct {
	Type
	names Dict
	shape Shape
	given GetSet // __dict__ of instances, if the class is the first to give them one
	order [4]*Type
}

func (m *Machine) allocClass(meta *Type, name *Str, bases []*Type, ns *Dict) (*madeClass, *Exception) {
	base, e := m.bestBase(bases)
	if e != nil {
		return nil, e
	}
	if strings.IndexByte(name.s, 0) >= 0 {
		return nil, m.ValueError("type name must not contain null characters")
	}
	if e := m.checkText(name); e != nil {
		return nil, e
	}
	if doc, ok := ns.getStr(nDoc); ok {
		if s, ok := doc.AsStr(); ok {
			if e := m.checkText(s); e != nil {
				return nil, e
			}
		}
	}
	if e := m.Reserve(typeSize + ns.tableSize()); e != nil {
		return nil, e
	}
	c := &madeClass{}
	t := &c.Type
	t.Name, t.Qualname, t.bases, t.base = name.s, name.s, bases, base
	t.dict, t.root = &c.names, &c.shape
	t.typ, t.kind = meta, KindType
	if !meta.Static() {
		t.kind = KindType | Sub
		t.meta.shape = meta.root
		t.meta.slots = make([]Value, meta.nslots)
		m.hold(attrsSize + meta.nslots*valueSize)
	}
	m.account(typeSize)
	t.layout, t.nslots = base.layout, base.nslots
	t.hint = t.nslots
	ns.copyToGrow(m, t.dict)
	t.dict.flags |= flagOutside
	if q, ok := t.dict.getStr(nQualname); ok {
		qs, ok := q.AsStr()
		if !ok {
			return nil, m.TypeError("type __qualname__ must be a str, not %s", q.ref.typ.Name)
		}
		t.Qualname = qs.s
		t.dict.deleteStr(nQualname)
	}
	if _, ok := t.dict.getStr(nModule); !ok {
		if f := m.Frame; f != nil {
			if mod, ok := f.L.Image.Globals.getStr(nName); ok {
				t.dict.setStr(m, nModule, mod)
			}
		}
	}
	if _, ok := t.dict.getStr(nDoc); !ok {
		t.dict.setStr(m, nDoc, None)
	}
	t.dict.deleteStr(nClassCell)
	if _, ok := t.dict.getStr(nDel); ok {
		return nil, m.DeterminismError("__del__ is forbidden: when an object dies is not part of its meaning")
	}
	if cell, ok := ns.getStr(nClassCell); ok {
		if cell.ref.kind != KindCell {
			return nil, m.TypeError("type.__new__() __classcell__ must be a nonlocal cell, not %s", m.quietRepr(cell.ref.typ.Value()))
		}
		cell.cell().Set(m, t.Value())
	}
	t.implicitMethods(m)
	if t.mro, e = m.mroOf(t, meta, c.order[:0]); e != nil {
		return nil, e
	}
	return c, m.chargeMRO(t)
}

// A class is dearer the more classes it derives from: making it copies the order and searches all of it for a dozen names.
const (
	freeMRO = 8  // classes of the order that the price of a class covers
	mroCost = 16 // cycles for each further one, and one for each pair: every later search for a name is as long
)

// chargeMRO pays for a long method resolution order and counts its bytes.
func (m *Machine) chargeMRO(t *Type) *Exception {
	more := len(t.mro) - freeMRO
	if more <= 0 {
		return nil
	}
	if e := m.Charge(more*mroCost + more*more); e != nil {
		return e
	}
	if e := m.Reserve(more * 8); e != nil {
		return e
	}
	m.account(more * 8)
	return nil
}

// implicitMethods wraps the functions that are static or class methods without
// saying so, and sets __hash__ to None next to a bare __eq__.
func (t *Type) implicitMethods(m *Machine) {
	if v, ok := t.dict.getStr(nNew); ok && v.ref.kind == KindFunction {
		t.dict.setStr(m, nNew, m.newStaticMethod(v))
	}
	for _, n := range []*Str{nInitSubclass, nClassGetItem} {
		if v, ok := t.dict.getStr(n); ok && v.ref.kind == KindFunction {
			t.dict.setStr(m, n, m.newClassMethod(v))
		}
	}
	if _, ok := t.dict.getStr(nEq); ok {
		if _, ok := t.dict.getStr(nHash); !ok {
			t.dict.setStr(m, nHash, None)
		}
	}
}

// addSlots turns __slots__ into member descriptors and decides whether instances
// have a dict.
func (t *Type) addSlots(m *Machine) *Exception {
	t.hasDict, t.weak, t.ordered = true, true, t.base.ordered
	slots, ok := t.dict.getStr(nSlots)
	if !ok {
		return nil
	}
	t.hasDict, t.weak = t.base.hasDict, t.base.weak
	for _, b := range t.bases {
		t.hasDict = t.hasDict || b.hasDict
	}
	var names []Value
	if _, one := slots.AsStr(); one {
		names = []Value{slots}
	} else {
		var e *Exception
		if names, e = m.Collect(slots); e != nil {
			return e
		}
	}
	for _, v := range names {
		s, ok := v.AsStr()
		if !ok {
			return m.TypeError("__slots__ items must be strings, not '%s'", v.ref.typ.Name)
		}
		if e := t.addSlot(m, s); e != nil {
			return e
		}
	}
	return t.placeSlots(m)
}

// slotCost is the price of sorting a slot's name in and making its descriptor.
const slotCost = 8

// placeSlots makes the descriptors of the slots. They lie in the order of their
// names, so that classes with the same slots can take each other's instances.
func (t *Type) placeSlots(m *Machine) *Exception {
	if e := m.Charge(slotCost * len(t.slotNames)); e != nil {
		return e
	}
	slices.SortFunc(t.slotNames, func(a, b *Str) int { return strings.Compare(a.s, b.s) })
	for i, name := range t.slotNames {
		if i > 0 && name.s == t.slotNames[i-1].s {
			continue
		}
		t.dict.setStr(m, name, m.newMember(t, name, t.nslots))
		t.nslots++
	}
	t.hint = max(t.hint, t.nslots)
	return nil
}

func (t *Type) addSlot(m *Machine, s *Str) *Exception {
	switch s.s {
	case "__dict__":
		if t.hasDict {
			return m.TypeError("__dict__ slot disallowed: we already got one")
		}
		t.hasDict = true
		return nil
	case "__weakref__":
		if t.weak {
			return m.TypeError("__weakref__ slot disallowed: either we already got one, or __itemsize__ != 0")
		}
		t.weak = true
		return nil
	}
	if !text.IsIdentifier(s.s) {
		return m.TypeError("__slots__ must be identifiers")
	}
	if k := t.layout.kind; k == KindInt || k == KindTuple || k == KindBytes || k == KindType {
		return m.TypeError("nonempty __slots__ not supported for subtype of '%s'", t.base.Name)
	}
	name := s
	if strings.HasPrefix(s.s, "__") && !strings.HasSuffix(s.s, "__") {
		if cls := strings.TrimLeft(t.Name, "_"); cls != "" {
			name = m.name("_" + cls + s.s)
		}
	}
	if _, ok := t.dict.getStr(name); ok {
		return m.ValueError("'%s' in __slots__ conflicts with class variable", s.s)
	}
	t.slotNames = append(t.slotNames, name)
	return nil
}

// finish computes what instances and operations of a new class need.
func (c *madeClass) finish(m *Machine) {
	t := &c.Type
	m.versions++
	t.version, t.values = m.versions, m.versions
	if t.layout.kind == KindInstance && t.layout.plain == nil {
		t.layout = TypeObject.layout
	}
	t.attrsOff = t.layout.off
	*t.root = Shape{typ: t, base: t.nslots}
	t.traverse, t.size = t.base.traverse, t.base.size
	t.matchSelf = t.base.matchSelf
	for _, b := range t.mro[1:] {
		if t.pattern == 0 {
			t.pattern = b.pattern
		}
		t.abstract = t.abstract || b.abstract
	}
	t.fixSlots()
	t.fixNew()
	t.fixAccess()
	if t.hasDict && !t.base.hasDict && t.layout.kind != KindType {
		if _, ok := t.dict.getStr(nDict); !ok {
			g := &c.given
			g.owner, g.field = t, Field{Name: "__dict__", Get: instanceDict, Set: setInstanceDict}
			g.typ, g.kind = &TypeGetSet, KindDescriptor
			t.dict.setStr(m, nDict, Value{ref: &g.Object})
		}
	}
	for _, b := range t.bases {
		list := m.below(b)
		*list = append(*list, t)
	}
}

// overrides says whether a class of the program, t or one above it, has its own
// special method of a name, which comes before what the built-in type does.
func (t *Type) overrides(name *Str) bool {
	if t.Static() {
		return false
	}
	_, owner := t.lookupOwner(name)
	return owner != nil && !owner.Static()
}

// fixAccess notes whether attribute access is object's own.
func (t *Type) fixAccess() {
	_, get := t.lookupOwner(nGetAttribute)
	_, hook := t.lookupOwner(nGetAttr)
	_, set := t.lookupOwner(nSetAttr)
	_, del := t.lookupOwner(nDelAttr)
	t.plainAttrs = get == &TypeObject && hook == nil
	t.classAttrs = get == &TypeType && hook == nil
	t.plainSet = set == &TypeObject && del == &TypeObject
}

// fixNew sets the slot that makes instances.
func (t *Type) fixNew() {
	v, owner := t.lookupOwner(nNew)
	if owner == nil || owner.Static() {
		if owner != nil {
			t.New = owner.New
			if owner == &TypeObject && t.base.New != nil && t.solidNative() != &TypeObject {
				t.New = t.base.New
			}
		}
		return
	}
	_ = v
	t.New = slotNew
}

// newCost is the price, beside that of the call, of a __new__ written in Python: it is searched for, bound and given a copy of the arguments.
const newCost = 25

// slotNew calls __new__ as found on the class.
func slotNew(m *Machine, t *Type, a Args) (Value, *Exception) {
	if e := m.Charge(newCost + len(a.V)); e != nil {
		return Value{}, e
	}
	fn, _ := t.Lookup(nNew)
	fn, e := m.bindClass(fn, t)
	if e != nil {
		return Value{}, e
	}
	all := make([]Value, 0, len(a.V)+1)
	all = append(append(all, t.Value()), a.V...)
	return m.Call(fn, Args{all, a.Names})
}

// announce calls __set_name__ of the attributes and __init_subclass__ of the
// parent.
func (m *Machine) announce(t *Type, ns *Dict, kw Args) *Exception {
	pins := len(m.pins)
	m.Pin(t.Value())
	defer m.Unpin(pins)
	entries, own := t.dict.entries, false
	for i := 0; i < len(entries); i++ {
		en := entries[i]
		if en.key.ref == nil || en.val.ref.kind == KindFunction || en.val.ref.kind <= KindLeaf {
			continue
		}
		hook, ok := en.val.ref.typ.Lookup(nSetName)
		if !ok {
			continue
		}
		if !own { // the call may change the class, which changes nothing of who is called
			entries, own = slices.Clone(entries), true
		}
		if _, e := m.callUnbound(hook, en.val, t.Value(), en.key); e != nil {
			if e.Fatal != NotFatal {
				return e
			}
			w := m.RuntimeError("Error calling __set_name__ on '%s' instance %s in '%s'", en.val.ref.typ.Name, m.quietRepr(en.key), t.Name)
			w.Cause, w.Context, w.Suppress = e.Value(), e, true
			return w
		}
	}
	return m.initSubclass(t, kw)
}

func (m *Machine) initSubclass(t *Type, kw Args) *Exception {
	for _, b := range t.mro[1:] {
		hook, ok := b.dict.getStr(nInitSubclass)
		if !ok {
			continue
		}
		if b == &TypeObject && len(kw.V) == 0 {
			return m.skipCall()
		}
		fn, e := m.bind(hook, Value{}, t)
		if e != nil {
			return e
		}
		if hook.ref.typ == &TypeClassMethod {
			fn = m.NewMethod(classMethodFunc(hook), t.Value())
		}
		_, e = m.Call(fn, kw)
		return e
	}
	return nil
}

// skipCall pays for and counts a call, through a method made for it, of a native function that would do nothing.
func (m *Machine) skipCall() *Exception {
	m.skipMethod()
	if e := m.Charge(m.costs.Call); e != nil {
		return e
	}
	if e := m.Enter(); e != nil {
		return e
	}
	m.Leave()
	return nil
}
