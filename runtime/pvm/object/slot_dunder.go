package object

// dunder connects a special method name with a slot: how a native type that has
// the slot gets the method, and how a class of the program that defines the
// method gets the slot.
type dunder struct {
	name string
	key  *Str
	sig  string
	wrap func(s *Slots) Func   // the method made from a native type's slot; nil without the slot
	set  func(s *Slots)        // installs the slot that calls the method
	copy func(dst, src *Slots) // takes the slot over from a native type

	partners []int // the other special methods of the same slot
}

// callSpecial calls the special method called name on v, looked up on its type.
func (m *Machine) callSpecial(v Value, name *Str, args ...Value) (Value, *Exception) {
	fn, ok := v.ref.typ.Lookup(name)
	if !ok {
		return Value{}, m.AttributeError(v, name, "%s", name.s)
	}
	return m.callUnbound(fn, v, args...)
}

// callUnbound calls what was found on v's type as a method of v.
func (m *Machine) callUnbound(fn, v Value, args ...Value) (Value, *Exception) {
	if fn.ref.kind == KindFunction {
		switch len(args) {
		case 0:
			return m.Call1(fn, v)
		case 1:
			return m.Call2(fn, v, args[0])
		}
	}
	if fn.ref.kind == KindFunction || fn.ref.kind == KindBuiltin && fn.builtin().self {
		return m.callWithSelf(fn, v, args, nil)
	}
	if fn.ref.typ.binds {
		if e := m.bindable(); e != nil {
			return Value{}, e
		}
		return m.callBinding(fn, v, args, nil)
	}
	bound, e := m.bind(fn, v, v.ref.typ)
	if e != nil {
		return Value{}, e
	}
	return m.callCopied(bound, args)
}

// special calls an optional special method: the zero Value if there is none.
func (m *Machine) special(v Value, name *Str, args ...Value) (Value, *Exception) {
	fn, ok := v.ref.typ.Lookup(name)
	if !ok || fn.IsNone() {
		return Value{}, nil
	}
	return m.callUnbound(fn, v, args...)
}

// Special calls the method called name of v's type if it has one, and returns
// the zero Value otherwise.
func (m *Machine) Special(v Value, name *Str, args ...Value) (Value, *Exception) {
	return m.special(v, name, args...)
}

var operatorNames = [...]string{"add", "sub", "mul", "matmul", "truediv", "mod", "pow", "lshift", "rshift", "or", "xor", "and", "floordiv", "divmod"}

// OperatorSigns are the operators as written.
var operatorSigns = [...]string{"+", "-", "*", "@", "/", "%", "** or pow()", "<<", ">>", "|", "^", "&", "//", "divmod()"}

// dunderTable lists the special methods. It is filled when the package is
// initialised.
type dunderTable struct {
	list   []dunder
	byName map[string]int
}

var dunders dunderTable

func (t *dunderTable) build() {
	t.byName = map[string]int{}
	t.list = append(t.list, objectDunders()...)
	t.list = append(t.list, containerDunders()...)
	for op := Add; op < numOperators; op++ {
		t.list = append(t.list, operatorDunders(op)...)
	}
	t.list = append(t.list, compareDunders()...)
	t.list = append(t.list, unaryDunders()...)
	for i := range t.list {
		d := &t.list[i]
		d.key, t.byName[d.name] = StaticName(d.name), i
	}
	t.group("__getattribute__", "__getattr__")
	t.group("__setattr__", "__delattr__")
	t.group("__setitem__", "__delitem__")
	t.group("__set__", "__delete__")
	t.group("__lt__", "__le__", "__eq__", "__ne__", "__gt__", "__ge__")
	for _, op := range operatorNames {
		t.group("__"+op+"__", "__r"+op+"__")
	}
}

// group notes that special methods share a slot.
func (t *dunderTable) group(names ...string) {
	for _, a := range names {
		for _, b := range names {
			if a != b {
				d := &t.list[t.byName[a]]
				d.partners = append(d.partners, t.byName[b])
			}
		}
	}
}

// plainMethods are slots for which CPython has a method beside the wrapper, since calling that is faster.
var plainMethods = map[string]bool{
	"list.__getitem__": true, "dict.__getitem__": true, "dict.__contains__": true, "set.__contains__": true,
	"frozenset.__contains__": true,
}

// slotMethods gives a native type the methods its own slots imply.
func (t *Type) slotMethods(s *Slots) {
	for i := range dunders.list {
		d := &dunders.list[i]
		fn := d.wrap(s)
		if fn == nil {
			continue
		}
		b := NewBuiltin(Method{Name: d.name, Sig: d.sig, Func: fn})
		b.Owner, b.wrapper = t, !plainMethods[t.Name+"."+d.name]
		b.typ = &TypeWrapperDescriptor
		if !b.wrapper {
			b.typ = &TypeMethodDescriptor
		}
		b.receiver()
		t.put(d.name, b.Value())
	}
	if s.Compare != nil && s.Hash == nil {
		t.put("__hash__", None)
	}
}

// fixSlots sets the slots of a class of the program from its special methods.
func (t *Type) fixSlots() {
	t.Slots = t.base.Slots
	if len(t.bases) == 1 && !t.base.Static() {
		for i := range t.dict.entries {
			if k := t.dict.entries[i].key; k.ref != nil {
				if n, ok := k.AsStr(); ok {
					t.fixSlot(n)
				}
			}
		}
		return
	}
	for _, b := range t.mro {
		if b.Static() {
			if b == t.base || b == &TypeObject {
				continue
			}
		}
		for i := range b.dict.entries {
			if k := b.dict.entries[i].key; k.ref != nil {
				if n, ok := k.AsStr(); ok {
					t.fixSlot(n)
				}
			}
		}
	}
}

// fixSlot sets the slot that belongs to a special method name, if any, after the
// class's attribute of that name changed.
func (t *Type) fixSlot(name *Str) {
	if len(name.s) < 5 || name.s[0] != '_' || name.s[1] != '_' {
		return
	}
	if name == nModule || name == nDoc || name == nDict { // most classes have them
		return
	}
	i, ok := dunders.byName[name.s]
	if !ok {
		return
	}
	d := &dunders.list[i]
	_, owner := t.lookupOwner(d.key)
	switch {
	case owner == nil:
		d.copy(&t.Slots, &Slots{})
	case owner.Static():
		d.copy(&t.Slots, &owner.Slots)
	default:
		d.set(&t.Slots)
		return
	}
	for _, p := range d.partners {
		if _, owner := t.lookupOwner(dunders.list[p].key); owner != nil && !owner.Static() {
			dunders.list[p].set(&t.Slots)
		}
	}
}
