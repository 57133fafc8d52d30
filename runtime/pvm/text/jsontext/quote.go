package jsontext

import "github.com/cowboyinc/cowboy-go/runtime/pvm/text"

const hexDigits = "0123456789abcdef"

// shortEscape answers the letter of a two-character escape, or 0.
func shortEscape(r rune) byte {
	switch r {
	case '"', '\\':
		return byte(r)
	case '\n':
		return 'n'
	case '\r':
		return 'r'
	case '\t':
		return 't'
	case '\f':
		return 'f'
	case '\b':
		return 'b'
	default:
		return 0
	}
}

// needsEscape says whether a character cannot stand in a string as it is. With ascii, nothing outside printable ASCII can.
func needsEscape(r rune, ascii bool) bool {
	return r < 0x20 || r == '"' || r == '\\' || ascii && r > '~'
}

// QuotedLen answers the number of units AppendQuoted appends.
func QuotedLen[T text.Unit](s []T, ascii bool) int {
	n := 2 + len(s)
	for _, u := range s {
		switch r := rune(u); {
		case !needsEscape(r, ascii):
		case shortEscape(r) != 0:
			n++
		case r >= 0x10000:
			n += 11
		default:
			n += 5
		}
	}
	return n
}

// AppendQuoted appends s as a JSON string to dst. With ascii everything outside printable ASCII is escaped, beyond the
// basic plane as a surrogate pair; without, dst must be able to hold the characters of s.
func AppendQuoted[O, T text.Unit](dst []O, s []T, ascii bool) []O {
	dst = append(dst, '"')
	for _, u := range s {
		r := rune(u)
		if !needsEscape(r, ascii) {
			dst = append(dst, O(u))
			continue
		}
		if letter := shortEscape(r); letter != 0 {
			dst = append(dst, '\\', O(letter))
			continue
		}
		if r >= 0x10000 {
			v := r - 0x10000
			dst = appendUnicodeEscape(dst, 0xD800|v>>10)
			r = 0xDC00 | v&0x3FF
		}
		dst = appendUnicodeEscape(dst, r)
	}
	return append(dst, '"')
}

func appendUnicodeEscape[O text.Unit](dst []O, r rune) []O {
	return append(dst, '\\', 'u', O(hexDigits[r>>12&15]), O(hexDigits[r>>8&15]), O(hexDigits[r>>4&15]), O(hexDigits[r&15]))
}
