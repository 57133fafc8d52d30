package object

// Dict is a dict: entries in insertion order and, beyond a few of them, an open
// addressing index into them. Removed entries leave a hole with a zero key, which
// keeps its hash, until the table is rebuilt; holes at the end are dropped at once
// and those at the start are passed by in one step, so that a dict or set can be
// used up from either side in linear time.
type Dict struct {
	Object
	entries []entry
	index   []int32 // positions in entries plus one; 0 is empty; nil for small dicts
	used    int
	front   int    // entries before it are holes
	keys    uint32 // changes whenever a key is added or removed
	exotic  bool   // a key is, or was, something whose comparison may run Python code
	room    uint8  // the array of entries goes on behind its capacity, to this one; see Expect
}

type entry struct {
	hash     int64
	key, val Value
}

const (
	dictSize   = 64
	smallDict  = 8
	maxEntries = 1 << 30
)

// NewDict returns a new empty dict.
func (m *Machine) NewDict() *Dict {
	d := &Dict{}
	d.typ, d.kind = &TypeDict, KindDict
	m.account(dictSize)
	return d
}

// NewDictFor returns an empty dict with the room that n entries set one after another would have made, at the same price in cycles and bytes.
func (m *Machine) NewDictFor(n int) *Dict {
	d := m.NewDict()
	if n == 0 {
		return d
	}
	want := roomAfter(0)
	price := roomCost * want
	for want < n {
		price += rehashed(want)
		want = roomAfter(want)
		price += roomCost * want
	}
	m.meter.Owe(price)
	d.rebuild(m, want)
	return d
}

// Value returns the dict as a value.
func (d *Dict) Value() Value { return Value{ref: &d.Object} }

// Len returns the number of items.
func (d *Dict) Len() int { return d.used }

// spread mixes a hash so that regular patterns of ints do not cluster. The
// result is the first position to look at; following positions are found by
// step, which lets more and more of the mixed hash in, so that keys meet for
// long only if their whole hashes are equal.
func spread(h int64) uint64 {
	x := uint64(h) * 0x9E3779B97F4A7C15
	return x ^ x>>32
}

func step(at, mixed uint64) (uint64, uint64) {
	mixed >>= 5
	return at*5 + mixed + 1, mixed
}

// findStr returns the position of a string key, or -1.
func (d *Dict) findStr(name *Str) int {
	h := name.hashOf()
	if d.index == nil {
		for i := range d.entries {
			e := &d.entries[i]
			if e.key.ref == &name.Object || e.hash == h && e.sameText(name) {
				return i
			}
		}
		return -1
	}
	mask := uint64(len(d.index) - 1)
	mixed := spread(h)
	for at := mixed; ; at, mixed = step(at, mixed) {
		p := d.index[at&mask]
		if p == 0 {
			return -1
		}
		if e := &d.entries[p-1]; e.key.ref == &name.Object || e.hash == h && e.sameText(name) {
			return int(p - 1)
		}
	}
}

// sameText says whether the entry's key is a string with the text of name.
func (e *entry) sameText(name *Str) bool {
	return e.key.ref != nil && e.key.ref.kind&^Sub == KindStr && e.key.str().s == name.s
}

// getStr looks up a string key whose comparison cannot run Python code. It is
// right for namespaces, whose keys are plain strings.
func (d *Dict) getStr(name *Str) (Value, bool) {
	if i := d.findStr(name); i >= 0 {
		return d.entries[i].val, true
	}
	return Value{}, false
}

// setStr stores under a string key.
func (d *Dict) setStr(m *Machine, name *Str, v Value) {
	m.noteStore(&d.Object, v)
	if i := d.findStr(name); i >= 0 {
		d.entries[i].val = v
		return
	}
	d.append(m, name.hashOf(), name.Value(), v)
}

// deleteStr removes a string key and says whether it was there.
func (d *Dict) deleteStr(name *Str) bool {
	i := d.findStr(name)
	if i < 0 {
		return false
	}
	d.remove(i)
	return true
}

// remove deletes entry i.
func (d *Dict) remove(i int) {
	d.entries[i].key, d.entries[i].val = Value{}, Value{}
	d.used--
	d.keys++
	if i == d.front {
		for d.front < len(d.entries) && d.entries[d.front].key.ref == nil {
			d.front++
		}
	}
}

// trim cuts the holes at the end of the table off. Only popitem does: after any
// other removal a loop over the dict must see what is added behind.
func (d *Dict) trim() {
	n := len(d.entries)
	for n > 0 && d.entries[n-1].key.ref == nil {
		if d.index != nil {
			d.displace(d.entries[n-1].hash, int32(n))
		}
		n--
	}
	d.entries = d.entries[:n]
	d.front = min(d.front, n)
}

