package object

import (
	"unsafe"
)

// A dict that will have many names, a module's or a class body's, is given the
// array it will need at once. What the program pays and what it holds by formula
// stays that of a dict that grows: the capacity of the entries, and the length of
// the index, are those of the growing table, and what lies behind them waits.

// mostRoom bounds how large an array may wait.
const mostRoom = 252

// Expect makes room for about n entries in all. It changes speed only.
func (d *Dict) Expect(n int) {
	room := roomAfter(0)
	for room < n && room < mostRoom {
		room = roomAfter(room)
	}
	if room == roomAfter(0) || d.index != nil || d.used != len(d.entries) || cap(d.entries) >= room || int(d.room) >= room {
		return
	}
	all := make([]entry, len(d.entries), room)
	copy(all, d.entries)
	d.entries = all[:len(all):cap(d.entries)]
	d.room = uint8(room)
}

// extend is rebuild within the array that waits behind the entries. It reports
// whether there was one; from then on there is none if not.
func (d *Dict) extend(m *Machine, want int) bool {
	if want > int(d.room) || want < cap(d.entries) {
		d.room = 0
		return false
	}
	d.close()
	grown := (want-cap(d.entries))*entrySize - len(d.index)*4
	m.meter.Owe(rehashed(d.used))
	d.entries = unsafe.Slice(unsafe.SliceData(d.entries), want)[:d.used:want]
	if size := indexSize(want); size > 0 {
		if d.index == nil {
			d.index = make([]int32, indexSize(int(d.room)))
		}
		d.index = unsafe.Slice(unsafe.SliceData(d.index), size)[:size:size]
		clear(d.index)
		for i := range d.entries {
			d.place(d.entries[i].hash, int32(i+1))
		}
		grown += size * 4
	}
	m.account(grown)
	return true
}

// close moves the entries behind holes up.
func (d *Dict) close() {
	if d.front = 0; d.used == len(d.entries) {
		return
	}
	kept := d.entries[:0]
	for _, e := range d.entries {
		if e.key.ref != nil {
			kept = append(kept, e)
		}
	}
	clear(d.entries[d.used:])
	d.entries = kept
}

// copyToGrow makes c, whose memory is new, a Copy of a namespace without holes to which more will be added.
func (d *Dict) copyToGrow(m *Machine, c *Dict) {
	room := roomAfter(d.used)
	if d.used == 0 || room > mostRoom || d.used != len(d.entries) {
		*c = *d.Copy(m)
		return
	}
	c.typ, c.kind = &TypeDict, KindDict
	m.account(dictSize)
	m.meter.Owe(rehashed(d.used))
	all := make([]entry, d.used, room)
	copy(all, d.entries)
	c.entries, c.used, c.room = all[:d.used:d.used], d.used, uint8(room)
	if size := indexSize(d.used); size > 0 {
		c.index = make([]int32, indexSize(room))[:size:size]
		for i := range c.entries {
			c.place(c.entries[i].hash, int32(i+1))
		}
	}
	size := d.used*entrySize + len(c.index)*4
	m.meter.Owe(max(size-cap(d.entries)*entrySize, 0) >> (m.costs.ByteShift & 63))
	m.account(size)
	c.keys, c.exotic = 1, d.exotic
}

// Binding is a name and what it stands for.
type Binding struct {
	Name  *Str
	Value Value
}

// Fill adds names that the module does not have yet, each once.
func (mod *Module) Fill(m *Machine, names []Binding) {
	mod.Dict.Expect(mod.Dict.used + len(names))
	for _, b := range names {
		mod.Dict.append(m, b.Name.hashOf(), b.Name.Value(), b.Value)
	}
}

// roomCost is the price of room for an entry in a dict that grows, beside the moving of those it has.
const roomCost = 3

// roomAfter is how many entries a dict has room for once it grew with so many in it.
func roomAfter(used int) int { return 2*used + 4 }

// rehashed is the price of moving n entries into a new table, whose index of more than a few of them no longer lies close together.
func rehashed(n int) int {
	const few, many = 124, 8000
	switch {
	case n <= few:
		return n
	case n <= many:
		return 8 * n
	}
	return 14 * n
}
