package text

import (
	"bytes"
	"slices"
)

const hexDigits = "0123456789abcdef"

// quoteFor answers the quote repr uses: the apostrophe, unless the text holds one and no double quote.
func quoteFor[T Unit](s []T) T {
	if indexUnit(s, 0, '\'') >= 0 && indexUnit(s, 0, '"') < 0 {
		return '"'
	}
	return '\''
}

func quotedWidth(r, quote rune, ascii bool) int {
	switch {
	case r == quote || r == '\\' || r == '\t' || r == '\n' || r == '\r':
		return 2
	case r < 0x7F && r >= 0x20 || r >= 0x80 && !ascii && IsPrintable(r):
		return 1
	case r < 0x100:
		return 4
	case r < 0x10000:
		return 6
	default:
		return 10
	}
}

// AppendQuoted appends repr of the text s, or what ascii() makes of it when ascii is set, to dst. Characters that
// are not printable are escaped; without ascii other characters stay, so that dst must then be able to hold them.
func AppendQuoted[O, T Unit](dst []O, s []T, ascii bool) []O {
	quote := quoteFor(s)
	dst = append(slices.Grow(dst, len(s)+2), O(quote))
	for _, u := range s {
		if u >= 0x20 && u < 0x7F && u != quote && u != '\\' {
			dst = append(dst, O(u))
		} else {
			dst = appendEscaped(dst, rune(u), rune(quote), ascii)
		}
	}
	return append(dst, O(quote))
}

// AppendQuotedRune appends what repr writes for a character that does not stay as it is: a quote, a backslash, one that is not printable.
func AppendQuotedRune(dst []byte, r rune) []byte {
	if escapeLetter(r) != r || r == '\'' || r == '"' || r == '\\' {
		return append(dst, '\\', byte(escapeLetter(r)))
	}
	return AppendEscape(dst, r)
}

func appendEscaped[O Unit](dst []O, r, quote rune, ascii bool) []O {
	switch quotedWidth(r, quote, ascii) {
	case 1:
		return append(dst, O(r))
	case 2:
		return append(dst, '\\', O(escapeLetter(r)))
	default:
		return AppendEscape(dst, r)
	}
}

// AppendEscape appends the escape with hexadecimal digits that repr and ascii write for a character: \xhh, \uhhhh or \Uhhhhhhhh.
func AppendEscape[O Unit](dst []O, r rune) []O {
	switch {
	case r < 0x100:
		return appendHex(append(dst, '\\', 'x'), r, 2)
	case r < 0x10000:
		return appendHex(append(dst, '\\', 'u'), r, 4)
	default:
		return appendHex(append(dst, '\\', 'U'), r, 8)
	}
}

func escapeLetter(r rune) rune {
	switch r {
	case '\t':
		return 't'
	case '\n':
		return 'n'
	case '\r':
		return 'r'
	default:
		return r
	}
}

func appendHex[O Unit](dst []O, r rune, digits int) []O {
	for shift := 4 * (digits - 1); shift >= 0; shift -= 4 {
		dst = append(dst, O(hexDigits[r>>shift&15]))
	}
	return dst
}

// QuotedBytesLen answers the number of bytes AppendQuotedBytes appends.
func QuotedBytesLen(b []byte) int {
	n := 3 + bytes.Count(b, []byte{quoteFor(b)}) // one more for each quote
	for _, c := range b {
		n += int(byteWidths[c])
	}
	return n
}

// byteWidths is how many bytes repr writes for a byte that is not the quote.
var byteWidths = func() (w [256]uint8) {
	for c := range w {
		w[c] = uint8(quotedWidth(rune(c), -1, true))
	}
	return w
}()

// AppendQuotedBytes appends repr of the bytes b to dst.
func AppendQuotedBytes(dst, b []byte) []byte {
	quote := quoteFor(b)
	dst = append(dst, 'b', quote)
	for _, c := range b {
		dst = appendEscaped(dst, rune(c), rune(quote), true)
	}
	return append(dst, quote)
}
