// Package pyabc is Python's abc module: the metaclass ABCMeta with its registry of
// virtual subclasses, and the decorators of abstract methods.
//
// Each abstract class remembers the answers it gave. Registering a virtual
// subclass anywhere makes the machine forget the negative ones, as in CPython.
//
// Spec: sdk §17.3 (abc in the import list); Python 3.11 library, "abc".
package pyabc

import (
	"github.com/cowboyinc/cowboy-go/runtime/pvm/object"
	"github.com/cowboyinc/cowboy-go/runtime/pvm/stdlib/namespace"
)

type (
	value     = object.Value
	exception = object.Exception
	machine   = object.Machine
)

var (
	nameData       = object.StaticName("_abc_impl")
	nameAbstract   = object.StaticName("__abstractmethods__")
	nameIsAbstract = object.StaticName("__isabstractmethod__")
	nameHook       = object.StaticName("__subclasshook__")
	nameSubclasses = object.StaticName("__subclasses__")
	nameClass      = object.StaticName("__class__")
	nameKind       = object.StaticName("__abc_tpflags__")
)

var typeABCMeta, typeData object.Type

// data is what an abstract class knows about its virtual subclasses.
type data struct {
	object.Object
	registry *object.List // registered classes, in order
	yes, no  *object.Dict // answers given
	version  int          // of the registrations when no was filled
	counts   *counts      // the machine's
}

// counts are what all abstract classes of a machine share.
type counts struct {
	registrations int // ever made
	nested        int // checks under way on behalf of another class
}

var _ = object.Define(&typeData, object.Spec{
	Name: "_abc_data", Module: "abc", NoNew: true, Final: true,
	Layout: object.LayoutOf[data](object.KindNative),
	Traverse: func(o *object.Object, visit func(value)) {
		d := object.Trust[data](object.Of(o))
		visit(d.registry.Value())
		visit(d.yes.Value())
		visit(d.no.Value())
	},
	Relocate: func(r *object.Relocation, o *object.Object) {
		d := object.Trust[data](object.Of(o))
		d.registry, d.yes, d.no = r.List(d.registry), r.Dict(d.yes), r.Dict(d.no)
		d.counts = object.Once(r, d.counts, func(c *counts) *counts { return &counts{registrations: c.registrations} })
	},
})

var _ = object.Define(&typeABCMeta, object.Spec{
	Name: "ABCMeta", Module: "abc", Plain: true, Base: &object.TypeType,
	Doc:   "Metaclass for defining Abstract Base Classes (ABCs).",
	Slots: object.Slots{New: newClass},
	Methods: []object.Method{
		{Name: "register", Sig: "subclass", Func: register},
		{Name: "__instancecheck__", Sig: "instance, /", Func: instanceCheck},
		{Name: "__subclasscheck__", Sig: "subclass, /", Func: func(m *machine, a object.Args) (value, *exception) {
			yes, e := subclassCheck(m, a.V[0], a.V[1])
			return object.Bool(yes), e
		}},
		{Name: "_abc_registry_clear", Func: func(m *machine, a object.Args) (value, *exception) {
			if d := dataOf(a.V[0]); d != nil {
				d.registry = m.NewList(nil)
			}
			return object.None, nil
		}},
		{Name: "_abc_caches_clear", Func: func(m *machine, a object.Args) (value, *exception) {
			if d := dataOf(a.V[0]); d != nil {
				d.yes, d.no = m.NewDict(), m.NewDict()
			}
			return object.None, nil
		}},
	},
})

// newClass makes a class and computes its abstract methods.
func newClass(m *machine, t *object.Type, a object.Args) (value, *exception) {
	c, e := object.TypeType.Slots.New(m, t, a)
	if e != nil {
		return value{}, e
	}
	m.Pin(c)
	cls, ok := c.AsType()
	if !ok {
		return c, nil
	}
	names, e := abstractNames(m, c, cls)
	if e != nil {
		return value{}, e
	}
	if e := m.SetAttr(c, nameAbstract, names); e != nil {
		return value{}, e
	}
	if e := patternKind(m, c, cls); e != nil {
		return value{}, e
	}
	return c, m.SetAttr(c, nameData, newData(m, cls))
}

// Bits of __abc_tpflags__: match statements take instances of the class, and of
// those registered with it, for sequences or for mappings.
const (
	isSequence = 1 << 5
	isMapping  = 1 << 6
)

