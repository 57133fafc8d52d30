package decimal

import "math/big"

// Quantize returns x with the exponent of y, rounded by mode. Invalid if the
// coefficient would exceed the precision.
func (c *Context) Quantize(x, y *Number, mode Rounding) (*Number, Condition) {
	if r, cond, ok := c.nan(x, y); ok {
		return r, cond
	}
	if x.form == Infinite || y.form == Infinite {
		if x.form == y.form {
			return x, 0
		}
		return invalid(0)
	}
	if y.exp > c.Emax || y.exp < c.etiny() {
		return invalid(0)
	}
	return c.quantizeTo(x, y.exp, mode)
}

func (c *Context) quantizeTo(x *Number, exp int64, mode Rounding) (*Number, Condition) {
	if x.IsZero() {
		return c.finish(x.neg, new(big.Int), exp, false)
	}
	if a := x.Adjusted(); a > c.Emax || a-exp+1 > int64(c.Prec) {
		return invalid(0)
	}
	r, cond := rescale(x, exp, mode)
	if r.Adjusted() > c.Emax || r.Digits() > c.Prec {
		return invalid(0)
	}
	if !r.IsZero() && r.Adjusted() < c.Emin {
		cond |= Subnormal
	}
	return r, cond
}

// rescale returns the finite x with another exponent: zeros appended, or digits
// dropped. Appending is bounded by the caller.
func rescale(x *Number, exp int64, mode Rounding) (*Number, Condition) {
	if exp <= x.exp {
		if x.IsZero() {
			return New(x.neg, &x.coef, exp), 0
		}
		return New(x.neg, new(big.Int).Mul(&x.coef, pow10(int(x.exp-exp))), exp), 0
	}
	q, inexact := dropDigits(&x.coef, exp-x.exp, mode, x.neg, false)
	cond := Rounded
	if inexact {
		cond |= Inexact
	}
	return New(x.neg, q, exp), cond
}

// ToIntegral returns x rounded to an integer. Numbers with an exponent of zero or
// more are integers already and come back unchanged.
func (c *Context) ToIntegral(x *Number, mode Rounding) (*Number, Condition) {
	switch {
	case x.IsNaN():
		return c.quiet(x)
	case x.form == Infinite || x.exp >= 0:
		return x, 0
	}
	return rescale(x, 0, mode)
}

// Int returns x, finite, truncated to an integer, and false if that has more
// than MaxDigits digits.
func (x *Number) Int(mode Rounding) (*big.Int, bool) {
	var i *big.Int
	switch {
	case x.exp <= 0:
		r, _ := rescale(x, 0, mode)
		i = new(big.Int).Set(&r.coef)
	case x.IsZero():
		i = new(big.Int)
	case x.Adjusted() >= MaxDigits:
		return nil, false
	default:
		i = new(big.Int).Mul(&x.coef, pow10(int(x.exp)))
	}
	if x.neg {
		i.Neg(i)
	}
	return i, true
}

// Ratio returns x, finite, as a fraction in lowest terms with a positive
// denominator, and false if either part has more than MaxDigits digits.
func (x *Number) Ratio() (num, den *big.Int, ok bool) {
	if x.IsZero() || x.exp >= 0 {
		num, ok = x.Int(Down)
		return num, big.NewInt(1), ok
	}
	if x.exp < -2*MaxDigits {
		return nil, nil, false
	}
	num, den = new(big.Int).Set(&x.coef), pow10(int(-x.exp))
	g := new(big.Int).GCD(nil, nil, num, den)
	num.Quo(num, g)
	den = g.Quo(den, g)
	if x.neg {
		num.Neg(num)
	}
	return num, den, digits(den) <= MaxDigits
}

// Reduce removes trailing zeros: Python's normalize.
func (c *Context) Reduce(x *Number) (*Number, Condition) {
	r, cond := c.Round(x)
	if r.form != Finite {
		return r, cond
	}
	if r.IsZero() {
		return New(r.neg, new(big.Int), 0), cond
	}
	n := min(int64(trailingZeros(&r.coef)), c.Emax-r.exp)
	if n <= 0 {
		return r, cond
	}
	return New(r.neg, new(big.Int).Quo(&r.coef, pow10(int(n))), r.exp+n), cond
}

