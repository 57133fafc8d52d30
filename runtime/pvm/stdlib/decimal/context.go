package decimal

import "math/big"

// Rounding is a way to drop digits.
type Rounding uint8

// The rounding modes.
const (
	HalfEven Rounding = iota
	HalfUp
	HalfDown
	Up
	Down
	Ceiling
	Floor
	ZeroFiveUp
)

// Condition is a set of exceptional conditions.
type Condition uint16

// The conditions. The first five are kinds of Python's InvalidOperation.
const (
	InvalidOperation Condition = 1 << iota
	ConversionSyntax
	DivisionImpossible
	DivisionUndefined
	TooManyDigits // the coefficient would exceed MaxDigits
	DivisionByZero
	Overflow
	Underflow
	Inexact
	Rounded
	Subnormal
	Clamped
)

// Context is what results are rounded to.
type Context struct {
	Prec       int
	Rounding   Rounding
	Emin, Emax int64
}

// Default is the one context of the machine.
//
// Spec: WP-January "Numeric Determinism" (28 digits, ROUND_HALF_EVEN).
var Default = Context{Prec: 28, Rounding: HalfEven, Emin: -999999, Emax: 999999}

// wide has room for every exponent a number can have.
func wide(prec int) *Context {
	return &Context{Prec: prec, Emin: -exponentLimit, Emax: exponentLimit}
}

// exponentLimit is the largest exponent text may have.
const exponentLimit = 999999999999999999

// etiny is the exponent of the smallest subnormal number.
func (c *Context) etiny() int64 { return c.Emin - int64(c.Prec) + 1 }

// invalid returns the NaN of an invalid operation.
func invalid(kind Condition) (*Number, Condition) {
	return NaN(false, false, nil), InvalidOperation | kind
}

// finish rounds ±coef·10^exp to the context. sticky says that the true value is
// above coef by less than one unit, for which the caller keeps at least one
// digit more than the precision.
func (c *Context) finish(neg bool, coef *big.Int, exp int64, sticky bool) (*Number, Condition) {
	var cond Condition
	tiny := c.etiny()
	if coef.Sign() == 0 && !sticky {
		clamped := min(max(exp, tiny), c.Emax)
		if clamped != exp {
			cond = Clamped
		}
		return New(neg, coef, clamped), cond
	}
	drop := int64(digits(coef) - c.Prec)
	subnormal := exp+int64(digits(coef))-1 < c.Emin
	if subnormal {
		cond |= Subnormal
		drop = max(drop, tiny-exp)
	}
	q := coef
	if drop > 0 || sticky {
		var inexact bool
		q, inexact = dropDigits(coef, max(drop, 0), c.Rounding, neg, sticky)
		exp += max(drop, 0)
		cond |= Rounded
		if inexact {
			cond |= Inexact
			if subnormal {
				cond |= Underflow
			}
		}
		if digits(q) > c.Prec { // all nines were rounded up
			q = new(big.Int).Quo(q, powerTable[1])
			exp++
		}
	}
	if q.Sign() == 0 {
		if subnormal {
			cond |= Clamped
		}
		return New(neg, q, exp), cond
	}
	if exp+int64(digits(q))-1 > c.Emax {
		return c.overflow(neg), cond | Overflow | Inexact | Rounded
	}
	return New(neg, q, exp), cond
}

// overflow returns what stands for a number too large: an infinity, or the
// largest number if the rounding mode leads towards zero.
func (c *Context) overflow(neg bool) *Number {
	largest := false
	switch c.Rounding {
	case Down, ZeroFiveUp:
		largest = true
	case Ceiling:
		largest = neg
	case Floor:
		largest = !neg
	}
	if !largest {
		return Infinity(neg)
	}
	coef := new(big.Int).Sub(pow10(c.Prec), powerTable[0])
	return New(neg, coef, c.Emax-int64(c.Prec)+1)
}

// dropDigits removes the last n digits of coef and rounds. It may answer with a
// digit more than remained.
func dropDigits(coef *big.Int, n int64, mode Rounding, neg, sticky bool) (q *big.Int, inexact bool) {
	if n > int64(digits(coef))+1 {
		n = int64(digits(coef)) + 1 // below a tenth of a unit
	}
	p := pow10(int(n))
	q, r := new(big.Int).QuoRem(coef, p, new(big.Int))
	if r.Sign() == 0 && !sticky {
		return q, false
	}
	half := r.Lsh(r, 1).Cmp(p)
	if half == 0 && sticky {
		half = 1
	}
	if n == 0 {
		half = -1 // only the sticky part, which is below a half by the caller's extra digit
	}
	if roundsUp(mode, neg, half, q) {
		q.Add(q, powerTable[0])
	}
	return q, true
}

// roundsUp decides whether to add one to q; half compares what was dropped,
// which is not zero, with a half.
func roundsUp(mode Rounding, neg bool, half int, q *big.Int) bool {
	switch mode {
	case HalfEven:
		return half > 0 || half == 0 && q.Bit(0) == 1
	case HalfUp:
		return half >= 0
	case HalfDown:
		return half > 0
	case Up:
		return true
	case Ceiling:
		return !neg
	case Floor:
		return neg
	case ZeroFiveUp:
		last := new(big.Int).Rem(q, big.NewInt(5))
		return last.Sign() == 0
	}
	return false
}

// Round returns x rounded to the context: the operation "plus" but for the
// signs of zeros and NaNs.
func (c *Context) Round(x *Number) (*Number, Condition) {
	switch x.form {
	case Finite:
		return c.finish(x.neg, &x.coef, x.exp, false)
	case Infinite:
		return x, 0
	}
	return c.quiet(x)
}

// quiet turns a NaN operand into the result: its payload cut to the precision,
// and a signaling one made quiet at the price of a condition.
func (c *Context) quiet(x *Number) (*Number, Condition) {
	var cond Condition
	if x.form == SignalingNaN {
		cond = InvalidOperation
	}
	payload := &x.coef
	if digits(payload) > c.Prec {
		payload = new(big.Int).Rem(payload, pow10(c.Prec))
	}
	return NaN(x.neg, false, payload), cond
}

// nan returns the result of an operation with at least one NaN among its
// operands: a signaling one goes first.
func (c *Context) nan(operands ...*Number) (*Number, Condition, bool) {
	for _, form := range []Form{SignalingNaN, QuietNaN} {
		for _, x := range operands {
			if x.form == form {
				r, cond := c.quiet(x)
				return r, cond, true
			}
		}
	}
	return nil, 0, false
}
