package softfloat

import "math/big"

// logarithm handles the arguments where every logarithm is the same.
func logarithm(x uint64, first func(quad, uint64) quad, again func(real, uint64) real) (uint64, error) {
	switch {
	case IsNaN(x):
		return NaN, nil
	case x == Inf:
		return Inf, nil
	case IsZero(x) || x&signBit != 0:
		return 0, ErrDomain
	case x == One:
		return Zero, nil
	}
	return correctly(x, first, again), nil
}

// Log returns the natural logarithm of x correctly rounded; ErrDomain for
// x <= 0.
// Spec: sdk §17.2.
func Log(x uint64) (uint64, error) { return logarithm(x, logOf[quad], logOf[real]) }

func logOf[T number[T]](unit T, x uint64) T { return unit.Bits(x).Log() }

// Log2 returns the logarithm of x to base 2 correctly rounded; ErrDomain for
// x <= 0.
func Log2(x uint64) (uint64, error) { return logarithm(x, log2Of[quad], log2Of[real]) }

func log2Of[T number[T]](unit T, x uint64) T { return unit.Bits(x).Log().Quo(unit.Ln2()) }

// Log10 returns the logarithm of x to base 10 correctly rounded; ErrDomain for
// x <= 0.
func Log10(x uint64) (uint64, error) { return logarithm(x, log10Of[quad], log10Of[real]) }

func log10Of[T number[T]](unit T, x uint64) T { return unit.Bits(x).Log().Quo(unit.Ln10()) }

// Log1p returns log(1+x) correctly rounded; ErrDomain for x <= -1.
func Log1p(x uint64) (uint64, error) {
	switch {
	case IsNaN(x):
		return NaN, nil
	case IsZero(x), x == Inf:
		return x, nil
	case Le(x, Neg(One)):
		return 0, ErrDomain
	}
	return correctly(x, log1pOf[quad], log1pOf[real]), nil
}

func log1pOf[T number[T]](unit T, x uint64) T { return unit.Bits(x).Log1p() }

// LogBig, Log2Big and Log10Big are the logarithms of an integer of any size,
// correctly rounded; ErrDomain for n <= 0.
func LogBig(n *big.Int) (uint64, error) {
	return logBig(n, func(q quad) quad { return q }, func(r real) real { return r })
}

// Log2Big returns the logarithm of n to base 2; see LogBig.
func Log2Big(n *big.Int) (uint64, error) {
	return logBig(n, func(q quad) quad { return q.Quo(quadLn2) }, func(r real) real { return r.Quo(r.Ln2()) })
}

// Log10Big returns the logarithm of n to base 10; see LogBig.
func Log10Big(n *big.Int) (uint64, error) {
	return logBig(n, func(q quad) quad { return q.Quo(quadLn10) }, func(r real) real { return r.Quo(r.Ln10()) })
}

func logBig(n *big.Int, first func(quad) quad, again func(real) real) (uint64, error) {
	switch {
	case n.Sign() <= 0:
		return 0, ErrDomain
	case n.BitLen() == 1:
		return Zero, nil
	}
	q := real{n, 0, 128}.quad().Log()
	if r, ok := first(q).round(slackBits); ok {
		return r, nil
	}
	return insist(func(unit real) (real, int) {
		return exponentOf(again(newReal(n, 0, unit.prec+guard).Log()).with(unit.prec))
	}), nil
}

// Asinh returns the inverse hyperbolic sine of x correctly rounded.
func Asinh(x uint64) uint64 {
	if !IsFinite(x) || IsZero(x) {
		return quiet(x)
	}
	return oddly(x, asinhOf[quad], asinhOf[real])
}

// asinhOf is log(1 + x + x²/(1 + sqrt(1+x²))).
func asinhOf[T number[T]](unit T, x uint64) T {
	a := unit.Bits(x)
	square := a.Mul(a)
	return a.Add(square.Quo(unit.Add(unit.Add(square).Sqrt()))).Log1p()
}

// Acosh returns the inverse hyperbolic cosine of x correctly rounded;
// ErrDomain for x < 1.
func Acosh(x uint64) (uint64, error) {
	switch {
	case IsNaN(x):
		return NaN, nil
	case x == Inf:
		return Inf, nil
	case Lt(x, One):
		return 0, ErrDomain
	case x == One:
		return Zero, nil
	}
	return correctly(x, acoshOf[quad], acoshOf[real]), nil
}

// acoshOf is log(1 + t + sqrt(t·(t+2))) with t = x - 1.
func acoshOf[T number[T]](unit T, x uint64) T {
	t := unit.Bits(x).Sub(unit)
	return t.Add(t.Mul(t.Add(unit.Scale(1))).Sqrt()).Log1p()
}

// Atanh returns the inverse hyperbolic tangent of x correctly rounded;
// ErrDomain for |x| >= 1.
func Atanh(x uint64) (uint64, error) {
	switch {
	case IsNaN(x):
		return NaN, nil
	case IsZero(x):
		return x, nil
	case Le(One, x&absMask):
		return 0, ErrDomain
	}
	return oddly(x, atanhOf[quad], atanhOf[real]), nil
}

// atanhOf is log(1 + 2x/(1-x))/2.
func atanhOf[T number[T]](unit T, x uint64) T {
	a := unit.Bits(x)
	return a.Scale(1).Quo(unit.Sub(a)).Log1p().Scale(-1)
}
