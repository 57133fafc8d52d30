package decimal

import "math/big"

// The functions below work on fixed-point integers: v stands for v·10^-places.
// Errors are a few units of the last place; the callers carry spare digits and
// ask decided whether they matter.

// decided rounds coef·10^exp, which may be off by 10^(extra/2) units, if that
// cannot change the result.
func (c *Context) decided(neg bool, coef *big.Int, exp int64, extra int) (*Number, Condition, bool) {
	slack := pow10(extra / 2)
	low, condLow := c.finish(neg, new(big.Int).Sub(coef, slack), exp, true)
	high, condHigh := c.finish(neg, new(big.Int).Add(coef, slack), exp, true)
	if low.form == high.form && low.exp == high.exp && low.coef.Cmp(&high.coef) == 0 {
		return low, condLow | condHigh, true
	}
	return nil, 0, false
}

// Exp returns e^x, correctly rounded half-even.
func (c *Context) Exp(x *Number) (*Number, Condition) {
	switch {
	case x.IsNaN():
		return c.quiet(x)
	case x.form == Infinite:
		if x.neg {
			return New(false, new(big.Int), 0), 0
		}
		return x, 0
	case x.IsZero():
		return FromInt64(1), 0
	}
	even := *c
	even.Rounding = HalfEven
	switch a := x.Adjusted(); {
	case a > 8: // |x| >= 10^9 > Emax·log(10)
		if x.neg {
			return even.finish(false, powerTable[0], c.etiny()-2, false)
		}
		return even.overflow(false), Overflow | Inexact | Rounded
	case a < -int64(c.Prec)-1: // 1 and less than half a unit
		return even.one(false)
	}
	for extra := 8; ; extra *= 2 {
		places := c.Prec + extra + 12
		coef, exp := expFixed(fixed(x, places), places, c.Prec+extra)
		if r, cond, ok := even.decided(false, coef, exp, extra); ok {
			return r, cond
		}
	}
}

// fixed returns floor(x·10^places) for finite x.
func fixed(x *Number, places int) *big.Int {
	v := new(big.Int)
	shift := x.exp + int64(places)
	switch {
	case shift >= 0:
		v.Mul(&x.coef, pow10(int(shift)))
	case -shift <= int64(x.Digits()):
		v.Quo(&x.coef, pow10(int(-shift)))
	}
	if x.neg {
		v.Neg(v)
	}
	return v
}

// expFixed returns e^v as coef·10^exp with at least the given number of digits,
// correct to a few units; |v| < 10^9.
func expFixed(v *big.Int, places, precision int) (coef *big.Int, exp int64) {
	guard := places + 12
	ln10 := ln10Fixed(guard)
	w := new(big.Int).Mul(v, powerTable[12])
	// v = k·log(10) + r with 0 <= r < log(10).
	k, r := new(big.Int).DivMod(w, ln10, new(big.Int))
	// Halve r until the series converges quickly, then square back.
	const halvings = 8
	one := pow10(guard)
	r.Rsh(r, halvings)
	sum, term := new(big.Int).Add(one, r), new(big.Int).Set(r)
	for i := int64(2); term.Sign() != 0; i++ {
		term.Mul(term, r).Quo(term, one).Quo(term, big.NewInt(i))
		sum.Add(sum, term)
	}
	for range halvings {
		sum.Mul(sum, sum).Quo(sum, one)
	}
	drop := max(digits(sum)-precision, 0)
	return new(big.Int).Quo(sum, pow10(drop)), k.Int64() - int64(guard) + int64(drop)
}

// Ln returns the natural logarithm of x, correctly rounded half-even.
func (c *Context) Ln(x *Number) (*Number, Condition) {
	if r, cond, ok := c.logSpecial(x); ok {
		return r, cond
	}
	if Cmp(x, FromInt64(1)) == 0 {
		return New(false, new(big.Int), 0), 0
	}
	return c.logarithm(x, func(v *big.Int, places int) *big.Int { return v })
}

// Log10 returns the logarithm of x to base ten, correctly rounded half-even.
func (c *Context) Log10(x *Number) (*Number, Condition) {
	if r, cond, ok := c.logSpecial(x); ok {
		return r, cond
	}
	if z := trailingZeros(&x.coef); x.coef.Cmp(pow10(z)) == 0 {
		even := *c
		even.Rounding = HalfEven
		return even.Round(FromInt64(x.exp + int64(z)))
	}
	return c.logarithm(x, func(v *big.Int, places int) *big.Int {
		return v.Quo(v.Mul(v, pow10(places)), ln10Fixed(places))
	})
}

