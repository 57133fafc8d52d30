package softfloat

import "math/big"

// Gamma returns Γ(x) correctly rounded. ErrDomain at zero, the negative
// integers and -Inf; ErrRange on overflow.
// Spec: sdk §17.2.
func Gamma(x uint64) (uint64, error) {
	switch {
	case IsNaN(x):
		return NaN, nil
	case x == Inf:
		return Inf, nil
	case x == NegInf || IsZero(x):
		return 0, ErrDomain
	}
	if IsInteger(x) {
		return factorial(x)
	}
	switch {
	case CompareInt64(x, 172) > 0:
		return 0, ErrRange
	case CompareInt64(x, -190) < 0: // |Γ| < 2^-1075
		return gammaSign(x), nil
	}
	return finite(carefully(x, gammaOf[quad], gammaOf[real]))
}

// factorial returns Γ of an integer, which may lie half way between doubles.
func factorial(x uint64) (uint64, error) {
	switch {
	case x&signBit != 0:
		return 0, ErrDomain
	case CompareInt64(x, 171) > 0:
		return 0, ErrRange
	}
	n, _ := ToInt64(x)
	return roundBig(new(big.Int).MulRange(1, n-1), 0), nil
}

// gammaSign returns the sign bit of Γ(x): negative where floor(x) is odd and
// negative.
func gammaSign(x uint64) uint64 {
	if x&signBit == 0 {
		return 0
	}
	half := Mul(Floor(x), Half)
	if IsInteger(half) {
		return 0
	}
	return signBit
}

// gammaOf returns Γ(x) and the exponent that its error is relative to: that of
// an exponential is the absolute error of the logarithm.
func gammaOf[T number[T]](unit T, x uint64) (g T, exponent int) {
	a := unit.Bits(x)
	if x&signBit != 0 {
		a = unit.Sub(a)
	}
	z, product := risen(unit, a)
	log := logGammaLarge(unit, z)
	g = log.Exp().Quo(product)
	if x&signBit != 0 { // Γ(x)·Γ(1-x) = π/sin(πx)
		g = unit.Pi().Quo(sinPi(unit, x).Mul(g))
		if gammaSign(x) != 0 {
			g = g.Neg()
		}
	}
	return g, g.Exponent() + log.Exponent()
}

// risen returns x+n, large enough for Stirling's series, and the product
// x(x+1)…(x+n-1), which is Γ(x+n)/Γ(x).
func risen[T number[T]](unit, x T) (z, product T) {
	limit := unit.Int(unit.StirlingStart())
	z, product = x, unit
	for z.Sub(limit).Sign() < 0 {
		product = product.Mul(z)
		z = z.Add(unit)
	}
	return z, product
}

// logGammaLarge is Stirling's series of log Γ(z) for large z:
// (z-1/2)(log z - 1) + (log 2π - 1)/2 + Σ c_k·z^-(2k+1).
func logGammaLarge[T number[T]](unit, z T) T {
	sum := z.Sub(unit.Scale(-1)).Mul(z.Log().Sub(unit))
	least := sum.Exponent() - unit.Precision()
	power := unit.Quo(z)
	square := power.Mul(power)
	tail := unit.Pi().Scale(1).Log().Sub(unit).Scale(-1)
	for _, c := range unit.Stirling() {
		term := c.Mul(power)
		tail = tail.Add(term)
		if term.Exponent() < least {
			break
		}
		power = power.Mul(square)
	}
	return sum.Add(tail)
}

// sinPi returns |sin(πx)| for a double x that is no integer.
func sinPi[T number[T]](unit T, x uint64) T {
	f := Abs(Sub(x, RoundHalfEven(x))) // exact, at most a half
	if Lt(Div(One, FromInt64(4)), f) {
		_, cos := unit.Scale(-1).Sub(unit.Bits(f)).Mul(unit.Pi()).SinCos()
		return cos
	}
	sin, _ := unit.Bits(f).Mul(unit.Pi()).SinCos()
	return sin
}

