package softfloat

import (
	"errors"
	"math/big"
	"math/bits"
)

// ErrSyntax: the text is not a number.
var ErrSyntax = errors.New("could not convert string to float")

// Parse reads a double as Python's float(str) does: an optional sign, digits
// with an optional point and exponent, single underscores between digits, or
// "inf", "infinity" or "nan" in any case; ASCII white space around it. The
// result is the double nearest to the decimal value, however long the text; out
// of range it is an infinity or a zero. ErrSyntax for anything else.
//
// Work is linear in len(s) plus a constant (numbers of about 3,700 bits).
//
// Spec: sdk §17.2; Python 3.11 library, "float".
func Parse(s string) (uint64, error) {
	s = trimSpace(s)
	sign, rest := cutSign(s)
	if x, ok := parseSpecial(rest); ok {
		return sign | x, nil
	}
	d, ok := scanDecimal(rest)
	if !ok {
		return 0, ErrSyntax
	}
	return sign | d.double(), nil
}

func trimSpace(s string) string {
	for len(s) > 0 && isSpace(s[0]) {
		s = s[1:]
	}
	for len(s) > 0 && isSpace(s[len(s)-1]) {
		s = s[:len(s)-1]
	}
	return s
}

// isSpace reports ASCII white space as str.isspace defines it.
func isSpace(c byte) bool { return c == ' ' || c >= '\t' && c <= '\r' || c >= 0x1c && c <= 0x1f }

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// cutSign splits off a leading sign as a sign bit.
func cutSign(s string) (sign uint64, rest string) {
	if len(s) > 0 && (s[0] == '+' || s[0] == '-') {
		return uint64(s[0]-'+') >> 1 << 63, s[1:]
	}
	return 0, s
}

func parseSpecial(s string) (uint64, bool) {
	switch {
	case equalFold(s, "inf"), equalFold(s, "infinity"):
		return Inf, true
	case equalFold(s, "nan"):
		return NaN, true
	}
	return 0, false
}

// equalFold reports whether s is the lower-case word in any case.
func equalFold(s, word string) bool {
	if len(s) != len(word) {
		return false
	}
	for i := range len(s) {
		if s[i]|0x20 != word[i] {
			return false
		}
	}
	return true
}

// decimal is a scanned number: head·10^exp, plus something smaller than one
// unit of head where more digits followed.
type decimal struct {
	head uint64 // the first 19 significant digits
	exp  int
	// digits of the text from the first significant one, point and underscores
	// included, when there are more than 19; else empty.
	text string
	// textExp is the power of ten of the last digit of text.
	textExp int
}

// An exponent beyond this makes any text shorter than that infinite or zero.
// Ten times it still fits 32 bits.
const exponentMax = 1 << 27

// headDigits always fit a uint64.
const headDigits = 19

// scanDecimal parses digits, point and exponent, and nothing else.
func scanDecimal(s string) (d decimal, ok bool) {
	var count, first, point, dropped int
	var previous byte
	seenDigit, seenPoint := false, false
	i := 0
	first = -1
loop:
	for ; i < len(s); i++ {
		c := s[i]
		switch {
		case isDigit(c):
			seenDigit = true
			if seenPoint {
				point++
			}
			if count == 0 && c == '0' {
				break
			}
			if first < 0 {
				first = i
			}
			if count++; count <= headDigits {
				d.head = d.head*10 + uint64(c-'0')
			} else {
				dropped++
			}
		case c == '.' && !seenPoint:
			seenPoint = true
		case c == '_' && isDigit(previous) && i+1 < len(s) && isDigit(s[i+1]):
		default:
			break loop
		}
		previous = c
	}
	if !seenDigit {
		return d, false
	}
	mantissa := s[:i]
	exp, ok := scanExponent(s[i:])
	d.exp = exp - point + dropped
	if dropped > 0 {
		d.text, d.textExp = mantissa[first:], exp-point
	}
	return d, ok
}

