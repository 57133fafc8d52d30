package object

import (
	"math/big"
	"unsafe"
)

// The iterator types of the built-in containers.
var (
	TypeListIter        Type
	TypeListReverseIter Type
	TypeTupleIter       Type
	TypeSeqIter         Type
	TypeCallableIter    Type
	TypeRangeIter       Type
	TypeDictKeyIter     Type
	TypeDictValueIter   Type
	TypeDictItemIter    Type
	TypeSetIter         Type
	TypeStrIter         Type
	TypeASCIIIter       Type
	TypeBytesIter       Type
	TypeByteArrayIter   Type
	TypeWideRangeIter   Type
	TypeMemoryIter      Type
	TypeDictKeyBack     Type
	TypeDictValueBack   Type
	TypeDictItemBack    Type
	TypeEnumerate       Type
	TypeZip             Type
	TypeMap             Type
	TypeFilter          Type
	TypeReversed        Type
)

// SeqIter walks a sequence by position.
type SeqIter struct {
	Object
	seq Value // zero when exhausted
	at  int
}

// DictIter walks a dict or set in order.
type DictIter struct {
	Object
	d    *Dict
	seq  Value // the dict or set; zero when exhausted
	at   int
	used int
	left int // items still expected
	back bool
	keys uint32 // of d when the loop began
}

// RangeIter walks a range.
type RangeIter struct {
	Object
	at, step, left int64
}

func (m *Machine) newIter(t *Type, seq Value, at int) Value {
	it := &SeqIter{seq: seq, at: at}
	it.typ, it.kind = t, KindIterator
	m.account(48)
	return Value{ref: &it.Object}
}

func (m *Machine) newListIter(v Value) Value  { return m.newIter(&TypeListIter, v, 0) }
func (m *Machine) newTupleIter(v Value) Value { return m.newIter(&TypeTupleIter, v, 0) }
func (m *Machine) newSeqIter(v Value) Value   { return m.newIter(&TypeSeqIter, v, 0) }
func (m *Machine) newStrIter(v Value) Value {
	if v.str().ASCII() {
		return m.newIter(&TypeASCIIIter, v, 0)
	}
	return m.newIter(&TypeStrIter, v, 0)
}
func (m *Machine) newBytesIter(v Value) Value {
	if v.ref.kind&^Sub == KindBytes {
		return m.newIter(&TypeBytesIter, v, 0)
	}
	return m.newIter(&TypeByteArrayIter, v, 0)
}
func (m *Machine) newListReverseIter(v Value) Value {
	return m.newIter(&TypeListReverseIter, v, len(v.list().items)-1)
}

func (m *Machine) newDictIter(t *Type, seq Value, d *Dict, back bool) Value {
	it := &DictIter{d: d, seq: seq, used: d.used, left: d.used, back: back, keys: d.keys}
	it.typ, it.kind = t, KindIterator
	if back {
		it.at = len(d.entries) - 1
	}
	m.account(64)
	m.hold(8)
	return Value{ref: &it.Object}
}

func selfIter(m *Machine, v Value) (Value, *Exception) { return v, nil }

// seqNext is the Next slot of positional iterators.
func seqNext(get func(m *Machine, seq Value, at int) (Value, bool, *Exception), step int) Unary {
	return func(m *Machine, v Value) (Value, *Exception) {
		it := (*SeqIter)(unsafe.Pointer(v.ref))
		if it.seq.ref == nil {
			return Value{}, nil
		}
		x, ok, e := get(m, it.seq, it.at)
		if e != nil || !ok {
			it.seq = Value{}
			return Value{}, e
		}
		it.at += step
		return x, nil
	}
}

func listAt(m *Machine, seq Value, at int) (Value, bool, *Exception) {
	items := seq.list().items
	if uint(at) >= uint(len(items)) {
		return Value{}, false, nil
	}
	return items[at], true, nil
}

func tupleAt(m *Machine, seq Value, at int) (Value, bool, *Exception) {
	items := seq.tuple().items
	if at >= len(items) {
		return Value{}, false, nil
	}
	return items[at], true, nil
}

func strAt(m *Machine, seq Value, at int) (Value, bool, *Exception) {
	s := seq.str()
	if at >= s.n {
		return Value{}, false, nil
	}
	if e := m.Charge(s.undecoded()); e != nil {
		return Value{}, false, e
	}
	return m.char(s.At(at)), true, nil
}

func bytesAt(m *Machine, seq Value, at int) (Value, bool, *Exception) {
	b := bytesOf(seq)
	if at >= len(b) {
		return Value{}, false, nil
	}
	return Int(int64(b[at])), true, nil
}

// memoryAt is bytesAt of a view of one dimension, which may have been released.
func memoryAt(m *Machine, seq Value, at int) (Value, bool, *Exception) {
	view := Trust[MemoryView](seq)
	b, e := view.data(m)
	if e != nil || at >= view.n {
		return Value{}, false, e
	}
	m.meter.Owe(viewStep)
	from := view.off + at*view.step
	return m.unpackItem(view.format, b[from:from+itemSize(view.format)]), true, nil
}

