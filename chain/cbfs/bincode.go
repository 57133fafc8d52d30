package cbfs

import (
	"encoding/binary"
	"errors"
)

// ErrForm reports bytes that are no encoding of what they are read as.
var ErrForm = errors.New("cbfs: not the encoding of what it is read as")

// Writer writes as bincode 1 does by default. The zero value is ready.
//
// Spec: storage-cbfs §2.4.
type Writer struct{ out []byte }

// U8 writes a byte.
func (w *Writer) U8(v uint8) { w.out = append(w.out, v) }

// U32 writes four bytes, as of a tag.
func (w *Writer) U32(v uint32) { w.out = binary.LittleEndian.AppendUint32(w.out, v) }

// U64 writes eight bytes, as of a length.
func (w *Writer) U64(v uint64) { w.out = binary.LittleEndian.AppendUint64(w.out, v) }

// Bool writes 1 for true.
func (w *Writer) Bool(v bool) {
	if v {
		w.U8(1)
		return
	}
	w.U8(0)
}

// Fixed writes an array.
func (w *Writer) Fixed(v []byte) { w.out = append(w.out, v...) }

// Text writes a text with its length.
func (w *Writer) Text(v string) {
	w.U64(uint64(len(v)))
	w.out = append(w.out, v...)
}

// Reader reads what Writer wrote. After the first mistake everything is zero, and Finish tells.
type Reader struct {
	rest []byte
	bad  bool
}

func (r *Reader) take(n int) []byte {
	if r.bad || n < 0 || n > len(r.rest) {
		r.bad = true
		return make([]byte, max(0, min(n, 8)))
	}
	v := r.rest[:n:n]
	r.rest = r.rest[n:]
	return v
}

// U8 reads a byte.
func (r *Reader) U8() uint8 { return r.take(1)[0] }

// U32 reads four bytes.
func (r *Reader) U32() uint32 { return binary.LittleEndian.Uint32(r.take(4)) }

// U64 reads eight bytes.
func (r *Reader) U64() uint64 { return binary.LittleEndian.Uint64(r.take(8)) }

// Bool reads 0 or 1.
func (r *Reader) Bool() bool {
	v := r.U8()
	r.bad = r.bad || v > 1
	return v == 1
}

// Into reads an array.
func (r *Reader) Into(v []byte) { copy(v, r.take(len(v))) }

// Text reads a text of at most so many bytes.
func (r *Reader) Text(most int) string {
	n := r.U64()
	if n > uint64(most) {
		r.bad = true
		return ""
	}
	v := r.take(int(n))
	if r.bad {
		return ""
	}
	return string(v)
}

// Finish gives ErrForm unless all was read and nothing was wrong.
func (r *Reader) Finish() error {
	if r.bad || len(r.rest) > 0 {
		return ErrForm
	}
	return nil
}
