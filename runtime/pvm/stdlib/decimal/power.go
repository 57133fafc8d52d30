package decimal

import "math/big"

// Sqrt returns the square root of x, rounded half-even whatever the context's
// mode, as the specification demands.
func (c *Context) Sqrt(x *Number) (*Number, Condition) {
	switch {
	case x.IsNaN():
		return c.quiet(x)
	case x.IsZero():
		return c.finish(x.neg, new(big.Int), floorHalf(x.exp), false)
	case x.neg:
		return invalid(0)
	case x.form == Infinite:
		return x, 0
	}
	// The root of coef·10^2k with one digit more than the precision.
	exp, coef := x.exp, &x.coef
	ideal := floorHalf(x.exp)
	half := c.Prec + 1
	shift := int64(2*half - digits(coef))
	if (exp-shift)&1 != 0 {
		shift++
	}
	sticky := false
	if shift >= 0 {
		coef = new(big.Int).Mul(coef, pow10(int(shift)))
	} else {
		r := new(big.Int)
		coef, r = new(big.Int).QuoRem(coef, pow10(int(-shift)), r)
		sticky = r.Sign() != 0
	}
	exp -= shift
	root := new(big.Int).Sqrt(coef)
	sticky = sticky || new(big.Int).Mul(root, root).Cmp(coef) != 0
	exp /= 2
	if !sticky {
		if n := ideal - exp; n > 0 {
			n = min(n, int64(trailingZeros(root)))
			root.Quo(root, pow10(int(n)))
			exp += n
		}
	}
	even := *c
	even.Rounding = HalfEven
	return even.finish(false, root, exp, sticky)
}

// floorHalf returns floor(n/2).
func floorHalf(n int64) int64 { return n >> 1 }

// Pow returns x^y.
func (c *Context) Pow(x, y *Number) (*Number, Condition) {
	if r, cond, ok := c.nan(x, y); ok {
		return r, cond
	}
	integer := y.IsInteger()
	neg := x.neg && integer && y.odd()
	switch {
	case y.IsZero():
		if x.IsZero() {
			return invalid(0)
		}
		return FromInt64(1), 0
	case x.neg && !x.IsZero() && !integer && y.form == Finite:
		return invalid(0)
	case x.neg && !x.IsZero() && y.form == Infinite:
		return invalid(0)
	case x.IsZero():
		if y.neg {
			return Infinity(neg), 0
		}
		return New(neg, new(big.Int), 0), 0
	case x.form == Infinite:
		if y.neg {
			return New(neg, new(big.Int), 0), 0
		}
		return Infinity(neg), 0
	}
	return c.powFinite(x.CopyAbs(), y, neg, integer)
}

// odd says whether an integral y is odd.
func (y *Number) odd() bool {
	if y.form != Finite || y.exp > 0 {
		return false
	}
	q := new(big.Int).Quo(&y.coef, pow10(int(-y.exp)))
	return q.Bit(0) == 1
}

// one returns 1 written with as many zeros as the precision allows, which is
// what an inexact power of one looks like.
func (c *Context) one(neg bool) (*Number, Condition) {
	return New(neg, pow10(c.Prec-1), int64(1-c.Prec)), Inexact | Rounded
}

// powFinite is x^y for finite x > 0 and y not zero.
func (c *Context) powFinite(x, y *Number, neg, integer bool) (*Number, Condition) {
	unit := Cmp(x, FromInt64(1))
	if y.form == Infinite {
		switch {
		case unit == 0:
			return c.one(neg)
		case (unit > 0) == y.neg:
			return New(neg, new(big.Int), 0), 0
		}
		return Infinity(neg), 0
	}
	if unit == 0 {
		return c.powOne(x, y, neg, integer)
	}
	if r, cond, ok := c.powOutOfRange(x, y, neg, unit); ok {
		return r, cond
	}
	if integer {
		if r, cond, ok := c.powInteger(x, y, neg); ok {
			return r, cond
		}
	}
	return c.powReal(x, y, neg)
}

// powOne is 1^y: exact for integers, where each multiplication adds the zeros
// behind the point.
func (c *Context) powOne(x, y *Number, neg, integer bool) (*Number, Condition) {
	if !integer {
		return c.one(neg)
	}
	if y.neg || x.exp == 0 {
		return New(neg, powerTable[0], 0), 0
	}
	places := int64(c.Prec - 1)
	if n, ok := y.Int(Down); ok && n.IsInt64() && n.Int64() <= places/-x.exp {
		places = -x.exp * n.Int64()
	}
	return New(neg, pow10(int(places)), -places), Rounded
}

