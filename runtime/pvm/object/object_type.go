package object

import (
	"slices"
	"strconv"
	"unsafe"
)

// TypeObject is object.
var TypeObject Type

func defineObject() {
	t := &TypeObject
	lay := LayoutOf[Object](KindInstance)
	lay.sub = func() *Object { return &new(Instance).Object }
	lay.off = unsafe.Offsetof(Instance{}.Attrs)
	lay.bytes = headerSize
	Define(t, Spec{
		Name: "object", Layout: lay,
		Doc: "The base class of the class hierarchy.\n\nWhen called, it accepts no arguments and returns a new featureless\n" +
			"instance that has no instance attributes and cannot be given any.\n",
		Slots: Slots{
			Repr: objectRepr, Str: objectStr, Hash: objectHash,
			GetAttr: GenericGetAttr, SetAttr: GenericSetAttr, Compare: objectCompare,
			New: objectNew, Init: objectInit,
		},
		Methods: []Method{
			{Name: "__format__", Sig: "format_spec, /", Func: objectFormat},
			{Name: "__dir__", Func: objectDir},
			{Name: "__sizeof__", Func: func(m *Machine, a Args) (Value, *Exception) { return Int(int64(sizeOf(a.V[0].ref))), nil }},
			{Name: "__init_subclass__", Class: true, Sig: "*args, **kwargs", Func: initSubclassDefault},
			{Name: "__subclasshook__", Class: true, Sig: "subclass, /", Func: func(m *Machine, a Args) (Value, *Exception) { return NotImplemented, nil }},
			{Name: "__getstate__", Func: noPickle},
			{Name: "__reduce__", Func: noPickle},
			{Name: "__reduce_ex__", Sig: "protocol, /", Func: noPickle},
		},
		Fields: []Field{{Name: "__class__", Get: func(m *Machine, v Value) (Value, *Exception) { return v.ref.typ.Value(), nil }, Set: setClass}},
	})
}

// initSubclassDefault is object.__init_subclass__.
func initSubclassDefault(m *Machine, a Args) (Value, *Exception) {
	t, ok := a.V[0].AsType()
	switch {
	case !ok:
		return Value{}, m.TypeError("object.__init_subclass__() needs a class")
	case len(a.Names) > 0:
		return Value{}, m.TypeError("%s.__init_subclass__() takes no keyword arguments", t.Qualname)
	case len(a.V) > 1:
		return Value{}, m.TypeError("%s.__init_subclass__() takes no arguments (%d given)", t.Qualname, len(a.V)-1)
	}
	return None, nil
}

func noPickle(m *Machine, a Args) (Value, *Exception) {
	return Value{}, m.DeterminismError("pickling is forbidden")
}

// objectNew is object.__new__.
func objectNew(m *Machine, t *Type, a Args) (Value, *Exception) {
	if len(a.V) > 0 {
		if v, owner := t.lookupOwner(nNew); v.ref != nil && owner != &TypeObject {
			return Value{}, m.TypeError("object.__new__() takes exactly one argument (the type to instantiate)")
		}
		if _, owner := t.lookupOwner(nInit); owner == &TypeObject {
			return Value{}, m.TypeError("%s() takes no arguments", t.Name)
		}
	}
	if t.abstract {
		if e := m.refuseAbstract(t); e != nil {
			return Value{}, e
		}
	}
	if t.Static() {
		// The inline caches read the attributes of whatever is an instance.
		o := &Instance{}
		o.typ, o.kind = t, KindInstance
		m.account(headerSize)
		return o.Value(), nil
	}
	return m.NewInstance(t).Value(), nil
}

// refuseAbstract fails if t still has abstract methods.
func (m *Machine) refuseAbstract(t *Type) *Exception {
	v, ok := t.dict.getStr(nAbstract)
	if !ok {
		return nil
	}
	names, e := m.Collect(v)
	if e != nil || len(names) == 0 {
		return e
	}
	if e := m.Sort(names, Value{}, false); e != nil {
		return e
	}
	text := ""
	for i, n := range names {
		if i > 0 {
			text += ", "
		}
		if s, ok := n.AsStr(); ok {
			text += s.s
		}
	}
	return m.TypeError("Can't instantiate abstract class %s with abstract method%s %s", t.Name, Plural(len(names)), text)
}

// objectInit is object.__init__.
func objectInit(m *Machine, v Value, a Args) *Exception {
	if len(a.V) == 0 {
		return nil
	}
	t := v.ref.typ
	if _, owner := t.lookupOwner(nInit); owner != &TypeObject {
		return m.TypeError("object.__init__() takes exactly one argument (the instance to initialize)")
	}
	if _, owner := t.lookupOwner(nNew); owner == &TypeObject {
		return m.TypeError("%s.__init__() takes exactly one argument (the instance to initialize)", t.Name)
	}
	return nil
}

func objectRepr(m *Machine, v Value) (Value, *Exception) {
	t := v.ref.typ
	name := t.FullName()
	if t.Static() {
		name = t.FullName()
	}
	return m.shown("<" + name + " object at 0x" + hex12(m.ID(v)) + ">"), nil
}

// objectStr is object.__str__, which a class can make its own __repr__.
func objectStr(m *Machine, v Value) (Value, *Exception) {
	if e := m.Enter(); e != nil {
		return Value{}, e
	}
	defer m.Leave()
	r, e := m.Repr(v)
	if e != nil && e.typ == &ExcTypeError && len(e.Trace) == 0 && e.message != nil && e.message.format == reprNoText {
		// The wrong result is that of str, which looks at it first.
		e.message.format = strNoText
	}
	return r, e
}