func (c *Context) logSpecial(x *Number) (*Number, Condition, bool) {
	switch {
	case x.IsNaN():
		r, cond := c.quiet(x)
		return r, cond, true
	case x.IsZero():
		return Infinity(true), 0, true
	case x.neg:
		r, cond := invalid(0)
		return r, cond, true
	case x.form == Infinite:
		return x, 0, true
	}
	return nil, 0, false
}

// logarithm evaluates with more and more digits until the rounding is certain.
func (c *Context) logarithm(x *Number, scale func(v *big.Int, places int) *big.Int) (*Number, Condition) {
	even := *c
	even.Rounding = HalfEven
	for extra := 8; ; extra *= 2 {
		places := c.Prec + extra - int(min(logLowerBound(x), 0)) + 2
		v, ok := lnFixed(x, places)
		if !ok {
			return invalid(TooManyDigits)
		}
		v = scale(v, places)
		neg := v.Sign() < 0
		if r, cond, ok := even.decided(neg, v.Abs(v), int64(-places), extra); ok {
			return r, cond
		}
	}
}

// lnFixed returns log(x) for x > 0, off by a few units. ok is false if x lies
// too close to one for a bounded number of places.
func lnFixed(x *Number, places int) (v *big.Int, ok bool) {
	if places > 4*MaxDigits {
		return nil, false
	}
	guard := places + 24 // k below has up to 19 digits
	// x = m·10^k with m in [0.3, 3.2), so that numbers near one have k = 0.
	k := x.Adjusted()
	lead := new(big.Int).Set(&x.coef)
	if d := digits(lead); d > 2 {
		lead.Quo(lead, pow10(d-2))
	} else if d < 2 {
		lead.Mul(lead, powerTable[1])
	}
	if lead.Cmp(big.NewInt(32)) >= 0 {
		k++
	}
	m := fixed(New(false, &x.coef, x.exp-k), guard)
	v = logSeries(m, guard)
	if k != 0 {
		v.Add(v, new(big.Int).Mul(ln10Fixed(guard), big.NewInt(k)))
	}
	return floorQuo(v, powerTable[24]), true
}

// logSeries returns log(m) for m between 0.3 and 3.2: square roots bring m near
// one, then log(m) = 2·atanh((m-1)/(m+1)).
func logSeries(m *big.Int, places int) *big.Int {
	one := pow10(places)
	const roots = 6
	m = new(big.Int).Set(m)
	if far := new(big.Int).Sub(m, one); far.Lsh(far, 6).CmpAbs(one) > 0 {
		// Roots lose digits near one, so they work with twice the places.
		for range roots {
			m.Sqrt(m.Mul(m, one))
		}
		return new(big.Int).Lsh(atanhSeries(m, one), roots+1)
	}
	return new(big.Int).Lsh(atanhSeries(m, one), 1)
}

// atanhSeries returns atanh((m-1)/(m+1)).
func atanhSeries(m, one *big.Int) *big.Int {
	z := new(big.Int).Sub(m, one)
	z.Quo(z.Mul(z, one), new(big.Int).Add(m, one))
	square := new(big.Int).Mul(z, z)
	square.Quo(square, one)
	sum, power := new(big.Int).Set(z), new(big.Int).Set(z)
	for n := int64(3); ; n += 2 {
		power.Quo(power.Mul(power, square), one)
		if power.Sign() == 0 {
			return sum
		}
		sum.Add(sum, new(big.Int).Quo(power, big.NewInt(n)))
	}
}

// ln10Digits are the first digits of log(10); more are computed when needed.
// TestConstants recomputes them.
const ln10Digits = "2302585092994045684017991454684364207601101488628772976033327900967572609677352480235997205089598298341967784042286"

// ln10Fixed returns log(10)·10^places cut to an integer.
func ln10Fixed(places int) *big.Int {
	if places < len(ln10Digits)-2 {
		v, _ := new(big.Int).SetString(ln10Digits[:places+1], 10)
		return v
	}
	// log(10) = 46·atanh(1/31) + 34·atanh(1/49) + 20·atanh(1/161)
	guard := places + 10
	sum := new(big.Int)
	for _, t := range []struct{ factor, n int64 }{{46, 31}, {34, 49}, {20, 161}} {
		sum.Add(sum, new(big.Int).Mul(atanhInverse(t.n, guard), big.NewInt(t.factor)))
	}
	return sum.Quo(sum, powerTable[10])
}

// atanhInverse returns atanh(1/n).
func atanhInverse(n int64, places int) *big.Int {
	power := new(big.Int).Quo(pow10(places), big.NewInt(n))
	sum, square := new(big.Int).Set(power), big.NewInt(n*n)
	for k := int64(3); ; k += 2 {
		power.Quo(power, square)
		if power.Sign() == 0 {
			return sum
		}
		sum.Add(sum, new(big.Int).Quo(power, big.NewInt(k)))
	}
}
