package object

import "unsafe"

// Set is a set or frozenset. Both keep insertion order.
//
// Spec: WP "The Cowboy Actor VM (PVM)" (set and frozenset are replaced with ordered_set).
type Set struct {
	Object
	d      Dict // its keys; only the table part is used
	hash   int64
	hashed bool
}

const setSize = 72

// NewSet returns a new empty set or frozenset, as t says.
func (m *Machine) NewSet(t *Type) *Set {
	if !t.Static() {
		return (*Set)(unsafe.Pointer(m.newSubclassInstance(t)))
	}
	s := &Set{}
	s.typ, s.kind = t, t.layout.kind
	m.account(setSize)
	return s
}

// Value returns the set as a value.
func (s *Set) Value() Value { return Value{ref: &s.Object} }

// Len returns the number of elements.
func (s *Set) Len() int { return s.d.used }

// Has says whether v is an element.
func (s *Set) Has(m *Machine, v Value) (bool, *Exception) {
	h, e := m.Hash(v)
	if e != nil {
		return false, e
	}
	i, e := s.d.find(m, v, h)
	return i >= 0, e
}

// Add adds v and says whether it is new.
func (s *Set) Add(m *Machine, v Value) (bool, *Exception) {
	h, e := m.Hash(v)
	if e != nil {
		return false, e
	}
	return s.addHashed(m, h, v)
}

func (s *Set) addHashed(m *Machine, h int64, v Value) (bool, *Exception) {
	i, e := s.d.find(m, v, h)
	if e != nil || i >= 0 {
		return false, e
	}
	if e := s.addNew(m, h, v); e != nil {
		return false, e
	}
	return true, nil
}

// addNew adds v, whose hash is h and which is no element.
func (s *Set) addNew(m *Machine, h int64, v Value) *Exception {
	if s.d.used >= maxEntries {
		return m.Raise(&ExcMemoryError, "")
	}
	if len(s.d.entries) == cap(s.d.entries) && !m.Grow(s.d.growth(), Value{ref: &s.Object}, v) {
		return m.settle()
	}
	s.d.appendKey(m, h, v)
	m.noteStore(&s.Object, v)
	return nil
}

// appendKey adds an entry without a value.
func (d *Dict) appendKey(m *Machine, h int64, key Value) {
	if len(d.entries) == cap(d.entries) {
		d.grow(m)
	}
	d.entries = append(d.entries, entry{hash: h, key: key})
	d.used++
	d.keys++
	if key.ref.kind >= KindInstance {
		d.exotic = true
	}
	if d.index != nil {
		d.place(h, int32(len(d.entries)))
	}
}

// Discard removes v and says whether it was an element.
func (s *Set) Discard(m *Machine, v Value) (bool, *Exception) {
	h, e := m.Hash(v)
	if e != nil {
		return false, e
	}
	i, e := s.d.find(m, v, h)
	if e != nil || i < 0 {
		return false, e
	}
	s.d.remove(i)
	return true, nil
}

// Each calls fn for every element in order until it returns false. The set must
// not change meanwhile.
func (s *Set) Each(fn func(v Value) bool) {
	for i := range s.d.entries {
		if k := s.d.entries[i].key; k.ref != nil && !fn(k) {
			return
		}
	}
}

// copyFrom fills a new set with the elements of another.
func (s *Set) copyFrom(m *Machine, t *Set) {
	if t.d.used > 0 {
		s.d.entries, s.d.used, s.d.front, s.d.exotic = t.d.entries, t.d.used, t.d.front, t.d.exotic
		saved := m.heap
		s.d.rebuild(m, t.d.used)
		m.heap = saved
		m.account(cap(s.d.entries)*entrySize + len(s.d.index)*4)
		m.noteBulk(&s.Object)
	}
	s.d.keys++
}
