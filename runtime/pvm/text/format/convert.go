package format

import (
	"math/big"
	"strconv"

	"github.com/cowboyinc/cowboy-go/runtime/pvm/text"
	"github.com/cowboyinc/cowboy-go/runtime/softfloat"
)

// AppendInt appends an int under a conversion d, i, u, o, x or X.
func (c *Conversion) AppendInt(dst []byte, i int64) []byte {
	var buf [64]byte
	magnitude := uint64(i)
	if i < 0 {
		magnitude = -magnitude
	}
	return c.appendInteger(dst, i < 0, strconv.AppendUint(buf[:0], magnitude, c.base()))
}

// AppendBig is AppendInt for an int of any size.
func (c *Conversion) AppendBig(dst []byte, i *big.Int) []byte {
	digits := i.Append(nil, c.base())
	if i.Sign() < 0 {
		digits = digits[1:]
	}
	return c.appendInteger(dst, i.Sign() < 0, digits)
}

func (c *Conversion) base() int {
	switch c.Type {
	case 'o':
		return 8
	case 'x', 'X':
		return 16
	default:
		return 10
	}
}

func (c *Conversion) appendInteger(dst []byte, negative bool, digits []byte) []byte {
	prefix := ""
	if c.Alternate {
		prefix = prefixOf(c.Type)
	}
	if c.Type == 'X' {
		upperHex(digits)
	}
	zeros := max(c.Precision-int64(len(digits)), 0)
	return c.layout(dst, negative, prefix, zeros, digits)
}

// AppendFloat appends the double with the given bits under a conversion e, E, f, F, g or G.
func (c *Conversion) AppendFloat(dst []byte, bits uint64) []byte {
	precision := c.Precision
	if precision < 0 {
		precision = defaultPrecision
	}
	flags := softfloat.FormatFlags(0)
	if c.Alternate {
		flags |= softfloat.Alternate
	}
	var buf [64]byte
	body := softfloat.Append(buf[:0], bits, byte(c.Type), int(precision), flags)
	negative := body[0] == '-'
	if negative {
		body = body[1:]
	}
	return c.layout(dst, negative, "", 0, body)
}

// FloatLen bounds the number of characters AppendFloat appends.
func (c *Conversion) FloatLen() int64 { return max(c.Width, max(c.Precision, 0)+maxFloatBody) }

// layout puts sign and prefix before the zeros that fill the width, but after the spaces.
func (c *Conversion) layout(dst []byte, negative bool, prefix string, zeros int64, body []byte) []byte {
	sign := byte(0)
	switch {
	case negative:
		sign = '-'
	case c.Plus:
		sign = '+'
	case c.Blank:
		sign = ' '
	}
	used := int64(len(prefix)+len(body)) + zeros
	if sign != 0 {
		used++
	}
	pad := max(c.Width-used, 0)
	if pad > 0 && !c.Left && !c.Zero {
		dst = appendFill(dst, ' ', pad)
	}
	if sign != 0 {
		dst = append(dst, sign)
	}
	dst = append(dst, prefix...)
	if !c.Left && c.Zero {
		zeros += pad
	}
	dst = appendFill(dst, '0', zeros)
	dst = append(dst, body...)
	if c.Left {
		dst = appendFill(dst, ' ', pad)
	}
	return dst
}

// TextLen answers the number of characters AppendText appends for a text of the given length.
func (c *Conversion) TextLen(length int) int64 {
	n := int64(length)
	if c.cuts() && c.Precision < n {
		n = c.Precision
	}
	return max(n, c.Width)
}

// cuts says whether the precision limits the text: not for %c.
func (c *Conversion) cuts() bool { return c.Precision >= 0 && c.Type != 'c' }

// AppendText appends the text of a conversion s, r, a, b or c.
func AppendText[O, T text.Unit](dst []O, c *Conversion, value []T) []O {
	if c.cuts() && c.Precision < int64(len(value)) {
		value = value[:c.Precision]
	}
	pad := c.Width - int64(len(value))
	if !c.Left {
		dst = appendFill(dst, ' ', pad)
	}
	for _, u := range value {
		dst = append(dst, O(u))
	}
	if c.Left {
		dst = appendFill(dst, ' ', pad)
	}
	return dst
}
