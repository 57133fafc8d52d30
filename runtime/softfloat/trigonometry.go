package softfloat

// circular handles the arguments where sine and tangent are the same.
func circular(x uint64, first func(quad, uint64) quad, again func(real, uint64) real) (uint64, error) {
	switch {
	case IsNaN(x):
		return NaN, nil
	case IsInf(x):
		return 0, ErrDomain
	case IsZero(x):
		return x, nil
	}
	return correctly(x, first, again), nil
}

// Sin returns the sine of x, in radians, correctly rounded; ErrDomain for
// infinities.
// Spec: sdk §17.2.
func Sin(x uint64) (uint64, error) { return circular(x, sinOf[quad], sinOf[real]) }

func sinOf[T number[T]](unit T, x uint64) T {
	sin, _ := unit.SinCosBits(x)
	return sin
}

// Cos returns the cosine of x, in radians, correctly rounded; ErrDomain for
// infinities.
func Cos(x uint64) (uint64, error) {
	if IsZero(x) {
		return One, nil
	}
	return circular(x, cosOf[quad], cosOf[real])
}

func cosOf[T number[T]](unit T, x uint64) T {
	_, cos := unit.SinCosBits(x)
	return cos
}

// Tan returns the tangent of x, in radians, correctly rounded; ErrDomain for
// infinities.
func Tan(x uint64) (uint64, error) { return circular(x, tanOf[quad], tanOf[real]) }

func tanOf[T number[T]](unit T, x uint64) T {
	sin, cos := unit.SinCosBits(x)
	return sin.Quo(cos)
}

// Asin returns the arcsine of x correctly rounded; ErrDomain for |x| > 1.
func Asin(x uint64) (uint64, error) {
	switch {
	case IsNaN(x):
		return NaN, nil
	case Lt(One, x&absMask):
		return 0, ErrDomain
	case IsZero(x):
		return x, nil
	}
	return oddly(x, asinOf[quad], asinOf[real]), nil
}

// asinOf is atan(x/sqrt((1-x)(1+x))).
func asinOf[T number[T]](unit T, x uint64) T {
	if x == One {
		return unit.Pi().Scale(-1)
	}
	a := unit.Bits(x)
	return a.Quo(unit.Sub(a).Mul(unit.Add(a)).Sqrt()).Atan()
}

// Acos returns the arccosine of x correctly rounded; ErrDomain for |x| > 1.
func Acos(x uint64) (uint64, error) {
	switch {
	case IsNaN(x):
		return NaN, nil
	case Lt(One, x&absMask):
		return 0, ErrDomain
	case x == One:
		return Zero, nil
	}
	return correctly(x, acosOf[quad], acosOf[real]), nil
}

// acosOf is the angle of the point (x, sqrt((1-x)(1+x))).
func acosOf[T number[T]](unit T, x uint64) T {
	a := unit.Bits(x)
	return angle(unit, unit.Sub(a).Mul(unit.Add(a)).Sqrt(), a)
}

// angle returns the angle in [0, π] of the point (x, y), y >= 0, not both zero.
func angle[T number[T]](unit, y, x T) T {
	switch x.Sign() {
	case 0:
		return unit.Pi().Scale(-1)
	case 1:
		return y.Quo(x).Atan()
	}
	return unit.Pi().Sub(y.Quo(x.Neg()).Atan())
}

// Atan returns the arctangent of x correctly rounded.
func Atan(x uint64) uint64 {
	switch {
	case IsNaN(x):
		return NaN
	case IsZero(x):
		return x
	case IsInf(x):
		return x&signBit | quadHalfPi.nearest()
	}
	return oddly(x, atanOf[quad], atanOf[real])
}

func atanOf[T number[T]](unit T, x uint64) T { return unit.Bits(x).Atan() }

// Atan2 returns the angle of the point (x, y) in (-π, π] correctly rounded,
// with C's results for zeros and infinities.
func Atan2(y, x uint64) uint64 {
	sign := y & signBit
	switch {
	case Unordered(x, y):
		return NaN
	case IsInf(y) && IsInf(x):
		quarters := 1
		if x&signBit != 0 {
			quarters = 3
		}
		return sign | quadHalfPi.Mul(quadInt(quarters)).Scale(-1).nearest()
	case IsInf(y):
		return sign | quadHalfPi.nearest()
	case IsZero(y) || IsInf(x):
		if x&signBit == 0 {
			return sign
		}
		return sign | quadHalfPi.Scale(1).nearest()
	}
	if ex, _ := unpack(x & absMask); x&signBit == 0 {
		if ey, _ := unpack(y & absMask); ey-ex < -1000 {
			return sign | tinyAngle(y&absMask, x)
		}
	}
	a := angle(quadOne, quadOf(y&absMask), quadOf(x))
	if r, ok := a.round(slackBits); ok {
		return sign | r
	}
	return sign | insist(func(unit real) (real, int) {
		return exponentOf(angle(unit, unit.Bits(y&absMask), unit.Bits(x)))
	})
}

// tinyAngle is atan(y/x) for y/x below 2^-999: the quotient less a relative
// 2^-2000, which matters only where the quotient lies half way between two
// subnormal numbers. There it is short and its product with x exact.
func tinyAngle(y, x uint64) uint64 {
	q := quadOf(y).Quo(quadOf(x))
	if q.Mul(quadOf(x)) == quadOf(y) {
		q = q.Sub(quad{hi: 1 << 63, exp: q.exp - 100})
	}
	return q.nearest()
}

// Degrees returns x·180/π correctly rounded, an infinity on overflow.
func Degrees(x uint64) uint64 {
	if !IsFinite(x) || IsZero(x) {
		return quiet(x)
	}
	return correctly(x, degreesOf[quad], degreesOf[real])
}

func degreesOf[T number[T]](unit T, x uint64) T {
	return unit.Bits(x).Mul(unit.Int(180)).Quo(unit.Pi())
}

// Radians returns x·π/180 correctly rounded.
func Radians(x uint64) uint64 {
	if !IsFinite(x) || IsZero(x) {
		return quiet(x)
	}
	return correctly(x, radiansOf[quad], radiansOf[real])
}

func radiansOf[T number[T]](unit T, x uint64) T {
	return unit.Bits(x).Mul(unit.Pi()).QuoInt(180)
}
