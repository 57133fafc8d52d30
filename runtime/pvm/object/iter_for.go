package object

import "unsafe"

// The interpreter keeps the state of a loop in three registers: what is iterated,
// a tag with a position, and an extra value. These are the tags; TagNext stands
// for an iterator that is asked by its Next slot.
var (
	TagRange     = Object{typ: &TypeInt, kind: KindInvalid, flags: flagStatic}
	TagList      = Object{typ: &TypeInt, kind: KindInvalid, flags: flagStatic}
	TagTuple     = Object{typ: &TypeInt, kind: KindInvalid, flags: flagStatic}
	TagGenerator = Object{typ: &TypeInt, kind: KindInvalid, flags: flagStatic}
	TagDict      = Object{typ: &TypeInt, kind: KindInvalid, flags: flagStatic}
	TagValues    = Object{typ: &TypeInt, kind: KindInvalid, flags: flagStatic}
	TagItems     = Object{typ: &TypeInt, kind: KindInvalid, flags: flagStatic}
	TagStr       = Object{typ: &TypeInt, kind: KindInvalid, flags: flagStatic}
	TagNext      = Object{typ: &TypeInt, kind: KindInvalid, flags: flagStatic}
)

// Tagged returns a loop state with position n.
func Tagged(tag *Object, n uint64) Value { return Value{tag, n} }

// StartLoop fills the three registers for a loop over v.
func (m *Machine) StartLoop(v Value, out *[3]Value) *Exception {
	out[0], out[1], out[2] = Value{}, Value{}, Value{}
	switch v.ref.kind {
	case KindRange:
		if r := v.rng(); r.wide == nil {
			out[0] = Int(r.start)
			out[1] = Value{&TagRange, uint64(r.n)}
			out[2] = Int(r.step)
			return nil
		}
	case KindList:
		out[0], out[1] = v, Value{&TagList, 0}
		return nil
	case KindTuple:
		out[0], out[1] = v, Value{&TagTuple, 0}
		return nil
	case KindStr:
		if e := m.Charge(v.str().undecoded()); e != nil {
			return e
		}
		out[0], out[1] = v, Value{&TagStr, 0}
		return nil
	case KindDict:
		out[0], out[1], out[2] = v, Value{&TagDict, 0}, expected(v.dict())
		return nil
	case KindGenerator:
		if v.ref.typ == &TypeGenerator {
			out[0], out[1] = v, Value{&TagGenerator, 0}
			return nil
		}
	case KindIterator:
		var tag *Object
		switch v.ref.typ {
		case &TypeDictItems:
			tag = &TagItems
		case &TypeDictValues:
			tag = &TagValues
		case &TypeDictKeys:
			tag = &TagDict
		}
		if tag != nil {
			d := (*DictView)(unsafe.Pointer(v.ref)).of
			if d.ref.typ.ordered {
				break
			}
			out[0], out[1], out[2] = d, Value{tag, 0}, expected(d.dict())
			return nil
		}
	}
	m.meter.Owe(loopIteratorCost)
	it, e := m.Iter(v)
	if e != nil {
		return e
	}
	out[0], out[1] = it, Value{&TagNext, 0}
	return nil
}

// Iterable returns v itself if looping over it later is the same as looping over
// iter(v), else iter(v).
func (m *Machine) Iterable(v Value) (Value, *Exception) {
	switch v.ref.kind {
	case KindRange, KindList, KindTuple, KindStr:
		return v, nil
	}
	return m.Iter(v)
}

// expected is the extra value of a loop over a dict: its size at the start, and
// how many items are still to come in the upper half.
func expected(d *Dict) Value { return Int(int64(d.used) | int64(d.used)<<32) }

// NextEntry steps a loop over a dict: the position of the next entry plus one,
// or 0 at the end. state is the extra value of the loop.
func (m *Machine) NextEntry(d *Dict, at int, state *Value) (int, *Exception) {
	n := state.Int64()
	if int64(d.used) != n&0xffffffff {
		return 0, m.RuntimeError("dictionary changed size during iteration")
	}
	i := d.next(at) + 1
	if e := m.skipped(at, i-1, d); e != nil {
		return 0, e
	}
	if i > 0 {
		if n>>32 == 0 {
			return 0, m.RuntimeError("dictionary keys changed during iteration")
		}
		*state = Int(n - 1<<32)
	}
	return i, nil
}

// Next returns the position of the first item at or behind position i, or -1.
func (d *Dict) Next(i int) int { return d.next(i) }

// Entry returns the key and value of entry i.
func (d *Dict) Entry(i int) (key, val Value) { return d.entries[i].key, d.entries[i].val }

// Char returns the string of code point i of s.
func (m *Machine) Char(s *Str, i int) Value { return m.char(s.At(i)) }

// skipped charges for the holes passed between positions at and i of a table.
func (m *Machine) skipped(at, i int, d *Dict) *Exception {
	if i < 0 {
		i = len(d.entries)
	}
	at = max(at, int(d.front))
	if i-at < 8 {
		return nil
	}
	return m.Charge((i - at) / 8)
}
