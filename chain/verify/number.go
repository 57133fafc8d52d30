package verify

import (
	"cmp"
	"errors"
	"math/big"
	"strings"

	"github.com/cowboyinc/cowboy-go/chain/job"
)

// Bounds of a number in JSON: more digits, or a larger exponent, and it is refused.
const (
	maxDigits   = 64
	maxExponent = 64
)

// Number is an exact decimal, coefficient × 10^exponent, without zeros at the coefficient's end. Zero has the exponent 0.
type Number struct {
	coefficient *big.Int
	exponent    int
}

var errNumber = errors.New("a number of more than 64 digits, or beyond 10^64")

// newNumber brings a number into its one form.
func newNumber(coefficient *big.Int, exponent int) Number {
	n := new(big.Int).Set(coefficient)
	if n.Sign() == 0 {
		return Number{n, 0}
	}
	if n.IsInt64() {
		small := n.Int64()
		for ; small%10 == 0; small /= 10 {
			exponent++
		}
		return Number{n.SetInt64(small), exponent}
	}
	ten, rest := big.NewInt(10), new(big.Int)
	for {
		quotient, _ := new(big.Int).QuoRem(n, ten, rest)
		if rest.Sign() != 0 {
			return Number{n, exponent}
		}
		n = quotient
		exponent++
	}
}

// ParseNumber reads a number as JSON writes it.
func ParseNumber(text string) (Number, error) {
	mantissa, power, scientific := text, 0, false
	if at := strings.IndexAny(text, "eE"); at >= 0 {
		mantissa, scientific = text[:at], true
	}
	if scientific {
		digits := text[len(mantissa)+1:]
		negative := strings.HasPrefix(digits, "-")
		digits = strings.TrimLeft(strings.TrimPrefix(strings.TrimPrefix(digits, "-"), "+"), "0")
		if len(digits) > 4 {
			return Number{}, errNumber
		}
		for _, c := range []byte(digits) {
			power = 10*power + int(c-'0')
		}
		if negative {
			power = -power
		}
	}
	whole, part, _ := strings.Cut(mantissa, ".")
	part = strings.TrimRight(part, "0")
	if len(strings.TrimPrefix(whole, "-"))+len(part) > maxDigits {
		return Number{}, errNumber
	}
	n, ok := new(big.Int).SetString(whole+part, 10)
	if !ok {
		return Number{}, errNumber
	}
	number := newNumber(n, power-len(part))
	if number.exponent < -maxExponent || number.exponent > maxExponent {
		return Number{}, errNumber
	}
	return number, nil
}

// NumberOf is a Decimal of a job's specification.
func NumberOf(d job.Decimal) Number { return newNumber(d.Scaled(), -9) }

// scaledTo is the coefficient at an exponent that is no larger than the number's.
func (n Number) scaledTo(exponent int) *big.Int {
	power := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(n.exponent-exponent)), nil)
	return power.Mul(power, n.coefficient)
}

// Cmp gives -1, 0 or 1 as n is less than, equal to, or greater than m.
func (n Number) Cmp(m Number) int {
	if n.exponent == m.exponent {
		return n.coefficient.Cmp(m.coefficient)
	}
	if a, b := n.coefficient.Sign(), m.coefficient.Sign(); a != b {
		return cmp.Compare(a, b)
	}
	if n.exponent > m.exponent {
		return n.scaledTo(m.exponent).Cmp(m.coefficient)
	}
	return n.coefficient.Cmp(m.scaledTo(n.exponent))
}

// Sub is n − m.
func (n Number) Sub(m Number) Number {
	low := min(n.exponent, m.exponent)
	a := n.scaledTo(low)
	return newNumber(a.Sub(a, m.scaledTo(low)), low)
}

// Mul is n × m.
func (n Number) Mul(m Number) Number {
	return newNumber(new(big.Int).Mul(n.coefficient, m.coefficient), n.exponent+m.exponent)
}

// Abs is the number without its sign.
func (n Number) Abs() Number { return Number{new(big.Int).Abs(n.coefficient), n.exponent} }

// Whole is the number as an unsigned integer of 64 bits; ok is false for any other.
func (n Number) Whole() (v uint64, ok bool) {
	if n.exponent < 0 {
		return 0, false
	}
	whole := n.scaledTo(0)
	return whole.Uint64(), whole.IsUint64()
}

// integer says whether the number has no fraction.
func (n Number) integer() bool { return n.exponent >= 0 }

// String is the coefficient, e and the exponent.
func (n Number) String() string {
	return n.coefficient.String() + "e" + big.NewInt(int64(n.exponent)).String()
}
