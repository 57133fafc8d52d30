package decimal

import (
	"math/big"
	"strconv"
	"strings"
)

// Parse reads a number exactly: optional sign, digits with an optional point,
// optional exponent; or inf, infinity, nan, snan in any case, NaNs with an
// optional payload. The text holds ASCII digits only and neither white space
// nor underscores: the caller has seen to that. A number that cannot be
// represented, and any other text, is a ConversionSyntax; a coefficient of more
// than MaxDigits digits is TooManyDigits.
func Parse(s string) (*Number, Condition) {
	neg := false
	rest := s
	if rest != "" && (rest[0] == '+' || rest[0] == '-') {
		neg = rest[0] == '-'
		rest = rest[1:]
	}
	if rest == "" {
		return invalid(ConversionSyntax)
	}
	if c := rest[0]; c != '.' && (c < '0' || c > '9') {
		return parseSpecial(neg, rest)
	}
	mantissa, exponent := rest, ""
	if i := strings.IndexAny(rest, "eE"); i >= 0 {
		mantissa, exponent = rest[:i], rest[i+1:]
		if exponent == "" {
			return invalid(ConversionSyntax)
		}
	}
	whole, fraction, _ := strings.Cut(mantissa, ".")
	if whole == "" && fraction == "" || !allDigits(whole) || !allDigits(fraction) {
		return invalid(ConversionSyntax)
	}
	exp, ok := parseExponent(exponent)
	if !ok {
		return invalid(ConversionSyntax)
	}
	return assemble(neg, whole+fraction, exp-int64(len(fraction)))
}

// assemble makes a number of checked digits.
func assemble(neg bool, text string, exp int64) (*Number, Condition) {
	text = strings.TrimLeft(text, "0")
	if len(text) > MaxDigits {
		return invalid(TooManyDigits)
	}
	if len(text) <= 18 && exp <= smallExp && exp >= -smallExp {
		i, _ := strconv.ParseUint("0"+text, 10, 64)
		return Small{neg: neg, lo: i, exp: exp}.Store(new(Stored)), 0
	}
	n := &Number{neg: neg, exp: exp}
	if text == "" {
		n.exp = min(max(exp, -2*exponentLimit), exponentLimit)
		return n, 0
	}
	adjusted := exp + int64(len(text)) - 1
	if adjusted > exponentLimit || exp < -2*exponentLimit {
		return invalid(0)
	}
	n.coef.SetString(text, 10)
	return n, 0
}

func allDigits(s string) bool {
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return true
}

// parseExponent reads a signed integer, clamped to what no number can have.
func parseExponent(s string) (int64, bool) {
	if s == "" {
		return 0, true
	}
	neg := s[0] == '-'
	if s[0] == '+' || s[0] == '-' {
		s = s[1:]
	}
	if s == "" || !allDigits(s) {
		return 0, false
	}
	const clamp = 4 * exponentLimit
	var n int64
	for i := range len(s) {
		n = n*10 + int64(s[i]-'0')
		if n > clamp/10 {
			n = clamp / 10
		}
	}
	if n == clamp/10 {
		n = clamp
	}
	if neg {
		n = -n
	}
	return n, true
}

func parseSpecial(neg bool, s string) (*Number, Condition) {
	s = strings.ToLower(s)
	switch {
	case s == "inf" || s == "infinity":
		return Infinity(neg), 0
	case strings.HasPrefix(s, "nan"):
		return parsePayload(neg, false, s[3:])
	case strings.HasPrefix(s, "snan"):
		return parsePayload(neg, true, s[4:])
	}
	return invalid(ConversionSyntax)
}

func parsePayload(neg, signaling bool, s string) (*Number, Condition) {
	if !allDigits(s) {
		return invalid(ConversionSyntax)
	}
	if len(s) > MaxDigits {
		return invalid(TooManyDigits)
	}
	payload := new(big.Int)
	if s != "" {
		payload.SetString(s, 10)
	}
	return NaN(neg, signaling, payload), 0
}

// String returns the scientific form of the specification, Python's str.
func (x *Number) String() string { return x.text(false) }

// Engineering returns the form whose exponents are multiples of three.
func (x *Number) Engineering() string { return x.text(true) }

func (x *Number) text(engineering bool) string {
	b := make([]byte, 0, 32)
	if x.neg {
		b = append(b, '-')
	}
	switch x.form {
	case Infinite:
		return string(append(b, "Infinity"...))
	case QuietNaN, SignalingNaN:
		if x.form == SignalingNaN {
			b = append(b, 's')
		}
		b = append(b, "NaN"...)
		if x.coef.Sign() != 0 {
			b = x.coef.Append(b, 10)
		}
		return string(b)
	}
	var buf [20]byte
	var text []byte
	if x.coef.IsUint64() {
		text = strconv.AppendUint(buf[:0], x.coef.Uint64(), 10)
	} else {
		text = x.coef.Append(nil, 10)
	}
	left := x.exp + int64(len(text)) // digits before the point
	point := x.pointOf(left, len(text), engineering)
	b = appendPoint(b, text, point)
	if exp := left - point; exp != 0 {
		b = append(b, 'E')
		if exp > 0 {
			b = append(b, '+')
		}
		b = strconv.AppendInt(b, exp, 10)
	}
	return string(b)
}

// pointOf returns where the point goes: after that many digits, counted from
// before the first one if not positive.
func (x *Number) pointOf(left int64, length int, engineering bool) int64 {
	switch {
	case x.exp <= 0 && left > -6:
		return left
	case !engineering:
		return 1
	case x.coef.Sign() == 0:
		return floorMod(left+1, 3) - 1
	}
	return floorMod(left-1, 3) + 1
}

func floorMod(a, b int64) int64 { return (a%b + b) % b }

// appendPoint writes digits with the point after the given number of them,
// adding zeros on either side.
func appendPoint(b, text []byte, point int64) []byte {
	switch {
	case point <= 0:
		b = append(b, "0."...)
		for ; point < 0; point++ {
			b = append(b, '0')
		}
		return append(b, text...)
	case point >= int64(len(text)):
		b = append(b, text...)
		for n := int64(len(text)); n < point; n++ {
			b = append(b, '0')
		}
		return b
	}
	b = append(b, text[:point]...)
	b = append(b, '.')
	return append(b, text[point:]...)
}
