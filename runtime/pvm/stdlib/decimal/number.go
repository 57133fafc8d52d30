package decimal

import "math/big"

// Form tells what a number is.
type Form uint8

// The forms.
const (
	Finite Form = iota
	Infinite
	QuietNaN
	SignalingNaN
)

// MaxDigits bounds the coefficient of a number: the digits of the largest int
// the machine has.
const MaxDigits = 1234

// Number is a decimal number: (-1)^Neg · coef · 10^exp if finite. The coefficient
// of a NaN is its payload.
type Number struct {
	form Form
	neg  bool
	coef big.Int
	exp  int64
}

// New returns the finite number ±coef·10^exp; coef is not negative and not kept.
func New(neg bool, coef *big.Int, exp int64) *Number {
	n := &Number{neg: neg, exp: exp}
	n.coef.Set(coef)
	return n
}

// FromInt returns the integer i.
func FromInt(i *big.Int) *Number {
	n := &Number{neg: i.Sign() < 0}
	n.coef.Abs(i)
	return n
}

// FromInt64 returns the integer i.
func FromInt64(i int64) *Number { return SmallInt(i).Store(new(Stored)) }

// Infinity returns an infinity.
func Infinity(neg bool) *Number { return &Number{form: Infinite, neg: neg} }

// NaN returns a NaN with a payload, which may be nil.
func NaN(neg, signaling bool, payload *big.Int) *Number {
	n := &Number{form: QuietNaN, neg: neg}
	if signaling {
		n.form = SignalingNaN
	}
	if payload != nil {
		n.coef.Set(payload)
	}
	return n
}

// Form returns what x is.
func (x *Number) Form() Form { return x.form }

// Signed says whether the sign of x is set, as it is for -0.
func (x *Number) Signed() bool { return x.neg }

// Coef returns the coefficient; not to be modified.
func (x *Number) Coef() *big.Int { return &x.coef }

// Exp returns the exponent of the last digit.
func (x *Number) Exp() int64 { return x.exp }

// IsFinite says whether x is neither an infinity nor a NaN.
func (x *Number) IsFinite() bool { return x.form == Finite }

// IsNaN says whether x is a NaN of either kind.
func (x *Number) IsNaN() bool { return x.form >= QuietNaN }

// IsZero says whether x is a zero of either sign.
func (x *Number) IsZero() bool { return x.form == Finite && x.coef.Sign() == 0 }

// Digits returns the number of digits of the coefficient, at least 1.
func (x *Number) Digits() int { return digits(&x.coef) }

// Adjusted returns the exponent of the first digit.
func (x *Number) Adjusted() int64 { return x.exp + int64(x.Digits()) - 1 }

// IsInteger says whether x is finite and has no fraction.
func (x *Number) IsInteger() bool {
	if x.form != Finite {
		return false
	}
	return x.exp >= 0 || x.coef.Sign() == 0 || int64(trailingZeros(&x.coef)) >= -x.exp
}

// CopyAbs, CopyNegate and CopySign change the sign of x and nothing else.
func (x *Number) CopyAbs() *Number { return x.withSign(false) }

// CopyNegate returns x with its sign inverted.
func (x *Number) CopyNegate() *Number { return x.withSign(!x.neg) }

// CopySign returns x with the sign of y.
func (x *Number) CopySign(y *Number) *Number { return x.withSign(y.neg) }

func (x *Number) withSign(neg bool) *Number {
	if x.neg == neg {
		return x
	}
	n := *x
	n.neg = neg
	return &n
}

// powerTable holds the small powers of ten; read only.
var powerTable = makePowers(80)

func makePowers(n int) []*big.Int {
	table := make([]*big.Int, n)
	table[0] = big.NewInt(1)
	for i := 1; i < n; i++ {
		table[i] = new(big.Int).Mul(table[i-1], big.NewInt(10))
	}
	return table
}

// pow10 returns 10^n; not to be modified.
func pow10(n int) *big.Int {
	if n < len(powerTable) {
		return powerTable[n]
	}
	return new(big.Int).Exp(powerTable[1], big.NewInt(int64(n)), nil)
}

// digits returns the number of decimal digits of i >= 0, 1 for zero.
func digits(i *big.Int) int {
	b := i.BitLen()
	if b == 0 {
		return 1
	}
	// floor(b·log10(2)) digits are certain, one more is possible.
	n := int(int64(b) * 1292913986 >> 32)
	if i.Cmp(pow10(n)) >= 0 {
		return n + 1
	}
	return n
}

// trailingZeros returns how often 10 divides i > 0.
func trailingZeros(i *big.Int) int {
	limit := int(i.TrailingZeroBits()) // each 10 brings a 2
	if limit == 0 {
		return 0
	}
	// The last digits decide quickly for most numbers; then by halving steps.
	n := 0
	q, r := new(big.Int).Set(i), new(big.Int)
	for step := 64; step > 0; step /= 2 {
		for n+step <= limit {
			t, rest := new(big.Int).QuoRem(q, pow10(step), r)
			if rest.Sign() != 0 {
				break
			}
			q = t
			n += step
		}
	}
	return n
}
