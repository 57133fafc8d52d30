package format

import "github.com/cowboyinc/cowboy-go/runtime/pvm/text"

// MaxNesting is how deep replacement fields nest in str.format: a field, and fields in its specification.
const MaxNesting = 2

// ErrNesting is the ValueError for replacement fields nested deeper than MaxNesting.
var ErrNesting = errorf("Max string recursion exceeded")

// ErrNumbering are the ValueErrors for mixing automatic and explicit field numbers.
var (
	ErrToManual    = errorf("cannot switch from automatic field numbering to manual field specification")
	ErrToAutomatic = errorf("cannot switch from manual field specification to automatic field numbering")
)

// Span is a range of a format.
type Span struct{ Start, End int }

// Len answers the number of units in the span.
func (s Span) Len() int { return s.End - s.Start }

// Piece is what str.format does next: literal text, then perhaps a replacement field.
type Piece struct {
	Literal    Span
	HasField   bool
	Name       Span
	Conversion rune // after '!', 0 for none
	Spec       Span
	Nested     bool // Spec holds braces, so it is a format itself
}

// ParsePiece reads literal text and the field after it from format[at:], and answers the index after them. At the end of
// the format it answers an empty piece.
func ParsePiece[T text.Unit](format []T, at int) (p Piece, next int, err error) {
	i := at
	for i < len(format) && format[i] != '{' && format[i] != '}' {
		i++
	}
	p.Literal = Span{at, i}
	if i == len(format) {
		return p, i, nil
	}
	brace := format[i]
	i++
	switch {
	case i == len(format) && brace == '{':
		return p, i, errorf("Single '{' encountered in format string")
	case i == len(format) || brace == '}' && format[i] != '}':
		return p, i, errorf("Single '}' encountered in format string")
	case format[i] == brace: // a doubled brace stands for itself
		p.Literal.End = i
		return p, i + 1, nil
	}
	p.HasField = true
	next, err = parseField(&p, format, i)
	return p, next, err
}

// parseField reads the field that starts behind its opening brace.
func parseField[T text.Unit](p *Piece, format []T, i int) (int, error) {
	n := len(format)
	p.Name.Start = i
	bracket := false
name:
	for ; i < n; i++ {
		c := format[i]
		switch {
		case bracket:
			bracket = c != ']'
		case c == '{':
			return i, errorf("unexpected '{' in field name")
		case c == '[':
			bracket = true
		case c == '}' || c == ':' || c == '!':
			break name
		}
	}
	p.Name.End = i
	if i >= n {
		return i, errorf("expected '}' before end of string")
	}
	c := format[i]
	i++
	if c == '}' {
		p.Spec = Span{i, i}
		return i, nil
	}
	if c == '!' {
		if i >= n {
			return i, errorf("end of string while looking for conversion specifier")
		}
		p.Conversion = rune(format[i])
		i++
		if i < n {
			c = format[i]
			i++
			if c == '}' {
				p.Spec = Span{i, i}
				return i, nil
			}
			if c != ':' {
				return i, errorf("expected ':' after conversion specifier")
			}
		}
	}
	return parseSpec(p, format, i)
}

// parseSpec reads to the brace that closes the field.
func parseSpec[T text.Unit](p *Piece, format []T, i int) (int, error) {
	p.Spec.Start = i
	for depth := 1; i < len(format); i++ {
		switch format[i] {
		case '{':
			p.Nested = true
			depth++
		case '}':
			if depth--; depth == 0 {
				p.Spec.End = i
				return i + 1, nil
			}
		}
	}
	return i, errorf("unmatched '{' in format spec")
}

// First is the beginning of a field name: a position, a keyword, or empty for the next position.
type First struct {
	Index   int64 // -1 for a keyword
	Name    Span
	IsEmpty bool
}

// ParseFirst divides the field name format[name.Start:name.End] into its first part and where the accessors begin.
func ParseFirst[T text.Unit](format []T, name Span) (f First, rest int, err error) {
	i := name.Start
	for i < name.End && format[i] != '.' && format[i] != '[' {
		i++
	}
	f.Name = Span{name.Start, i}
	f.IsEmpty = f.Name.Len() == 0
	f.Index, err = fieldIndex(format, f.Name)
	return f, i, err
}

// fieldIndex answers the number a span spells in decimal digits, or -1 when it is something else.
func fieldIndex[T text.Unit](format []T, s Span) (int64, error) {
	if s.Len() == 0 {
		return -1, nil
	}
	digits := format[s.Start:s.End]
	n, rest, err := parseNumber(digits)
	if err != nil {
		return -1, err
	}
	if len(rest) > 0 {
		return -1, nil
	}
	return n, nil
}

// Accessor is one step from a field's first value on: an attribute or an item.
type Accessor struct {
	IsAttribute bool
	Index       int64 // item by position; -1 for an item by name
	Name        Span
}

// ParseAccessor reads the accessor at format[at:end] of a field name and answers the index after it.
func ParseAccessor[T text.Unit](format []T, at, end int) (a Accessor, next int, err error) {
	a.Index = -1
	switch format[at] {
	case '.':
		i := at + 1
		for i < end && format[i] != '.' && format[i] != '[' {
			i++
		}
		a.IsAttribute, a.Name = true, Span{at + 1, i}
		next = i
	case '[':
		i := at + 1
		for i < end && format[i] != ']' {
			i++
		}
		if i == end {
			return a, i, errorf("Missing ']' in format string")
		}
		a.Name = Span{at + 1, i}
		next = i + 1
		if a.Index, err = fieldIndex(format, a.Name); err != nil {
			return a, next, err
		}
	default:
		return a, at, errorf("Only '.' or '[' may follow ']' in format field specifier")
	}
	if a.Name.Len() == 0 {
		return a, next, errorf("Empty attribute in format string")
	}
	return a, next, nil
}