// scanExponent parses an optional exponent that must reach the end of s, and
// clamps it to ±exponentMax.
func scanExponent(s string) (exp int, ok bool) {
	if s == "" {
		return 0, true
	}
	if s[0]|0x20 != 'e' {
		return 0, false
	}
	sign, s := cutSign(s[1:])
	if s == "" {
		return 0, false
	}
	for i := range len(s) {
		switch c := s[i]; {
		case isDigit(c):
			exp = min(exp*10+int(c-'0'), exponentMax)
		case c == '_' && i > 0 && isDigit(s[i-1]) && i+1 < len(s) && isDigit(s[i+1]):
		default:
			return 0, false
		}
	}
	if sign != 0 {
		exp = -exp
	}
	return exp, true
}

// double rounds d to the nearest double.
func (d decimal) double() uint64 {
	switch {
	case d.head == 0 || d.exp < powersMin: // below 10^19 · 10^-348, less than half the least double
		return 0
	case d.exp > powersMax:
		return Inf
	}
	if x, ok := lemire(d.head, d.exp); ok {
		if d.text == "" {
			return x
		}
		// The true value lies between head and head+1.
		if y, ok := lemire(d.head+1, d.exp); ok && x == y {
			return x
		}
	}
	if d.text == "" && d.head < 1<<53 && d.exp >= -exactTens && d.exp < 0 {
		return Div(FromUint64(d.head), tens[-d.exp]) // both are exact, and the quotient is rounded once
	}
	return d.exact()
}

// exactTens is the greatest power of ten that is a double.
const exactTens = 22

// tens are the powers of ten that are doubles.
var tens = func() (t [exactTens + 1]uint64) {
	t[0] = FromUint64(1)
	for i := 1; i < len(t); i++ {
		t[i] = Mul(t[i-1], FromUint64(10))
	}
	return t
}()

// lemire rounds w·10^q by the algorithm of Daniel Lemire ("Number parsing at a
// gigabyte per second", 2021): a product with a truncated power of ten whose
// error rarely reaches the rounding bit. ok is false when it might, and for
// results outside the normal range.
func lemire(w uint64, q int) (x uint64, ok bool) {
	z := bits.LeadingZeros64(w)
	w <<= uint(z)
	g := powers[q-powersMin]
	hi, lo := bits.Mul64(w, g[0])
	if hi&0x1ff == 0x1ff && lo+w < lo {
		// The error of the truncated low word may carry into the rounding bit.
		midHi, midLo := bits.Mul64(w, g[1])
		var carry uint64
		lo, carry = bits.Add64(lo, midHi, 0)
		hi += carry
		if lo+1 == 0 && hi&0x1ff == 0x1ff && midLo+w < midLo {
			return 0, false
		}
	}
	top := hi >> 63
	frac := hi >> (top + 9) // 54 bits, the last one decides the rounding
	e := floorLog2Pow10(q) + 63 - z + int(top) + expBias
	if lo == 0 && hi&0x1ff == 0 && frac&3 == 1 {
		return 0, false // perhaps exactly half way
	}
	frac += frac & 1
	frac >>= 1
	if frac == 1<<53 {
		frac >>= 1
		e++
	}
	if e < 1 || e > expMask-1 {
		return 0, false
	}
	return uint64(e)<<52 | frac&fracMask, true
}

// exactDigitsMax digits decide every rounding: no boundary between two doubles
// has more than 768 significant digits, so what follows can only break a tie.
const exactDigitsMax = 800

// exact rounds d with integers of any size.
func (d decimal) exact() uint64 {
	n, exp := new(big.Int).SetUint64(d.head), d.exp
	if d.text != "" {
		n, exp = d.longDigits()
	}
	if exp >= 0 {
		return roundBig(n.Mul(n, pow10(exp)), 0)
	}
	return roundQuo(n, pow10(-exp), 0)
}

// longDigits returns the digits of the text as n·10^exp; digits beyond
// exactDigitsMax are replaced by a single 1 if any is not zero.
func (d decimal) longDigits() (n *big.Int, exp int) {
	digits := make([]byte, 0, min(len(d.text), exactDigitsMax+1))
	exp = d.textExp
	sticky := false
	for i := range len(d.text) {
		c := d.text[i]
		if !isDigit(c) {
			continue
		}
		if len(digits) < exactDigitsMax {
			digits = append(digits, c)
			continue
		}
		exp++
		sticky = sticky || c != '0'
	}
	if sticky {
		digits = append(digits, '1')
		exp--
	}
	n, ok := new(big.Int).SetString(string(digits), 10)
	if !ok {
		panic("softfloat: digits that are not a number")
	}
	return n, exp
}
