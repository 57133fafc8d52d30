package jsontext

import "github.com/cowboyinc/cowboy-go/runtime/pvm/text"

// Error is a JSONDecodeError: what is wrong and where, as an index into the document in code points.
type Error struct {
	Message string
	At      int
}

// Messages of Error, in CPython's words. ExpectingValue and the messages about delimiters are for the callers of Scan.
const (
	ExpectingValue = "Expecting value"
	ExpectingName  = "Expecting property name enclosed in double quotes"
	ExpectingColon = "Expecting ':' delimiter"
	ExpectingComma = "Expecting ',' delimiter"
	ExtraData      = "Extra data"
	ByteOrderMark  = "Unexpected UTF-8 BOM (decode using utf-8-sig)"

	unterminated     = "Unterminated string starting at"
	controlCharacter = "Invalid control character at"
	badEscape        = "Invalid \\escape"
	badUnicodeEscape = "Invalid \\uXXXX escape"
)

// SkipSpace answers the index of the first unit from i on that is not JSON white space.
func SkipSpace[T text.Unit](s []T, i int) int {
	for i < len(s) && (s[i] == ' ' || s[i] == '\t' || s[i] == '\n' || s[i] == '\r') {
		i++
	}
	return i
}

// Token says what a value begins with.
type Token uint8

// The tokens.
const (
	NoValue Token = iota
	StringStart
	ObjectStart
	ArrayStart
	Null
	True
	False
	Integer
	Real
	NaN
	Infinity
	NegativeInfinity
)

// Scan answers the value that begins at s[i] and where it ends; for strings, objects and arrays it answers the index
// behind the opening character.
func Scan[T text.Unit](s []T, i int) (Token, int) {
	if i >= len(s) {
		return NoValue, i
	}
	switch s[i] {
	case '"':
		return StringStart, i + 1
	case '{':
		return ObjectStart, i + 1
	case '[':
		return ArrayStart, i + 1
	case 'n':
		return word(s, i, "null", Null)
	case 't':
		return word(s, i, "true", True)
	case 'f':
		return word(s, i, "false", False)
	case 'N':
		return word(s, i, "NaN", NaN)
	case 'I':
		return word(s, i, "Infinity", Infinity)
	case '-':
		if token, end := word(s, i, "-Infinity", NegativeInfinity); token != NoValue {
			return token, end
		}
	}
	return number(s, i)
}

func word[T text.Unit](s []T, i int, w string, token Token) (Token, int) {
	if len(s)-i < len(w) {
		return NoValue, i
	}
	for k := 0; k < len(w); k++ {
		if s[i+k] != T(w[k]) {
			return NoValue, i
		}
	}
	return token, i + len(w)
}

func isDigit[T text.Unit](u T) bool { return u >= '0' && u <= '9' }

func digits[T text.Unit](s []T, i int) int {
	for i < len(s) && isDigit(s[i]) {
		i++
	}
	return i
}

// number reads as much of a number as there is: a fraction or exponent without digits does not belong to it.
func number[T text.Unit](s []T, start int) (Token, int) {
	i := start
	if s[i] == '-' {
		i++
	}
	switch {
	case i < len(s) && s[i] == '0':
		i++
	case i < len(s) && isDigit(s[i]):
		i = digits(s, i)
	default:
		return NoValue, start
	}
	token := Integer
	if i+1 < len(s) && s[i] == '.' && isDigit(s[i+1]) {
		token = Real
		i = digits(s, i+1)
	}
	if i < len(s) && (s[i] == 'e' || s[i] == 'E') {
		e := i + 1
		if e < len(s) && (s[e] == '+' || s[e] == '-') {
			e++
		}
		if end := digits(s, e); end > e {
			return Real, end
		}
	}
	return token, i
}

