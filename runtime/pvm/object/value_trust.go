package object

import "unsafe"

// The functions below are for the interpreter's fast paths: they trust that the
// kind was checked, and are small enough to be inlined.

// ListOf returns the list v is.
func ListOf(v Value) *List { return v.list() }

// TupleOf returns the tuple v is.
func TupleOf(v Value) *Tuple { return v.tuple() }

// DictOf returns the dict v is.
func DictOf(v Value) *Dict { return v.dict() }

// StrOf returns the string v is.
func StrOf(v Value) *Str { return v.str() }

// FunctionOf returns the Python function v is.
func FunctionOf(v Value) *Function { return v.function() }

// BuiltinOf returns the native function v is.
func BuiltinOf(v Value) *Builtin { return v.builtin() }

// MethodOf returns the bound method v is.
func MethodOf(v Value) *BoundMethod { return v.method() }

// CellOf returns the cell v is.
func CellOf(v Value) *Cell { return v.cell() }

// TypeOf returns the type object v is.
func TypeOf(v Value) *Type { return v.typ() }

// GeneratorOf returns the generator v is.
func GeneratorOf(v Value) *Generator { return v.generator() }

// ExceptionOf returns the exception v is.
func ExceptionOf(v Value) *Exception { return v.exception() }

// Take takes the cost of a block and says whether it was there.
func (t *Meter) Take(n uint32) bool {
	t.left -= int64(n)
	return t.left >= 0
}

// Owe takes n cycles without looking whether they are there: the next charge does.
func (t *Meter) Owe(n int) { t.left -= int64(n) }

// GiveBack returns what an exception left unexecuted.
func (t *Meter) GiveBack(n uint32) { t.left += int64(n) }

// Direct says whether the native function may be called with n positional
// arguments as they are.
func (b *Builtin) Direct(n int) bool { return n >= b.least && n <= b.most }

// Receiver says whether v may be the receiver of the method b.
func (b *Builtin) Receiver(v Value) bool {
	return v.ref.typ == b.Owner && !b.class || b.accepts(v)
}

// accepts is Receiver for what is not exactly of the method's own type.
func (b *Builtin) accepts(v Value) bool {
	if b.class {
		t, ok := v.AsType()
		return ok && t.IsSubtype(b.Owner)
	}
	return v.ref.typ.IsSubtype(b.Owner)
}

// HasReceiver says whether b is a method, whose first argument must be of its type, or the type.
func (b *Builtin) HasReceiver() bool { return b.checked }

// At returns the window that begins at register n of w.
func At(w *Window, n int) *Window { return windowAt(unsafe.Pointer(&w[n])) }

// Before returns the window that begins one register before w.
func Before(w *Window) *Window {
	return windowAt(unsafe.Add(unsafe.Pointer(w), -int(unsafe.Sizeof(Value{}))))
}

// What the interpreter does where a cache of CacheSlot applies is in steps small
// enough to be compiled into its loop.

// InstanceOf returns the instance v is, of KindInstance.
func InstanceOf(v Value) *Instance { return (*Instance)(unsafe.Pointer(v.ref)) }

// Fits says whether what the cache learned holds for the instance.
func (in *Instance) Fits(c *Cache) bool { return in.shape == c.Shape && in.typ.version == c.Version }

// At returns the attribute at position i.
func (in *Instance) At(i int32) Value { return in.slots[i] }

// CharASCII returns character i of a string if that is ASCII and has so many, else
// the zero Value.
func CharASCII(v Value, i uint64) Value {
	if s := v.str(); i < uint64(len(s.s)) && s.n == len(s.s) {
		return latin1[s.s[i]].Value()
	}
	return Value{}
}

// StoreItem replaces element i of the list.
func (l *List) StoreItem(m *Machine, i int, v Value) {
	l.items[i] = v
	if v.ref.kind&^Sub >= KindSlice {
		m.noteStore(&l.Object, v)
	}
}

// FindFast returns the value under a key whose comparison cannot run Python code,
// which str, int and bool keys of ordinary dicts are; ok says whether it applies.
func (d *Dict) FindFast(key Value) (v Value, ok bool) {
	switch key.ref.kind {
	case KindStr:
		if !d.exotic && len(key.str().s) <= longText {
			if i := d.findStr(key.str()); i >= 0 {
				return d.entries[i].val, true
			}
			return Value{}, true
		}
	case KindInt:
		if !d.exotic && len(d.index) <= 1<<16 {
			if i := d.findInt(int64(key.bits)); i >= 0 {
				return d.entries[i].val, true
			}
			return Value{}, true
		}
	}
	return Value{}, false
}

// findInt returns the position of an int key, or -1.
func (d *Dict) findInt(i int64) int {
	h := hashInt(i)
	if d.index == nil {
		for j := range d.entries {
			e := &d.entries[j]
			if e.hash == h && e.key.ref != nil && sameNumber(e.key, i) {
				return j
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
		e := &d.entries[p-1]
		if e.hash == h && e.key.ref != nil && sameNumber(e.key, i) {
			return int(p - 1)
		}
	}
}

// sameNumber compares a stored key with an int of the same hash.
func sameNumber(key Value, i int64) bool {
	switch key.ref.kind {
	case KindInt, KindBool:
		return int64(key.bits) == i
	case KindFloat:
		return floatEqualsInt(key.bits, i)
	case KindInt | Sub:
		x, _ := asInt(key)
		return x == Int(i)
	}
	return false
}

// SetFast stores under a key that is found, or found to be missing while there is
// room, without running Python code or paying for the search; it says whether it did.
func (d *Dict) SetFast(m *Machine, key, val Value) bool {
	var i int
	var h int64
	switch {
	case d.exotic:
		return false
	case key.ref.kind == KindStr && len(key.str().s) <= longText:
		h = key.str().hashOf()
		i = d.findStr(key.str())
	case key.ref.kind == KindInt && len(d.index) <= 1<<16:
		var ok bool
		h = hashInt(int64(key.bits))
		if i, ok = d.findSame(key, h); !ok {
			if i = d.findInt(int64(key.bits)); i < 0 {
				return false
			}
		}
	default:
		return false
	}
	if i < 0 {
		if len(d.entries) == cap(d.entries) || d.used >= maxEntries {
			return false
		}
		d.append(m, h, key, val)
		m.noteStore(&d.Object, val)
		return true
	}
	d.entries[i].val = val
	if val.ref.kind&^Sub >= KindSlice {
		m.noteStore(&d.Object, val)
	}
	return true
}

// ValueSize is what a Value counts for in memory, in bytes.
const ValueSize = valueSize