// bytesOf returns the bytes of a bytes or bytearray object.
func bytesOf(v Value) []byte {
	if v.ref.kind&^Sub == KindBytes {
		return v.bytes().b
	}
	return v.byteArray().b
}

func itemAt(m *Machine, seq Value, at int) (Value, bool, *Exception) {
	if at < 0 {
		return Value{}, false, nil
	}
	m.meter.Owe(itemStep)
	v, e := m.GetItem(seq, Int(int64(at)))
	if e != nil {
		if e.Is(&ExcIndexError) || e.Is(&ExcStopIteration) {
			return Value{}, false, nil
		}
		return Value{}, false, e
	}
	return v, true, nil
}

func defineIterators() {
	visitSeq := func(o *Object, visit func(Value)) {
		if s := (*SeqIter)(unsafe.Pointer(o)).seq; s.ref != nil {
			visit(s)
		}
	}
	for _, d := range []struct {
		t    *Type
		name string
		get  func(m *Machine, seq Value, at int) (Value, bool, *Exception)
		step int
	}{
		{&TypeListIter, "list_iterator", listAt, 1},
		{&TypeListReverseIter, "list_reverseiterator", listAt, -1},
		{&TypeTupleIter, "tuple_iterator", tupleAt, 1},
		{&TypeStrIter, "str_iterator", strAt, 1},
		{&TypeASCIIIter, "str_ascii_iterator", strAt, 1},
		{&TypeBytesIter, "bytes_iterator", bytesAt, 1},
		{&TypeByteArrayIter, "bytearray_iterator", bytesAt, 1},
		{&TypeWideRangeIter, "longrange_iterator", itemAt, 1},
		{&TypeMemoryIter, "memory_iterator", memoryAt, 1},
		{&TypeSeqIter, "iterator", itemAt, 1},
		{&TypeReversed, "reversed", itemAt, -1},
	} {
		s := Spec{
			Name: d.name, Layout: LayoutOf[SeqIter](KindIterator), Traverse: visitSeq,
			Slots:   Slots{Iter: selfIter, Next: seqNext(d.get, d.step)},
			Methods: []Method{{Name: "__length_hint__", Func: seqHint}},
		}
		if d.t == &TypeReversed {
			s.Slots.New = reversedNew
		} else {
			s.NoNew, s.Final = true, true
		}
		Define(d.t, s)
	}
	visitDict := func(o *Object, visit func(Value)) {
		if s := (*DictIter)(unsafe.Pointer(o)).seq; s.ref != nil {
			visit(s)
		}
	}
	for _, d := range []struct {
		t    *Type
		name string
		get  func(m *Machine, e *entry) Value
	}{
		{&TypeDictKeyIter, "dict_keyiterator", func(m *Machine, e *entry) Value { return e.key }},
		{&TypeDictValueIter, "dict_valueiterator", func(m *Machine, e *entry) Value { return e.val }},
		{&TypeDictItemIter, "dict_itemiterator", func(m *Machine, e *entry) Value { return m.steppedPair(e) }},
		{&TypeDictKeyBack, "dict_reversekeyiterator", func(m *Machine, e *entry) Value { return e.key }},
		{&TypeDictValueBack, "dict_reversevalueiterator", func(m *Machine, e *entry) Value { return e.val }},
		{&TypeDictItemBack, "dict_reverseitemiterator", func(m *Machine, e *entry) Value { return m.steppedPair(e) }},
		{&TypeSetIter, "set_iterator", func(m *Machine, e *entry) Value { return e.key }},
	} {
		Define(d.t, Spec{
			Name: d.name, Layout: LayoutOf[DictIter](KindIterator), Traverse: visitDict, NoNew: true, Final: true,
			Slots: Slots{Iter: selfIter, Next: dictNext(d.get)},
			Methods: []Method{{Name: "__length_hint__", Func: func(m *Machine, a Args) (Value, *Exception) {
				it := (*DictIter)(unsafe.Pointer(a.V[0].ref))
				n := 0
				if it.seq.ref != nil && it.used == it.d.used {
					for i := it.d.next(it.at); i >= 0; i = it.d.next(i + 1) {
						n++
					}
				}
				return Int(int64(n)), nil
			}}},
		})
	}
	Define(&TypeRangeIter, Spec{
		Name: "range_iterator", Layout: LayoutOf[RangeIter](KindIterator), NoNew: true, Final: true,
		Slots: Slots{Iter: selfIter, Next: func(m *Machine, v Value) (Value, *Exception) {
			it := (*RangeIter)(unsafe.Pointer(v.ref))
			if it.left == 0 {
				return Value{}, nil
			}
			at := it.at
			it.at += it.step
			it.left--
			return Int(at), nil
		}},
		Methods: []Method{{Name: "__length_hint__", Func: func(m *Machine, a Args) (Value, *Exception) {
			return Int((*RangeIter)(unsafe.Pointer(a.V[0].ref)).left), nil
		}}},
	})
}