// displace takes position p (plus one) for hash h out of the index. It must be
// the one placed last of those that are there, so that no search has to pass it.
func (d *Dict) displace(h int64, p int32) {
	mask := uint64(len(d.index) - 1)
	mixed := spread(h)
	at := mixed
	for d.index[at&mask] != p {
		at, mixed = step(at, mixed)
	}
	d.index[at&mask] = 0
}

// find returns the position of key, whose hash is h, or -1. Comparing may run
// Python code; if that changes the dict, the search starts again.
func (d *Dict) find(m *Machine, key Value, h int64) (int, *Exception) {
	if key.ref.kind == KindStr && !d.exotic {
		if n := len(key.str().s); n > longText {
			m.meter.Owe(n / compareChars)
		}
		return d.findStr(key.str()), nil
	}
	if key.ref.kind == KindInt {
		if i, ok := d.findSame(key, h); ok {
			return i, nil
		}
	}
again:
	version := d.keys
	if d.index == nil {
		for i := 0; i < len(d.entries); i++ {
			e := &d.entries[i]
			if e.hash != h || e.key.ref == nil {
				continue
			}
			same, exc := m.sameKey(e.key, key)
			if exc != nil {
				return 0, exc
			}
			if d.keys != version {
				goto again
			}
			if same {
				return i, nil
			}
		}
		return -1, nil
	}
	probes := 0
	mixed := spread(h)
	for at := mixed; ; at, mixed = step(at, mixed) {
		p := d.index[at&uint64(len(d.index)-1)]
		if p == 0 {
			return -1, nil
		}
		if probes++; probes%paidProbes == 0 {
			if exc := m.Charge(4); exc != nil {
				return 0, exc
			}
		}
		e := &d.entries[p-1]
		if e.hash != h || e.key.ref == nil {
			continue
		}
		same, exc := m.sameKey(e.key, key)
		if exc != nil {
			return 0, exc
		}
		if d.keys != version {
			goto again
		}
		if same {
			return int(p - 1), nil
		}
	}
}

// findSame is find for a key that is found at once or not there: ok is false where
// keys must be compared or probes be paid for.
func (d *Dict) findSame(key Value, h int64) (i int, ok bool) {
	if d.index == nil {
		for i := range d.entries {
			if e := &d.entries[i]; e.hash == h && e.key.ref != nil {
				return i, e.key == key
			}
		}
		return -1, true
	}
	mask := uint64(len(d.index) - 1)
	mixed := spread(h)
	at := mixed
	for range paidProbes - 1 {
		p := d.index[at&mask]
		if p == 0 {
			return -1, true
		}
		if e := &d.entries[p-1]; e.hash == h && e.key.ref != nil {
			return int(p - 1), e.key == key
		}
		at, mixed = step(at, mixed)
	}
	return 0, false
}

// paidProbes is how many positions a search looks at before it pays for them.
const paidProbes = 8

// sameKeyCost is the price of comparing keys other than texts.
const sameKeyCost = 4

// sameKey compares a stored key with the one searched, their hashes being equal.
func (m *Machine) sameKey(a, b Value) (bool, *Exception) {
	if a == b {
		return true, nil
	}
	if a.ref.kind == KindStr && b.ref.kind == KindStr {
		if n := len(a.str().s); n > longText {
			m.meter.Owe(n / compareChars)
		}
		return a.str().s == b.str().s, nil
	}
	m.meter.Owe(sameKeyCost)
	return m.Equal(a, b)
}

// append adds an entry for a key that is not there.
func (d *Dict) append(m *Machine, h int64, key, val Value) {
	if len(d.entries) == cap(d.entries) {
		d.grow(m)
	}
	d.entries = append(d.entries, entry{h, key, val})
	d.used++
	d.keys++
	if key.ref.kind >= KindInstance {
		d.exotic = true
	}
	if d.index != nil {
		d.place(h, int32(len(d.entries)))
	}
	m.noteStore(&d.Object, key)
}

// place enters position p (plus one) for hash h into the index.
func (d *Dict) place(h int64, p int32) {
	mask := uint64(len(d.index) - 1)
	mixed := spread(h)
	at := mixed
	for d.index[at&mask] != 0 {
		at, mixed = step(at, mixed)
	}
	d.index[at&mask] = p
}

// grow makes room for at least one more entry, dropping holes.
func (d *Dict) grow(m *Machine) {
	want := roomAfter(d.used)
	m.meter.Owe(roomCost * want)
	d.rebuild(m, want)
}

