package layout

import (
	"encoding/binary"
	"errors"
)

// Errors of decoding. Each means that the sender broke the format.
var (
	// ErrShort: the input ends inside a field.
	ErrShort = errors.New("layout: the input ends inside a field")
	// ErrLong: a byte string or list is longer than its reader takes.
	ErrLong = errors.New("layout: a field exceeds its limit")
	// ErrNotMinimal: a variable integer is not in its one encoding, or does not fit 63 bits.
	ErrNotMinimal = errors.New("layout: a variable integer is not minimal")
	// ErrTrailing: bytes follow the last field.
	ErrTrailing = errors.New("layout: bytes after the last field")
)

// uvMax is the most bytes of a variable integer: nine groups of seven bits hold 63 bits.
const uvMax = 9

// AppendUv appends a variable integer; v must be below 2^63.
func AppendUv(dst []byte, v uint64) []byte {
	for v >= 0x80 {
		dst = append(dst, byte(v)|0x80)
		v >>= 7
	}
	return append(dst, byte(v))
}

// AppendBytes appends a byte string.
func AppendBytes(dst, s []byte) []byte {
	return append(AppendUv(dst, uint64(len(s))), s...)
}

// Reader takes fields off the front of an input.
type Reader struct {
	rest []byte
	err  error
}

// NewReader reads from b, which must not change while the fields read from it are in use.
func NewReader(b []byte) *Reader { return &Reader{rest: b} }

// Err is the first error so far.
func (r *Reader) Err() error { return r.err }

// Fail makes err the first error, if there is none yet.
func (r *Reader) Fail(err error) {
	if r.err == nil {
		r.err, r.rest = err, nil
	}
}

// Finish is Err, or ErrTrailing if input is left.
func (r *Reader) Finish() error {
	if r.err == nil && len(r.rest) > 0 {
		r.err = ErrTrailing
	}
	return r.err
}

// Fixed takes n bytes; nil after an error.
func (r *Reader) Fixed(n int) []byte {
	if r.err != nil {
		return nil
	}
	if n > len(r.rest) {
		r.Fail(ErrShort)
		return nil
	}
	b := r.rest[:n:n]
	r.rest = r.rest[n:]
	return b
}

// U8 takes one byte.
func (r *Reader) U8() uint8 {
	if b := r.Fixed(1); b != nil {
		return b[0]
	}
	return 0
}

// U16 takes two bytes.
func (r *Reader) U16() uint16 {
	if b := r.Fixed(2); b != nil {
		return binary.BigEndian.Uint16(b)
	}
	return 0
}

// U32 takes four bytes.
func (r *Reader) U32() uint32 {
	if b := r.Fixed(4); b != nil {
		return binary.BigEndian.Uint32(b)
	}
	return 0
}

// U64 takes eight bytes.
func (r *Reader) U64() uint64 {
	if b := r.Fixed(8); b != nil {
		return binary.BigEndian.Uint64(b)
	}
	return 0
}

// Hash takes 32 bytes.
func (r *Reader) Hash() (h [32]byte) {
	copy(h[:], r.Fixed(32))
	return h
}

// Uv takes a variable integer.
func (r *Reader) Uv() uint64 {
	var v uint64
	for i := range uvMax {
		b := r.Fixed(1)
		if b == nil {
			return 0
		}
		v |= uint64(b[0]&0x7f) << (7 * i)
		if b[0] < 0x80 {
			if b[0] == 0 && i > 0 {
				r.Fail(ErrNotMinimal)
				return 0
			}
			return v
		}
	}
	r.Fail(ErrNotMinimal)
	return 0
}

// Count takes the length of a list of at most limit elements.
func (r *Reader) Count(limit int) int {
	n := r.Uv()
	if n > uint64(limit) {
		r.Fail(ErrLong)
		return 0
	}
	return int(n)
}

// Bytes takes a byte string of at most limit bytes.
func (r *Reader) Bytes(limit int) []byte {
	return r.Fixed(r.Count(limit))
}
