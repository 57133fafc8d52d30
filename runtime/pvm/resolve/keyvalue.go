package resolve

import (
	"math/big"
	"strconv"

	"github.com/cowboyinc/cowboy-go/runtime/pvm/syntax"
	"github.com/cowboyinc/cowboy-go/runtime/softfloat"
)

// keyValue returns a text that is equal for two literals exactly if they are
// equal in Python. It reports false for anything but a literal.
func keyValue(x syntax.Expr) (string, bool) {
	switch x := x.(type) {
	case *syntax.Constant:
		switch x.Kind {
		case syntax.Str:
			return "str " + x.Text, true
		case syntax.Bytes:
			return "bytes " + x.Text, true
		case syntax.None:
			return "None", true
		}
	case *syntax.UnaryOp, *syntax.BinOp:
	default:
		return "", false
	}
	real, imaginary, ok := numberValue(x)
	return real + " " + imaginary, ok
}

// numberValue returns the real and imaginary part of a numeric literal, each as
// text: an integer in decimal, anything else by its bits.
func numberValue(x syntax.Expr) (real, imaginary string, ok bool) {
	switch x := x.(type) {
	case *syntax.Constant:
		switch x.Kind {
		case syntax.False:
			return "0", "0", true
		case syntax.True:
			return "1", "0", true
		case syntax.Int:
			if x.Big != nil {
				return x.Big.String(), "0", true
			}
			return strconv.FormatInt(x.Int, 10), "0", true
		case syntax.Float:
			return doubleValue(x.Bits), "0", true
		case syntax.Complex:
			return "0", doubleValue(x.Bits), true
		}
	case *syntax.UnaryOp:
		real, imaginary, ok = numberValue(x.Operand)
		return negate(real), negate(imaginary), ok && x.Op == syntax.USub
	case *syntax.BinOp:
		real, _, ok = numberValue(x.Left)
		_, imaginary, imaginaryOK := numberValue(x.Right)
		if x.Op == syntax.Sub {
			imaginary = negate(imaginary)
		}
		return real, imaginary, ok && imaginaryOK
	}
	return "", "", false
}

// doubleValue writes a double so that equal numbers have equal texts.
func doubleValue(bits uint64) string {
	if softfloat.IsInteger(bits) {
		if v, err := softfloat.ToBig(bits); err == nil {
			return v.String()
		}
	}
	return "double " + new(big.Int).SetUint64(bits).Text(16)
}

// negate returns the text of the negated number.
func negate(s string) string {
	switch {
	case s == "0":
		return s
	case s[0] == '-':
		return s[1:]
	}
	return "-" + s
}
