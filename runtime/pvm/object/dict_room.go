package object

import (
	"unsafe"
)

// A dict that will have many names, a module's or a class body's, is given the
// array it will need at once. What the program pays and what it holds by formula
// stays that of a dict that grows: the capacity of the entries, and the length of
// the index, are those of the growing table, and what lies behind them waits.

// maxLevel bounds how large an array may wait: 252 entries.
const maxLevel = 5

// levelSize is the capacity of a dict that grew level times.
func levelSize(level uint8) int { return 8<<level - 4 }

// Expect makes room for about n entries in all. It changes speed only.
func (d *Dict) Expect(n int) {
	level := uint8(0)
	for level < maxLevel && levelSize(level) < n {
		level++
	}
	if level == 0 || d.index != nil || d.used != len(d.entries) || cap(d.entries) >= levelSize(level) {
		return
	}
	all := make([]entry, len(d.entries), levelSize(level))
	copy(all, d.entries)
	d.entries = all[:len(all):cap(d.entries)]
	d.level = level
}

// extend is rebuild within the array that waits behind the entries. It reports
// whether there was one; from then on there is none if not.
func (d *Dict) extend(m *Machine, want int) bool {
	if want > levelSize(d.level) || want < cap(d.entries) || d.used != len(d.entries) {
		d.level = 0
		return false
	}
	grown := (want-cap(d.entries))*entrySize - len(d.index)*4
	m.meter.Owe(d.used)
	d.entries = unsafe.Slice(unsafe.SliceData(d.entries), want)[:d.used:want]
	if size := indexSize(want); size > 0 {
		if d.index == nil {
			d.index = make([]int32, indexSize(levelSize(d.level)))
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

// copyToGrow is Copy of a namespace without holes to which more will be added.
func (d *Dict) copyToGrow(m *Machine) *Dict {
	level := uint8(0)
	for level <= maxLevel && levelSize(level) < 2*d.used+4 {
		level++
	}
	if d.used == 0 || level > maxLevel || d.used != len(d.entries) {
		return d.Copy(m)
	}
	c := m.NewDict()
	m.meter.Owe(d.used)
	all := make([]entry, d.used, levelSize(level))
	copy(all, d.entries)
	c.entries, c.used, c.level = all[:d.used:d.used], d.used, level
	if size := indexSize(d.used); size > 0 {
		c.index = make([]int32, indexSize(levelSize(level)))[:size:size]
		for i := range c.entries {
			c.place(c.entries[i].hash, int32(i+1))
		}
	}
	size := d.used*entrySize + len(c.index)*4
	m.meter.Owe(max(size-cap(d.entries)*entrySize, 0) >> (m.costs.ByteShift & 63))
	m.account(size)
	c.keys, c.exotic = 1, d.exotic
	return c
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
