package object

// Spec describes a native type.
type Spec struct {
	Name   string
	Module string // empty for built-ins
	Doc    string
	Base   *Type // nil for object
	Layout Layout
	Slots  Slots
	// NoNew forbids making instances by calling the type; Final forbids classes
	// that derive from it.
	NoNew, Final bool
	Methods      []Method
	Fields       []Field
	Consts       []Const
	// Traverse visits the values an instance refers to; Size is its size in bytes
	// by formula when it is not fixed.
	Traverse func(o *Object, visit func(Value))
	Size     func(o *Object) int
	// Relocate replaces, through r, every reference of an instance and gives a copy
	// what else it must not share. Without it instances are never copied.
	Relocate func(r *Relocation, o *Object)
	// Dict gives every instance, not only those of subclasses, attributes.
	// The structure holds them at DictAt.
	Dict   bool
	DictAt uintptr
	// Sequence and Mapping say what match statements take instances for;
	// MatchSelf is for types whose class pattern takes the subject itself.
	Sequence, Mapping, MatchSelf bool
	// Binds is for types whose instances, found on a class, become methods as
	// functions do and as DescrGet says.
	Binds bool
	// Plain is for types that CPython has as a class in Python: messages name
	// them without their module.
	Plain bool
}

// Field is a computed attribute of a native type. Set may be nil.
type Field struct {
	Name string
	Get  Unary
	Set  func(m *Machine, v, val Value) *Exception // the zero Value deletes
	Doc  string
	// Member makes the attribute one that CPython keeps in a field of its structure:
	// another type of descriptor, another message when it cannot be set.
	Member bool
}

// Const is a class attribute of a native type.
type Const struct {
	Name string
	Val  Value
}

// Define completes the native type t from its description and returns t. It may
// be called only while package variables are initialised, after its base was
// defined:
//
//	var typeDeque object.Type
//	var _ = object.Define(&typeDeque, object.Spec{Name: "deque", …})
func Define(t *Type, s Spec) *Type {
	b := s.Base
	if b == nil && t != &TypeObject {
		b = &TypeObject
	}
	t.typ, t.kind, t.flags = &TypeType, KindType, flagStatic
	t.Name, t.Qualname, t.Module, t.Doc = s.Name, s.Name, s.Module, s.Doc
	if s.Module != "" && !s.Plain && (b == nil || !b.IsSubtype(&ExcBaseException)) {
		t.Dot(s.Module)
	}
	t.base, t.final = b, s.Final
	t.layout = s.Layout
	t.Slots = s.Slots
	t.traverse, t.size, t.relocate = s.Traverse, s.Size, s.Relocate
	t.matchSelf, t.binds = s.MatchSelf, s.Binds
	t.mro = []*Type{t}
	if b != nil {
		t.bases = []*Type{b}
		t.mro = append(t.mro, b.mro...)
		t.inherit(b)
	}
	if s.Dict {
		t.attrsOff, t.hasDict = s.DictAt, true
	}
	if s.Sequence {
		t.pattern = 1
	}
	if s.Mapping {
		t.pattern = 2
	}
	t.ownInit = s.Slots.Init != nil || b != nil && b.ownInit && b != &TypeObject
	if !t.ownInit && s.Slots.New != nil && t != &TypeObject {
		t.Init = nil // object.__init__ would have nothing to say
	}
	t.fill(s)
	if s.NoNew {
		t.New = nil
	} else if t.New != nil && s.Slots.New != nil {
		t.put("__new__", newWrapper(t))
	}
	t.flatten()
	_, get := t.lookupOwner(nGetAttribute)
	t.plainAttrs = get == &TypeObject || t == &TypeObject
	t.classAttrs = t == &TypeType
	return t
}

// inherit takes over what a native type leaves to its base.
func (t *Type) inherit(b *Type) {
	if t.layout.plain == nil {
		t.layout = b.layout
		if t.traverse == nil {
			t.traverse = b.traverse
		}
		if t.size == nil {
			t.size = b.size
		}
		t.attrsOff, t.hasDict = b.attrsOff, b.hasDict
	}
	if t.pattern == 0 {
		t.pattern = b.pattern
	}
	t.matchSelf = t.matchSelf || b.matchSelf
	if t.Slots.Compare != nil && t.Slots.Hash == nil {
		t.Slots.Hash = Unhashable
	}
	t.Slots.inherit(&b.Slots)
}

// Unhashable is the Hash slot of types without one.
func Unhashable(m *Machine, v Value) (int64, *Exception) {
	return 0, m.TypeError("unhashable type: '%s'", v.ref.typ.Name)
}

