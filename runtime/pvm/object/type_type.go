package object

import (
	"reflect"
	"unsafe"
)

// Func is a native function. It returns a value, or the exception that ended
// it; never both.
type Func func(m *Machine, a Args) (Value, *Exception)

// Unary is a slot that takes the receiver alone.
type Unary func(m *Machine, v Value) (Value, *Exception)

// Binary is a slot that takes two operands and may return NotImplemented.
type Binary func(m *Machine, a, b Value) (Value, *Exception)

// Operator numbers the binary operators, in the order of syntax.Operator;
// DivMod is the one without a sign.
type Operator uint8

// The operators.
const (
	Add Operator = iota
	Sub_
	Mul
	MatMul
	TrueDiv
	Mod
	Pow
	LShift
	RShift
	Or
	Xor
	And
	FloorDiv
	DivMod
	numOperators
)

// CompareOp numbers the rich comparisons, in the order of syntax.CmpOperator.
type CompareOp uint8

// The comparisons.
const (
	Eq CompareOp = iota
	Ne
	Lt
	Le
	Gt
	Ge
)

// Swapped returns the comparison that holds for (b, a) when op holds for (a, b).
func (op CompareOp) Swapped() CompareOp {
	return [...]CompareOp{Eq, Ne, Gt, Ge, Lt, Le}[op]
}

// String returns the operator as written.
func (op CompareOp) String() string { return [...]string{"==", "!=", "<", "<=", ">", ">="}[op] }

// Slots are what a type can do, as CPython's type slots: nil means it cannot. A
// native type fills them in Go and gets the matching dunder methods; a class
// that defines a dunder method gets a slot that calls it.
//
// Operator slots are asked with the operands in source order, whichever of the
// two has the type, and answer NotImplemented for what is not theirs. SetItem,
// SetAttr and DescrSet get the zero Value to delete. Next returns the zero Value
// at the end.
type Slots struct {
	Repr, Str               Unary
	Hash                    func(m *Machine, v Value) (int64, *Exception)
	Call                    func(m *Machine, v Value, a Args) (Value, *Exception)
	GetAttr                 func(m *Machine, v Value, name *Str) (Value, *Exception)
	SetAttr                 func(m *Machine, v Value, name *Str, val Value) *Exception
	Compare                 func(m *Machine, op CompareOp, a, b Value) (Value, *Exception)
	Iter, Next              Unary
	Bool                    func(m *Machine, v Value) (bool, *Exception)
	Len                     func(m *Machine, v Value) (int, *Exception)
	GetItem                 Binary
	SetItem                 func(m *Machine, v, key, val Value) *Exception
	Contains                func(m *Machine, v, item Value) (bool, *Exception)
	Binary                  [numOperators]Binary
	InPlace                 [DivMod]Binary
	PowMod                  func(m *Machine, x, y, z Value) (Value, *Exception) // pow(x, y, z) if one of them has the type
	Neg, Pos, Abs, Invert   Unary
	ToInt, ToFloat, ToIndex Unary
	DescrGet                func(m *Machine, d, obj Value, owner *Type) (Value, *Exception)
	DescrSet                func(m *Machine, d, obj, val Value) *Exception
	Await, AIter, ANext     Unary
	inPython                uint32 // bit op: Binary[op] calls a method of the program
	New                     func(m *Machine, t *Type, a Args) (Value, *Exception)
	Init                    func(m *Machine, v Value, a Args) *Exception
}

// Type is a type object: one of the static built-in types, shared by all
// machines and never written after package initialisation, or a class made by a
// program, which belongs to one machine.
type Type struct {
	Object
	Slots
	Name     string // as messages have it: with the module for types that are not built in
	short    int    // where the name without the module begins
	Qualname string
	Module   string // empty for built-ins
	Doc      string

	bases []*Type
	mro   []*Type // the type itself first
	base  *Type   // the base whose layout instances have
	dict  *Dict
	meta  Attrs // attributes of classes whose metaclass adds slots; shape stays nil

	layout      Layout
	attrsOff    uintptr // offset of Attrs in instances; 0 if they have none
	hasDict     bool    // instances take arbitrary attributes
	final       bool    // cannot be a base
	ordered     bool    // iterators over instances refuse any change of the keys
	abstract    bool    // instantiation refused while __abstractmethods__ is not empty
	nslots      int     // reserved positions at the front of Attrs.slots, from __slots__
	root        *Shape  // of new instances
	hint        int     // slots that instances turned out to need
	version     uint32  // of the attributes seen through the type; 0 for static types
	values      uint32  // changes with version, and with values on the type that are no descriptors
	flat        *Dict   // all attributes along the MRO, for static types
	cache       []cachedAttr
	searches    uint32  // along the order of resolution, for the cache
	subs        []*Type // classes made by programs with this one among their bases
	traverse    func(o *Object, visit func(Value))
	size        func(o *Object) int
	relocate    func(r *Relocation, o *Object)
	initVersion uint32 // version that initFunc and initPlain hold for
	initPlain   bool
	initFunc    *Function
	ownInit     bool   // a native type with an __init__ other than object's
	slotNames   []*Str // of __slots__, as in the dict, ascending
	ownFields   bool   // a native type whose structure is its base's, with more in it
	weak        bool   // weak references to instances would be possible on CPython
	plainAttrs  bool   // attributes are read the way of object, or of a built-in type
	classAttrs  bool   // attributes are read the way of type
	plainSet    bool   // attributes are set the way of object
	matchSelf   bool   // a class pattern with one positional sub-pattern matches the subject itself
	binds       bool   // instances found on a class become methods, as functions do
	pattern     uint8  // 1 a sequence, 2 a mapping for match statements
}