// rebuild moves the entries into a table for want of them.
func (d *Dict) rebuild(m *Machine, want int) {
	if d.room > 0 && d.extend(m, want) {
		return
	}
	before := cap(d.entries)*entrySize + len(d.index)*4
	m.meter.Owe(rehashed(d.used))
	d.front = 0
	fresh := make([]entry, 0, want)
	if d.used == len(d.entries) {
		fresh = append(fresh, d.entries...)
	} else {
		for i := range d.entries {
			if d.entries[i].key.ref != nil {
				fresh = append(fresh, d.entries[i])
			}
		}
	}
	d.entries = fresh
	if size := indexSize(want); size > 0 {
		d.index = make([]int32, size)
		for i := range d.entries {
			d.place(d.entries[i].hash, int32(i+1))
		}
	} else {
		d.index = nil
	}
	if grown := cap(d.entries)*entrySize + len(d.index)*4 - before; grown > 0 {
		m.account(grown)
	}
}

// Get returns the value stored under key.
func (d *Dict) Get(m *Machine, key Value) (Value, bool, *Exception) {
	h, e := m.Hash(key)
	if e != nil {
		return Value{}, false, e
	}
	i, e := d.find(m, key, h)
	if e != nil || i < 0 {
		return Value{}, false, e
	}
	return d.entries[i].val, true, nil
}

// Set stores val under key.
func (d *Dict) Set(m *Machine, key, val Value) *Exception {
	h, e := m.Hash(key)
	if e != nil {
		return e
	}
	return d.setHashed(m, h, key, val)
}

func (d *Dict) setHashed(m *Machine, h int64, key, val Value) *Exception {
	i, e := d.find(m, key, h)
	if e != nil {
		return e
	}
	if i >= 0 {
		d.entries[i].val = val
		m.noteStore(&d.Object, val)
		return nil
	}
	if d.used >= maxEntries {
		return m.Raise(&ExcMemoryError, "")
	}
	if len(d.entries) == cap(d.entries) && !m.Grow(d.growth(), d.Value(), key, val) {
		return m.settle()
	}
	d.append(m, h, key, val)
	m.noteStore(&d.Object, val)
	return nil
}

// growth is how many bytes grow will add at the most.
func (d *Dict) growth() int {
	want := 2*d.used + 4
	return (want-cap(d.entries))*entrySize + (indexSize(want)-len(d.index))*4
}

// indexSize is the length of the index of a table for n entries.
func indexSize(n int) int {
	if n <= smallDict {
		return 0
	}
	size := 16
	for size*2 < n*3 {
		size *= 2
	}
	return size
}

// Delete removes key and returns what was stored under it.
func (d *Dict) Delete(m *Machine, key Value) (Value, bool, *Exception) {
	h, e := m.Hash(key)
	if e != nil {
		return Value{}, false, e
	}
	i, e := d.find(m, key, h)
	if e != nil || i < 0 {
		return Value{}, false, e
	}
	v := d.entries[i].val
	d.remove(i)
	return v, true, nil
}

// GetStr, SetStr and DeleteStr are Get, Set and Delete for names.

// GetStr returns the value stored under a string.
func (d *Dict) GetStr(name *Str) (Value, bool) { return d.getStr(name) }

// SetStr stores a value under a string.
func (d *Dict) SetStr(m *Machine, name *Str, v Value) { d.setStr(m, name, v) }

// Each calls fn for every item in order until it returns false. The dict must
// not change meanwhile.
func (d *Dict) Each(fn func(key, val Value) bool) {
	for i := range d.entries {
		if e := &d.entries[i]; e.key.ref != nil && !fn(e.key, e.val) {
			return
		}
	}
}

// Clear removes all items.
func (d *Dict) Clear() {
	d.entries, d.index, d.used, d.front, d.room = nil, nil, 0, 0, 0
	d.keys++
}

// next returns the position of the first item at or behind i, or -1.
func (d *Dict) next(i int) int {
	for i = max(i, d.front); i < len(d.entries); i++ {
		if d.entries[i].key.ref != nil {
			return i
		}
	}
	return -1
}

// Copy returns a new dict with the same items.
func (d *Dict) Copy(m *Machine) *Dict {
	c := m.NewDict()
	c.flags |= flagOutside
	if d.used > 0 {
		c.rebuildFrom(m, d)
	}
	c.flags &^= flagOutside
	return c
}

func (d *Dict) rebuildFrom(m *Machine, src *Dict) {
	d.entries = src.entries
	d.used = src.used
	saved := m.heap
	d.rebuild(m, src.used)
	m.heap = saved
	m.account(cap(d.entries)*entrySize + len(d.index)*4)
	d.keys++
	d.exotic = src.exotic
	m.noteBulk(&d.Object)
}
