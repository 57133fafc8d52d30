package format

import (
	"fmt"
	"math"

	"github.com/cowboyinc/cowboy-go/runtime/pvm/text"
)

// Error is a ValueError: the format is wrong, or does not suit the value.
type Error struct{ Message string }

func (e *Error) Error() string { return e.Message }

func errorf(format string, args ...any) error { return &Error{fmt.Sprintf(format, args...)} }

// OutputLimit is the largest width or precision that a parsed format has; a greater one becomes this one. No output can be so long, and callers can add two
// of them or double one without overflowing an int64.
const OutputLimit = 1 << 61

// Spec is a parsed format specification.
//
//	[[fill]align][sign][z][#][0][width][grouping][.precision][type]
type Spec struct {
	Fill      rune  // ' ' unless given; '0' for the 0 before the width
	Align     byte  // '<', '>', '=', '^'
	Aligned   bool  // an alignment was given
	Zeros     int   // how many zeros begin what may be the width
	Sign      byte  // '+', '-', ' ', or 0
	NoNegZero bool  // z: a result that rounds to zero loses its minus
	Alternate bool  // #
	Width     int64 // -1 when not given
	Grouping  byte  // ',', '_', or 0
	Precision int64 // -1 when not given
	Type      rune  // the default given to Parse when there is none
}

// Defaults of the built-in types: presentation type and alignment to hand to Parse.
const (
	StringType  = 's'
	IntegerType = 'd'
	FloatType   = 0 // also complex
	LeftAlign   = '<'
	RightAlign  = '>'
)

func isAlign[T text.Unit](u T) bool { return u == '<' || u == '>' || u == '=' || u == '^' }

// Parse reads a format specification for an object of the type called typeName, which only error messages show.
func Parse[T text.Unit](spec []T, defaultType rune, defaultAlign byte, typeName string) (Spec, error) {
	s := Spec{Fill: ' ', Align: defaultAlign, Width: -1, Precision: -1, Type: defaultType}
	rest := spec
	filled, aligned := false, false
	switch {
	case len(rest) >= 2 && isAlign(rest[1]):
		s.Fill, s.Align = rune(rest[0]), byte(rest[1])
		filled, aligned = true, true
		rest = rest[2:]
	case len(rest) >= 1 && isAlign(rest[0]):
		s.Align = byte(rest[0])
		aligned = true
		rest = rest[1:]
	}
	if len(rest) > 0 && (rest[0] == ' ' || rest[0] == '+' || rest[0] == '-') {
		s.Sign = byte(rest[0])
		rest = rest[1:]
	}
	s.NoNegZero, rest = accept(rest, 'z')
	s.Alternate, rest = accept(rest, '#')
	s.Aligned = aligned
	for s.Zeros < len(rest) && rest[s.Zeros] == '0' {
		s.Zeros++
	}
	if !filled && s.Zeros > 0 {
		s.Fill = '0'
		if !aligned && defaultAlign == RightAlign {
			s.Align = '='
		}
		rest = rest[1:]
	}
	var err error
	if s.Width, rest, err = parseNumber(rest); err != nil {
		return s, err
	}
	if s.Grouping, rest, err = parseGrouping(rest); err != nil {
		return s, err
	}
	if dot, after := accept(rest, '.'); dot {
		if s.Precision, rest, err = parseNumber(after); err != nil {
			return s, err
		}
		if s.Precision < 0 {
			return s, errorf("Format specifier missing precision")
		}
	}
	if len(rest) > 1 {
		return s, errorf("Invalid format specifier '%s' for object of type '%s'", runes(spec), typeName)
	}
	if len(rest) == 1 {
		s.Type = rune(rest[0])
	}
	s.Width, s.Precision = min(s.Width, OutputLimit), min(s.Precision, OutputLimit)
	return s, s.checkGrouping()
}

func accept[T text.Unit](s []T, u T) (bool, []T) {
	if len(s) > 0 && s[0] == u {
		return true, s[1:]
	}
	return false, s
}

func runes[T text.Unit](s []T) string {
	out := make([]rune, len(s))
	for i, u := range s {
		out[i] = rune(u)
	}
	return string(out)
}

// parseNumber reads decimal digits of any script; -1 stands for none.
func parseNumber[T text.Unit](s []T) (int64, []T, error) {
	n := int64(0)
	i := 0
	for ; i < len(s); i++ {
		d := int64(text.DecimalValue(rune(s[i])))
		if d < 0 {
			break
		}
		if n > (math.MaxInt64-d)/10 {
			return 0, s, errorf("Too many decimal digits in format string")
		}
		n = n*10 + d
	}
	if i == 0 {
		return -1, s, nil
	}
	return n, s[i:], nil
}

func parseGrouping[T text.Unit](rest []T) (byte, []T, error) {
	if comma, after := accept(rest, ','); comma {
		if len(after) > 0 && after[0] == '_' {
			return 0, after, errBothGroupings
		}
		return ',', after, nil
	}
	if low, after := accept(rest, '_'); low {
		if len(after) > 0 && after[0] == ',' {
			return 0, after, errBothGroupings
		}
		return '_', after, nil
	}
	return 0, rest, nil
}

var errBothGroupings = errorf("Cannot specify both ',' and '_'.")

// checkGrouping refuses separators for presentation types that have none.
func (s *Spec) checkGrouping() error {
	if s.Grouping == 0 {
		return nil
	}
	switch s.Type {
	case 'd', 'e', 'f', 'g', 'E', 'G', '%', 'F', 0:
		return nil
	case 'b', 'o', 'x', 'X':
		if s.Grouping == '_' {
			return nil
		}
	}
	if s.Type > 32 && s.Type < 128 {
		return errorf("Cannot specify '%c' with '%c'.", s.Grouping, s.Type)
	}
	return errorf("Cannot specify '%c' with '\\x%x'.", s.Grouping, s.Type)
}

// groupSize answers how many digits stand between separators.
func (s *Spec) groupSize() int {
	switch s.Type {
	case 'b', 'o', 'x', 'X':
		return 4
	default:
		return 3
	}
}

func (s *Spec) unknownType(typeName string) error {
	if s.Type > 32 && s.Type < 128 {
		return errorf("Unknown format code '%c' for object of type '%s'", s.Type, typeName)
	}
	return errorf("Unknown format code '\\x%x' for object of type '%s'", s.Type, typeName)
}
