package format

import (
	"math"

	"github.com/cowboyinc/cowboy-go/runtime/pvm/text"
)

// Conversion is one % specifier of a printf-style format.
type Conversion struct {
	HasKey        bool
	KeyStart      int // the mapping key is format[KeyStart:KeyEnd]
	KeyEnd        int
	Left          bool // -
	Plus          bool // +
	Blank         bool // space
	Alternate     bool // #
	Zero          bool // 0
	WidthStar     bool // the width is an argument, to be put into Width by SetWidth
	PrecisionStar bool // the precision is an argument, to be put into Precision
	Width         int64
	Precision     int64 // -1 when not given
	Type          rune  // the conversion letter
	TypeAt        int   // where it stands in the format
	Percent       bool  // the whole specifier is %%
}

// Literal answers the end of the literal text that starts at the index: the next percent sign or the end.
func Literal[T text.Unit](format []T, at int) int {
	for at < len(format) && format[at] != '%' {
		at++
	}
	return at
}

// ParseConversion reads the conversion whose percent sign stands at format[at], of a str or of bytes, and answers the index after it.
func ParseConversion[T text.Unit](format []T, at int, binary bool) (c Conversion, next int, err error) {
	c.Precision = -1
	i := at + 1
	if i < len(format) && format[i] == '%' {
		c.Percent = true
		return c, i + 1, nil
	}
	if i < len(format) && format[i] == '(' {
		c.HasKey, c.KeyStart = true, i+1
		if c.KeyEnd = closing(format, i+1); c.KeyEnd < 0 {
			return c, i, errorf("incomplete format key")
		}
		i = c.KeyEnd + 1
	}
	i = parseFlags(&c, format, i)
	if c.WidthStar, i = star(format, i); !c.WidthStar {
		if c.Width, i, err = parseSize(format, i, math.MaxInt64, "width too big"); err != nil {
			return c, i, err
		}
	}
	if i < len(format) && format[i] == '.' {
		c.Precision = 0
		if c.PrecisionStar, i = star(format, i+1); !c.PrecisionStar {
			if c.Precision, i, err = parseSize(format, i, math.MaxInt32, "precision too big"); err != nil {
				if binary {
					err = errorf("prec too big") // in CPython's words
				}
				return c, i, err
			}
		}
	}
	if i < len(format) && (format[i] == 'h' || format[i] == 'l' || format[i] == 'L') {
		i++
	}
	if i >= len(format) {
		return c, i, errorf("incomplete format")
	}
	c.Type, c.TypeAt = rune(format[i]), i
	return c, i + 1, nil
}

// closing answers the index of the parenthesis that closes the one before start, or -1.
func closing[T text.Unit](format []T, start int) int {
	depth := 1
	for i := start; i < len(format); i++ {
		switch format[i] {
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return -1
}

func parseFlags[T text.Unit](c *Conversion, format []T, i int) int {
	for ; i < len(format); i++ {
		switch format[i] {
		case '-':
			c.Left = true
		case '+':
			c.Plus = true
		case ' ':
			c.Blank = true
		case '#':
			c.Alternate = true
		case '0':
			c.Zero = true
		default:
			return i
		}
	}
	return i
}

func star[T text.Unit](format []T, i int) (bool, int) {
	if i < len(format) && format[i] == '*' {
		return true, i + 1
	}
	return false, i
}

func parseSize[T text.Unit](format []T, i int, limit int64, tooBig string) (int64, int, error) {
	n := int64(0)
	for ; i < len(format) && format[i] >= '0' && format[i] <= '9'; i++ {
		d := int64(format[i] - '0')
		if n > (limit-d)/10 {
			return 0, i, errorf("%s", tooBig)
		}
		n = n*10 + d
	}
	return min(n, OutputLimit), i, nil
}

// SetWidth takes the width an argument gave; a negative one aligns to the left.
func (c *Conversion) SetWidth(width int64) {
	if width < 0 {
		c.Left = true
		width = max(-width, 0) // the least number has no opposite
	}
	c.Width = min(width, OutputLimit)
}

// SetPrecision takes the precision an argument gave; a negative one counts as zero.
func (c *Conversion) SetPrecision(precision int64) {
	c.Precision = min(max(precision, 0), OutputLimit)
}

// Unsupported is the error for a conversion letter that does not exist.
func (c *Conversion) Unsupported() error {
	shown := c.Type
	if shown < 32 || shown > 126 {
		shown = '?'
	}
	return errorf("unsupported format character '%c' (0x%x) at index %d", shown, c.Type, c.TypeAt)
}