// LogGamma returns log|Γ(x)| correctly rounded. ErrDomain at zero and the
// negative integers, ErrRange on overflow.
func LogGamma(x uint64) (uint64, error) {
	switch {
	case IsNaN(x):
		return NaN, nil
	case IsInf(x):
		return Inf, nil
	case x == One, x == Two:
		return Zero, nil
	case IsInteger(x) && (IsZero(x) || x&signBit != 0):
		return 0, ErrDomain
	}
	if q, ok := logGammaNearRoots(x); ok {
		if r, ok := q.round(slackBits); ok {
			return r, nil
		}
	}
	return finite(carefully(x, logGammaOf[quad], logGammaOf[real]))
}

// logGammaOf returns log|Γ(x)| and the exponent of the largest summand.
func logGammaOf[T number[T]](unit T, x uint64) (sum T, exponent int) {
	a := unit.Bits(x)
	if x&signBit != 0 {
		a = unit.Sub(a)
	}
	z, product := risen(unit, a)
	large, rise := logGammaLarge(unit, z), product.Log()
	sum = large.Sub(rise)
	exponent = max(large.Exponent(), exponentOrZero(rise))
	if x&signBit != 0 {
		reflected := unit.Pi().Quo(sinPi(unit, x)).Log()
		exponent = max(exponent, exponentOrZero(reflected))
		sum = reflected.Sub(sum)
	}
	return sum, exponent
}

// exponentOrZero is the exponent of x, which may be zero.
func exponentOrZero[T number[T]](x T) int {
	if x.Sign() == 0 {
		return 0
	}
	return x.Exponent()
}

// logGammaNearRoots evaluates log Γ within 2^-4 of its roots 1 and 2, relative
// to its size there, by the series -γt + ζ(2)/2·t² - ζ(3)/3·t³ + … .
func logGammaNearRoots(x uint64) (q quad, ok bool) {
	if Lt(x, Half) || Lt(FromInt64(3), x) {
		return quad{}, false
	}
	root := One
	if Lt(FromInt64(3), Mul(Two, x)) {
		root = Two
	}
	t := quadOf(Sub(x, root)) // exact
	if t.exp >= -4 {
		return quad{}, false
	}
	h := horner(t.fixed(), lgammaSeries[:], !t.neg)
	q = t.Mul(normalQuad(false, -1, h[0], h[1]).Mul(t).Sub(quadEuler))
	if root == Two { // Γ(2+t) = (1+t)·Γ(1+t)
		q = q.Add(t.Log1p())
	}
	return q, true
}

// StirlingStart is the least argument for which the asymptotic series of log Γ
// reaches the precision.
func (a quad) StirlingStart() int { return 24 }

// StirlingStart is the least argument for which the asymptotic series of log Γ
// reaches the precision.
func (a real) StirlingStart() int { return a.prec / 4 }

// Stirling returns the coefficients of log Γ's asymptotic series.
func (a quad) Stirling() []quad { return stirlingSeries[:] }

// Stirling returns as many coefficients of log Γ's asymptotic series as the
// precision needs. With T_k the tangent numbers, B(2k)/(2k(2k-1)) is
// ±T_k/((2k-1)·4^k·(4^k-1)).
func (a real) Stirling() []real {
	n := a.prec/6 + 4
	tangent := tangentNumbers(n)
	coefficients := make([]real, n)
	for k := 1; k <= n; k++ {
		den := new(big.Int).Lsh(big.NewInt(1), uint(2*k))
		den.Sub(den, big.NewInt(1)).Mul(den, big.NewInt(int64(2*k-1)))
		c := newReal(tangent[k-1], -2*k, a.prec+guard).Quo(newReal(den, 0, a.prec+guard)).with(a.prec)
		if k%2 == 0 {
			c = c.Neg()
		}
		coefficients[k-1] = c
	}
	return coefficients
}

// tangentNumbers returns T_1 … T_n, the coefficients of tan x, by the
// recurrence of Brent and Harvey ("Fast computation of Bernoulli, tangent and
// secant numbers", 2011).
func tangentNumbers(n int) []*big.Int {
	t := make([]*big.Int, n)
	t[0] = big.NewInt(1)
	for k := 1; k < n; k++ {
		t[k] = new(big.Int).Mul(t[k-1], big.NewInt(int64(k)))
	}
	scratch := new(big.Int)
	for k := 1; k < n; k++ {
		for j := k; j < n; j++ {
			scratch.Mul(t[j-1], big.NewInt(int64(j-k)))
			t[j].Mul(t[j], big.NewInt(int64(j-k+2)))
			t[j].Add(t[j], scratch)
		}
	}
	return t
}
