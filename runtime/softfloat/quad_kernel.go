package softfloat

import "math/bits"

// fix is a fixed-point number in [0, 2): (hi,lo)·2^-127, or in [0, 1):
// (hi,lo)·2^-128, as the place says. The series are summed in it because it
// needs no normalisation.
type fix = [2]uint64

// fixed returns |a|·2^128 cut to an integer, for |a| < 1.
func (a quad) fixed() fix {
	d := uint(-1 - a.exp)
	if a.hi == 0 || d >= 128 {
		return fix{}
	}
	hi, lo := shiftRight128(a.hi, a.lo, d)
	return fix{hi, lo}
}

// horner evaluates c0 + s·(c1 + s·(c2 + …)) with s in [0, 1) scaled by 2^128
// and coefficients and result scaled by 2^127; alternate makes every sign a
// minus. An error of one unit is damped by s at each step.
func horner(s fix, coefficients []fix, alternate bool) fix {
	last := len(coefficients) - 1
	hi, lo := coefficients[last][0], coefficients[last][1]
	for i := last - 1; i >= 0; i-- {
		c := &coefficients[i]
		var carry uint64
		hi, lo = mulHigh(s[0], s[1], hi, lo)
		if alternate {
			lo, carry = bits.Sub64(c[1], lo, 0)
			hi, _ = bits.Sub64(c[0], hi, carry)
		} else {
			lo, carry = bits.Add64(c[1], lo, 0)
			hi, _ = bits.Add64(c[0], hi, carry)
		}
	}
	return fix{hi, lo}
}

// series returns the quad of a fix scaled by 2^127.
func series(f fix) quad { return normalQuad(false, 0, f[0], f[1]) }

// Exp returns e^a for |a| < 2^12.
func (a quad) Exp() quad {
	n, i, em1 := a.expParts()
	t := quad{exp2Table[i][0], exp2Table[i][1], n, false}
	return t.Add(t.Mul(em1))
}

// Expm1 returns e^a - 1 for |a| < 2^12, accurate relative to itself. Small
// arguments are halved until the series takes them, and the result doubled:
// e^2r - 1 = (e^r - 1)(e^r + 1).
func (a quad) Expm1() quad {
	if a.hi == 0 {
		return a
	}
	if a.exp >= -1 {
		return a.Exp().Sub(quadOne)
	}
	halvings := max(a.exp+8, 0)
	r := a.Scale(-halvings)
	e := r.Mul(series(horner(r.fixed(), expSeries[:], r.neg)))
	for range halvings {
		e = e.Mul(e.Add(quadTwo))
	}
	return e
}

// expParts returns n, i and e^r - 1 with e^a = 2^(n + i/64) · e^r and |r| at
// most a little above log(2)/128.
func (a quad) expParts() (n int, i int, em1 quad) {
	r := a
	if a.hi != 0 && a.exp >= -8 {
		// 64/log(2) = 92.33…; an error in k only widens the range of r.
		hi, _ := bits.Mul64(a.hi, sixtyFourOverLn2)
		k := int(hi>>uint(55-a.exp)+1) >> 1
		if a.neg {
			k = -k
		}
		multiple := quadInt(k)
		r = a.Sub(ln2Over64High.Mul(multiple)).Sub(ln2Over64Low.Mul(multiple))
		n, i = k>>6, k&63
	}
	return n, i, r.Mul(series(horner(r.fixed(), expSeries[:], r.neg)))
}

// Log returns the natural logarithm of a > 0.
func (a quad) Log() quad {
	if a.exp == 0 || a.exp == -1 {
		if d := a.Sub(quadOne); d.hi == 0 || d.exp < -6 {
			return d.log1pNear()
		}
	}
	n := a.exp
	a.exp = 0
	i := a.hi >> 57 & 63
	z := a.Mul(quadInt(int(logReciprocal[i])).Scale(-9)).Sub(quadOne)
	l := normalQuad(false, -1, logTable[i][0], logTable[i][1])
	return quadLn2.Mul(quadInt(n)).Add(l).Add(z.log1pNear())
}

// Log1p returns log(1+a) for a > -1, accurate relative to itself.
func (a quad) Log1p() quad {
	if a.hi == 0 || a.exp < -6 {
		return a.log1pNear()
	}
	m := a.Add(quadOne)
	lost := a.Sub(m.Sub(quadOne)) // what the sum cut off
	return m.Log().Add(lost.Quo(m))
}

