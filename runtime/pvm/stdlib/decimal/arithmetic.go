package decimal

import "math/big"

// Add returns x + y.
func (c *Context) Add(x, y *Number) (*Number, Condition) {
	if r, cond, ok := c.nan(x, y); ok {
		return r, cond
	}
	if x.form == Infinite || y.form == Infinite {
		if x.form == y.form && x.neg != y.neg {
			return invalid(0)
		}
		if x.form == Infinite {
			return x, 0
		}
		return y, 0
	}
	return c.addFinite(x, y)
}

// Sub returns x - y.
func (c *Context) Sub(x, y *Number) (*Number, Condition) {
	if y.IsNaN() {
		return c.Add(x, y)
	}
	return c.Add(x, y.CopyNegate())
}

func (c *Context) addFinite(x, y *Number) (*Number, Condition) {
	exp := min(x.exp, y.exp)
	if x.IsZero() && y.IsZero() {
		neg := x.neg && y.neg || x.neg != y.neg && c.Rounding == Floor
		return c.finish(neg, new(big.Int), exp, false)
	}
	if x.IsZero() {
		return c.addZero(y, exp)
	}
	if y.IsZero() {
		return c.addZero(x, exp)
	}
	a, b, sticky := c.align(x, y)
	if a.neg == b.neg {
		return c.finish(a.neg, new(big.Int).Add(&a.coef, &b.coef), a.exp, sticky)
	}
	sum := new(big.Int).Sub(&a.coef, &b.coef)
	neg := a.neg
	switch sum.Sign() {
	case 0:
		return c.finish(c.Rounding == Floor, sum, a.exp, false)
	case -1:
		sum.Neg(sum)
		neg = b.neg
	}
	return c.finish(neg, sum, a.exp, sticky)
}

// addZero returns x plus a zero whose exponent makes exp the ideal exponent: x
// with zeros appended as far as the precision allows.
func (c *Context) addZero(x *Number, exp int64) (*Number, Condition) {
	room := max(int64(c.Prec-x.Digits()), 0)
	exp = max(exp, x.exp-room)
	if exp < x.exp {
		coef := new(big.Int).Mul(&x.coef, pow10(int(x.exp-exp)))
		return c.finish(x.neg, coef, exp, false)
	}
	return c.finish(x.neg, &x.coef, x.exp, false)
}

// align brings two numbers, neither zero, to one exponent. Where the smaller
// lies entirely below what can matter, it is replaced by a one just there.
func (c *Context) align(x, y *Number) (a, b *Number, sticky bool) {
	if x.exp < y.exp {
		b, a, sticky = c.align(y, x)
		return a, b, sticky
	}
	// x has the larger exponent and receives zeros.
	keep := min(x.Adjusted(), x.exp-1) - int64(c.Prec) - 2
	if y.Adjusted() < keep {
		y = New(y.neg, powerTable[0], keep)
	}
	n := *x
	n.coef = *new(big.Int).Mul(&x.coef, pow10(int(x.exp-y.exp)))
	n.exp = y.exp
	return &n, y, false
}

// Mul returns x · y.
func (c *Context) Mul(x, y *Number) (*Number, Condition) {
	if r, cond, ok := c.nan(x, y); ok {
		return r, cond
	}
	neg := x.neg != y.neg
	if x.form == Infinite || y.form == Infinite {
		if x.IsZero() || y.IsZero() {
			return invalid(0)
		}
		return Infinity(neg), 0
	}
	return c.finish(neg, new(big.Int).Mul(&x.coef, &y.coef), x.exp+y.exp, false)
}

// FMA returns x·y + z rounded once.
func (c *Context) FMA(x, y, z *Number) (*Number, Condition) {
	if x.form == SignalingNaN || y.form == SignalingNaN || x.IsNaN() || y.IsNaN() {
		if r, cond, ok := c.nan(x, y, z); ok {
			return r, cond
		}
	}
	p, cond := wide(2*MaxDigits).Mul(x, y)
	if cond&InvalidOperation != 0 {
		if z.form == SignalingNaN {
			return c.quiet(z)
		}
		return p, cond
	}
	return c.Add(p, z)
}

// Quo returns x / y.
func (c *Context) Quo(x, y *Number) (*Number, Condition) {
	if r, cond, ok := c.nan(x, y); ok {
		return r, cond
	}
	neg := x.neg != y.neg
	switch {
	case x.form == Infinite && y.form == Infinite:
		return invalid(0)
	case x.form == Infinite:
		return Infinity(neg), 0
	case y.form == Infinite:
		r, _ := c.finish(neg, new(big.Int), c.etiny(), false)
		return r, Clamped
	case y.IsZero() && x.IsZero():
		return invalid(DivisionUndefined)
	case y.IsZero():
		return Infinity(neg), DivisionByZero
	case x.IsZero():
		return c.finish(neg, new(big.Int), x.exp-y.exp, false)
	}
	ideal := x.exp - y.exp
	shift := y.Digits() - x.Digits() + c.Prec + 1
	num, den := &x.coef, &y.coef
	if shift >= 0 {
		num = new(big.Int).Mul(num, pow10(shift))
	} else {
		den = new(big.Int).Mul(den, pow10(-shift))
	}
	q, r := new(big.Int).QuoRem(num, den, new(big.Int))
	exp := ideal - int64(shift)
	if r.Sign() != 0 {
		return c.finish(neg, q, exp, true)
	}
	// Exact: as near to the ideal exponent as zeros at the end allow.
	if exp < ideal {
		n := min(int64(trailingZeros(q)), ideal-exp)
		q.Quo(q, pow10(int(n)))
		exp += n
	}
	return c.finish(neg, q, exp, false)
}

