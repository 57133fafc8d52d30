package softfloat

import "math/bits"

// Hex returns Python's float.hex(x), such as "0x1.8000000000000p+1".
func Hex(x uint64) string {
	dst := make([]byte, 0, 24)
	if !IsFinite(x) {
		return string(appendNonFinite(dst, x, false))
	}
	if x&signBit != 0 {
		dst = append(dst, '-')
	}
	if IsZero(x) {
		return string(append(dst, "0x0.0p+0"...))
	}
	e, lead := int(x>>52)&expMask-expBias, byte('1')
	if e == -expBias {
		e, lead = e+1, '0'
	}
	dst = append(dst, '0', 'x', lead, '.')
	for shift := fracBits - 4; shift >= 0; shift -= 4 {
		dst = append(dst, "0123456789abcdef"[x>>uint(shift)&15])
	}
	sign := byte('+')
	if e < 0 {
		sign, e = '-', -e
	}
	dst = append(dst, 'p', sign)
	return string(appendDecimal(dst, e))
}

// appendDecimal appends n >= 0 in decimal.
func appendDecimal(dst []byte, n int) []byte {
	if n >= 10 {
		dst = appendDecimal(dst, n/10)
	}
	return append(dst, byte('0'+n%10))
}

// FromHex reads a double as Python's float.fromhex does: sign, optional 0x,
// hexadecimal digits with an optional point, optional binary exponent after p;
// or inf, infinity, nan; ASCII white space around it. ErrSyntax for other text,
// ErrOverflow for a value that rounds beyond the largest double.
func FromHex(s string) (uint64, error) {
	s = trimSpace(s)
	sign, rest := cutSign(s)
	if x, ok := parseSpecial(rest); ok {
		return sign | x, nil
	}
	if len(rest) >= 2 && rest[0] == '0' && rest[1]|0x20 == 'x' {
		rest = rest[2:]
	}
	m, exp, rest, ok := scanHex(rest)
	if !ok {
		return 0, ErrSyntax
	}
	if rest != "" {
		e, ok := scanBinaryExponent(rest)
		if !ok {
			return 0, ErrSyntax
		}
		exp += e
	}
	if m == 0 {
		return sign, nil
	}
	z := bits.LeadingZeros64(m)
	exp += 63 - z
	// Clamped so that the biased exponent cannot wrap; both ends are far
	// outside the range.
	x := pack(sign, min(max(exp, -4096), 4096)+expBias, m<<uint(z))
	if IsInf(x) {
		return 0, ErrOverflow
	}
	return x, nil
}

// scanHex reads digits and point: the value is m·2^exp, bit zero of m sticky
// for digits beyond the sixteenth significant one.
func scanHex(s string) (m uint64, exp int, rest string, ok bool) {
	seenDigit, seenPoint := false, false
	i := 0
loop:
	for ; i < len(s); i++ {
		c := s[i]
		h, isHex := hexValue(c)
		switch {
		case isHex:
			seenDigit = true
			if m>>60 == 0 {
				m = m<<4 | h
				if seenPoint {
					exp -= 4
				}
				break
			}
			if h != 0 {
				m |= 1
			}
			if !seenPoint {
				exp += 4
			}
		case c == '.' && !seenPoint:
			seenPoint = true
		default:
			break loop
		}
	}
	return m, exp, s[i:], seenDigit
}

func hexValue(c byte) (uint64, bool) {
	switch {
	case isDigit(c):
		return uint64(c - '0'), true
	case c|0x20 >= 'a' && c|0x20 <= 'f':
		return uint64(c|0x20-'a') + 10, true
	}
	return 0, false
}

// scanBinaryExponent reads p, a sign and decimal digits to the end of s.
func scanBinaryExponent(s string) (exp int, ok bool) {
	if s[0]|0x20 != 'p' {
		return 0, false
	}
	sign, s := cutSign(s[1:])
	if s == "" {
		return 0, false
	}
	for i := range len(s) {
		if !isDigit(s[i]) {
			return 0, false
		}
		exp = min(exp*10+int(s[i]-'0'), exponentMax)
	}
	if sign != 0 {
		exp = -exp
	}
	return exp, true
}
