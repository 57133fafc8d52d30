package softfloat

import "math/big"

// guard is how many bits more than asked for the kernels below carry.
const guard = 40

// fixedPlaces is how many places after the binary point keep prec significant
// bits of a number of a's size, if that is below one.
func (a real) fixedPlaces() int { return a.prec + guard + max(0, -a.Exponent()) }

// Exp returns e^a for |a| < 2^12.
func (a real) Exp() real {
	n, tail := a.expParts()
	return tail.Add(a.Int(1)).Scale(n).with(a.prec)
}

// Expm1 returns e^a - 1 for |a| < 2^12, accurate relative to itself.
func (a real) Expm1() real {
	if a.Sign() == 0 {
		return a
	}
	n, tail := a.expParts()
	if n == 0 {
		return tail.with(a.prec)
	}
	one := tail.Int(1)
	return tail.Add(one).Scale(n).Sub(one).with(a.prec)
}

// expParts returns n and t with e^a = 2^n · (1+t) and |t| < 1, n = 0 for small
// |a|. The precision of t is above a's.
func (a real) expParts() (n int, t real) {
	const halvings = 12
	places := a.fixedPlaces() + halvings
	x := a.fixed(places)
	if a.Exponent() >= -2 {
		ln2 := fixedLn2(places)
		q := new(big.Int).Lsh(x, 1)
		q.Add(q, ln2).Div(q, new(big.Int).Lsh(ln2, 1)) // nearest integer
		n = int(q.Int64())
		// n·ln2 needs as many more places as n has bits.
		exact := fixedLn2(places + 16)
		exact.Mul(exact, q).Rsh(exact, 16)
		x.Sub(x, exact)
	}
	// Taylor's series of e^r - 1 for r = x/2^halvings, then e^2r - 1 =
	// (e^r - 1)(e^r + 1) as often as it was halved.
	x.Rsh(x, halvings)
	sum, term := new(big.Int).Set(x), new(big.Int).Set(x)
	for k := int64(2); term.BitLen() > 1; k++ {
		term.Mul(term, x).Rsh(term, uint(places))
		term.Quo(term, big.NewInt(k))
		sum.Add(sum, term)
	}
	two := new(big.Int).Lsh(big.NewInt(2), uint(places))
	for range halvings {
		sum.Mul(sum, new(big.Int).Add(sum, two)).Rsh(sum, uint(places))
	}
	return n, newReal(sum, -places, a.prec+guard/2)
}

// SinCos returns sine and cosine of |a| <= 1 by Taylor's series.
func (a real) SinCos() (sin, cos real) {
	places := a.fixedPlaces()
	x := a.fixed(places)
	minusSquare := new(big.Int).Mul(x, x)
	minusSquare.Rsh(minusSquare, uint(places)).Neg(minusSquare)
	series := func(term *big.Int, k int64) real {
		sum := new(big.Int).Set(term)
		for ; term.BitLen() > 1; k += 2 {
			term.Mul(term, minusSquare).Rsh(term, uint(places))
			term.Quo(term, big.NewInt(k*(k+1)))
			sum.Add(sum, term)
		}
		return newReal(sum, -places, a.prec)
	}
	one := new(big.Int).Lsh(big.NewInt(1), uint(places))
	return series(x, 2), series(one, 1)
}

// SinCosBits returns sine and cosine of the double x, finite and of any size.
func (a real) SinCosBits(x uint64) (sin, cos real) {
	r := realOf(x, a.prec+guard)
	quadrant := 0
	if r.Sign() != 0 && r.Exponent() >= 0 {
		// No double comes closer than 2^-62 to a multiple of π/2, so 80 bits
		// more than the precision survive the subtraction.
		places := r.prec + 80
		t := r.fixed(places)
		half := fixedPi(places + r.Exponent() + 8)
		half.Rsh(half, 1) // π/2 with places of its own
		extra := uint(r.Exponent() + 8)
		q := new(big.Int).Lsh(t, extra+1)
		q.Add(q, half).Div(q, new(big.Int).Lsh(half, 1))
		t.Sub(t, new(big.Int).Rsh(new(big.Int).Mul(q, half), extra))
		r = newReal(t, -places, r.prec)
		quadrant = int(new(big.Int).And(q, big.NewInt(3)).Int64())
	}
	sin, cos = r.SinCos()
	return rotate(sin.with(a.prec), cos.with(a.prec), quadrant)
}

