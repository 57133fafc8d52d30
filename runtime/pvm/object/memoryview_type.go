package object

import (
	"encoding/binary"
	"math/big"

	"github.com/cowboyinc/cowboy-go/runtime/softfloat"
)

// TypeMemoryView is memoryview.
var TypeMemoryView Type

// MemoryView is a view of the bytes of a bytes or bytearray object as items of
// one format. While it lives and is not released, a bytearray keeps its size.
type MemoryView struct {
	Object
	base   Value // bytes or bytearray; zero after release
	hash   int64 // if hashed
	hashed bool
	layout
}

// layout is where the items of a view lie. The items of the dimensions behind the
// first stand one behind the other, since only casts make these dimensions and only
// the first is ever sliced.
type layout struct {
	off    int   // of the first item in the base's bytes
	n      int   // length of the first dimension
	step   int   // bytes from one of its elements to the next
	rows   []int // lengths of the other dimensions; never changed
	scalar bool  // no dimension at all: n is 1
	format byte  // code of package struct
	ro     bool  // made by toreadonly
}

// flat is the layout of n bytes.
func flat(n int) layout { return layout{n: n, step: 1, format: 'B'} }

// across is the number of items in an element of the first dimension.
func (l *layout) across() int {
	n := 1
	for _, k := range l.rows {
		n *= k
	}
	return n
}

// rowSize is the size in bytes of an element of the first dimension.
func (l *layout) rowSize() int { return l.across() * itemSize(l.format) }

// dims is the number of dimensions.
func (l *layout) dims() int {
	if l.scalar {
		return 0
	}
	return 1 + len(l.rows)
}

// shape returns the length of every dimension and the bytes from one of its elements
// to the next.
func (l *layout) shape() (lengths, strides []int) {
	if l.scalar {
		return nil, nil
	}
	lengths = append([]int{l.n}, l.rows...)
	strides = make([]int, len(lengths))
	strides[0] = l.step
	size := itemSize(l.format)
	for i := len(l.rows); i > 0; i-- {
		strides[i] = size
		size *= l.rows[i-1]
	}
	return lengths, strides
}

// contiguous says whether the items stand one behind the other.
func (l *layout) contiguous() bool {
	return l.step == l.rowSize() || l.n == 1 || l.n == 0 && len(l.rows) > 0
}

// fortran says whether they do so with the first dimension changing fastest.
func (l *layout) fortran() bool {
	if l.dims() < 2 {
		return l.contiguous()
	}
	size := itemSize(l.format)
	lengths, strides := l.shape()
	for i, n := range lengths {
		if n > 1 && strides[i] != size {
			return l.n == 0
		}
		size *= n
	}
	return true
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

func (m *Machine) newMemoryView(base Value, l layout) Value {
	v := Alloc[MemoryView](m, &TypeMemoryView, 8*len(l.rows))
	v.base, v.layout = base, l
	if base.ref.kind&^Sub == KindByteArray {
		base.byteArray().views++
	}
	return Value{ref: &v.Object}
}

const resizeRefused = "Existing exports of data: object cannot be re-sized"

// noteView tells the bytearray under a view that a count has met the view.
func (v Value) noteView(epoch uint32) {
	if base := Trust[MemoryView](v).base; base.ref != nil && base.ref.kind&^Sub == KindByteArray {
		base.byteArray().viewed = epoch
	}
}

// mayResize refuses to change the length of a bytearray under a view that somebody
// can still reach; a count of live memory tells.
func (b *ByteArray) mayResize(m *Machine) *Exception {
	if b.views == 0 && b.lent == 0 {
		return nil
	}
	if b.lent == 0 {
		if e := m.count(); e != nil {
			return e
		}
		if b.viewed != m.epoch {
			b.views = 0
			return nil
		}
	}
	return m.Raise(&ExcBufferError, resizeRefused)
}

// release ends a view.
func (v *MemoryView) release() {
	if v.base.ref != nil && v.base.ref.kind&^Sub == KindByteArray {
		b := v.base.byteArray()
		b.views = max(b.views-1, 0)
	}
	v.base = Value{}
}

// data returns the bytes the view was made over, and fails after release. A view that
// nothing but the work at hand can reach does not lock them: it fails if they shrank.
func (v *MemoryView) data(m *Machine) ([]byte, *Exception) {
	if v.base.ref == nil {
		return nil, m.ValueError("operation forbidden on released memoryview object")
	}
	b := bytesOf(v.base)
	lo, hi := v.off, v.off+(v.n-1)*v.step
	if v.n > 0 && max(lo, hi)+v.rowSize() > len(b) {
		return nil, m.Raise(&ExcBufferError, "memoryview: the underlying bytearray was resized")
	}
	return b, nil
}

// bytes returns the items as they stand in memory; a copy if the view has gaps.
func (v *MemoryView) bytes(m *Machine) ([]byte, *Exception) {
	b, e := v.data(m)
	if e != nil {
		return nil, e
	}
	if v.n == 0 {
		return nil, nil
	}
	size := v.rowSize()
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
	if !ok || !view.contiguous() {
		return nil, false
	}
	b, e := view.bytes(m)
	return b, e == nil
}

// ViewFault says why a memoryview has no bytes for those who want them in one piece;
// nil for any other object.
func (m *Machine) ViewFault(v Value) *Exception {
	view, ok := Cast[MemoryView](v, &TypeMemoryView)
	if !ok {
		return nil
	}
	if _, e := view.data(m); e != nil {
		return e
	}
	return m.Raise(&ExcBufferError, "memoryview: underlying buffer is not C-contiguous")
}

// anyBytes is bytesLike for those who also take a view with gaps.
func (m *Machine) anyBytes(v Value) (b []byte, ok bool, e *Exception) {
	if view, is := Cast[MemoryView](v, &TypeMemoryView); is {
		b, e = view.bytes(m)
		return b, true, e
	}
	b, ok = m.bytesLike(v)
	return b, ok, nil
}

func (v *MemoryView) readonly() bool {
	return v.ro || v.base.ref != nil && v.base.ref.kind&^Sub == KindBytes
}

// item returns the item whose bytes begin at position at of the base's.
func (v *MemoryView) item(m *Machine, at int) (Value, *Exception) {
	b, e := v.data(m)
	if e != nil {
		return Value{}, e
	}
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