// patternKind reads and removes __abc_tpflags__ of a new class.
func patternKind(m *machine, c value, cls *object.Type) *exception {
	flags, ok := cls.Dict().GetStr(nameKind)
	if !ok || !flags.IsInt() {
		return nil
	}
	n := flags.Int64() & (isSequence | isMapping)
	if n == isSequence|isMapping {
		return m.TypeError("__abc_tpflags__ cannot be both Py_TPFLAGS_SEQUENCE and Py_TPFLAGS_MAPPING")
	}
	cls.SetPattern(n == isSequence, n == isMapping)
	return m.SetAttr(c, nameKind, value{})
}

// newData returns fresh data that shares the count of registrations with the
// first abstract base; a class without one counts for itself and those below.
func newData(m *machine, cls *object.Type) value {
	d := object.Alloc[data](m, &typeData, 0)
	d.registry, d.yes, d.no = m.NewList(nil), m.NewDict(), m.NewDict()
	d.counts = countsOf(m)
	return object.Of(&d.Object)
}

// countsOf returns the machine's counts, kept by the class ABC of its module abc.
func countsOf(m *machine) *counts {
	if mod, ok := m.Modules["abc"]; ok {
		if abc, ok := mod.Lookup("ABC"); ok {
			if d := dataOf(abc); d != nil {
				return d.counts
			}
		}
	}
	return new(counts)
}

// sharedBy is countsOf for whoever has an abstract class at hand.
func sharedBy(m *machine, c value) *counts {
	if d := dataOf(c); d != nil {
		return d.counts
	}
	return countsOf(m)
}

// dataOf returns the data of an abstract class, nil for other objects.
func dataOf(c value) *data {
	t, ok := c.AsType()
	if !ok {
		return nil
	}
	v, ok := t.Dict().GetStr(nameData)
	if !ok {
		return nil
	}
	d, ok := object.Cast[data](v, &typeData)
	if !ok {
		return nil
	}
	return d
}

// abstractNames returns the frozenset of the names of abstract methods: those
// the class defines, and inherited ones it does not override.
func abstractNames(m *machine, c value, cls *object.Type) (value, *exception) {
	names := m.NewSet(&object.TypeFrozenSet)
	m.Pin(names.Value())
	var keys, vals []value
	cls.Dict().Each(func(k, v value) bool {
		keys, vals = append(keys, k), append(vals, v)
		return true
	})
	if e := m.Charge(2 * len(keys)); e != nil {
		return value{}, e
	}
	for i, v := range vals {
		abstract, e := isAbstract(m, v)
		if e == nil && abstract {
			_, e = names.Add(m, keys[i])
		}
		if e != nil {
			return value{}, e
		}
	}
	for _, b := range cls.Bases() {
		if b.Static() { // built-in types have none, and their __abstractmethods__ is an error
			continue
		}
		inherited, e := m.LookupAttr(b.Value(), nameAbstract)
		if e != nil {
			return value{}, e
		}
		if inherited.IsZero() {
			continue
		}
		e = m.Iterate(inherited, func(k value) (bool, *exception) {
			name, ok := k.AsStr()
			if !ok {
				return true, nil
			}
			v, e := m.LookupAttr(c, name)
			if e != nil || v.IsZero() {
				return true, e
			}
			abstract, e := isAbstract(m, v)
			if e == nil && abstract {
				_, e = names.Add(m, k)
			}
			return true, e
		})
		if e != nil {
			return value{}, e
		}
	}
	return names.Value(), nil
}

// isAbstract asks v.__isabstractmethod__. Values that cannot have it, such as
// numbers and strings, are not asked.
func isAbstract(m *machine, v value) (bool, *exception) {
	if v.Kind() < object.KindBuiltin {
		return false, nil
	}
	flag, e := m.LookupAttr(v, nameIsAbstract)
	if e != nil || flag.IsZero() {
		return false, e
	}
	return m.Truth(flag)
}

func register(m *machine, a object.Args) (value, *exception) {
	c, sub := a.V[0], a.V[1]
	if _, ok := sub.AsType(); !ok {
		return value{}, m.TypeError("Can only register classes")
	}
	shared := countsOf(m)
	shared.nested++
	defer func() { shared.nested-- }()
	if yes, e := m.IsSubclass(sub, c); e != nil || yes {
		return sub, e
	}
	if cycle, e := m.IsSubclass(c, sub); e != nil {
		return value{}, e
	} else if cycle {
		return value{}, m.RuntimeError("Refusing to create an inheritance cycle")
	}
	d := dataOf(c)
	if d == nil {
		return value{}, m.TypeError("%s has no registry", c.Type().Name)
	}
	d.registry.Append(m, sub)
	d.counts.registrations++
	if t, ok := c.AsType(); ok {
		t.LendPattern(sub)
	}
	return sub, nil
}

// checkCost is the price of isinstance() for an abstract class, beside its call's and what issubclass() takes.
const checkCost = 45

