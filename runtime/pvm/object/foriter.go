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
		out[0], out[1] = v, Value{&TagStr, 0}
		return nil
	case KindDict:
		out[0], out[1], out[2] = v, Value{&TagDict, 0}, Int(int64(v.dict().used))
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
			out[0], out[1], out[2] = d, Value{tag, 0}, Int(int64(d.dict().used))
			return nil
		}
	}
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

// NextEntry steps a loop over a dict: the position of the next entry plus one,
// or 0 at the end.
func (m *Machine) NextEntry(d *Dict, at int, used int) (int, *Exception) {
	if d.used != used {
		return 0, m.RuntimeError("dictionary changed size during iteration")
	}
	return d.next(at) + 1, nil
}

// Entry returns the key and value of entry i.
func (d *Dict) Entry(i int) (key, val Value) { return d.entries[i].key, d.entries[i].val }

// Char returns the string of code point i of s.
func (m *Machine) Char(s *Str, i int) Value { return m.char(s.At(i)) }