// log1pNear is Log1p for |a| below 2^-6 and a little more.
func (a quad) log1pNear() quad {
	return a.Mul(series(horner(a.fixed(), logSeries[:], !a.neg)))
}

// SinCos returns sine and cosine of |a| < 1.
func (a quad) SinCos() (sin, cos quad) {
	var i uint64
	t := a
	t.neg = false
	if a.exp >= -6 {
		i = a.hi >> uint(57-a.exp)
		t = t.Sub(quadInt(int(i)).Scale(-6))
	}
	square := t.Mul(t).fixed()
	sin = t.Mul(series(horner(square, sinSeries[:], true)))
	cos = series(horner(square, cosSeries[:], true))
	if i > 0 {
		s := normalQuad(false, -1, sinTable[i][0], sinTable[i][1])
		c := normalQuad(false, -1, cosTable[i][0], cosTable[i][1])
		sin, cos = s.Mul(cos).Add(c.Mul(sin)), c.Mul(cos).Sub(s.Mul(sin))
	}
	sin.neg = a.neg
	return sin, cos
}

// SinCosBits returns sine and cosine of the double x, finite and of any size.
func (a quad) SinCosBits(x uint64) (sin, cos quad) {
	r := quadOf(x)
	if r.hi == 0 || r.exp < -1 {
		return r.SinCos()
	}
	r, quadrant := reduceHalfPi(r)
	sin, cos = r.SinCos()
	return rotate(sin, cos, quadrant)
}

// reduceHalfPi returns r and q with x = r + q·π/2 (mod 2π) and |r| <= π/4, for
// x a double of at least 1/2 in magnitude. Payne and Hanek's method: of 2/π
// only a window of 256 bits matters, those above it contribute multiples of
// four quadrants, those below it less than 2^-200.
func reduceHalfPi(x quad) (r quad, quadrant int) {
	m := x.hi >> roundBits
	position := uint(62 + x.exp - fracBits) // of the window's first bit, weight 2^(1-E)
	var w [4]uint64
	for k := range w {
		i := position/64 + uint(k)
		w[k] = twoOverPi[i]<<(position%64) | twoOverPi[i+1]>>(64-position%64)
	}
	// p = m·w mod 2^256, the fraction x·2/π/4 of a full turn.
	var p [4]uint64
	var carry uint64
	for k := 3; k >= 0; k-- {
		hi, lo := bits.Mul64(m, w[k])
		var c uint64
		p[k], c = bits.Add64(lo, carry, 0)
		carry = hi + c
	}
	quadrant = int(p[0]>>62+p[0]>>61&1) & 3
	p[0] = uint64(int64(p[0]<<2) >> 2) // the signed rest after rounding to nearest
	neg := int64(p[0]) < 0
	if neg {
		c := uint64(1)
		for k := 3; k >= 0; k-- {
			p[k], c = bits.Add64(^p[k], 0, c)
		}
	}
	// The rest is at least 2^-62, so the leading one lies in the two top words.
	exp := 1
	if p[0] == 0 {
		p = [4]uint64{p[1], p[2], p[3]}
		exp -= 64
	}
	z := uint(bits.LeadingZeros64(p[0]))
	f := quad{p[0]<<z | p[1]>>(64-z), p[1]<<z | p[2]>>(64-z), exp - int(z), neg}
	r = f.Mul(quadHalfPi)
	if x.neg {
		r.neg = !r.neg
		quadrant = -quadrant & 3
	}
	return r, quadrant
}

// Atan returns the arctangent of a >= 0.
func (a quad) Atan() quad {
	if a.hi == 0 {
		return a
	}
	if a.exp >= 0 && a != quadOne {
		return quadHalfPi.Sub(quadOne.Quo(a).Atan())
	}
	if a.exp < -7 {
		return a.atanNear()
	}
	i := int(a.hi>>uint(56-a.exp)+1) >> 1 // nearest to 64·a
	c := quadInt(i).Scale(-6)
	t := a.Sub(c).Quo(quadOne.Add(a.Mul(c)))
	return normalQuad(false, -1, atanTable[i][0], atanTable[i][1]).Add(t.atanNear())
}

// atanNear is Atan for |a| <= 2^-7 of either sign.
func (a quad) atanNear() quad {
	return a.Mul(series(horner(a.Mul(a).fixed(), atanSeries[:], true)))
}

// Pi returns π.
func (a quad) Pi() quad { return quadHalfPi.Scale(1) }

// Ln2 returns log(2).
func (a quad) Ln2() quad { return quadLn2 }

// Ln10 returns log(10).
func (a quad) Ln10() quad { return quadLn10 }
