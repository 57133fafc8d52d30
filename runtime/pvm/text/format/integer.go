package format

import (
	"errors"
	"math/big"
	"strconv"

	"github.com/cowboyinc/cowboy-go/runtime/pvm/text"
)

// The OverflowErrors of presentation type 'c'; Error is CPython's message.
var (
	ErrCharRange = errors.New("%c arg not in range(0x110000)")
	ErrCharSize  = errors.New("Python int too large to convert to C long")
)

// IsIntegerType reports whether an int formats itself as an integer under the type.
func (s *Spec) IsIntegerType() bool {
	switch s.Type {
	case 'b', 'c', 'd', 'o', 'x', 'X', 'n':
		return true
	default:
		return false
	}
}

// IsFloatType reports whether the presentation type shows a double; an int given such a type is converted first.
func (s *Spec) IsFloatType() bool {
	switch s.Type {
	case 'e', 'E', 'f', 'F', 'g', 'G', '%':
		return true
	default:
		return false
	}
}

// UnknownType is the error for a presentation type that the type called typeName does not know.
func (s *Spec) UnknownType(typeName string) error { return s.unknownType(typeName) }

// CheckInteger answers the error of a specification that no int may have.
func (s *Spec) CheckInteger() error {
	switch {
	case s.Precision >= 0:
		return errorf("Precision not allowed in integer format specifier")
	case s.NoNegZero:
		return errorf("Negative zero coercion (z) not allowed in integer format specifier")
	case s.Type == 'c' && s.Sign != 0:
		return errorf("Sign not allowed with integer format specifier 'c'")
	case s.Type == 'c' && s.Alternate:
		return errorf("Alternate form (#) not allowed with integer format specifier 'c'")
	default:
		return nil
	}
}

// AppendInt appends an int under a specification that passed CheckInteger and is of an integer type. With type 'c' or a
// fill outside ASCII, dst must be able to hold such characters.
func AppendInt[O text.Unit](dst []O, s Spec, i int64) ([]O, error) {
	if s.Type == 'c' {
		return appendChar(dst, &s, i)
	}
	var buf [64]byte
	magnitude := uint64(i)
	if i < 0 {
		magnitude = -magnitude
	}
	digits := strconv.AppendUint(buf[:0], magnitude, s.base())
	return layoutInteger(dst, &s, i < 0, digits), nil
}

// AppendBig is AppendInt for an int of any size. It takes time quadratic in the size for base ten.
func AppendBig[O text.Unit](dst []O, s Spec, i *big.Int) ([]O, error) {
	if i.IsInt64() {
		return AppendInt(dst, s, i.Int64())
	}
	if s.Type == 'c' {
		return dst, ErrCharSize
	}
	digits := i.Append(nil, s.base())
	if i.Sign() < 0 {
		digits = digits[1:]
	}
	return layoutInteger(dst, &s, i.Sign() < 0, digits), nil
}

func (s *Spec) base() int {
	switch s.Type {
	case 'b':
		return 2
	case 'o':
		return 8
	case 'x', 'X':
		return 16
	default:
		return 10
	}
}

func layoutInteger[O text.Unit](dst []O, s *Spec, negative bool, digits []byte) []O {
	n := number{negative: negative, digits: digits}
	if s.Type == 'X' {
		upperHex(digits)
	}
	if s.Alternate {
		n.prefix = prefixOf(s.Type)
	}
	return layout(dst, s, n)
}

func upperHex(digits []byte) {
	for i, d := range digits {
		if d >= 'a' {
			digits[i] = d - ('a' - 'A')
		}
	}
}

func prefixOf(kind rune) string {
	switch kind {
	case 'b':
		return "0b"
	case 'o':
		return "0o"
	case 'x':
		return "0x"
	case 'X':
		return "0X"
	default:
		return ""
	}
}

// appendChar lays the character out as something that is not a digit, so that no separator or zero touches it.
func appendChar[O text.Unit](dst []O, s *Spec, i int64) ([]O, error) {
	if i < 0 || i > 0x10FFFF {
		return dst, ErrCharRange
	}
	left, inner, right := s.padding(1)
	dst = appendFill(dst, s.Fill, left+inner)
	dst = append(dst, O(i))
	return appendFill(dst, s.Fill, right), nil
}