func instanceCheck(m *machine, a object.Args) (value, *exception) {
	c, v := a.V[0], a.V[1]
	if e := m.Charge(checkCost); e != nil {
		return value{}, e
	}
	t := v.Type().Value()
	sub, e := m.LookupAttr(v, nameClass)
	if e != nil {
		return value{}, e
	}
	if sub.IsZero() {
		sub = t
	}
	shared := sharedBy(m, c)
	shared.nested++
	yes, e := m.IsSubclass(sub, c)
	if e == nil && !yes && sub != t {
		yes, e = m.IsSubclass(t, c)
	}
	shared.nested--
	return object.Bool(yes), e
}

// subclassCheck answers issubclass(sub, c) for the abstract class c.
func subclassCheck(m *machine, c, sub value) (bool, *exception) {
	if e := m.Charge(5); e != nil {
		return false, e
	}
	st, ok := sub.AsType()
	if !ok {
		return false, m.TypeError("issubclass() arg 1 must be a class")
	}
	d := dataOf(c)
	if d == nil {
		ct, _ := c.AsType()
		return st.IsSubtype(ct), nil
	}
	if _, ok, e := d.yes.Get(m, sub); ok || e != nil {
		return true, e
	}
	if d.version != d.counts.registrations {
		d.no, d.version = m.NewDict(), d.counts.registrations
	} else if _, ok, e := d.no.Get(m, sub); ok || e != nil {
		return false, e
	}
	if e := m.Enter(); e != nil {
		return false, e
	}
	defer m.Leave()
	yes, e := search(m, c, sub, st, d)
	if e != nil {
		return false, e
	}
	answers := d.no
	if yes {
		answers = d.yes
	}
	return yes, answers.Set(m, sub, object.True)
}

// search asks the class's hook, its bases, its registry and its subclasses, in
// this order.
func search(m *machine, c, sub value, st *object.Type, d *data) (bool, *exception) {
	r, e := m.CallMethod(c, nameHook, sub)
	if e != nil {
		return false, e
	}
	switch {
	case r == object.True:
		return true, nil
	case r == object.False:
		return false, nil
	case !r.IsNotImplemented():
		return false, m.Raise(&object.ExcAssertionError, "__subclasshook__ must return either False, True, or NotImplemented")
	}
	if ct, _ := c.AsType(); st.IsSubtype(ct) {
		return true, nil
	}
	d.counts.nested++
	defer func() { d.counts.nested-- }()
	for i := 0; i < d.registry.Len(); i++ {
		if yes, e := m.IsSubclass(sub, d.registry.Items()[i]); yes || e != nil {
			return yes, e
		}
	}
	subclasses, e := m.CallMethod(c, nameSubclasses)
	if e != nil {
		return false, e
	}
	found := false
	e = m.Iterate(subclasses, func(k value) (bool, *exception) {
		var e *exception
		found, e = m.IsSubclass(sub, k)
		return !found, e
	})
	return found, e
}

// entries are shared by all machines.
var entries = namespace.Join(namespace.Types(&typeABCMeta), namespace.Functions("abc",
	object.Method{Name: "abstractmethod", Sig: "funcobj", Func: func(m *machine, a object.Args) (value, *exception) {
		return a.V[0], m.SetAttr(a.V[0], nameIsAbstract, object.True)
	}},
	object.Method{Name: "update_abstractmethods", Sig: "cls", Func: updateAbstract},
	object.Method{Name: "get_cache_token", Func: func(m *machine, a object.Args) (value, *exception) {
		return object.Int(int64(countsOf(m).registrations)), nil
	}},
	// _checking_others says whether a hook is asked by isinstance, or on behalf of
	// another class whose subclasses and registered classes are searched.
	object.Method{Name: "_checking_others", Func: func(m *machine, a object.Args) (value, *exception) {
		return object.Bool(countsOf(m).nested > 0), nil
	}},
))

// updateAbstract computes the abstract methods of a class again, after methods
// were added to it.
func updateAbstract(m *machine, a object.Args) (value, *exception) {
	t, ok := a.V[0].AsType()
	if !ok || t.Static() {
		return a.V[0], nil
	}
	if _, ok := t.Dict().GetStr(nameAbstract); !ok {
		return a.V[0], nil
	}
	names, e := abstractNames(m, a.V[0], t)
	if e != nil {
		return value{}, e
	}
	return a.V[0], m.SetAttr(a.V[0], nameAbstract, names)
}

// Fill makes the native part of the module's namespace; the classes ABC and the
// deprecated properties are Python source.
func Fill(m *object.Machine, mod *object.Module) *object.Exception {
	return namespace.Fill(m, mod, entries)
}