// String reads the string whose opening quote stands before s[start]. Without escapes it answers the range of its
// text; else escaped is set and the decoded text stands in decoded, which reuses the slice buf. next is the index behind the closing
// quote.
func String[T text.Unit](s []T, start int, strict bool, buf []rune) (end, next int, decoded []rune, escaped bool, err *Error) {
	i, err := plain(s, start, start, strict)
	if err != nil {
		return 0, 0, nil, false, err
	}
	if s[i] == '"' {
		return i, i + 1, nil, false, nil
	}
	decoded = appendUnits(buf[:0], s[start:i])
	for {
		// s[i] is a backslash.
		var r rune
		if r, i, err = escape(s, i, start); err != nil {
			return 0, 0, nil, false, err
		}
		decoded = append(decoded, r)
		from := i
		if i, err = plain(s, i, start, strict); err != nil {
			return 0, 0, nil, false, err
		}
		decoded = appendUnits(decoded, s[from:i])
		if s[i] == '"' {
			return i, i + 1, decoded, true, nil
		}
	}
}

func appendUnits[T text.Unit](dst []rune, s []T) []rune {
	for _, u := range s {
		dst = append(dst, rune(u))
	}
	return dst
}

// plain answers the index of the next quote or backslash.
func plain[T text.Unit](s []T, i, start int, strict bool) (int, *Error) {
	for ; i < len(s); i++ {
		switch u := s[i]; {
		case u == '"' || u == '\\':
			return i, nil
		case u < 0x20 && strict:
			return 0, &Error{controlCharacter, i}
		}
	}
	return 0, &Error{unterminated, start - 1}
}

// escape reads the escape that begins at s[i].
func escape[T text.Unit](s []T, i, start int) (rune, int, *Error) {
	if i+1 == len(s) {
		return 0, 0, &Error{unterminated, start - 1}
	}
	if s[i+1] == 'u' {
		return unicodeEscape(s, i)
	}
	r := rune(s[i+1])
	switch r {
	case '"', '\\', '/':
	case 'b':
		r = '\b'
	case 'f':
		r = '\f'
	case 'n':
		r = '\n'
	case 'r':
		r = '\r'
	case 't':
		r = '\t'
	default:
		return 0, 0, &Error{badEscape, i}
	}
	return r, i + 2, nil
}

// unicodeEscape reads \uXXXX at s[i], and the second half of a surrogate pair behind it. The closing quote must still
// follow the digits.
func unicodeEscape[T text.Unit](s []T, i int) (rune, int, *Error) {
	end := i + 6
	if end >= len(s) {
		return 0, 0, &Error{badUnicodeEscape, i + 1}
	}
	r, ok := hex4(s[i+2 : end])
	if !ok {
		return 0, 0, &Error{badUnicodeEscape, i + 1}
	}
	if r < 0xD800 || r > 0xDBFF || end+6 >= len(s) || s[end] != '\\' || s[end+1] != 'u' {
		return r, end, nil
	}
	low, ok := hex4(s[end+2 : end+6])
	if !ok {
		return 0, 0, &Error{badUnicodeEscape, end + 1}
	}
	if low < 0xDC00 || low > 0xDFFF {
		return r, end, nil
	}
	return 0x10000 + (r-0xD800)<<10 + (low - 0xDC00), end + 6, nil
}

func hex4[T text.Unit](s []T) (rune, bool) {
	r := rune(0)
	for _, u := range s {
		switch {
		case isDigit(u):
			r = r<<4 | rune(u-'0')
		case u >= 'a' && u <= 'f':
			r = r<<4 | rune(u-'a'+10)
		case u >= 'A' && u <= 'F':
			r = r<<4 | rune(u-'A'+10)
		default:
			return 0, false
		}
	}
	return r, true
}

// Position answers line and column of an index, both counted from 1, as JSONDecodeError shows them.
func Position[T text.Unit](s []T, at int) (line, column int) {
	line = 1
	last := -1
	for i := 0; i < at && i < len(s); i++ {
		if s[i] == '\n' {
			line++
			last = i
		}
	}
	return line, at - last
}
