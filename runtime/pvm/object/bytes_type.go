package object

import (
	"bytes"
)

// The binary types.
var (
	TypeBytes     Type
	TypeByteArray Type
)

// Bytes is a bytes object.
type Bytes struct {
	Object
	b    []byte
	hash int64
}

// ByteArray is a bytearray.
type ByteArray struct {
	Object
	b      []byte
	views  int32  // memoryviews of it that were not released; nobody may refer to them any more
	viewed uint32 // the count of live memory that met one of them last
	lent   int32  // native functions that look at the bytes while Python code runs
}

const bytesSize = 48

// Bytes returns a new bytes value that takes over b.
func (m *Machine) Bytes(b []byte) Value {
	o := &Bytes{b: b}
	o.typ, o.kind = &TypeBytes, KindBytes
	m.hold(bytesSize + len(b))
	return Value{ref: &o.Object}
}

// StaticBytes returns a bytes constant of a program.
func StaticBytes(b []byte) Value {
	o := &Bytes{b: b, hash: HashBytes(b)}
	o.typ, o.kind, o.flags = &TypeBytes, KindBytes, flagStatic
	return Value{ref: &o.Object}
}

// ByteArray returns a new bytearray value that takes over b.
func (m *Machine) ByteArray(b []byte) Value {
	b = b[:len(b):len(b)] // growth follows our formula, not Go's
	o := &ByteArray{b: b[:len(b):len(b)]}
	o.typ, o.kind = &TypeByteArray, KindByteArray
	m.hold(bytesSize + len(b))
	return Value{ref: &o.Object}
}

// Value returns the object as a value.
func (b *Bytes) Value() Value { return Value{ref: &b.Object} }

// Data returns the bytes; not to be modified.
func (b *Bytes) Data() []byte { return b.b }

// Value returns the object as a value.
func (b *ByteArray) Value() Value { return Value{ref: &b.Object} }

// Data returns the bytes, which are the object's own.
func (b *ByteArray) Data() []byte { return b.b }

// SetData replaces the bytes and counts the growth of their storage.
func (b *ByteArray) SetData(m *Machine, data []byte) {
	// Room that Go left behind the bytes must not count: it differs.
	data = data[:len(data):len(data)]
	m.hold(max(0, len(data)-cap(b.b)))
	b.b = data
}

// grow makes room for n more bytes, by a formula of our own so that the memory
// counted does not depend on Go's.
func (b *ByteArray) grow(m *Machine, n int) *Exception {
	want := len(b.b) + n
	if want <= cap(b.b) {
		return nil
	}
	room := (want + want>>3 + 15) &^ 7
	if e := m.Reserve(room); e != nil {
		return e
	}
	m.meter.Owe(room >> (m.costs.ByteShift & 63)) // the bytes move
	grown := make([]byte, len(b.b), room)
	copy(grown, b.b)
	m.hold(room - cap(b.b))
	b.b = grown
	return nil
}

// bytesLike returns the bytes of a bytes, bytearray or memoryview object, which
// must not be modified, nor kept across calls into Python.
func (m *Machine) bytesLike(v Value) ([]byte, bool) {
	switch v.ref.kind &^ Sub {
	case KindBytes, KindByteArray:
		return bytesOf(v), true
	}
	return m.buffer(v)
}

// bytesArg is bytesLike with the TypeError for other types.
func (m *Machine) bytesArg(v Value) ([]byte, *Exception) {
	if b, ok := m.bytesLike(v); ok {
		return b, nil
	}
	if e := m.ViewFault(v); e != nil {
		return nil, e
	}
	return nil, m.TypeError("a bytes-like object is required, not '%s'", v.ref.typ.Name)
}

// bytesAs returns a new object of b, a bytearray if v is one, else bytes.
func (m *Machine) bytesAs(v Value, b []byte) Value {
	if v.ref.kind&^Sub == KindByteArray {
		return m.ByteArray(b)
	}
	return m.Bytes(b)
}

// piece returns part of v's bytes as an object of its kind: bytes share the
// storage, a bytearray gets a copy.
func (m *Machine) piece(v Value, part []byte) Value {
	if v.ref.kind&^Sub == KindByteArray {
		return m.ByteArray(append(make([]byte, 0, len(part)), part...))
	}
	if v.ref.kind == KindBytes && len(part) == len(v.bytes().b) {
		return v
	}
	return m.Bytes(bytes.Clone(part)) // not to keep the whole alive
}

func defineBytes() {
	Define(&TypeBytes, Spec{
		Name: "bytes", Layout: LayoutOf[Bytes](KindBytes), Relocate: Unrelated, MatchSelf: true,
		Slots: Slots{
			New: bytesNew, Repr: bytesRepr, Str: bytesRepr, Compare: bytesCompare, Len: bytesLen,
			Hash:    func(m *Machine, v Value) (int64, *Exception) { return v.bytes().hashOf(m) },
			GetItem: bytesGetItem, Contains: bytesContains,
			Iter:   func(m *Machine, v Value) (Value, *Exception) { return m.newBytesIter(v), nil },
			Binary: [numOperators]Binary{Add: bytesConcat, Mul: bytesRepeat, Mod: bytesMod},
		},
		Methods: append(bytesMethods(),
			Method{Name: "__bytes__", Func: func(m *Machine, a Args) (Value, *Exception) { return m.piece(a.V[0], bytesOf(a.V[0])), nil }},
			Method{Name: "__getnewargs__", Func: func(m *Machine, a Args) (Value, *Exception) {
				return m.Tuple(m.piece(a.V[0], bytesOf(a.V[0]))), nil
			}}),
	})
	Define(&TypeByteArray, Spec{
		Name: "bytearray", Layout: LayoutOf[ByteArray](KindByteArray), Relocate: relocateByteArray, MatchSelf: true,
		Slots: Slots{
			New: func(m *Machine, t *Type, a Args) (Value, *Exception) {
				m.hold(8)
				return Alloc[ByteArray](m, t, 0).Value(), nil
			},
			Init: byteArrayInit, Repr: byteArrayRepr, Str: byteArrayRepr, Compare: bytesCompare, Len: bytesLen,
			GetItem: bytesGetItem, SetItem: byteArraySetItem, Contains: bytesContains,
			Iter:    func(m *Machine, v Value) (Value, *Exception) { return m.newBytesIter(v), nil },
			Binary:  [numOperators]Binary{Add: bytesConcat, Mul: bytesRepeat, Mod: bytesMod},
			InPlace: [DivMod]Binary{Add: byteArrayInPlaceConcat, Mul: byteArrayInPlaceRepeat},
		},
		Methods: append(bytesMethods(), byteArrayMethods()...),
	})
	defineMemoryView()
}

// hashOf returns the hash, computing it once.
func (b *Bytes) hashOf(m *Machine) (int64, *Exception) {
	if b.hash == 0 && len(b.b) > 0 {
		if e := m.ChargeLen(0, len(b.b), 8); e != nil {
			return 0, e
		}
		b.hash = HashBytes(b.b)
	}
	return b.hash, nil
}
