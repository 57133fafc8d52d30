package pystruct

import (
	"encoding/binary"
	"math/big"

	"github.com/cowboyinc/cowboy-go/runtime/pvm/object"
	"github.com/cowboyinc/cowboy-go/runtime/pvm/stdlib/buffer"
	"github.com/cowboyinc/cowboy-go/runtime/softfloat"
)

// pack writes values into dst, which is zero and as long as the layout.
func (l *layout) pack(m *object.Machine, dst []byte, values []object.Value) *object.Exception {
	next := 0
	for _, f := range l.fields {
		at := dst[f.offset:]
		if f.kind == text || f.kind == pascal {
			if e := packText(m, f, at[:f.count], values[next]); e != nil {
				return e
			}
			next++
			continue
		}
		for range f.count {
			if e := l.packOne(m, f, at[:f.size], values[next]); e != nil {
				return e
			}
			next++
			at = at[f.size:]
		}
	}
	return nil
}

func packText(m *object.Machine, f field, dst []byte, v object.Value) *object.Exception {
	b, ok := buffer.Bytes(m, v)
	if k := v.Kind().Base(); !ok || k != object.KindBytes && k != object.KindByteArray {
		return raise(m, "argument for '%c' must be a bytes object", f.char)
	}
	if f.kind == text {
		copy(dst, b)
		return nil
	}
	if len(dst) > 0 {
		n := copy(dst[1:], b)
		dst[0] = byte(min(n, 255))
	}
	return nil
}

func (l *layout) packOne(m *object.Machine, f field, dst []byte, v object.Value) *object.Exception {
	switch f.kind {
	case char:
		b, ok := v.AsBytes()
		if !ok || len(b.Data()) != 1 {
			return raise(m, "char format requires a bytes object of length 1")
		}
		dst[0] = b.Data()[0]
		return nil
	case boolean:
		yes, e := m.Truth(v)
		if yes {
			dst[0] = 1
		}
		return e
	case floating:
		return l.packFloat(m, f, dst, v)
	}
	u, e := l.integer(m, f, v)
	if e != nil {
		return e
	}
	l.put(dst, u)
	return nil
}

// put stores the low bytes of u.
func (l *layout) put(dst []byte, u uint64) {
	var b [8]byte
	if l.big {
		binary.BigEndian.PutUint64(b[:], u)
		copy(dst, b[8-len(dst):])
		return
	}
	binary.LittleEndian.PutUint64(b[:], u)
	copy(dst, b[:])
}

// integer converts v to the bits of an integer field.
func (l *layout) integer(m *object.Machine, f field, v object.Value) (uint64, *object.Exception) {
	i, ok := v.AsInt()
	if !ok {
		if v.Type().Slots.ToIndex == nil {
			return 0, raise(m, "required argument is not an integer")
		}
		var e *object.Exception
		if i, e = m.Index(v); e != nil {
			return 0, e
		}
	}
	width := uint(8 * f.size)
	if i.IsInt() {
		n := i.Int64()
		if f.kind == signed && n<<(64-width)>>(64-width) == n || f.kind == unsigned && n >= 0 && (width == 64 || n>>width == 0) {
			return uint64(n), nil
		}
		if f.char == 'P' {
			return uint64(n), nil
		}
		return 0, l.outOfRange(m, f, i.BigInt())
	}
	n := i.BigInt()
	if f.kind == unsigned && width == 64 && n.IsUint64() {
		return n.Uint64(), nil
	}
	return 0, l.outOfRange(m, f, n)
}

// outOfRange words the error as CPython does, whose conversions to C types fail
// before its own range checks.
func (l *layout) outOfRange(m *object.Machine, f field, n *big.Int) *object.Exception {
	width := uint(8 * f.size)
	shared := l.native || l.little
	if f.char == 'P' || !shared && width == 64 {
		return raise(m, "int too large to convert")
	}
	converted := n.IsInt64()
	if f.kind == unsigned && f.char != 'B' && (f.char != 'H' || !shared) {
		converted = n.IsUint64()
	}
	if !converted || width == 64 {
		return raise(m, "argument out of range")
	}
	name := "'" + string(f.char) + "'"
	switch {
	case f.char == 'b':
		name = "byte"
	case f.char == 'B':
		name = "ubyte"
	case f.char == 'h' && shared:
		name = "short"
	case f.char == 'H' && shared:
		name = "ushort"
	}
	if f.kind == signed {
		return raise(m, "%s format requires %d <= number <= %d", name, -1<<(width-1), 1<<(width-1)-1)
	}
	return raise(m, "%s format requires 0 <= number <= %d", name, uint64(1)<<width-1)
}

func (l *layout) packFloat(m *object.Machine, f field, dst []byte, v object.Value) *object.Exception {
	x, e := m.ToFloat(v)
	if e != nil {
		if e.Is(&object.ExcException) {
			return raise(m, "required argument is not a float")
		}
		return e
	}
	e = l.putFloat(m, f, dst, x)
	if _, ok := v.AsInt(); ok && e != nil {
		return raise(m, "int too large to convert")
	}
	return e
}

// putFloat stores a float in the size of its field.
func (l *layout) putFloat(m *object.Machine, f field, dst []byte, x uint64) *object.Exception {
	switch f.char {
	case 'd':
		l.put(dst, x)
	case 'f':
		u, err := softfloat.ToSingle(x)
		if err != nil {
			if !l.native {
				return m.OverflowError("float too large to pack with f format")
			}
			u = uint32(x>>63)<<31 | 0x7f800000
		}
		l.put(dst, uint64(u))
	default:
		u, err := softfloat.ToHalf(x)
		if err != nil {
			return m.OverflowError("float too large to pack with e format")
		}
		l.put(dst, uint64(u))
	}
	return nil
}
