package softfloat

// Bounds outside which the exponential functions overflow or vanish; the exact
// borders are decided by rounding.
const (
	expOverflow  = 0x4086400000000000 // 712
	expUnderflow = 0xc087600000000000 // -748
)

// Exp returns e^x correctly rounded; ErrRange on overflow.
// Spec: sdk §17.2.
func Exp(x uint64) (uint64, error) {
	switch {
	case IsNaN(x):
		return NaN, nil
	case x == Inf:
		return Inf, nil
	case Lt(x, expUnderflow):
		return Zero, nil
	case Lt(expOverflow, x):
		return 0, ErrRange
	case IsZero(x):
		return One, nil
	}
	return finite(correctly(x, expOf[quad], expOf[real]))
}

func expOf[T number[T]](unit T, x uint64) T { return unit.Bits(x).Exp() }

// finite turns the infinity of an overflow into ErrRange.
func finite(r uint64) (uint64, error) {
	if IsInf(r) {
		return 0, ErrRange
	}
	return r, nil
}

// Exp2 returns 2^x correctly rounded; ErrRange on overflow.
func Exp2(x uint64) (uint64, error) {
	switch {
	case IsNaN(x):
		return NaN, nil
	case x == Inf:
		return Inf, nil
	case CompareInt64(x, -1100) < 0:
		return Zero, nil
	case CompareInt64(x, 1024) >= 0:
		return 0, ErrRange
	}
	if n, _ := ToInt64(x); IsInteger(x) {
		return pack(0, int(n)+expBias, 1<<63), nil
	}
	return finite(correctly(x, exp2Of[quad], exp2Of[real]))
}

func exp2Of[T number[T]](unit T, x uint64) T {
	integer := RoundHalfEven(x)
	n, _ := ToInt64(integer)
	return unit.Bits(Sub(x, integer)).Mul(unit.Ln2()).Exp().Scale(int(n))
}

// Expm1 returns e^x - 1 correctly rounded; ErrRange on overflow.
func Expm1(x uint64) (uint64, error) {
	switch {
	case IsNaN(x):
		return NaN, nil
	case IsZero(x), x == Inf:
		return x, nil
	case CompareInt64(x, -100) < 0:
		return Neg(One), nil
	case Lt(expOverflow, x):
		return 0, ErrRange
	}
	return finite(correctly(x, expm1Of[quad], expm1Of[real]))
}

func expm1Of[T number[T]](unit T, x uint64) T { return unit.Bits(x).Expm1() }

// Sinh returns the hyperbolic sine of x correctly rounded; ErrRange on
// overflow.
func Sinh(x uint64) (uint64, error) {
	switch {
	case !IsFinite(x) || IsZero(x):
		return quiet(x), nil
	case Lt(expOverflow, x&absMask):
		return 0, ErrRange
	}
	return finite(oddly(x, sinhOf[quad], sinhOf[real]))
}

// sinhOf is (E + E/(1+E))/2 with E = e^x - 1, which loses nothing near zero.
func sinhOf[T number[T]](unit T, x uint64) T {
	e := unit.Bits(x).Expm1()
	return e.Add(e.Quo(e.Add(unit))).Scale(-1)
}

// Cosh returns the hyperbolic cosine of x correctly rounded; ErrRange on
// overflow.
func Cosh(x uint64) (uint64, error) {
	x &= absMask
	switch {
	case !IsFinite(x):
		return quiet(x), nil
	case IsZero(x):
		return One, nil
	case Lt(expOverflow, x):
		return 0, ErrRange
	}
	return finite(correctly(x, coshOf[quad], coshOf[real]))
}

func coshOf[T number[T]](unit T, x uint64) T {
	e := unit.Bits(x).Exp()
	return e.Add(unit.Quo(e)).Scale(-1)
}

// Tanh returns the hyperbolic tangent of x correctly rounded.
func Tanh(x uint64) uint64 {
	switch {
	case IsNaN(x):
		return NaN
	case IsZero(x):
		return x
	case CompareInt64(x&absMask, 40) > 0: // 1 - tanh < 2^-115
		return x&signBit | One
	}
	return oddly(x, tanhOf[quad], tanhOf[real])
}

func tanhOf[T number[T]](unit T, x uint64) T {
	e := unit.Bits(x).Scale(1).Expm1()
	return e.Quo(e.Add(unit.Scale(1)))
}
