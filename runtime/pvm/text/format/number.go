package format

import (
	"slices"

	"github.com/cowboyinc/cowboy-go/runtime/pvm/text"
)

// number is a formatted number before it is laid out:
//
//	left padding, sign, prefix, inner padding, digits with separators, rest, right padding
type number struct {
	negative bool
	prefix   string // 0x and the like
	digits   []byte // digits before the decimal point
	rest     []byte // decimal point, fraction, exponent, percent sign, or all of "nan"
}

func (s *Spec) sign(negative bool) byte {
	switch {
	case negative:
		return '-'
	case s.Sign == '+' || s.Sign == ' ':
		return s.Sign
	default:
		return 0
	}
}

// layout appends the number to dst under the specification.
func layout[O text.Unit](dst []O, s *Spec, n number) []O {
	sign := s.sign(n.negative)
	fixed := int64(len(n.prefix) + len(n.rest))
	if sign != 0 {
		fixed++
	}
	minimum := int64(0)
	if s.Fill == '0' && s.Align == '=' {
		minimum = s.Width - fixed
	}
	grouped := int64(0)
	if len(n.digits) > 0 {
		grouped = groupedLen(len(n.digits), minimum, s)
	}
	left, inner, right := s.padding(fixed + grouped)
	dst = appendFill(dst, s.Fill, left)
	if sign != 0 {
		dst = append(dst, O(sign))
	}
	dst = appendASCII(dst, n.prefix)
	dst = appendFill(dst, s.Fill, inner)
	if grouped > 0 {
		dst = appendGrouped(dst, n.digits, grouped, s)
	}
	dst = appendASCII(dst, n.rest)
	return appendFill(dst, s.Fill, right)
}

// padding divides what the width leaves over.
func (s *Spec) padding(used int64) (left, inner, right int64) {
	pad := s.Width - used
	if pad <= 0 {
		return 0, 0, 0
	}
	switch s.Align {
	case '<':
		return 0, 0, pad
	case '^':
		return pad / 2, 0, pad - pad/2
	case '=':
		return 0, pad, 0
	default:
		return pad, 0, 0
	}
}

// groupedLen answers the length of the digits with separators, filled with zeros on the left to at least minimum. A
// separator never comes first, so the result can be one more than minimum.
func groupedLen(digits int, minimum int64, s *Spec) int64 {
	n := max(int64(digits), 1)
	if s.Grouping == 0 {
		return max(n, minimum)
	}
	size := int64(s.groupSize())
	length := n + (n-1)/size
	if length >= minimum {
		return length
	}
	if minimum%(size+1) == 0 {
		return minimum + 1
	}
	return minimum
}

// appendGrouped appends the digits in a field of the given length, counting groups from the right.
func appendGrouped[O text.Unit](dst []O, digits []byte, length int64, s *Spec) []O {
	step := int64(0)
	if s.Grouping != 0 {
		step = int64(s.groupSize()) + 1
	}
	zeros := length - int64(len(digits))
	if step == 0 {
		return appendASCII(appendFill(dst, '0', zeros), digits)
	}
	zeros -= (length - 1) / step
	for left := length; left > 0; left-- {
		switch {
		case left%step == 0:
			dst = append(dst, O(s.Grouping))
		case zeros > 0:
			dst = append(dst, '0')
			zeros--
		default:
			dst = append(dst, O(digits[0]))
			digits = digits[1:]
		}
	}
	return dst
}

func appendFill[O text.Unit](dst []O, fill rune, n int64) []O {
	if n <= 0 {
		return dst
	}
	dst = slices.Grow(dst, int(n))
	for ; n > 0; n-- {
		dst = append(dst, O(fill))
	}
	return dst
}

// longASCII is a length from which a copy is faster than a loop.
const longASCII = 16

func appendASCII[O text.Unit, S ~string | ~[]byte](dst []O, s S) []O {
	if b, ok := any(dst).([]byte); ok && len(s) > longASCII {
		return any(append(b, s...)).([]O)
	}
	for i := 0; i < len(s); i++ {
		dst = append(dst, O(s[i]))
	}
	return dst
}