// powOutOfRange catches the powers that certainly overflow or vanish: |log10 x|
// is at least a bound computed from the adjusted exponent, or from the distance
// to one.
func (c *Context) powOutOfRange(x, y *Number, neg bool, unit int) (*Number, Condition, bool) {
	// 10^lower <= |log10(x)|
	lower := logLowerBound(x)
	need := int64(len("1000000")) + 1 // digits of the largest exponents, and one
	if lower+y.Adjusted() < need {
		return nil, 0, false
	}
	if (unit > 0) == !y.neg {
		return c.overflow(neg), Overflow | Inexact | Rounded, true
	}
	r, cond := c.finish(neg, powerTable[0], c.etiny()-2, false)
	return r, cond, true
}

// logLowerBound returns n with 10^n <= |log10(x)|, for x > 0 not one.
func logLowerBound(x *Number) int64 {
	a := x.Adjusted()
	switch {
	case a >= 1:
		return int64(digits(big.NewInt(a))) - 1
	case a <= -2:
		return int64(digits(big.NewInt(-a-1))) - 1
	}
	// |log10(x)| >= |x-1|/max(x,1)·0.43
	d, _ := wide(2*MaxDigits).Sub(x, FromInt64(1))
	return d.Adjusted() - 2
}

// powInteger multiplies out where the exact power stays within reach: its digits
// are at most a few times the precision. Negative exponents divide at the end.
func (c *Context) powInteger(x, y *Number, neg bool) (*Number, Condition, bool) {
	n, ok := y.CopyAbs().Int(Down)
	if !ok || !n.IsInt64() {
		return nil, 0, false
	}
	k := n.Int64()
	coef := &x.coef
	exp := x.exp
	if y.neg { // trailing zeros would only lengthen the divisor
		z := trailingZeros(coef)
		coef = new(big.Int).Quo(coef, pow10(z))
		exp += int64(z)
	}
	const digitsMax = 400
	if d := int64(digits(coef)); coef.BitLen() > 1 && (k > digitsMax || d*k > digitsMax) {
		return nil, 0, false
	}
	if k > 1<<40 {
		return nil, 0, false
	}
	power := new(big.Int).Set(coef)
	if coef.BitLen() > 1 {
		power.Exp(coef, n, nil)
	}
	if !y.neg {
		r, cond := c.finish(neg, power, exp*k, false)
		return r, cond, true
	}
	r, cond := c.Quo(&Number{neg: neg, coef: *powerTable[0]}, New(false, power, exp*k))
	return r, cond, true
}

// powReal is x^y = e^(y·log x), correctly rounded. If the power is exact it is
// found by powExact; then, and only then, the loop would not end.
func (c *Context) powReal(x, y *Number, neg bool) (*Number, Condition) {
	if r, cond, ok := c.powExact(x, y, neg); ok {
		return r, cond
	}
	for extra := 8; ; extra *= 2 {
		// y·log x has at most 8 digits before the point.
		places := c.Prec + extra + 10
		logPlaces := places + int(max(y.Adjusted(), 0)) + 2
		log, ok := lnFixed(x, logPlaces)
		if !ok {
			return invalid(TooManyDigits)
		}
		w := mulExact(log, logPlaces, y, places)
		coef, exp := expFixed(w, places, c.Prec+extra)
		if r, cond, ok := c.decided(neg, coef, exp, extra); ok {
			return r, cond
		}
	}
}

// mulExact returns v·10^-vPlaces · y as an integer number of 10^-places.
func mulExact(v *big.Int, vPlaces int, y *Number, places int) *big.Int {
	r := new(big.Int).Mul(v, &y.coef)
	if y.neg {
		r.Neg(r)
	}
	shift := int64(places) - int64(vPlaces) + y.exp
	if shift >= 0 {
		return r.Mul(r, pow10(int(shift)))
	}
	if -shift > int64(digits(new(big.Int).Abs(r)))+1 {
		return new(big.Int)
	}
	return floorQuo(r, pow10(int(-shift)))
}

// floorQuo returns floor(a/b) for b > 0.
func floorQuo(a, b *big.Int) *big.Int { return new(big.Int).Div(a, b) }

