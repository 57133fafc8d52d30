package object

import (
	"math"
	"unicode/utf8"
	"unsafe"

	"github.com/cowboyinc/cowboy-go/runtime/pvm/text"
)

// ownASCII returns a new string of ASCII bytes, which it takes over.
func (m *Machine) ownASCII(b []byte) Value {
	return m.strN(unsafe.String(unsafe.SliceData(b), len(b)), len(b))
}

// output charges and reserves an output of n characters of a given size in bytes; n may be anything a format asks for, and is negative where it overflowed.
func (m *Machine) output(n int64, size int) *Exception {
	if n < 0 || n > math.MaxInt32 {
		return m.Raise(&ExcMemoryError, "")
	}
	if e := m.Reserve(int(n) * size); e != nil {
		return e
	}
	return m.Charge(int(n))
}

// bytesPerCycle is how many bytes are copied or searched for a cycle. Characters
// of text have a published price, bytes have not.
const bytesPerCycle = 8

// foundPerCycle is how many occurrences are counted for a cycle; there are no more of them than bytes searched, which are
// paid for before.
const foundPerCycle = 2

// outputBytes charges and reserves an output of n bytes; n may be anything.
func (m *Machine) outputBytes(n int64) *Exception {
	if n < 0 || n > math.MaxInt32 {
		return m.Raise(&ExcMemoryError, "")
	}
	if e := m.Reserve(int(n)); e != nil {
		return e
	}
	return m.Charge(int(n) / bytesPerCycle)
}

// ASCII returns ascii(v): its repr with everything outside ASCII escaped.
func (m *Machine) ASCII(v Value) (Value, *Exception) {
	r, e := m.Repr(v)
	if e != nil {
		return Value{}, e
	}
	s, ok := r.AsStr()
	if !ok {
		return Value{}, m.TypeError("__repr__ returned non-string (type %s)", r.ref.typ.Name)
	}
	if s.ASCII() {
		return r, nil
	}
	if e := m.output(10*int64(s.n), 1); e != nil {
		return Value{}, e
	}
	return m.ownASCII(escapeNonASCII(s)), nil
}

// escapeNonASCII replaces characters outside ASCII by escapes, as ascii() does to a repr.
func escapeNonASCII(str *Str) []byte {
	s := str.s
	out := make([]byte, 0, min(3*len(s), 10*str.n)) // two bytes become four or six, three six, four ten
	for i := 0; i < len(s); {
		if s[i] < utf8.RuneSelf {
			out = append(out, s[i])
			i++
			continue
		}
		r, w := nextRune(s, i)
		out = text.AppendEscape(out, r)
		i += w
	}
	return out
}

// AppendUTF8 appends code points in the form a Str holds them: UTF-8, lone surrogates in three bytes.
func AppendUTF8(dst []byte, runes []rune) []byte {
	for _, r := range runes {
		dst = appendRune(dst, r)
	}
	return dst
}

// OwnASCII returns a new string of ASCII bytes, which it takes over: the caller reserved them, and does not write to
// them again.
func (m *Machine) OwnASCII(b []byte) Value { return m.ownASCII(b) }

// Buffer returns the bytes of a bytes-like object (bytes, bytearray, memoryview), which must not be modified, nor kept
// across calls into Python; false for other objects.
func (m *Machine) Buffer(v Value) ([]byte, bool) { return m.bytesLike(v) }

// WritableBuffer returns the bytes of a mutable bytes-like object without gaps, which writes change; false for other
// objects.
func (m *Machine) WritableBuffer(v Value) ([]byte, bool) {
	if b, ok := v.AsByteArray(); ok {
		return b.b, true
	}
	view, ok := Cast[MemoryView](v, &TypeMemoryView)
	if !ok || view.readonly() || !view.contiguous() {
		return nil, false
	}
	b, e := view.bytes(m)
	return b, e == nil
}