type cachedAttr struct {
	name *Str
	val  Value
}

// Layout is how instances of a native type are laid out and allocated.
type Layout struct {
	kind  Kind
	plain func() *Object
	sub   func() *Object
	off   uintptr
	bytes int

	copy, copySub func(o *Object) *Object // of what plain and sub make
	of            reflect.Type            // the structure; tests look into it
}

type withAttrs[T any] struct {
	t     T
	attrs Attrs
}

// LayoutOf is the layout of a Go structure whose first field is an Object.
// Instances of Python subclasses get room for attributes behind it.
func LayoutOf[T any](kind Kind) Layout {
	return Layout{
		kind:  kind,
		plain: func() *Object { return (*Object)(unsafe.Pointer(new(T))) },
		sub:   func() *Object { return (*Object)(unsafe.Pointer(new(withAttrs[T]))) },
		off:   unsafe.Offsetof(withAttrs[T]{}.attrs),
		bytes: structSize(reflect.TypeFor[T]()),

		copy:    copied[T],
		copySub: copied[withAttrs[T]],
		of:      reflect.TypeFor[T](),
	}
}

// copied returns a copy of the structure that begins with o.
func copied[T any](o *Object) *Object {
	c := new(T)
	*c = *(*T)(unsafe.Pointer(o))
	return (*Object)(unsafe.Pointer(c))
}

// IsSubtype says whether t is u or derives from it.
func (t *Type) IsSubtype(u *Type) bool {
	if t == u {
		return true
	}
	if u.Static() { // built-in types stand at the end
		for i := len(t.mro) - 1; i >= 0; i-- {
			if t.mro[i] == u {
				return true
			}
		}
		return false
	}
	for _, b := range t.mro {
		if b == u {
			return true
		}
	}
	return false
}

// basesPerCycle is how many classes of a method resolution order are looked through for a cycle.
const basesPerCycle = 6

// OweBases pays for looking through the bases of t; a few are in the price of whatever asks.
func (m *Machine) OweBases(t *Type) { m.meter.Owe(t.BasesPrice()) }

// BasesPrice is what looking through the bases of a class costs.
func (t *Type) BasesPrice() int { return len(t.mro) / basesPerCycle }

// Static says whether t is a built-in type rather than a class of the program.
func (t *Type) Static() bool { return t.flags&flagStatic != 0 }

// MRO returns the method resolution order, t first; not to be modified.
func (t *Type) MRO() []*Type { return t.mro }

// Bases returns the direct bases; not to be modified.
func (t *Type) Bases() []*Type { return t.bases }

// Dict returns the type's own namespace.
func (t *Type) Dict() *Dict { return t.dict }

// Value returns the type object as a value.
func (t *Type) Value() Value { return Value{ref: &t.Object} }

// ShortName returns the name without the module: __name__.
func (t *Type) ShortName() string { return t.Name[t.short:] }

// Dot puts a module before the name that messages have, as CPython's own types
// outside builtins do.
func (t *Type) Dot(module string) {
	t.Name, t.short = module+"."+t.ShortName(), len(module)+1
}

// FullName returns the name qualified by the module, except for built-ins.
func (t *Type) FullName() string {
	if t.Static() {
		if t.Module == "" {
			return t.Qualname
		}
		return t.Module + "." + t.Qualname
	}
	if mod, ok := t.dict.getStr(nModule); ok {
		if s, ok := mod.AsStr(); ok && s.s != "builtins" {
			return s.s + "." + t.Qualname
		}
	}
	return t.Qualname
}

// Overrides says whether t has an attribute of its own where base, which it
// derives from, has another one.
func (t *Type) Overrides(base *Type, name *Str) bool {
	own, _ := t.Lookup(name)
	inherited, _ := base.Lookup(name)
	return own != inherited
}

// Lookup finds name along the MRO, without binding it.
func (t *Type) Lookup(name *Str) (Value, bool) {
	if t.flat != nil {
		return t.flat.getStr(name)
	}
	if len(t.cache) == 0 {
		t.makeCache()
	}
	c := &t.cache[uint64(name.hashOf())&uint64(len(t.cache)-1)]
	if c.name == name {
		return c.val, c.val.ref != nil
	}
	v, _ := t.lookupOwner(name)
	if t.searches++; t.searches == searchesAtFirst {
		t.makeCache()
		return v, v.ref != nil
	}
	c.name, c.val = name, v
	return v, v.ref != nil
}

