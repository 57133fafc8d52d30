package format

import (
	"math"

	"github.com/cowboyinc/cowboy-go/runtime/pvm/text"
	"github.com/cowboyinc/cowboy-go/runtime/softfloat"
)

const (
	defaultPrecision = 6
	maxFloatBody     = 320 // digits of the largest double, sign, point and exponent
	hundred          = 0x4059000000000000
)

// CheckFloat answers the error of a specification that no float may have.
func (s *Spec) CheckFloat(typeName string) error {
	if !s.IsFloatType() && s.Type != 'n' && s.Type != FloatType {
		return s.unknownType(typeName)
	}
	if s.Precision > math.MaxInt32 {
		return errorf("precision too big")
	}
	return nil
}

// FloatLen bounds the number of characters AppendFloat appends.
func (s *Spec) FloatLen() int64 {
	digits := max(s.Precision, 0) + maxFloatBody
	if s.Grouping != 0 {
		digits += digits / 3
	}
	return max(s.Width, 0) + digits
}

// AppendFloat appends the double with the given bits under a specification that passed CheckFloat.
func AppendFloat[O text.Unit](dst []O, s Spec, bits uint64) []O {
	var buf [64]byte
	body := s.float(buf[:0], bits)
	n := number{}
	if body[0] == '-' {
		n.negative = true
		body = body[1:]
	}
	n.digits, n.rest = splitNumber(body)
	return layout(dst, &s, n)
}

// splitNumber divides a number into its leading digits and the rest.
func splitNumber(body []byte) (digits, rest []byte) {
	i := 0
	for i < len(body) && body[i] >= '0' && body[i] <= '9' {
		i++
	}
	return body[:i], body[i:]
}

// float appends the double with sign and without padding.
func (s *Spec) float(dst []byte, bits uint64) []byte {
	verb, precision := byte(s.Type), s.Precision
	flags := softfloat.FormatFlags(0)
	if s.Alternate {
		flags |= softfloat.Alternate
	}
	percent := false
	fallback := int64(defaultPrecision)
	switch s.Type {
	case FloatType:
		flags |= softfloat.PointZero
		verb = 'r'
		fallback = 0
	case 'n':
		verb = 'g'
	case '%':
		verb = 'f'
		percent = true
		bits = softfloat.Mul(bits, hundred)
	}
	if precision < 0 {
		precision = fallback
	} else if verb == 'r' {
		verb = 'g'
	}
	body := softfloat.Append(dst, bits, verb, int(precision), flags)
	if s.NoNegZero {
		body = withoutNegativeZero(body)
	}
	if percent {
		body = append(body, '%')
	}
	return body
}

// withoutNegativeZero removes the sign of a number all of whose digits are zero.
func withoutNegativeZero(body []byte) []byte {
	if len(body) == 0 || body[0] != '-' {
		return body
	}
	for _, c := range body[1:] {
		if c >= '1' && c <= '9' || c == 'i' || c == 'I' {
			return body
		}
		if c == 'e' || c == 'E' {
			break
		}
	}
	return body[1:]
}

// CheckComplex answers the error of a specification that no complex number may have.
func (s *Spec) CheckComplex(typeName string) error {
	switch {
	case !s.IsFloatType() && s.Type != 'n' && s.Type != FloatType || s.Type == '%':
		return s.unknownType(typeName)
	case s.Precision > math.MaxInt32:
		return errorf("precision too big")
	case s.Fill == '0':
		return errorf("Zero padding is not allowed in complex format specifier")
	case s.Align == '=':
		return errorf("'=' alignment flag is not allowed in complex format specifier")
	default:
		return nil
	}
}

// AppendComplex appends a complex number under a specification that passed CheckComplex. Without a presentation type it
// looks like str() of the number: in parentheses, and a positive zero real part left out.
func AppendComplex[O text.Unit](dst []O, s Spec, realBits, imagBits uint64) []O {
	part := s
	part.Width = -1
	part.Fill = ' '
	bare := s.Type == FloatType
	var body []byte
	skipReal := false
	if bare {
		if skipReal = realBits == 0; skipReal {
			body = appendComplexPart(body, part, imagBits)
		} else {
			body = append(body, '(')
		}
	}
	if !skipReal {
		body = appendComplexPart(body, part, realBits)
		part.Sign = '+'
		body = appendComplexPart(body, part, imagBits)
	}
	body = append(body, 'j')
	if bare && !skipReal {
		body = append(body, ')')
	}
	left, inner, right := s.padding(int64(len(body)))
	dst = appendFill(dst, s.Fill, left+inner)
	dst = appendASCII(dst, body)
	return appendFill(dst, s.Fill, right)
}

// appendComplexPart appends one part of a complex number: as AppendFloat, but without a type a part has no ".0".
func appendComplexPart(dst []byte, s Spec, bits uint64) []byte {
	if s.Type != FloatType {
		return AppendFloat(dst, s, bits)
	}
	flags := softfloat.FormatFlags(0)
	if s.Alternate {
		flags |= softfloat.Alternate
	}
	verb, precision := byte('r'), 0
	if s.Precision >= 0 {
		verb, precision = 'g', int(s.Precision)
	}
	body := softfloat.Append(nil, bits, verb, precision, flags)
	if s.NoNegZero {
		body = withoutNegativeZero(body)
	}
	n := number{}
	if body[0] == '-' {
		n.negative = true
		body = body[1:]
	}
	n.digits, n.rest = splitNumber(body)
	return layout(dst, &s, n)
}
