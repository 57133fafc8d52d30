package object

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
	b       []byte
	exports int // memoryviews that forbid resizing
}

const bytesSize = 48

// Bytes returns a new bytes value that takes over b.
func (m *Machine) Bytes(b []byte) Value {
	o := &Bytes{b: b}
	o.typ, o.kind = &TypeBytes, KindBytes
	m.account(bytesSize + len(b))
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
	o := &ByteArray{b: b}
	o.typ, o.kind = &TypeByteArray, KindByteArray
	m.account(bytesSize + cap(b))
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
	m.account(max(0, cap(data)-cap(b.b)))
	b.b = data
}

// buffer returns the bytes behind a memoryview.
func (m *Machine) buffer(v Value) ([]byte, bool) { return nil, false }
