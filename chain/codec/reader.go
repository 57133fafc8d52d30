package codec

import "encoding/binary"

// Reader decodes one value from a byte slice. Its first error sticks: after it
// every read gives zero values. The zero Reader reads an empty input.
type Reader struct {
	buf []byte
	off int
	err error
}

// NewReader starts reading at the first byte of input. Byte slices it returns
// alias input.
func NewReader(input []byte) *Reader { return &Reader{buf: input} }

// Err is the first error, or nil.
func (r *Reader) Err() error { return r.err }

// Offset is the number of bytes read so far.
func (r *Reader) Offset() int { return r.off }

// Remaining is the number of bytes not read yet; zero after an error.
func (r *Reader) Remaining() int {
	if r.err != nil {
		return 0
	}
	return len(r.buf) - r.off
}

// Finish requires that the whole input was read and gives the first error.
// Spec: commonware §1.3.
func (r *Reader) Finish() error {
	if r.err == nil && r.off < len(r.buf) {
		r.fail(ErrTrailing, uint64(len(r.buf)-r.off))
	}
	return r.err
}

// Fail makes the Reader report class (one of the package's Err values or the
// caller's own) unless it already failed. Decoders use it for rules beyond the
// layout, with the offending number or 0.
func (r *Reader) Fail(class error, number uint64) { r.fail(class, number) }

func (r *Reader) fail(class error, number uint64) {
	if r.err == nil {
		r.err = &Error{Class: class, Offset: r.off, Number: number}
	}
}

// take gives the next n bytes, or nil after a failure.
func (r *Reader) take(n int) []byte {
	if r.err != nil {
		return nil
	}
	if n > len(r.buf)-r.off {
		r.fail(ErrShort, 0)
		return nil
	}
	b := r.buf[r.off : r.off+n : r.off+n]
	r.off += n
	return b
}

// Uint reads a minimal varint of at most 64 bits.
// Spec: WP §2.5; commonware §1.2.
func (r *Reader) Uint() uint64 { return r.varint(64) }

// Uint32 reads a minimal varint of at most 32 bits.
func (r *Reader) Uint32() uint32 { return uint32(r.varint(32)) }

// Uint16 reads a minimal varint of at most 16 bits.
func (r *Reader) Uint16() uint16 { return uint16(r.varint(16)) }

// Int reads a ZigZag varint of 64 bits.
func (r *Reader) Int() int64 { return unzigzag(r.varint(64)) }

// Int16 reads a ZigZag varint of 16 bits.
func (r *Reader) Int16() int16 { return int16(unzigzag(r.varint(16))) }

func unzigzag(v uint64) int64 { return int64(v>>1) ^ -int64(v&1) }

// varint reads a varint of a type width bits wide. The four rules of commonware
// §1.2, in order: end of input; a zero byte after the first is not minimal; the
// last byte may not need more bits than are left (a continuation bit counts);
// otherwise take seven bits and stop at a clear high bit.
func (r *Reader) varint(width int) uint64 {
	if r.err != nil {
		return 0
	}
	if r.off < len(r.buf) && r.buf[r.off] < 0x80 { // one byte fits every width
		r.off++
		return uint64(r.buf[r.off-1])
	}
	var v uint64
	for k := 0; ; k++ {
		if r.off+k >= len(r.buf) {
			r.fail(ErrShort, 0)
			return 0
		}
		b := r.buf[r.off+k]
		left := width - 7*k
		if (k > 0 && b == 0) || (left <= 7 && b>>left != 0) {
			r.fail(ErrVarint, 0)
			return 0
		}
		v |= uint64(b&0x7f) << (7 * k)
		if b < 0x80 {
			r.off += k + 1
			return v
		}
	}
}

// U8 reads one byte.
func (r *Reader) U8() uint8 {
	if b := r.take(1); b != nil {
		return b[0]
	}
	return 0
}

// U16 reads two bytes, big-endian.
func (r *Reader) U16() uint16 {
	if b := r.take(2); b != nil {
		return binary.BigEndian.Uint16(b)
	}
	return 0
}

// U32 reads four bytes, big-endian.
func (r *Reader) U32() uint32 {
	if b := r.take(4); b != nil {
		return binary.BigEndian.Uint32(b)
	}
	return 0
}

// U64 reads eight bytes, big-endian.
func (r *Reader) U64() uint64 {
	if b := r.take(8); b != nil {
		return binary.BigEndian.Uint64(b)
	}
	return 0
}

// Bool reads 00 or 01 and refuses anything else.
func (r *Reader) Bool() bool {
	b := r.take(1)
	if b == nil {
		return false
	}
	if b[0] > 1 {
		r.off--
		r.fail(ErrBool, uint64(b[0]))
		return false
	}
	return b[0] == 1
}

// Option reads an Option's tag: true if a value follows.
func (r *Reader) Option() bool { return r.Bool() }

// OptionUint reads an Option<UInt>.
func (r *Reader) OptionUint() *uint64 {
	if !r.Option() {
		return nil
	}
	v := r.Uint()
	if r.err != nil {
		return nil
	}
	return &v
}

// Tag reads a one-byte discriminant that must be below count.
func (r *Reader) Tag(count uint8) uint8 {
	b := r.take(1)
	if b == nil {
		return 0
	}
	if b[0] >= count {
		r.off--
		r.fail(ErrEnum, uint64(b[0]))
		return 0
	}
	return b[0]
}

// Fixed reads n raw bytes, aliasing the input; nil after an error.
func (r *Reader) Fixed(n int) []byte { return r.take(n) }

// Into fills dst with raw bytes; dst keeps its value after an error.
func (r *Reader) Into(dst []byte) { copy(dst, r.take(len(dst))) }

// Bytes reads a length of at most max and that many bytes, aliasing the input.
// An empty string is a non-nil empty slice; after an error it is nil.
func (r *Reader) Bytes(max int) []byte {
	return r.take(r.Len(0, max, 1))
}

// Len reads the length of a collection. It must lie in min..max, and the bytes
// left must hold that many elements of at least elemSize bytes each, so that
// allocating n elements costs no more than a constant times the input; a caller
// whose element can be empty passes 0 and relies on max. Zero after an error.
// Spec: commonware §1.3.
func (r *Reader) Len(min, max, elemSize int) int {
	start := r.off
	n := r.varint(32)
	if r.err != nil {
		return 0
	}
	if n < uint64(min) || n > uint64(max) {
		r.off = start
		r.fail(ErrLength, n)
		return 0
	}
	if elemSize > 0 && n > uint64(len(r.buf)-r.off)/uint64(elemSize) {
		r.fail(ErrShort, 0)
		return 0
	}
	return int(n)
}
