package object

import "math/bits"

// A loop over a dict that exchanges keys meets the new ones or not, depending on when the holes of removed keys are dropped
// and what lies behind them moves forward. That is CPython's business and shows in programs, so a dict whose keys were
// removed counts as its table would: a table of 2^k places holds two thirds of that many entries, holes included; when they
// are used up, a table of about three places for each item follows, without holes. Until the first key is removed there
// is nothing to count, for the entries tell.

// hollow says whether keys were removed from a dict.
type hollow uint8

const (
	solid      hollow = iota
	hollowText        // yes, and all keys since its table was last made are plain strings
	hollowAny
)

// leastPlaces is the size of CPython's smallest table.
const leastPlaces = 8

// places is the size of CPython's table for which want places were asked: the next power of two, and the one behind it where
// want is a power of two or less than the least table.
func places(want int) int {
	return 1 << bits.Len(uint((want|leastPlaces)-1|(leastPlaces-1)))
}

// fill is how many entries a table takes.
func fill(places int) int { return places * 2 / 3 }

// drop deletes entry i of a dict that a program sees.
func (d *Dict) drop(i int) {
	if d.hollow == solid {
		d.count()
	}
	d.remove(i)
}

// count finds out how much room a table has whose entries were only added.
func (d *Dict) count() {
	d.hollow, d.room = hollowAny, int32(fill(leastPlaces))
	for i := range d.entries {
		text := d.entries[i].key.ref.kind == KindStr
		if i == 0 && text {
			d.hollow = hollowText
		}
		d.fit(i, text)
		d.room--
	}
}

// fit makes a new table if the one there is cannot take another key beside used items, and says whether it did: because it
// is full, or because it was made for strings and the key is none.
func (d *Dict) fit(used int, text bool) bool {
	if d.room > 0 && (text || d.hollow == hollowAny) {
		return false
	}
	d.room = int32(fill(places(3*used)) - used)
	if !text {
		d.hollow = hollowAny
	}
	return true
}

// take counts a key that will be appended; the holes go if CPython's table would be made anew.
func (d *Dict) take(m *Machine, key Value) {
	if d.used == 0 && len(d.entries) == 0 && d.room == 0 {
		d.hollow = hollowText
	}
	if d.fit(d.used, key.ref.kind == KindStr) && d.used < len(d.entries) {
		d.compact(m)
	}
	d.room--
}

// compact drops the holes where the entries are; a cycle for each item.
func (d *Dict) compact(m *Machine) {
	m.meter.Owe(d.used)
	n := 0
	for i := range d.entries {
		if d.entries[i].key.ref != nil {
			d.entries[n] = d.entries[i]
			n++
		}
	}
	clear(d.entries[n:])
	d.entries, d.front = d.entries[:n], 0
	if d.index == nil {
		return
	}
	clear(d.index)
	for i := range d.entries {
		d.place(d.entries[i].hash, int32(i+1))
	}
}

// roomier is the capacity of entries that a dict with holes grows to.
func (d *Dict) roomier() int { return len(d.entries) + max(1, min(int(d.room), len(d.entries))) }

// enlarge moves the entries, holes included, into a table for want of them; a cycle for each.
func (d *Dict) enlarge(m *Machine, want int) {
	before := d.tableSize()
	m.meter.Owe(len(d.entries))
	fresh := make([]entry, len(d.entries), want)
	copy(fresh, d.entries)
	d.entries, d.level = fresh[:len(fresh):want], 0
	if size := indexSize(want); size > 0 {
		d.index = make([]int32, size)
		for i := range d.entries {
			if d.entries[i].key.ref != nil {
				d.place(d.entries[i].hash, int32(i+1))
			}
		}
	}
	if grown := d.tableSize() - before; grown > 0 {
		m.account(grown)
	}
}

// follow counts for a dict that was made by merging src, of which it has the items, into an empty one: a table without holes
// that is not too large is copied as it is, else one for the items is made.
func (d *Dict) follow(src *Dict) {
	d.hollow, d.room = src.hollow, src.room
	all := len(src.entries) + int(src.room)
	if src.used == len(src.entries) && (all == fill(leastPlaces) || all/2 < src.used) {
		return
	}
	d.room = int32(fill(places((3*src.used+1)/2)) - src.used)
}

// keepsHoles says whether the method copy makes a copy with the holes: if a third of the entries or less are.
func (d *Dict) keepsHoles() bool {
	return d.hollow != solid && d.used > 0 && d.used < len(d.entries) && d.used >= len(d.entries)*2/3
}

// copyHoles makes an empty dict a copy of src with its holes.
func (d *Dict) copyHoles(m *Machine, src *Dict) *Exception {
	if e := m.Charge(3 * src.used); e != nil {
		return e
	}
	if e := m.Reserve(len(src.entries) * (entrySize + 8)); e != nil {
		return e
	}
	d.entries, d.used, d.front = src.entries[:len(src.entries):len(src.entries)], src.used, src.front
	d.hollow, d.room, d.exotic = src.hollow, src.room, src.exotic
	saved := m.heap
	d.enlarge(m, len(src.entries))
	m.heap = saved
	m.account(d.tableSize())
	d.keys++
	m.noteBulk(&d.Object)
	return nil
}
