package object

// fillFrom is filterInto for an empty set and plain elements: they are counted first, so that the table has its size at
// once. The price and the bytes are those of a table that grows.
func (s *Set) fillFrom(m *Machine, x, y *Set, in bool) *Exception {
	found, entries := m.found[:0], x.d.entries
	m.found = nil // comparing may run Python code, which comes here again or changes x
	for i := range entries {
		en := &entries[i]
		if en.key.ref == nil {
			continue
		}
		at, e := y.d.find(m, en.key, en.hash)
		if e != nil {
			return e
		}
		if at >= 0 == in {
			found = append(found, int32(i))
		}
	}
	m.found = found[:0]
	if len(found) == 0 {
		return nil
	}
	if e := s.d.growTo(m, len(found), s); e != nil {
		return e
	}
	for _, i := range found {
		en := entries[i]
		if en.key.ref == nil {
			continue
		}
		s.d.entries = append(s.d.entries, en)
		if s.d.index != nil {
			s.d.place(en.hash, int32(len(s.d.entries)))
		}
		m.noteStore(&s.Object, en.key)
	}
	s.d.used = len(s.d.entries)
	s.d.keys += uint32(len(found))
	return nil
}

// StaticFrozenSet returns a frozenset of strings and ints that fit 64 bits, shared by all machines, for constants.
func StaticFrozenSet(items []Value) *Set {
	s := &Set{}
	s.typ, s.kind, s.flags = &TypeFrozenSet, KindFrozenSet, flagStatic
	d := &s.d
	if size := indexSize(len(items)); size > 0 {
		d.index = make([]int32, size)
	}
	for _, v := range items {
		var h int64
		var at int
		if v.ref.kind == KindStr {
			h, at = v.str().hashOf(), d.findStr(v.str())
		} else {
			h, at = hashInt(int64(v.bits)), d.findInt(int64(v.bits))
		}
		if at >= 0 {
			continue
		}
		d.entries = append(d.entries, entry{hash: h, key: v})
		d.used++
		if d.index != nil {
			d.place(h, int32(d.used))
		}
	}
	return s
}

// growTo makes the empty table of the set s one that n elements were added to one by one.
func (d *Dict) growTo(m *Machine, n int, s *Set) *Exception {
	room := roomAfter(0)
	for room < n {
		room = roomAfter(room)
	}
	if n > maxEntries {
		return m.Raise(&ExcMemoryError, "")
	}
	if !m.Grow(room*entrySize+indexSize(room)*4, s.Value()) {
		return m.settle()
	}
	for had, has := 0, roomAfter(0); had < room; had, has = has, roomAfter(has) {
		m.meter.Owe(rehashed(had) + roomCost*has)
		m.account((has-had)*entrySize + (indexSize(has)-indexSize(had))*4)
	}
	d.entries = make([]entry, 0, room)
	if size := indexSize(room); size > 0 {
		d.index = make([]int32, size)
	}
	return nil
}