func objectHash(m *Machine, v Value) (int64, *Exception) { return int64(m.ID(v) >> 4), nil }

func objectCompare(m *Machine, op CompareOp, a, b Value) (Value, *Exception) {
	switch op {
	case Eq:
		if a == b {
			return True, nil
		}
	case Ne:
		if a.ref.typ.Slots.Compare == nil {
			break
		}
		r, e := a.ref.typ.Slots.Compare(m, Eq, a, b)
		if e != nil || r.IsNotImplemented() {
			return r, e
		}
		t, e := m.Truth(r)
		return Bool(!t), e
	}
	return NotImplemented, nil
}

func objectFormat(m *Machine, a Args) (Value, *Exception) {
	spec, ok := a.V[1].AsStr()
	if !ok {
		return Value{}, m.TypeError("__format__() argument must be str, not %s", argName(a.V[1]))
	}
	if spec.n > 0 {
		return Value{}, m.TypeError("unsupported format string passed to %s.__format__", a.V[0].ref.typ.Name)
	}
	return m.ToStr(a.V[0])
}

// idCost is the price of an identity that is kept beside the object.
const idCost = 4

// ID returns id(v): numbers given out in the order in which they are asked for.
func (m *Machine) ID(v Value) uint64 {
	if v.ref.flags&flagStatic == 0 {
		if v.ref.kind == KindInstance && v.ref.attrs() != nil {
			a := v.ref.attrs()
			if a.id == 0 {
				a.id = m.nextID()
			}
			return a.id
		}
	}
	if v.ref.kind <= KindFloat {
		low := v.bits << 4
		if v.bits >= 1<<28 { // spread, to have as many digits as other addresses have
			low = v.bits * 0x9e3779b97f4a7c15 >> 28
		}
		return 0x7e0000000000 | uint64(v.ref.kind)<<36 | low
	}
	m.meter.Owe(idCost)
	if m.ids == nil {
		m.ids = map[*Object]uint64{}
	}
	id, ok := m.ids[v.ref]
	if !ok {
		id = m.nextID()
		m.ids[v.ref] = id
		m.account(valueSize)
	}
	return id
}

func (m *Machine) nextID() uint64 {
	m.lastID++
	return 0x7f0000000000 + m.lastID*16
}

func hex12(n uint64) string { return strconv.FormatUint(n, 16) }

func setClass(m *Machine, v, val Value) *Exception {
	if val.ref == nil {
		return m.TypeError("can't delete __class__ attribute")
	}
	t, ok := val.AsType()
	if !ok {
		return m.TypeError("__class__ must be set to a class, not '%s' object", val.ref.typ.Name)
	}
	old := v.ref.typ
	if old.Static() || t.Static() {
		return m.TypeError("__class__ assignment only supported for mutable types or ModuleType subclasses")
	}
	if old.layout.kind != t.layout.kind || old.layout.bytes != t.layout.bytes || old.solidNative() != t.solidNative() ||
		!sameSlots(old, t) || old.hasDict != t.hasDict {
		return m.TypeError("__class__ assignment: '%s' object layout differs from '%s'", t.Name, old.Name)
	}
	if t.hasDict {
		v.ref.attrs().materialise(m, v.ref)
	} else {
		v.ref.attrs().shape = t.root
	}
	v.ref.typ = t
	return nil
}

// sameSlots says whether the instances of two classes have the same slots.
func sameSlots(a, b *Type) bool {
	for a.nslots == b.nslots && a.nslots > 0 && a != b {
		switch {
		case a.base.nslots == a.nslots:
			a = a.base
		case b.base.nslots == b.nslots:
			b = b.base
		case !slices.Equal(a.slotNames, b.slotNames):
			return false
		default:
			a, b = a.base, b.base
		}
	}
	return a.nslots == b.nslots
}

// nameCost is the price of a name that dir() gives, beside its sorting.
const nameCost = 5

// objectDir lists the attributes of an object, unsorted duplicates removed.
func objectDir(m *Machine, a Args) (Value, *Exception) {
	names := m.NewDict()
	v := a.V[0]
	if at := v.ref.attrs(); at != nil {
		if at.shape != nil {
			m.meter.Owe(nameCost * len(at.shape.names))
			for _, n := range at.shape.names {
				names.setStr(m, n, None)
			}
		}
		if at.dict != nil {
			if e := names.addNames(m, at.dict); e != nil {
				return Value{}, e
			}
		}
	}
	if e := m.typeNames(names, v.ref.typ); e != nil {
		return Value{}, e
	}
	return m.keyList(names), nil
}

// typeNames adds the names of all attributes of t and its bases.
func (m *Machine) typeNames(names *Dict, t *Type) *Exception {
	for _, b := range t.mro {
		if e := names.addNames(m, b.dict); e != nil {
			return e
		}
	}
	return nil
}

func (d *Dict) addNames(m *Machine, from *Dict) *Exception {
	if e := m.Charge(nameCost * from.used); e != nil {
		return e
	}
	for i := range from.entries {
		if s := from.entries[i].key; s.ref != nil && s.ref.kind == KindStr {
			d.setStr(m, s.str(), None)
		}
	}
	return nil
}

func (m *Machine) keyList(d *Dict) Value {
	items := make([]Value, 0, d.used)
	d.Each(func(k, _ Value) bool {
		items = append(items, k)
		return true
	})
	return m.NewList(items).Value()
}