// A class whose names were searched for often has a large cache.
const (
	searchesAtFirst = 32
	cacheAtFirst    = 8
	cacheThen       = 64
)

func (t *Type) makeCache() {
	n := cacheAtFirst
	if t.searches >= searchesAtFirst {
		n = cacheThen
	}
	t.cache = make([]cachedAttr, n)
}

// lookupOwner finds name along the MRO and says which type has it.
func (t *Type) lookupOwner(name *Str) (Value, *Type) {
	for _, b := range t.mro {
		if v, ok := b.dict.getStr(name); ok {
			return v, b
		}
	}
	return Value{}, nil
}

// Prices of a change of a class: of refreshing it or a subclass, whose caches become stale, and of choosing the operations of each anew for a special method.
const (
	changedCost = 16
	refixCost   = 40
)

// changed is called after an attribute of a class of the program was set or
// deleted: every cache that saw it, here or in a subclass, becomes stale. Each way
// to a subclass is paid for.
func (t *Type) changed(m *Machine) *Exception {
	m.versions++
	t.version, t.values = m.versions, m.versions
	t.cache = nil
	for _, s := range t.subs {
		if e := m.Charge(changedCost); e != nil {
			return e
		}
		if e := s.changed(m); e != nil {
			return e
		}
	}
	return nil
}

// replaced is changed for an attribute called name that was an inert value and is
// another one now: only caches of values become stale.
func (t *Type) replaced(m *Machine, name *Str) *Exception {
	m.versions++
	t.values = m.versions
	if n := len(t.cache); n > 0 {
		t.cache[uint64(name.hashOf())&uint64(n-1)] = cachedAttr{}
	}
	for _, s := range t.subs {
		if e := m.Charge(changedCost); e != nil {
			return e
		}
		if e := s.replaced(m, name); e != nil {
			return e
		}
	}
	return nil
}

// bindingChanged is called after objects of a class of the program may have become
// descriptors, or ceased to be: any class may have one among its attributes, so the
// caches of all become stale, and each class is paid for.
func (m *Machine) bindingChanged() *Exception {
	for _, under := range m.subs {
		for _, t := range under.classes {
			if e := m.Charge(changedCost); e != nil {
				return e
			}
			if e := t.changed(m); e != nil {
				return e
			}
		}
	}
	return nil
}

// attrs returns the attribute storage of o, or nil.
func (o *Object) attrs() *Attrs {
	if off := o.typ.attrsOff; off != 0 {
		return (*Attrs)(unsafe.Add(unsafe.Pointer(o), off))
	}
	return nil
}

// newSubclassInstance allocates an instance of a class made by the program whose
// layout is that of a native type other than object.
func (m *Machine) newSubclassInstance(t *Type) *Object {
	o := t.layout.sub()
	o.typ, o.kind = t, t.layout.kind|Sub
	a := o.attrs()
	a.shape = t.root
	if t.nslots > 0 {
		a.slots = make([]Value, t.nslots)
	}
	m.account(t.layout.bytes + attrsSize + t.nslots*valueSize)
	return o
}

// Alloc allocates an instance of t, which is the native type that T was given to
// in LayoutOf or a subclass of it, and counts extra bytes beside the structure.
func Alloc[T any](m *Machine, t *Type, extra int) *T {
	var o *Object
	if t.Static() {
		o = (*Object)(unsafe.Pointer(new(T)))
		o.typ, o.kind = t, t.layout.kind
		m.account(t.layout.bytes)
		if o.attrs() != nil {
			m.hold(attrsSize)
		}
	} else {
		o = m.newSubclassInstance(t)
	}
	m.account(extra)
	return (*T)(unsafe.Pointer(o))
}

// structSize is the size of a Go structure on a 64-bit machine, whatever machine
// this is.
func structSize(t reflect.Type) int {
	n, _ := sizeAndAlign(t)
	return n
}

func sizeAndAlign(t reflect.Type) (size, align int) {
	switch t.Kind() {
	case reflect.Bool, reflect.Int8, reflect.Uint8:
		return 1, 1
	case reflect.Int16, reflect.Uint16:
		return 2, 2
	case reflect.Int32, reflect.Uint32:
		return 4, 4
	case reflect.String, reflect.Interface:
		return 16, 8
	case reflect.Slice:
		return 24, 8
	case reflect.Array:
		n, a := sizeAndAlign(t.Elem())
		return n * t.Len(), a
	case reflect.Struct:
		align = 1
		for i := range t.NumField() {
			n, a := sizeAndAlign(t.Field(i).Type)
			size = (size+a-1)/a*a + n
			align = max(align, a)
		}
		return (size + align - 1) / align * align, align
	}
	return 8, 8
}
