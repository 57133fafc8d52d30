package syntax

import (
	"fmt"
	"math/big"
	"strconv"
	"strings"

	"github.com/cowboyinc/cowboy-go/runtime/softfloat"
)

// MaxDecimalDigits bounds a decimal integer literal, as CPython 3.11 does:
// reading one takes time quadratic in its digits.
const MaxDecimalDigits = 4300

// number parses a numeric literal.
func (p *parser) number() Expr {
	start := p.i
	word := p.word(&p.tokens[start])
	p.next()
	c := p.constant(start, Int)
	if len(word) == 1 {
		c.Int = int64(word[0] - '0')
		return c
	}
	if strings.IndexByte(word, '_') >= 0 {
		word = strings.ReplaceAll(word, "_", "")
	}
	last := word[len(word)-1]
	switch {
	case word[0] == '0' && word[1]|0x20 == 'x':
		setInt(c, word[2:], 4)
	case word[0] == '0' && word[1]|0x20 == 'o':
		setInt(c, word[2:], 3)
	case word[0] == '0' && word[1]|0x20 == 'b':
		setInt(c, word[2:], 1)
	case last|0x20 == 'j':
		c.Kind = Complex
		c.Bits = doubleBits(word[:len(word)-1])
	case strings.ContainsAny(word, ".eE"):
		c.Kind = Float
		c.Bits = doubleBits(word)
	default:
		p.setDecimal(start, c, word)
	}
	return c
}

// doubleBits returns the double nearest to a decimal literal.
func doubleBits(word string) uint64 {
	bits, err := softfloat.Parse(word)
	if err != nil {
		panic("syntax: the scanner accepted the float literal " + word)
	}
	return bits
}

// setDecimal stores a decimal integer.
func (p *parser) setDecimal(start int, c *Constant, digits string) {
	if v, err := strconv.ParseInt(digits, 10, 64); err == nil {
		c.Int = v
		return
	}
	if len(digits) > MaxDecimalDigits {
		t := &p.tokens[start]
		p.failWith(&SyntaxError{
			Msg: fmt.Sprintf("Exceeds the limit (%d digits) for integer string conversion: value has %d digits; "+
				"use sys.set_int_max_str_digits() to increase the limit - "+
				"Consider hexadecimal for huge integer literals to avoid decimal conversion limits.",
				MaxDecimalDigits, len(digits)),
			Line: int(t.line), EndLine: int(t.line),
		})
	}
	c.Big, _ = new(big.Int).SetString(digits, 10)
}

// setInt stores an integer written with digits of the given number of bits, in
// time linear in their number.
func setInt(c *Constant, digits string, bits int) {
	digits = strings.TrimLeft(digits, "0")
	if len(digits)*bits < 64 {
		var v int64
		for i := 0; i < len(digits); i++ {
			v = v<<bits | int64(digitValue(digits[i]))
		}
		c.Int = v
		return
	}
	buf := make([]byte, len(digits)*bits/8+1)
	at, acc, have := len(buf), uint(0), 0
	for i := len(digits) - 1; i >= 0; i-- {
		acc |= uint(digitValue(digits[i])) << have
		have += bits
		if have >= 8 {
			at--
			buf[at] = byte(acc)
			acc >>= 8
			have -= 8
		}
	}
	if have > 0 {
		at--
		buf[at] = byte(acc)
	}
	v := new(big.Int).SetBytes(buf[at:])
	if v.IsInt64() {
		c.Int = v.Int64()
		return
	}
	c.Big = v
}

func digitValue(c byte) byte {
	if c <= '9' {
		return c - '0'
	}
	return c | 0x20 - 'a' + 10
}
