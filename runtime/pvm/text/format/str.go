package format

import "github.com/cowboyinc/cowboy-go/runtime/pvm/text"

// CheckString answers the error of a specification that no str may have.
func (s *Spec) CheckString(typeName string) error {
	switch {
	case s.Type != StringType:
		return s.unknownType(typeName)
	case s.Sign == ' ':
		return errorf("Space not allowed in string format specifier")
	case s.Sign != 0:
		return errorf("Sign not allowed in string format specifier")
	case s.NoNegZero:
		return errorf("Negative zero coercion (z) not allowed in string format specifier")
	case s.Alternate:
		return errorf("Alternate form (#) not allowed in string format specifier")
	case s.Align == '=':
		return errorf("'=' alignment not allowed in string format specifier")
	default:
		return nil
	}
}

// StringLen answers the number of characters AppendString appends for a text of the given length.
func (s *Spec) StringLen(length int) int64 {
	n := int64(length)
	if s.Precision >= 0 && s.Precision < n {
		n = s.Precision
	}
	return max(n, s.Width)
}

// AppendString appends a text, cut to the precision and padded to the width, under a specification that passed
// CheckString.
func AppendString[O, T text.Unit](dst []O, s Spec, value []T) []O {
	if s.Precision >= 0 && s.Precision < int64(len(value)) {
		value = value[:s.Precision]
	}
	left, _, right := s.padding(int64(len(value)))
	dst = appendFill(dst, s.Fill, left)
	for _, u := range value {
		dst = append(dst, O(u))
	}
	return appendFill(dst, s.Fill, right)
}
