package softfloat

import (
	"math/big"
	"math/bits"
)

// Pow returns x^y correctly rounded, with C's results for zeros, infinities
// and NaN. ErrDomain for a negative finite x with a finite y that is no
// integer, and for a zero x with y < 0, for which Python's math.pow and ** both
// raise, each in its own way; ErrRange on overflow.
// Spec: sdk §17.2.
func Pow(x, y uint64) (uint64, error) {
	switch {
	case IsZero(y) || x == One:
		return One, nil
	case Unordered(x, y):
		return NaN, nil
	}
	odd := IsInteger(y) && isOdd(y)
	sign := uint64(0)
	if odd {
		sign = x & signBit
	}
	a := x & absMask
	switch {
	case a == 0 && y&signBit != 0:
		if y == NegInf {
			return Inf, nil
		}
		return 0, ErrDomain
	case IsInf(y) || IsInf(a) || a == 0:
		return sign | powLimit(a, y), nil
	case x&signBit != 0 && !IsInteger(y):
		return 0, ErrDomain
	case a == One:
		return sign | One, nil
	}
	r, err := powFinite(a, y)
	return sign | r, err
}

// isOdd reports whether the integral double y is an odd integer.
func isOdd(y uint64) bool {
	m, e := integerForm(y & absMask)
	return e == 0 && m&1 == 1
}

// powLimit is a^y where a or y is infinite, or a is zero and y > 0.
func powLimit(a, y uint64) uint64 {
	switch {
	case IsInf(y) && a == One:
		return One
	case Lt(One, a) == (y&signBit == 0):
		return Inf
	}
	return Zero
}

// powFinite is a^y for a finite and positive, not 1, and y finite, not zero.
func powFinite(a, y uint64) (uint64, error) {
	w := quadOf(a).Log().Mul(quadOf(y))
	if w.exp >= 10 { // |y·log a| >= 1024
		if w.neg {
			return Zero, nil
		}
		return 0, ErrRange
	}
	// The absolute error of w is that of the result relative to itself.
	slack := uint(6 + max(w.exp+3, 0))
	if r, ok := w.Exp().round(slack); ok {
		return finite(r)
	}
	if r, ok := powExact(a, y); ok {
		return finite(r)
	}
	return finite(insist(func(unit real) (real, int) {
		wide := realOf(a, unit.prec+guard)
		return exponentOf(wide.Log().Mul(wide.Bits(y)).Exp().with(unit.prec))
	}))
}

// powExact returns a^y where it has at most 64 significant bits, the only
// case in which it may be half way between two doubles: with a = m·2^k, m odd,
// the power is m^y·2^(k·y), exact only if y's denominator 2^j divides k, m is a
// 2^j-th power and the resulting integer power fits.
func powExact(a, y uint64) (uint64, bool) {
	m, k := integerForm(a)
	n, j := integerForm(y & absMask)
	for ; j < 0; j++ {
		root := new(big.Int).Sqrt(new(big.Int).SetUint64(m)).Uint64()
		if k&1 != 0 || root*root != m {
			return 0, false
		}
		m, k = root, k/2
	}
	if j > 10 || n > 1<<12 { // k·y or m^y is far out of range, but for k = 0 and m = 1, which is a = 1
		return 0, false
	}
	n <<= uint(j)
	if y&signBit != 0 {
		if m != 1 {
			return 0, false
		}
		k = -k
	}
	power := uint64(1)
	for i := uint64(0); i < n && m > 1; i++ { // at most 41 turns
		hi, lo := bits.Mul64(power, m)
		if hi != 0 {
			return 0, false
		}
		power = lo
	}
	z := bits.LeadingZeros64(power)
	return pack(0, k*int(n)+63-z+expBias, power<<uint(z)), true
}

// Cbrt returns the cube root of x correctly rounded.
// Spec: sdk §17.2.
func Cbrt(x uint64) uint64 {
	if !IsFinite(x) || IsZero(x) {
		return quiet(x)
	}
	return oddly(x, cbrtOf[quad], cbrtOf[real])
}

// cbrtOf is e^(log(x)/3) improved by one step of Newton's method, which makes
// its error independent of the size of the logarithm. A cube root is never half
// way between two doubles: its cube would have 160 bits.
func cbrtOf[T number[T]](unit T, x uint64) T {
	a := unit.Bits(x)
	r := a.Log().QuoInt(3).Exp()
	return r.Scale(1).Add(a.Quo(r.Mul(r))).QuoInt(3)
}
