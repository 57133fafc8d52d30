package cbor

import (
	"bytes"
	"encoding/binary"
	"math/big"
	"slices"
	"unicode/utf8"
)

// Encoder writes one value after another. After an error what was written is of no use. The zero Encoder without a limit is ready to use.
type Encoder struct {
	// Limit is the most bytes the encoding may take; 0 stands for no limit.
	Limit int

	out     []byte
	depth   int
	entries []entry // of the maps that are being written, the innermost last
}

// NewEncoder answers an encoder that appends to dst and may append up to limit bytes (any number when limit is 0).
func NewEncoder(dst []byte, limit int) *Encoder {
	if limit > 0 {
		limit += len(dst)
	}
	return &Encoder{Limit: limit, out: dst}
}

// Bytes answers what was written so far.
func (e *Encoder) Bytes() []byte { return e.out }

// room checks that n more bytes fit.
func (e *Encoder) room(n int) error {
	if e.Limit > 0 && n > e.Limit-len(e.out) {
		return ErrLimit
	}
	return nil
}

// head writes a major type with its argument in the shortest form.
func (e *Encoder) head(major byte, n uint64) error {
	if err := e.room(headLen(n)); err != nil {
		return err
	}
	switch {
	case n < argument8:
		e.out = append(e.out, major|byte(n))
	case n <= 0xFF:
		e.out = append(e.out, major|argument8, byte(n))
	case n <= 0xFFFF:
		e.out = binary.BigEndian.AppendUint16(append(e.out, major|argument8+1), uint16(n))
	case n <= 0xFFFFFFFF:
		e.out = binary.BigEndian.AppendUint32(append(e.out, major|argument8+2), uint32(n))
	default:
		e.out = binary.BigEndian.AppendUint64(append(e.out, major|argument64), n)
	}
	return nil
}

func headLen(n uint64) int {
	switch {
	case n < argument8:
		return 1
	case n <= 0xFF:
		return 2
	case n <= 0xFFFF:
		return 3
	case n <= 0xFFFFFFFF:
		return 5
	default:
		return 9
	}
}

func (e *Encoder) single(b byte) error {
	if err := e.room(1); err != nil {
		return err
	}
	e.out = append(e.out, b)
	return nil
}

// Null writes null.
func (e *Encoder) Null() error { return e.single(headNull) }

// Bool writes false or true.
func (e *Encoder) Bool(b bool) error {
	if b {
		return e.single(headTrue)
	}
	return e.single(headFalse)
}

// Int writes an integer.
func (e *Encoder) Int(i int64) error {
	if i < 0 {
		return e.head(majorNegInt, uint64(^i))
	}
	return e.head(majorUint, uint64(i))
}

// Uint writes an integer that is not negative.
func (e *Encoder) Uint(i uint64) error { return e.head(majorUint, i) }

// Big writes an integer of any size up to MaxIntBits.
//
// Spec: sdk §15; RFC 8949 §3.4.3.
func (e *Encoder) Big(i *big.Int) error {
	if tooLarge(i) {
		return ErrIntSize
	}
	major, tag, n := byte(majorUint), byte(headPosBig), i
	if i.Sign() < 0 {
		major, tag, n = majorNegInt, headNegBig, new(big.Int).Not(i)
	}
	if n.IsUint64() {
		return e.head(major, n.Uint64())
	}
	size := (n.BitLen() + 7) / 8
	if err := e.room(1 + headLen(uint64(size)) + size); err != nil {
		return err
	}
	e.out = append(e.out, tag)
	_ = e.head(majorBytes, uint64(size)) // fits: checked above
	e.out = append(e.out, n.Bytes()...)
	return nil
}

// Float writes the double with the given bits; every NaN becomes the one NaN.
func (e *Encoder) Float(bits uint64) error {
	if err := e.room(9); err != nil {
		return err
	}
	if isNaN(bits) {
		bits = NaN
	}
	e.out = binary.BigEndian.AppendUint64(append(e.out, headDouble), bits)
	return nil
}

// ByteString writes a byte string.
func (e *Encoder) ByteString(b []byte) error {
	if err := e.room(headLen(uint64(len(b))) + len(b)); err != nil {
		return err
	}
	_ = e.head(majorBytes, uint64(len(b)))
	e.out = append(e.out, b...)
	return nil
}

// Text writes a text string, which must be valid UTF-8.
func (e *Encoder) Text(s string) error {
	if err := e.room(headLen(uint64(len(s))) + len(s)); err != nil {
		return err
	}
	if !utf8.ValidString(s) {
		return ErrText
	}
	_ = e.head(majorText, uint64(len(s)))
	e.out = append(e.out, s...)
	return nil
}

// Array writes an array of n elements; element writes the i-th, exactly one value.
func (e *Encoder) Array(n int, element func(i int) error) error {
	if e.depth == MaxDepth {
		return ErrDepth
	}
	if err := e.head(majorArray, uint64(n)); err != nil {
		return err
	}
	e.depth++
	for i := range n {
		if err := element(i); err != nil {
			return err
		}
	}
	e.depth--
	return nil
}

// entry is where a map entry stands in the output.
type entry struct{ start, value, end int }

// Map writes a map of n entries; key writes the i-th key and value its value, exactly one value each. The entries come
// out in the order of their encoded keys, whatever the order they were written in.
//
// Spec: sdk §15; RFC 8949 §4.2.1.
func (e *Encoder) Map(n int, key, value func(i int) error) error {
	if e.depth == MaxDepth {
		return ErrDepth
	}
	if err := e.head(majorMap, uint64(n)); err != nil {
		return err
	}
	e.depth++
	base, first := len(e.entries), len(e.out)
	for i := range n {
		at := entry{start: len(e.out)}
		if err := key(i); err != nil {
			return err
		}
		if !isKey(e.out[at.start:]) {
			return ErrKey
		}
		at.value = len(e.out)
		if err := value(i); err != nil {
			return err
		}
		at.end = len(e.out)
		e.entries = append(e.entries, at)
	}
	e.depth--
	err := e.sort(first, e.entries[base:])
	e.entries = e.entries[:base]
	return err
}

// isKey reports whether an encoded value is of a type that keys may have.
func isKey(b []byte) bool {
	if len(b) == 0 {
		return false
	}
	major := b[0] &^ 31
	return major <= majorText || b[0] == headPosBig || b[0] == headNegBig
}

// sort brings the entries written from first on into the order of their keys.
func (e *Encoder) sort(first int, entries []entry) error {
	keyOf := func(x entry) []byte { return e.out[x.start:x.value] }
	compare := func(a, b entry) int { return bytes.Compare(keyOf(a), keyOf(b)) }
	sorted := slices.IsSortedFunc(entries, compare)
	if !sorted {
		slices.SortFunc(entries, compare)
	}
	for i := 1; i < len(entries); i++ {
		if compare(entries[i-1], entries[i]) == 0 {
			return ErrDuplicate
		}
	}
	if sorted {
		return nil
	}
	moved := make([]byte, 0, len(e.out)-first)
	for _, x := range entries {
		moved = append(moved, e.out[x.start:x.end]...)
	}
	copy(e.out[first:], moved)
	return nil
}
