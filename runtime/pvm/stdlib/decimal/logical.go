package decimal

import (
	"bytes"
	"math/big"
)

// logical returns the digits of x, padded or cut to the precision, if x is a
// logical operand: finite, positive, exponent zero, all digits 0 or 1.
func (c *Context) logical(x *Number) ([]byte, bool) {
	if x.form != Finite || x.neg || x.exp != 0 {
		return nil, false
	}
	text := x.coef.Append(nil, 10)
	for _, d := range text {
		if d > '1' {
			return nil, false
		}
	}
	if len(text) > c.Prec {
		return text[len(text)-c.Prec:], true
	}
	return append(bytes.Repeat([]byte{'0'}, c.Prec-len(text)), text...), true
}

// Logical applies a digit-wise operation: And, Or and Xor below.
func (c *Context) logicalOp(x, y *Number, op func(a, b byte) byte) (*Number, Condition) {
	a, ok := c.logical(x)
	if !ok {
		return invalid(0)
	}
	b, ok := c.logical(y)
	if !ok {
		return invalid(0)
	}
	for i := range a {
		a[i] = '0' + op(a[i]-'0', b[i]-'0')
	}
	n := &Number{}
	n.coef.SetString(string(a), 10)
	return n, 0
}

// And returns the digit-wise conjunction.
func (c *Context) And(x, y *Number) (*Number, Condition) {
	return c.logicalOp(x, y, func(a, b byte) byte { return a & b })
}

// Or returns the digit-wise disjunction.
func (c *Context) Or(x, y *Number) (*Number, Condition) {
	return c.logicalOp(x, y, func(a, b byte) byte { return a | b })
}

// Xor returns the digit-wise exclusive disjunction.
func (c *Context) Xor(x, y *Number) (*Number, Condition) {
	return c.logicalOp(x, y, func(a, b byte) byte { return a ^ b })
}

// Invert returns the digit-wise negation.
func (c *Context) Invert(x *Number) (*Number, Condition) {
	ones := &Number{}
	ones.coef.SetString(string(bytes.Repeat([]byte{'1'}, c.Prec)), 10)
	return c.Xor(x, ones)
}

// Shift moves the digits of x by y places, filling with zeros; Rotate turns
// them around within the precision. Positive is to the left.
func (c *Context) Shift(x, y *Number) (*Number, Condition) {
	return c.move(x, y, func(text []byte, n int) []byte {
		if n < 0 {
			return text[:len(text)+n]
		}
		return append(text[n:], bytes.Repeat([]byte{'0'}, n)...)
	})
}

// Rotate turns the digits of x around by y places.
func (c *Context) Rotate(x, y *Number) (*Number, Condition) {
	return c.move(x, y, func(text []byte, n int) []byte {
		if n < 0 {
			n += len(text)
		}
		return append(append([]byte(nil), text[n:]...), text[:n]...)
	})
}

func (c *Context) move(x, y *Number, by func(text []byte, n int) []byte) (*Number, Condition) {
	if r, cond, ok := c.nan(x, y); ok {
		return r, cond
	}
	if y.form != Finite || y.exp != 0 {
		return invalid(0)
	}
	n, ok := y.small(int64(c.Prec))
	if !ok {
		return invalid(0)
	}
	if x.form == Infinite {
		return x, 0
	}
	text := x.coef.Append(nil, 10)
	if len(text) > c.Prec {
		text = text[len(text)-c.Prec:]
	} else {
		text = append(bytes.Repeat([]byte{'0'}, c.Prec-len(text)), text...)
	}
	coef := new(big.Int)
	if moved := by(text, int(n)); len(moved) > 0 {
		coef.SetString(string(moved), 10)
	}
	return New(x.neg, coef, x.exp), 0
}