// rotate turns the sine and cosine of r into those of r + quadrant·π/2.
func rotate[T interface{ Neg() T }](sin, cos T, quadrant int) (T, T) {
	if quadrant&1 != 0 {
		sin, cos = cos, sin.Neg()
	}
	if quadrant&2 != 0 {
		sin, cos = sin.Neg(), cos.Neg()
	}
	return sin, cos
}

// Log returns the natural logarithm of a > 0.
func (a real) Log() real {
	one := a.Int(1)
	if d := a.Sub(one); d.Sign() == 0 || d.Exponent() < -3 {
		return d.Log1p()
	}
	// y is the logarithm to 128 bits; the rest is the logarithm of a/e^y, a
	// number next to one.
	w := a.with(a.prec + guard)
	y := realOfQuad(a.quad().Log(), w.prec)
	rest := w.Mul(y.Neg().Exp()).Sub(w.Int(1))
	return y.Add(rest.log1pSeries()).with(a.prec)
}

// Log1p returns log(1+a) for a > -1, accurate relative to itself.
func (a real) Log1p() real {
	if a.Sign() == 0 {
		return a
	}
	if a.Exponent() >= 0 {
		return a.with(a.prec + guard).Add(a.Int(1)).Log().with(a.prec)
	}
	w := a.with(a.prec + guard)
	y := realOfQuad(a.quad().Log1p(), w.prec)
	e := y.Expm1()
	rest := w.Sub(e).Quo(e.Add(w.Int(1)))
	return y.Add(rest.log1pSeries()).with(a.prec)
}

// log1pSeries is the series of log(1+a) for tiny a.
func (a real) log1pSeries() real {
	sum, power := a, a
	for k := 2; power.Sign() != 0 && power.Exponent() > sum.Exponent()-a.prec; k++ {
		power = power.Mul(a).Neg()
		sum = sum.Add(power.QuoInt(k))
	}
	return sum
}

// Atan returns the arctangent of a >= 0.
func (a real) Atan() real {
	if a.Sign() == 0 {
		return a
	}
	// With y correct to 128 bits, atan(a) = y + atan((a·cos y - sin y) /
	// (cos y + a·sin y)).
	w := a.with(a.prec + guard)
	y := realOfQuad(a.quad().Atan(), w.prec)
	var sin, cos real
	if y.Exponent() >= -1 { // SinCos wants at most one
		sin, cos = y.Scale(-1).SinCos()
		sin, cos = sin.Mul(cos).Scale(1), cos.Mul(cos).Sub(sin.Mul(sin))
	} else {
		sin, cos = y.SinCos()
	}
	rest := w.Mul(cos).Sub(sin).Quo(cos.Add(w.Mul(sin)))
	return y.Add(rest.atanSeries()).with(a.prec)
}

// atanSeries is the series of atan(a) for tiny a.
func (a real) atanSeries() real {
	sum, power, square := a, a, a.Mul(a).Neg()
	for k := 3; power.Sign() != 0 && power.Exponent() > sum.Exponent()-a.prec; k += 2 {
		power = power.Mul(square)
		sum = sum.Add(power.QuoInt(k))
	}
	return sum
}

// Pi returns π.
func (a real) Pi() real { return newReal(fixedPi(a.prec+guard), -a.prec-guard, a.prec) }

// Ln2 returns log(2).
func (a real) Ln2() real { return newReal(fixedLn2(a.prec+guard), -a.prec-guard, a.prec) }

// Ln10 returns log(10).
func (a real) Ln10() real { return a.Int(10).Log() }

// fixedPi returns floor(π·2^places).
func fixedPi(places int) *big.Int { return fixedConstant(piBytes, piPlaces, places) }

// fixedLn2 returns floor(log(2)·2^places).
func fixedLn2(places int) *big.Int { return fixedConstant(ln2Bytes, ln2Places, places) }

func fixedConstant(bytes string, have, want int) *big.Int {
	if want > have {
		panic("softfloat: constant too short")
	}
	m := new(big.Int).SetBytes([]byte(bytes))
	return m.Rsh(m, uint(have-want))
}
