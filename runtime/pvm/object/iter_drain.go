package object

import (
	"unsafe"
)

// Iterators of Go over plain containers run no Python code and cannot fail, so
// what they still have can be taken in one go: the price and the memory are those
// of taking it step by step. Where either might run out on the way the steps are
// taken one by one, so that it runs out at the same step.

// spareForGrowth is what a list that grows asks for beyond what it takes.
const spareForGrowth = 256

// drain appends to l what the iterator it has left, at the price of exhaust, and
// says whether it did.
func (l *List) drain(m *Machine, it Value) bool {
	n := m.rest(it, l)
	if n < 0 || m.natives >= m.inmost || m.natives+m.depth >= m.limit {
		return false
	}
	room, growing := l.roomAfter(n)
	price := int64(n+1)*(iterCost+nativeStep) + growing
	cycles, bytes := price, int64(room-cap(l.items))*valueSize
	if it.ref.typ == &TypeDictItemIter {
		pair := int64(tupleSize + 2*valueSize)
		cycles, bytes = cycles+int64(n)*(pairStep+pair>>(m.costs.ByteShift&63)), bytes+int64(n)*pair
	}
	if cycles > m.meter.left || m.heap+bytes+spareForGrowth > m.heapLimit {
		return false
	}
	old := len(l.items)
	if room > cap(l.items) {
		m.hold((room - cap(l.items)) * valueSize)
		grown := make([]Value, old, room)
		copy(grown, l.items)
		l.items = grown
	}
	l.items = l.items[:old+n]
	m.take(it, l.items[old:])
	m.meter.left -= price
	for _, v := range l.items[old:] {
		if v.ref.kind&^Sub >= KindSlice {
			m.noteStore(&l.Object, v)
		}
	}
	return true
}

// roomAfter is the capacity that the list has after n more elements were appended
// one by one, and what growing to it costs.
func (l *List) roomAfter(n int) (room int, price int64) {
	room = cap(l.items)
	for room < len(l.items)+n {
		room = roomFor(room + 1)
		price += growthCost(room)
	}
	return room, price
}

// longestRange is the most values of a range that are taken in one go.
const longestRange = 1 << 26

// fits refuses a range that has more values left than fit any list.
func (m *Machine) fits(it Value) *Exception {
	if it.ref.typ == &TypeRangeIter && (*RangeIter)(unsafe.Pointer(it.ref)).left > m.heapLimit/valueSize {
		return m.exceeded()
	}
	return nil
}

// rest returns how many values an iterator over a plain container still has for a
// list, or -1 if taking them may fail or is no work of a few instructions.
func (m *Machine) rest(it Value, into *List) int {
	switch it.ref.typ {
	case &TypeRangeIter:
		if left := (*RangeIter)(unsafe.Pointer(it.ref)).left; left <= longestRange {
			return int(left)
		}
		return -1
	case &TypeListIter, &TypeListReverseIter, &TypeTupleIter, &TypeASCIIIter, &TypeBytesIter, &TypeByteArrayIter, &TypeStrIter:
		s := (*SeqIter)(unsafe.Pointer(it.ref))
		if s.seq.ref == nil {
			return 0
		}
		switch it.ref.typ {
		case &TypeListIter:
			if s.seq.list() == into { // it never ends
				return -1
			}
			return max(len(s.seq.list().items)-s.at, 0)
		case &TypeListReverseIter:
			if s.at >= len(s.seq.list().items) {
				return 0
			}
			return s.at + 1
		case &TypeTupleIter:
			return len(s.seq.tuple().items) - s.at
		case &TypeBytesIter, &TypeByteArrayIter:
			return max(len(bytesOf(s.seq))-s.at, 0)
		case &TypeStrIter:
			if t := s.seq.str(); t.undecoded() > 0 || !narrow(t.Runes()[min(s.at, t.n):]) {
				return -1
			}
		}
		return s.seq.str().n - s.at
	case &TypeDictKeyIter, &TypeDictValueIter, &TypeDictItemIter, &TypeSetIter:
		d := (*DictIter)(unsafe.Pointer(it.ref))
		if d.seq.ref == nil {
			return 0
		}
		n := d.d.used
		if d.at != 0 || d.left != n || d.used != n || d.keys != d.d.keys || n != len(d.d.entries) {
			return -1
		}
		return n
	}
	return -1
}

// narrow says whether no string has to be made for any of these characters.
func narrow(text []rune) bool {
	for _, r := range text {
		if r >= rune(len(latin1)) {
			return false
		}
	}
	return true
}

// take fills out with the rest of an iterator and ends it.
func (m *Machine) take(it Value, out []Value) {
	switch it.ref.typ {
	case &TypeRangeIter:
		r := (*RangeIter)(unsafe.Pointer(it.ref))
		for i := range out {
			out[i] = Int(r.at)
			r.at += r.step
		}
		r.left = 0
		return
	case &TypeListIter, &TypeListReverseIter, &TypeTupleIter, &TypeASCIIIter, &TypeBytesIter, &TypeByteArrayIter, &TypeStrIter:
		s := (*SeqIter)(unsafe.Pointer(it.ref))
		switch {
		case len(out) == 0:
		case it.ref.typ == &TypeListIter:
			copy(out, s.seq.list().items[s.at:])
		case it.ref.typ == &TypeListReverseIter:
			items := s.seq.list().items
			for i := range out {
				out[i] = items[s.at-i]
			}
		case it.ref.typ == &TypeTupleIter:
			copy(out, s.seq.tuple().items[s.at:])
		case it.ref.typ == &TypeBytesIter || it.ref.typ == &TypeByteArrayIter:
			for i, b := range bytesOf(s.seq)[s.at:][:len(out)] {
				out[i] = Int(int64(b))
			}
		case it.ref.typ == &TypeStrIter:
			for i, r := range s.seq.str().Runes()[s.at:] {
				out[i] = latin1[r].Value()
			}
		default:
			text := s.seq.str().s[s.at:]
			for i := range out {
				out[i] = latin1[text[i]].Value()
			}
		}
		s.seq = Value{}
		return
	}
	d := (*DictIter)(unsafe.Pointer(it.ref))
	for i := range out {
		en := &d.d.entries[i]
		switch it.ref.typ {
		case &TypeDictValueIter:
			out[i] = en.val
		case &TypeDictItemIter:
			out[i] = m.steppedPair(en)
		default:
			out[i] = en.key
		}
	}
	d.seq = Value{}
}