// powExact finds the powers with a fraction for exponent that are exact: x is
// coef·10^e with both parts perfect powers of the exponent's denominator. The
// result shows its full precision, as every power by logarithm.
func (c *Context) powExact(x, y *Number, neg bool) (*Number, Condition, bool) {
	num, den, ok := y.Ratio()
	if !ok || !den.IsInt64() || den.Int64() > 400 || !num.IsInt64() {
		return nil, 0, false
	}
	d, n := den.Int64(), num.Int64()
	z := trailingZeros(&x.coef)
	coef := new(big.Int).Quo(&x.coef, pow10(z))
	exp := x.exp + int64(z)
	most := int64(c.Prec + 2) // digits of a root whose power can be shown; one of which the inverse is taken may have more
	if n < 0 {
		most = int64(4*c.Prec + 2)
	}
	if int64(digits(coef)) > d*most {
		return nil, 0, false
	}
	root, exp, ok := perfectRoot(coef, exp, d)
	if !ok {
		return nil, 0, false
	}
	if n < 0 {
		// 1/root must be finite: root divides a power of ten.
		inverse, cond := wide(4*c.Prec).Quo(FromInt64(1), New(false, root, exp))
		if cond&Inexact != 0 {
			return nil, 0, false
		}
		root, exp, n = &inverse.coef, inverse.exp, -n
	}
	if root.BitLen() > 1 && n*int64(digits(root)) > int64(4*c.Prec) {
		return nil, 0, false
	}
	power := new(big.Int).Exp(root, big.NewInt(n), nil)
	if digits(power)-trailingZeros(power) > c.Prec+1 {
		return nil, 0, false
	}
	exp *= n
	if pad := c.Prec - digits(power); pad > 0 {
		power.Mul(power, pow10(pad))
		exp -= int64(pad)
	}
	r, cond := c.finish(neg, power, exp, false)
	return r, cond | Inexact | Rounded, true
}

// perfectRoot returns the d-th root of coef·10^exp if it is finite. A power of
// ten may move between coefficient and exponent.
func perfectRoot(coef *big.Int, exp, d int64) (*big.Int, int64, bool) {
	if r := floorMod(exp, d); r != 0 {
		coef = new(big.Int).Mul(coef, pow10(int(r)))
		exp -= r
	}
	root := integerRoot(coef, int(d))
	if new(big.Int).Exp(root, big.NewInt(d), nil).Cmp(coef) != 0 {
		return nil, 0, false
	}
	return root, exp / d, true
}

// bisected is up to how many bits a root is found bit by bit.
const bisected = 32

// integerRoot returns floor(n^(1/d)) for n ≥ 0 and 1 ≤ d ≤ 400: the upper half of its bits is the root of n's upper part, and one that is too large by less
// than one in 2d at most, as that half with ones behind it is, comes down to it by Newton's steps, each of which doubles the bits that are right.
func integerRoot(n *big.Int, d int) *big.Int {
	bits := n.BitLen()/d + 1
	if d == 1 {
		return n
	}
	if d == 2 {
		return new(big.Int).Sqrt(n)
	}
	root, power := new(big.Int), new(big.Int)
	if bits <= bisected {
		exponent := big.NewInt(int64(d))
		for bit := bits - 1; bit >= 0; bit-- {
			root.SetBit(root, bit, 1)
			if power.Exp(root, exponent, nil).Cmp(n) > 0 {
				root.SetBit(root, bit, 0)
			}
		}
		return root
	}
	low := uint(bits / 2)
	root.Add(integerRoot(new(big.Int).Rsh(n, low*uint(d)), d), big.NewInt(1))
	root.Lsh(root, low)
	degree, less, next := big.NewInt(int64(d)), big.NewInt(int64(d-1)), new(big.Int)
	for {
		// ((d−1)·root + n / root^(d−1)) / d is no less than the root sought, and less than one that is larger.
		next.Quo(n, power.Exp(root, less, nil))
		next.Add(next, power.Mul(root, less)).Quo(next, degree)
		if next.Cmp(root) >= 0 {
			return root
		}
		root, next = next, root
	}
}

// PowMod returns x^y mod m for integers, Python's three-argument pow.
func (c *Context) PowMod(x, y, m *Number) (*Number, Condition) {
	if r, cond, ok := c.nan(x, y, m); ok {
		return r, cond
	}
	if !x.IsInteger() || !y.IsInteger() || !m.IsInteger() || y.neg && !y.IsZero() || m.IsZero() ||
		m.Adjusted() >= int64(c.Prec) || x.IsZero() && y.IsZero() {
		return invalid(0)
	}
	neg := x.neg && y.odd()
	modulus, _ := m.CopyAbs().Int(Down)
	base := new(big.Int).Mod(&x.coef, modulus)
	if x.exp >= 0 {
		ten := new(big.Int).Exp(big.NewInt(10), big.NewInt(x.exp), modulus)
		base.Mod(base.Mul(base, ten), modulus)
	} else {
		i, _ := x.CopyAbs().Int(Down)
		base.Mod(i, modulus)
	}
	exponent, ok := y.CopyAbs().Int(Down)
	if !ok {
		return invalid(TooManyDigits)
	}
	return New(neg, base.Exp(base, exponent, modulus), 0), 0
}
