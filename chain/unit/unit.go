package unit

import (
	"errors"
	"math/bits"
)

// Cycles counts metered computation steps. Spec: WP §4.1.
type Cycles uint64

// Cells counts metered bytes; one cell is one byte. Spec: WP §4.1.
type Cells uint64

// Amount is a quantity of the native coin in base units. Spec: WP §8.1.
type Amount uint64

// Height is the number of a block; genesis is height 0.
type Height uint64

// CBY is one coin in base units.
const CBY Amount = 1_000_000_000

var (
	// ErrOverflow reports a result above 2⁶⁴−1.
	ErrOverflow = errors.New("unit: overflow")
	// ErrUnderflow reports a subtraction below zero.
	ErrUnderflow = errors.New("unit: underflow")
	// ErrZeroDivisor reports a division by zero.
	ErrZeroDivisor = errors.New("unit: division by zero")
)

// quantity is any of the counted types; the checked operations below are
// written once for all of them.
type quantity interface {
	~uint64
}

func add[Q quantity](a, b Q) (Q, error) {
	sum, carry := bits.Add64(uint64(a), uint64(b), 0)
	if carry != 0 {
		return 0, ErrOverflow
	}
	return Q(sum), nil
}

func sub[Q quantity](a, b Q) (Q, error) {
	if b > a {
		return 0, ErrUnderflow
	}
	return a - b, nil
}

func mul[Q quantity](a Q, n uint64) (Q, error) {
	hi, lo := bits.Mul64(uint64(a), n)
	if hi != 0 {
		return 0, ErrOverflow
	}
	return Q(lo), nil
}

// mulDiv is ⌊a·num/den⌋ over a 128-bit product, with the remainder.
func mulDiv[Q quantity](a Q, num, den uint64) (quo Q, rem uint64, err error) {
	if den == 0 {
		return 0, 0, ErrZeroDivisor
	}
	hi, lo := bits.Mul64(uint64(a), num)
	if hi >= den {
		return 0, 0, ErrOverflow
	}
	q, r := bits.Div64(hi, lo, den)
	return Q(q), r, nil
}

// Add is c+d, or ErrOverflow.
func (c Cycles) Add(d Cycles) (Cycles, error) { return add(c, d) }

// Sub is c−d, or ErrUnderflow.
func (c Cycles) Sub(d Cycles) (Cycles, error) { return sub(c, d) }

// Mul is c·n, or ErrOverflow.
func (c Cycles) Mul(n uint64) (Cycles, error) { return mul(c, n) }

// MulDiv is ⌊c·num/den⌋ with a 128-bit intermediate, or ErrOverflow or
// ErrZeroDivisor.
func (c Cycles) MulDiv(num, den uint64) (Cycles, error) {
	q, _, err := mulDiv(c, num, den)
	return q, err
}

// Price is the cost of c cycles at rate base units each, or ErrOverflow.
// Spec: WP §2.3.
func (c Cycles) Price(rate uint64) (Amount, error) { return mul(Amount(c), rate) }

// Add is c+d, or ErrOverflow.
func (c Cells) Add(d Cells) (Cells, error) { return add(c, d) }

// Sub is c−d, or ErrUnderflow.
func (c Cells) Sub(d Cells) (Cells, error) { return sub(c, d) }

// Mul is c·n, or ErrOverflow.
func (c Cells) Mul(n uint64) (Cells, error) { return mul(c, n) }

// MulDiv is ⌊c·num/den⌋ with a 128-bit intermediate, or ErrOverflow or
// ErrZeroDivisor.
func (c Cells) MulDiv(num, den uint64) (Cells, error) {
	q, _, err := mulDiv(c, num, den)
	return q, err
}

// Price is the cost of c cells at rate base units each, or ErrOverflow.
// Spec: WP §2.3.
func (c Cells) Price(rate uint64) (Amount, error) { return mul(Amount(c), rate) }

// Add is a+b, or ErrOverflow.
func (a Amount) Add(b Amount) (Amount, error) { return add(a, b) }

// Sub is a−b, or ErrUnderflow.
func (a Amount) Sub(b Amount) (Amount, error) { return sub(a, b) }

// Mul is a·n, or ErrOverflow.
func (a Amount) Mul(n uint64) (Amount, error) { return mul(a, n) }

// MulDiv is ⌊a·num/den⌋ with a 128-bit intermediate, or ErrOverflow or
// ErrZeroDivisor.
func (a Amount) MulDiv(num, den uint64) (Amount, error) {
	q, _, err := mulDiv(a, num, den)
	return q, err
}

// MulDivCeil is ⌈a·num/den⌉ with a 128-bit intermediate, or ErrOverflow or
// ErrZeroDivisor. Rent rounds this way: the debtor pays the fraction.
func (a Amount) MulDivCeil(num, den uint64) (Amount, error) {
	q, r, err := mulDiv(a, num, den)
	if err != nil || r == 0 {
		return q, err
	}
	return add(q, 1)
}

// Add is h+n, or ErrOverflow.
func (h Height) Add(n uint64) (Height, error) { return add(h, Height(n)) }

// Sub is the number of blocks from g up to h, or ErrUnderflow.
func (h Height) Sub(g Height) (uint64, error) {
	d, err := sub(h, g)
	return uint64(d), err
}
