package object

// Sizes by formula, in bytes: what an object counts against the memory limit,
// independent of what Go makes of it.
//
// Spec: WP "The Cowboy Actor VM (PVM)" (per-call memory 10 MiB).
const (
	valueSize  = 16
	headerSize = 16
	attrsSize  = 48
	entrySize  = 40
)

// maxShape is the number of attributes beyond which an instance keeps them in a
// dict.
const maxShape = 64

// Attrs holds the attributes of one object: positions in slots, named by the
// shape; or, once somebody asked for __dict__, deleted an attribute or gave too
// many, a dict (shape is nil then). The first Type.nslots positions belong to
// __slots__ and stay in slots.
type Attrs struct {
	shape *Shape
	slots []Value
	dict  *Dict
	id    uint64 // as returned by id(); 0 until asked for
}

// Shape is the list of attribute names of an instance in order of first
// assignment. Instances of one class that were filled in the same order share
// it, which lets a cache remember a position.
type Shape struct {
	typ    *Type
	names  []*Str // of positions typ.nslots, typ.nslots+1, …
	some   uint64 // the bits that the hashes of names choose: a name without its bit is none of them
	next   []*Shape
	base   int
	number uint32 // in a template, from 1
}

// find returns the position of name, or -1.
func (s *Shape) find(name *Str) int {
	if s.some&bitOf(name) == 0 {
		return -1
	}
	for i, n := range s.names {
		if n == name {
			return s.base + i
		}
	}
	for i, n := range s.names {
		if n.equal(name) {
			return s.base + i
		}
	}
	return -1
}

func bitOf(name *Str) uint64 { return 1 << (uint64(name.hashOf()) & 63) }

// maxNext bounds the successors of a shape, which are searched one by one.
const maxNext = 64

// with returns the shape that has name behind the others, nil if the shape has as
// many successors as it may: the object's attributes then go into a dict.
func (s *Shape) with(name *Str) *Shape {
	last := len(s.names)
	for _, n := range s.next {
		if n.names[last] == name || n.names[last].equal(name) {
			return n
		}
	}
	if len(s.next) == maxNext {
		return nil
	}
	n := &Shape{typ: s.typ, base: s.base, names: append(s.names[:last:last], name), some: s.some | bitOf(name)}
	s.next = append(s.next, n)
	return n
}

// get returns the attribute called name in the object's own storage.
func (a *Attrs) get(name *Str) (Value, bool) {
	if a.shape != nil {
		if i := a.shape.find(name); i >= 0 {
			return a.slots[i], true
		}
		return Value{}, false
	}
	if a.dict != nil {
		return a.dict.getStr(name)
	}
	return Value{}, false
}

// set stores an attribute in the object's own storage.
func (a *Attrs) set(m *Machine, owner *Object, name *Str, v Value) {
	if s := a.shape; s != nil {
		if i := s.find(name); i >= 0 {
			a.slots[i] = v
			m.noteStore(owner, v)
			return
		}
		if len(s.names) < maxShape {
			if n := s.with(name); n != nil {
				a.push(m, owner, n, v)
				return
			}
		}
	}
	m.meter.Owe(ownStoreCost)
	d := a.materialise(m, owner)
	if len(d.entries) == cap(d.entries) && d.findStr(name) < 0 && !m.Grow(d.growth(), Value{ref: owner}, v) {
		return
	}
	d.setStr(m, name, v)
}

// An instance has few attributes. Each one beyond that costs more: the shapes that lead to it are many, and what finds them is no longer close together.
const (
	ordinaryShape = 16
	longShape     = 220
)

// push appends v under the successor shape n.
func (a *Attrs) push(m *Machine, owner *Object, n *Shape, v Value) {
	if len(a.slots) == cap(a.slots) {
		grown := make([]Value, len(a.slots), cap(a.slots)*2+2)
		copy(grown, a.slots)
		m.account((cap(grown) - cap(a.slots)) * valueSize)
		a.slots = grown
	}
	if len(a.slots) >= ordinaryShape {
		m.meter.Owe(longShape)
	}
	a.slots = append(a.slots, v)
	a.shape = n
	if t := n.typ; len(a.slots) > t.hint {
		t.hint = len(a.slots)
	}
	m.noteStore(owner, v)
}

// ownDictCost is the price of a dict for the attributes of one object: making it, and looking for cycles through it when the call ends.
const ownDictCost = 70

// ownStoreCost is the price of a store into it: nothing about it can be remembered.
const ownStoreCost = 12

// materialise moves the attributes into a dict, which from then on holds them.
func (a *Attrs) materialise(m *Machine, owner *Object) *Dict {
	if a.dict == nil {
		m.meter.Owe(ownDictCost)
		a.dict = m.NewDict()
		m.noteStore(owner, Value{ref: &a.dict.Object})
	}
	if s := a.shape; s != nil {
		for i, n := range s.names {
			a.dict.setStr(m, n, a.slots[s.base+i])
		}
		a.slots = a.slots[:s.base:s.base]
		a.shape = nil
	}
	return a.dict
}

// delete removes an attribute from the object's own storage and says whether it
// was there.
func (a *Attrs) delete(m *Machine, owner *Object, name *Str) bool {
	if a.shape != nil && a.shape.find(name) < 0 {
		return false
	}
	if a.shape == nil && a.dict == nil {
		return false
	}
	return a.materialise(m, owner).deleteStr(name)
}

// Lookup returns the attribute called name.
func (a *Attrs) Lookup(name string) (Value, bool) { return a.get(NewStatic(name)) }
