package softfloat

// Erf returns the error function of x correctly rounded.
// Spec: sdk §17.2.
func Erf(x uint64) uint64 {
	switch {
	case IsNaN(x):
		return NaN
	case IsZero(x):
		return x
	case CompareInt64(x&absMask, 6) >= 0: // 1 - erf < 2^-55
		return x&signBit | One
	}
	return oddly(x, erfOf[quad], erfOf[real])
}

// erfOf is erf of x > 0.
func erfOf[T number[T]](unit T, x uint64) T {
	if CompareInt64(x, erfcStart) >= 0 {
		tail, _ := erfcFraction(unit, x)
		return unit.Sub(tail)
	}
	return erfSeries(unit, x)
}

// Erfc returns 1 - erf(x) correctly rounded.
func Erfc(x uint64) uint64 {
	switch {
	case IsNaN(x):
		return NaN
	case IsZero(x):
		return One
	case CompareInt64(x, 28) >= 0: // below 2^-1075
		return Zero
	case CompareInt64(x, -6) <= 0:
		return Two
	}
	return carefully(x, erfcOf[quad], erfcOf[real])
}

// erfcStart is where the continued fraction takes over from 1 - erf, of which
// 16 bits cancel there.
const erfcStart = 3

// erfcOf returns erfc(x) and the exponent of what it was subtracted from.
func erfcOf[T number[T]](unit T, x uint64) (v T, exponent int) {
	switch {
	case x&signBit != 0:
		return unit.Add(erfOf(unit, x&absMask)), 0
	case CompareInt64(x, erfcStart) >= 0:
		return erfcFraction(unit, x)
	}
	return unit.Sub(erfSeries(unit, x)), 0
}

// erfSeries is 2x/√π · e^(-x²) · Σ (2x²)^n / (1·3·5…(2n+1)) for x > 0; every
// term is positive.
func erfSeries[T number[T]](unit T, x uint64) T {
	a := unit.Bits(x)
	square := a.Mul(a)
	double := square.Scale(1)
	sum, term := unit, unit
	for n := 3; term.Exponent() > sum.Exponent()-unit.Precision(); n += 2 {
		term = term.Mul(double).QuoInt(n)
		sum = sum.Add(term)
	}
	return a.Mul(sum).Mul(square.Neg().Exp()).Quo(unit.Pi().Sqrt()).Scale(1)
}

// erfcFraction is e^(-x²)/√π · 1/(x + (1/2)/(x + (2/2)/(x + (3/2)/(x + …)))) for
// x >= 3, and the exponent its error is relative to. After n terms the relative
// error is about e^(-2x√(2n)) while n is large against x²; the linear part of n
// below covers the rest of the range.
func erfcFraction[T number[T]](unit T, x uint64) (v T, exponent int) {
	a := unit.Bits(x)
	floor, _ := ToInt64(x)
	prec := unit.Precision()
	t := a
	for k := prec*prec/(15*int(floor*floor)) + prec/7 + 8; k > 0; k-- {
		t = a.Add(unit.Int(k).Scale(-1).Quo(t))
	}
	square := a.Mul(a)
	v = square.Neg().Exp().Quo(unit.Pi().Sqrt()).Quo(t)
	return v, v.Exponent() + square.Exponent()
}