func seqHint(m *Machine, a Args) (Value, *Exception) {
	it := (*SeqIter)(unsafe.Pointer(a.V[0].ref))
	if it.seq.ref == nil {
		return Int(0), nil
	}
	if it.typ == &TypeWideRangeIter { // its length may be beyond what the slot can say
		return m.IntOf(new(big.Int).Sub(it.seq.rng().length(), big.NewInt(int64(it.at))))
	}
	n, e := m.Len(it.seq)
	if it.typ == &TypeListReverseIter || it.typ.IsSubtype(&TypeReversed) {
		if n < it.at+1 {
			return Int(0), e
		}
		return Int(int64(it.at + 1)), e
	}
	return Int(int64(max(n-it.at, 0))), e
}

// step is the next entry where it is the one behind the last and nothing has changed; nil: dictNext finds out.
func (it *DictIter) step() *entry {
	if it.seq.ref == nil || it.used != it.d.used || it.left <= 0 || it.at >= len(it.d.entries) || it.reordered() {
		return nil
	}
	e := &it.d.entries[it.at]
	if e.key.ref == nil {
		return nil
	}
	it.at++
	it.left--
	return e
}

// Prices of steps, beside what any iterator in Go takes: of one that makes a pair, of one that goes backwards through a table, of one that asks its
// sequence for an item, and of one over a view.
const (
	pairStep = 10
	backStep = 4
	itemStep = 8
	viewStep = 5
)

// dictNext is the Next slot of iterators over dicts and sets.
func dictNext(get func(m *Machine, e *entry) Value) Unary {
	return func(m *Machine, v Value) (Value, *Exception) {
		it := (*DictIter)(unsafe.Pointer(v.ref))
		if it.seq.ref == nil {
			return Value{}, nil
		}
		if it.reordered() {
			it.used = -1
			return Value{}, m.RuntimeError("OrderedDict mutated during iteration")
		}
		if it.used != it.d.used {
			it.used = -1
			what := "dictionary"
			if k := it.seq.ref.kind &^ Sub; k == KindSet || k == KindFrozenSet {
				what = "Set"
			} else if it.seq.ref.typ.ordered {
				what = "OrderedDict"
			}
			return Value{}, m.RuntimeError("%s changed size during iteration", what)
		}
		i := it.at
		if it.back {
			m.meter.Owe(backStep)
			for i >= 0 && (i >= len(it.d.entries) || it.d.entries[i].key.ref == nil) {
				i--
			}
			it.at = i - 1
		} else {
			i = it.d.next(i)
			if e := m.skipped(it.at, i, it.d); e != nil {
				return Value{}, e
			}
			it.at = i + 1
		}
		if i < 0 {
			it.seq = Value{}
			return Value{}, nil
		}
		if it.left--; it.left < 0 && !it.back { // a reversed one cannot go on for ever
			if k := it.seq.ref.kind &^ Sub; k == KindSet {
				it.seq = Value{} // elements that were exchanged are not met
				return Value{}, nil
			}
			it.used = -1
			return Value{}, m.RuntimeError("dictionary keys changed during iteration")
		}
		return get(m, &it.d.entries[i]), nil
	}
}

// steppedPair is what an iterator over items gives.
func (m *Machine) steppedPair(e *entry) Value {
	m.meter.Owe(pairStep)
	return m.pair(e.key, e.val)
}

// pair returns a tuple of two.
func (m *Machine) pair(a, b Value) Value {
	t := m.room(2)
	t.items[0], t.items[1] = a, b
	return t.Value()
}

func reversedNew(m *Machine, t *Type, a Args) (Value, *Exception) {
	if len(a.Names) > 0 {
		return Value{}, m.TypeError("reversed() takes no keyword arguments")
	}
	if len(a.V) != 1 {
		return Value{}, m.TypeError("reversed expected 1 argument, got %d", len(a.V))
	}
	v := a.V[0]
	if v.ref.kind == KindList {
		if e := m.Charge(m.costs.Call); e != nil { // of list.__reversed__
			return Value{}, e
		}
		return m.newListReverseIter(v), nil
	}
	if fn, ok := v.ref.typ.Lookup(nReversed); ok {
		if fn.IsNone() {
			return Value{}, m.TypeError("'%s' object is not reversible", v.ref.typ.Name)
		}
		return m.callUnbound(fn, v)
	}
	if _, ok := v.AsDict(); ok || v.ref.typ.Slots.GetItem == nil {
		return Value{}, m.TypeError("'%s' object is not reversible", v.ref.typ.Name)
	}
	n, e := m.Len(v)
	if e != nil {
		return Value{}, e
	}
	it := Alloc[SeqIter](m, t, 0)
	it.seq, it.at = v, n-1
	if n == 0 {
		it.seq = Value{}
	}
	return Value{ref: &it.Object}, nil
}