// fill makes the namespace of a native type.
func (t *Type) fill(s Spec) {
	t.dict = &Dict{}
	t.dict.typ, t.dict.kind, t.dict.flags = &TypeDict, KindDict, flagStatic
	t.slotMethods(&s.Slots)
	for _, d := range s.Methods {
		b := NewBuiltin(d)
		b.Owner = t
		switch {
		case d.Static:
			t.put(d.Name, staticMethodValue(b))
		case d.Class:
			b.typ = &TypeClassMethodDescriptor
			b.receiver()
			b.self = false
			t.put(d.Name, b.Value())
		default:
			b.typ = &TypeMethodDescriptor
			b.receiver()
			t.put(d.Name, b.Value())
		}
	}
	for _, f := range s.Fields {
		t.put(f.Name, newGetSet(t, f))
	}
	for _, c := range s.Consts {
		t.put(c.Name, c.Val)
	}
	if _, own := t.dict.getStr(nDoc); !own { // a type may describe its instances one by one
		doc := None
		if s.Doc != "" {
			doc = NewStatic(s.Doc).Value()
		}
		t.put("__doc__", doc)
	}
	if s.Module != "" {
		t.put("__module__", NewStatic(s.Module).Value())
	}
}

// put sets an entry of a static namespace, unless it is there.
func (t *Type) put(name string, v Value) { t.dict.putStatic(StaticName(name), v) }

// putStatic adds an entry to a dict that belongs to no machine.
func (d *Dict) putStatic(name *Str, v Value) {
	if i := d.findStr(name); i >= 0 {
		d.entries[i].val = v
		return
	}
	d.entries = append(d.entries, entry{name.hashOf(), name.Value(), v})
	d.used++
	d.keys++
	if len(d.entries) > smallDict {
		d.reindex()
	}
}

// reindex rebuilds the index over the entries as they are.
func (d *Dict) reindex() {
	size := 16
	for size < 2*len(d.entries) {
		size *= 2
	}
	if len(d.index) == size {
		d.place(d.entries[len(d.entries)-1].hash, int32(len(d.entries)))
		return
	}
	d.index = make([]int32, size)
	for i := range d.entries {
		d.place(d.entries[i].hash, int32(i+1))
	}
}

// flatten collects the attributes along the MRO of a static type.
func (t *Type) flatten() {
	flat := &Dict{}
	for _, b := range t.mro {
		for i := range b.dict.entries {
			e := &b.dict.entries[i]
			if _, ok := flat.getStr(e.key.str()); !ok {
				flat.putStatic(e.key.str(), e.val)
			}
		}
	}
	t.flat = flat
}

// inherit fills the empty slots from b.
func (s *Slots) inherit(b *Slots) {
	if s.Repr == nil {
		s.Repr = b.Repr
	}
	if s.Str == nil {
		s.Str = b.Str
	}
	if s.Hash == nil {
		s.Hash = b.Hash
	}
	if s.Call == nil {
		s.Call = b.Call
	}
	if s.GetAttr == nil {
		s.GetAttr = b.GetAttr
	}
	if s.SetAttr == nil {
		s.SetAttr = b.SetAttr
	}
	if s.Compare == nil {
		s.Compare = b.Compare
	}
	if s.Iter == nil {
		s.Iter = b.Iter
	}
	if s.Next == nil {
		s.Next = b.Next
	}
	if s.Bool == nil {
		s.Bool = b.Bool
	}
	if s.Len == nil {
		s.Len = b.Len
	}
	if s.GetItem == nil {
		s.GetItem = b.GetItem
	}
	if s.SetItem == nil {
		s.SetItem = b.SetItem
	}
	if s.Contains == nil {
		s.Contains = b.Contains
	}
	for i := range s.Binary {
		if s.Binary[i] == nil {
			s.Binary[i] = b.Binary[i]
		}
	}
	for i := range s.InPlace {
		if s.InPlace[i] == nil {
			s.InPlace[i] = b.InPlace[i]
		}
	}
	s.inheritRest(b)
}

func (s *Slots) inheritRest(b *Slots) {
	for _, p := range [][2]*Unary{
		{&s.Neg, &b.Neg}, {&s.Pos, &b.Pos}, {&s.Abs, &b.Abs}, {&s.Invert, &b.Invert},
		{&s.ToInt, &b.ToInt}, {&s.ToFloat, &b.ToFloat}, {&s.ToIndex, &b.ToIndex},
		{&s.Await, &b.Await}, {&s.AIter, &b.AIter}, {&s.ANext, &b.ANext},
	} {
		if *p[0] == nil {
			*p[0] = *p[1]
		}
	}
	if s.PowMod == nil {
		s.PowMod = b.PowMod
	}
	if s.DescrGet == nil {
		s.DescrGet = b.DescrGet
	}
	if s.DescrSet == nil {
		s.DescrSet = b.DescrSet
	}
	if s.New == nil {
		s.New = b.New
	}
	if s.Init == nil {
		s.Init = b.Init
	}
}
