package text

import (
	"fmt"
	"unicode/utf8"
)

// DecodeError says why bytes are not UTF-8: the range of the offending bytes and the words of CPython's codec.
type DecodeError struct {
	Start, End int
	Reason     string
}

// EncodeError says which code points from Start to before End cannot be written in UTF-8: they are surrogates.
type EncodeError struct{ Start, End int }

// EncodeReason is CPython's reason for refusing to encode surrogates.
const EncodeReason = "surrogates not allowed"

func (e *EncodeError) Error() string {
	return fmt.Sprintf("text: code points %d to %d: %s", e.Start, e.End, EncodeReason)
}

// Reasons of DecodeError, in CPython's words.
const (
	reasonStart        = "invalid start byte"
	reasonContinuation = "invalid continuation byte"
	reasonEnd          = "unexpected end of data"
)

// AppendDecoded appends the code points of UTF-8 bytes to dst, refusing surrogates, overlong forms and everything else
// that is not well formed.
func AppendDecoded(dst []rune, b []byte) ([]rune, *DecodeError) {
	for i := 0; i < len(b); {
		if c := b[i]; c < utf8.RuneSelf {
			dst = append(dst, rune(c))
			i++
			continue
		}
		r, n := utf8.DecodeRune(b[i:])
		if r == utf8.RuneError && n == 1 {
			return dst, malformed(b, i)
		}
		dst = append(dst, r)
		i += n
	}
	return dst, nil
}

// ValidUTF8 answers nil when b is well-formed UTF-8, else the first error CPython's decoder reports.
func ValidUTF8(b []byte) *DecodeError {
	for i := 0; i < len(b); {
		if b[i] < utf8.RuneSelf {
			i++
			continue
		}
		r, n := utf8.DecodeRune(b[i:])
		if r == utf8.RuneError && n == 1 {
			return malformed(b, i)
		}
		i += n
	}
	return nil
}

// malformed describes the sequence at b[i], which is known to be wrong. A sequence that is right as far as it goes but
// cut off by the end reaches to the end; otherwise the error covers the bytes before the first wrong one.
func malformed(b []byte, i int) *DecodeError {
	c := b[i]
	if c < 0xC2 || c > 0xF4 {
		return &DecodeError{Start: i, End: i + 1, Reason: reasonStart}
	}
	size := 2
	low, high := byte(0x80), byte(0xBF)
	switch {
	case c >= 0xF0:
		size = 4
		if c == 0xF0 {
			low = 0x90
		} else if c == 0xF4 {
			high = 0x8F
		}
	case c >= 0xE0:
		size = 3
		if c == 0xE0 {
			low = 0xA0
		} else if c == 0xED {
			high = 0x9F
		}
	}
	for k := 1; k < size; k++ {
		if i+k == len(b) {
			return &DecodeError{Start: i, End: len(b), Reason: reasonEnd}
		}
		if b[i+k] < low || b[i+k] > high {
			return &DecodeError{Start: i, End: i + k, Reason: reasonContinuation}
		}
		low, high = 0x80, 0xBF
	}
	return &DecodeError{Start: i, End: i + 1, Reason: reasonStart}
}

// EncodedLen answers the number of bytes of s in UTF-8, counting a surrogate as three.
func EncodedLen[T Unit](s []T) int {
	n := len(s)
	for _, u := range s {
		switch r := rune(u); {
		case r < 0x80:
		case r < 0x800:
			n++
		case r < 0x10000:
			n += 2
		default:
			n += 3
		}
	}
	return n
}

// AppendEncoded appends s in UTF-8 to dst and fails at the first run of surrogates.
func AppendEncoded[T Unit](dst []byte, s []T) ([]byte, *EncodeError) {
	for i, u := range s {
		r := rune(u)
		if r < utf8.RuneSelf {
			dst = append(dst, byte(r))
			continue
		}
		if IsSurrogate(r) {
			end := i + 1
			for end < len(s) && IsSurrogate(rune(s[end])) {
				end++
			}
			return dst, &EncodeError{Start: i, End: end}
		}
		dst = utf8.AppendRune(dst, r)
	}
	return dst, nil
}

// IsSurrogate reports whether r is a surrogate code point.
func IsSurrogate(r rune) bool { return r >= 0xD800 && r <= 0xDFFF }