// ScaleB returns x · 10^y for an integer y of moderate size.
func (c *Context) ScaleB(x, y *Number) (*Number, Condition) {
	if r, cond, ok := c.nan(x, y); ok {
		return r, cond
	}
	if y.form != Finite || y.exp != 0 {
		return invalid(0)
	}
	n, ok := y.small(2 * (c.Emax + int64(c.Prec)))
	if !ok {
		return invalid(0)
	}
	if x.form == Infinite {
		return x, 0
	}
	return c.finish(x.neg, &x.coef, x.exp+n, false)
}

// small returns an integral x as an int64 if its magnitude is at most limit.
func (x *Number) small(limit int64) (int64, bool) {
	if !x.coef.IsInt64() {
		return 0, false
	}
	n := x.coef.Int64()
	if n > limit {
		return 0, false
	}
	if x.neg {
		n = -n
	}
	return n, true
}

// LogB returns the exponent of the first digit of x as a number.
func (c *Context) LogB(x *Number) (*Number, Condition) {
	switch {
	case x.IsNaN():
		return c.quiet(x)
	case x.form == Infinite:
		return Infinity(false), 0
	case x.IsZero():
		return Infinity(true), DivisionByZero
	}
	return c.Round(FromInt64(x.Adjusted()))
}

// SameQuantum says whether x and y have the same exponent, or are both infinite
// or both NaN.
func SameQuantum(x, y *Number) bool {
	if x.form != Finite || y.form != Finite {
		return x.IsNaN() && y.IsNaN() || x.form == Infinite && y.form == Infinite
	}
	return x.exp == y.exp
}

// Next returns the neighbour of x towards +Inf (up) or -Inf.
func (c *Context) Next(x *Number, up bool) (*Number, Condition) {
	switch {
	case x.IsNaN():
		return c.quiet(x)
	case x.form == Infinite:
		if x.neg == up { // the infinity it leaves
			coef := new(big.Int).Sub(pow10(c.Prec), powerTable[0])
			return New(x.neg, coef, c.Emax-int64(c.Prec)+1), 0
		}
		return x, 0
	}
	directed := *c
	directed.Rounding = Floor
	if up {
		directed.Rounding = Ceiling
	}
	r, _ := directed.Round(x)
	if r.form != Finite || Cmp(r, x) != 0 {
		return r, 0
	}
	r, _ = directed.Add(x, New(!up, powerTable[0], c.etiny()-1))
	return r, 0
}

// NextToward returns the neighbour of x in the direction of y, and y's sign on x
// if they are equal.
func (c *Context) NextToward(x, y *Number) (*Number, Condition) {
	if r, cond, ok := c.nan(x, y); ok {
		return r, cond
	}
	order := Cmp(x, y)
	if order == 0 {
		return x.CopySign(y), 0
	}
	r, _ := c.Next(x, order < 0)
	var cond Condition
	switch {
	case r.form == Infinite:
		cond = Overflow | Inexact | Rounded
	case r.Adjusted() < c.Emin:
		cond = Underflow | Subnormal | Inexact | Rounded
		if r.IsZero() {
			cond |= Clamped
		}
	}
	return r, cond
}

// Class returns the name of x's class.
func (c *Context) Class(x *Number) string {
	sign := "+"
	if x.neg {
		sign = "-"
	}
	switch {
	case x.form == SignalingNaN:
		return "sNaN"
	case x.form == QuietNaN:
		return "NaN"
	case x.form == Infinite:
		return sign + "Infinity"
	case x.IsZero():
		return sign + "Zero"
	case x.Adjusted() < c.Emin:
		return sign + "Subnormal"
	}
	return sign + "Normal"
}

// Rescale returns x, finite, with the given exponent, rounded half-even; zeros
// are appended without regard to any precision, so the caller bounds the
// exponent.
func Rescale(x *Number, exp int64) *Number {
	r, _ := rescale(x, exp, HalfEven)
	return r
}