// divide returns the integer quotient, truncated, and the remainder of finite
// numbers, y not zero. DivisionImpossible if the quotient exceeds the precision.
func (c *Context) divide(x, y *Number) (q, r *Number, cond Condition) {
	neg := x.neg != y.neg
	exp := min(x.exp, y.exp)
	switch apart := x.Adjusted() - y.Adjusted(); {
	case x.IsZero() || apart < -1:
		rest, cond := c.addZero(x, exp)
		if x.IsZero() {
			rest, cond = c.finish(x.neg, new(big.Int), exp, false)
		}
		return New(neg, new(big.Int), 0), rest, cond &^ Inexact
	case apart > int64(c.Prec):
		nan, cond := invalid(DivisionImpossible)
		return nan, nan, cond
	}
	a := new(big.Int).Mul(&x.coef, pow10(int(x.exp-exp)))
	b := new(big.Int).Mul(&y.coef, pow10(int(y.exp-exp)))
	a.QuoRem(a, b, b)
	if digits(a) > c.Prec {
		nan, cond := invalid(DivisionImpossible)
		return nan, nan, cond
	}
	rest, cond := c.finish(x.neg, b, exp, false)
	return New(neg, a, 0), rest, cond
}

// QuoInteger returns the quotient truncated to an integer, Python's x // y.
func (c *Context) QuoInteger(x, y *Number) (*Number, Condition) {
	if r, cond, ok := c.nan(x, y); ok {
		return r, cond
	}
	switch {
	case x.form == Infinite && y.form == Infinite:
		return invalid(0)
	case x.form == Infinite:
		return Infinity(x.neg != y.neg), 0
	case y.form == Infinite:
		return New(x.neg != y.neg, new(big.Int), 0), 0
	case y.IsZero() && x.IsZero():
		return invalid(DivisionUndefined)
	case y.IsZero():
		return Infinity(x.neg != y.neg), DivisionByZero
	}
	q, _, cond := c.divide(x, y)
	return q, cond & (InvalidOperation | DivisionImpossible)
}

// Rem returns x - y·(x // y), Python's x % y; the sign is that of x.
func (c *Context) Rem(x, y *Number) (*Number, Condition) {
	if r, cond, ok := c.nan(x, y); ok {
		return r, cond
	}
	switch {
	case x.form == Infinite:
		return invalid(0)
	case y.form == Infinite:
		return c.Round(x)
	case y.IsZero() && x.IsZero():
		return invalid(DivisionUndefined)
	case y.IsZero():
		return invalid(0)
	}
	_, r, cond := c.divide(x, y)
	return r, cond
}

// DivMod returns x // y and x % y.
func (c *Context) DivMod(x, y *Number) (q, r *Number, cond Condition) {
	if n, cond, ok := c.nan(x, y); ok {
		return n, n, cond
	}
	nan := NaN(false, false, nil)
	switch {
	case x.form == Infinite && y.form == Infinite:
		return nan, nan, InvalidOperation
	case x.form == Infinite:
		return Infinity(x.neg != y.neg), nan, InvalidOperation
	case y.form == Infinite:
		r, cond := c.Round(x)
		return New(x.neg != y.neg, new(big.Int), 0), r, cond
	case y.IsZero() && x.IsZero():
		return nan, nan, InvalidOperation | DivisionUndefined
	case y.IsZero():
		return Infinity(x.neg != y.neg), nan, InvalidOperation | DivisionByZero
	}
	return c.divide(x, y)
}

// RemNear returns x - y·n with n the integer nearest to x/y, ties to even.
func (c *Context) RemNear(x, y *Number) (*Number, Condition) {
	if r, cond, ok := c.nan(x, y); ok {
		return r, cond
	}
	switch {
	case x.form == Infinite:
		return invalid(0)
	case y.form == Infinite:
		return c.Round(x)
	case y.IsZero() && x.IsZero():
		return invalid(DivisionUndefined)
	case y.IsZero():
		return invalid(0)
	}
	exp := min(x.exp, y.exp)
	switch apart := x.Adjusted() - y.Adjusted(); {
	case x.IsZero():
		return c.finish(x.neg, new(big.Int), exp, false)
	case apart < -2:
		return c.addZero(x, exp)
	case apart > int64(c.Prec):
		return invalid(DivisionImpossible)
	}
	a := new(big.Int).Mul(&x.coef, pow10(int(x.exp-exp)))
	b := new(big.Int).Mul(&y.coef, pow10(int(y.exp-exp)))
	q, r := new(big.Int).QuoRem(a, b, new(big.Int))
	neg := x.neg
	switch twice := new(big.Int).Lsh(r, 1).Cmp(b); {
	case twice > 0 || twice == 0 && q.Bit(0) == 1:
		q.Add(q, powerTable[0])
		r.Sub(b, r)
		neg = !neg
	}
	if digits(q) > c.Prec {
		return invalid(DivisionImpossible)
	}
	return c.finish(neg, r, exp, false)
}

// Abs returns |x| rounded.
func (c *Context) Abs(x *Number) (*Number, Condition) {
	if x.IsNaN() {
		return c.quiet(x)
	}
	return c.Round(x.CopyAbs())
}

// Neg returns 0 - x rounded, which makes zeros positive.
func (c *Context) Neg(x *Number) (*Number, Condition) {
	if x.IsNaN() {
		return c.quiet(x)
	}
	if x.IsZero() {
		return c.Round(x.withSign(c.Rounding == Floor))
	}
	return c.Round(x.CopyNegate())
}

// Plus returns 0 + x rounded, which makes zeros positive.
func (c *Context) Plus(x *Number) (*Number, Condition) {
	if x.IsZero() {
		return c.Round(x.withSign(c.Rounding == Floor && x.neg))
	}
	return c.Round(x)
}
