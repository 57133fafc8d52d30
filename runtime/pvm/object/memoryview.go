package object

import (
	"encoding/binary"
	"math/big"

	"github.com/cowboyinc/cowboy-go/runtime/softfloat"
)

// TypeMemoryView is memoryview.
var TypeMemoryView Type

// MemoryView is a view of the bytes of a bytes or bytearray object as items of
// one format, with one dimension. A view does not keep a bytearray from being
// resized; it is an error to use one that reaches beyond its object's end.
type MemoryView struct {
	Object
	base   Value // bytes or bytearray; zero after release
	off    int   // of the first item in the base's bytes
	n      int   // items
	step   int   // bytes from one item to the next
	format byte  // code of package struct
	ro     bool  // made by toreadonly
}

// itemSizes are the native sizes of the formats a view can be cast to.
func itemSize(format byte) int {
	switch format {
	case 'B', 'b', 'c', '?':
		return 1
	case 'h', 'H':
		return 2
	case 'i', 'I', 'f':
		return 4
	case 'l', 'L', 'q', 'Q', 'n', 'N', 'd', 'P':
		return 8
	default:
		return 0
	}
}

func (m *Machine) newMemoryView(base Value, off, n, step int, format byte) Value {
	v := Alloc[MemoryView](m, &TypeMemoryView, 0)
	v.base, v.off, v.n, v.step, v.format = base, off, n, step, format
	return Value{ref: &v.Object}
}

// derive returns a view of other items of the same object.
func (v *MemoryView) derive(m *Machine, off, n, step int, format byte) Value {
	d := m.newMemoryView(v.base, off, n, step, format)
	Trust[MemoryView](d).ro = v.ro
	return d
}

// data returns the bytes the view was made over, and fails after release or if it no longer fits.
func (v *MemoryView) data(m *Machine) ([]byte, *Exception) {
	if v.base.ref == nil {
		return nil, m.ValueError("operation forbidden on released memoryview object")
	}
	b := bytesOf(v.base)
	lo, hi := v.off, v.off+(v.n-1)*v.step
	if v.n > 0 && max(lo, hi)+itemSize(v.format) > len(b) {
		return nil, m.Raise(&ExcBufferError, "memoryview: the underlying bytearray was resized")
	}
	return b, nil
}

// contiguous says whether the items stand one behind the other.
func (v *MemoryView) contiguous() bool { return v.step == itemSize(v.format) || v.n <= 1 }

// bytes returns the items as they stand in memory; a copy if the view has gaps.
func (v *MemoryView) bytes(m *Machine) ([]byte, *Exception) {
	b, e := v.data(m)
	if e != nil {
		return nil, e
	}
	size := itemSize(v.format)
	if v.n == 0 {
		return nil, nil
	}
	if v.contiguous() {
		return b[v.off : v.off+v.n*size], nil
	}
	if e := m.output(int64(v.n*size), 1); e != nil {
		return nil, e
	}
	out := make([]byte, 0, v.n*size)
	for i := range v.n {
		at := v.off + i*v.step
		out = append(out, b[at:at+size]...)
	}
	return out, nil
}

// buffer returns the bytes of a memoryview without gaps; ok is false for anything else, views that cannot be used
// included.
func (m *Machine) buffer(v Value) ([]byte, bool) {
	view, ok := Cast[MemoryView](v, &TypeMemoryView)
	if !ok {
		return nil, false
	}
	b, e := view.bytes(m)
	return b, e == nil
}

func (v *MemoryView) readonly() bool {
	return v.ro || v.base.ref != nil && v.base.ref.kind&^Sub == KindBytes
}

// item returns item i.
func (v *MemoryView) item(m *Machine, i int) (Value, *Exception) {
	b, e := v.data(m)
	if e != nil {
		return Value{}, e
	}
	at := v.off + i*v.step
	return m.unpackItem(v.format, b[at:at+itemSize(v.format)]), nil
}

// unpackItem decodes an item in the byte order of the reference platform, which is little-endian.
func (m *Machine) unpackItem(format byte, b []byte) Value {
	switch format {
	case 'b':
		return Int(int64(int8(b[0])))
	case 'c':
		return m.Bytes([]byte{b[0]})
	case '?':
		return Bool(b[0] != 0)
	case 'h':
		return Int(int64(int16(binary.LittleEndian.Uint16(b))))
	case 'H':
		return Int(int64(binary.LittleEndian.Uint16(b)))
	case 'i':
		return Int(int64(int32(binary.LittleEndian.Uint32(b))))
	case 'I':
		return Int(int64(binary.LittleEndian.Uint32(b)))
	case 'l', 'q', 'n':
		return Int(int64(binary.LittleEndian.Uint64(b)))
	case 'L', 'Q', 'N', 'P':
		v, _ := m.IntOf(new(big.Int).SetUint64(binary.LittleEndian.Uint64(b))) // 64 bits always fit
		return v
	case 'f':
		return Float(softfloat.FromSingle(binary.LittleEndian.Uint32(b)))
	case 'd':
		return Float(binary.LittleEndian.Uint64(b))
	default:
		return Int(int64(b[0]))
	}
}
