package decimal

import "math/big"

// Cmp compares two numbers that are not NaN: -1, 0 or +1.
func Cmp(x, y *Number) int {
	sx, sy := x.sign(), y.sign()
	switch {
	case sx != sy:
		if sx < sy {
			return -1
		}
		return 1
	case sx == 0:
		return 0
	}
	return sx * cmpAbs(x, y)
}

// sign returns -1, 0 or +1.
func (x *Number) sign() int {
	switch {
	case x.IsZero():
		return 0
	case x.neg:
		return -1
	}
	return 1
}

// cmpAbs compares the magnitudes of two numbers, not NaN.
func cmpAbs(x, y *Number) int {
	switch {
	case x.form == Infinite && y.form == Infinite:
		return 0
	case x.form == Infinite:
		return 1
	case y.form == Infinite:
		return -1
	case x.IsZero() || y.IsZero():
		return x.coef.Sign() - y.coef.Sign()
	}
	if a, b := x.Adjusted(), y.Adjusted(); a != b {
		if a < b {
			return -1
		}
		return 1
	}
	// The first digits have the same weight, so exponents differ by less than
	// the number of digits.
	switch {
	case x.exp > y.exp:
		return new(big.Int).Mul(&x.coef, pow10(int(x.exp-y.exp))).Cmp(&y.coef)
	case x.exp < y.exp:
		return x.coef.Cmp(new(big.Int).Mul(&y.coef, pow10(int(y.exp-x.exp))))
	}
	return x.coef.Cmp(&y.coef)
}

// Compare returns the operation "compare": a NaN, or -1, 0 or 1 as a number.
func (c *Context) Compare(x, y *Number) (*Number, Condition) {
	if r, cond, ok := c.nan(x, y); ok {
		return r, cond
	}
	return FromInt64(int64(Cmp(x, y))), 0
}

// CompareSignal is Compare that finds any NaN invalid.
func (c *Context) CompareSignal(x, y *Number) (*Number, Condition) {
	if r, cond, ok := c.nan(x, y); ok {
		return r, cond | InvalidOperation
	}
	return FromInt64(int64(Cmp(x, y))), 0
}

// CompareTotal orders all representations: -NaN < -sNaN < -Inf < … < Inf < sNaN
// < NaN, and equal numbers by exponent.
func CompareTotal(x, y *Number) int {
	if x.neg != y.neg {
		if x.neg {
			return -1
		}
		return 1
	}
	r := compareTotalMagnitude(x, y)
	if x.neg {
		return -r
	}
	return r
}

// CompareTotalMag is CompareTotal without regard to signs.
func CompareTotalMag(x, y *Number) int { return compareTotalMagnitude(x, y) }

func compareTotalMagnitude(x, y *Number) int {
	rank := func(n *Number) int {
		switch n.form {
		case SignalingNaN:
			return 1
		case QuietNaN:
			return 2
		}
		return 0
	}
	if a, b := rank(x), rank(y); a != b {
		return compareInts(int64(a), int64(b))
	} else if a > 0 {
		return x.coef.Cmp(&y.coef)
	}
	if r := cmpAbs(x, y); r != 0 || x.form == Infinite {
		return r
	}
	return compareInts(x.exp, y.exp)
}

func compareInts(a, b int64) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

// Max and Min return the larger or smaller operand, rounded; a single quiet NaN
// loses. MaxMag and MinMag go by magnitude.
func (c *Context) Max(x, y *Number) (*Number, Condition) { return c.choose(x, y, 1, false) }

// Min returns the smaller operand, rounded.
func (c *Context) Min(x, y *Number) (*Number, Condition) { return c.choose(x, y, -1, false) }

// MaxMag returns the operand of the larger magnitude, rounded.
func (c *Context) MaxMag(x, y *Number) (*Number, Condition) { return c.choose(x, y, 1, true) }

// MinMag returns the operand of the smaller magnitude, rounded.
func (c *Context) MinMag(x, y *Number) (*Number, Condition) { return c.choose(x, y, -1, true) }

func (c *Context) choose(x, y *Number, want int, magnitude bool) (*Number, Condition) {
	if x.IsNaN() || y.IsNaN() {
		switch {
		case x.form == QuietNaN && !y.IsNaN():
			return c.Round(y)
		case y.form == QuietNaN && !x.IsNaN():
			return c.Round(x)
		}
		r, cond, _ := c.nan(x, y)
		return r, cond
	}
	r := 0
	if magnitude {
		r = cmpAbs(x, y)
	}
	if r == 0 {
		r = Cmp(x, y)
	}
	if r == 0 {
		r = CompareTotal(x, y)
	}
	if r == want || r == 0 {
		return c.Round(x)
	}
	return c.Round(y)
}
