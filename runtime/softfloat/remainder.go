package softfloat

import "math/bits"

// Fmod returns x - n·y with n = x/y truncated towards zero, exactly; the sign
// is that of x. NaN if x is infinite or y is zero.
func Fmod(x, y uint64) uint64 {
	xm, ym := x&absMask, y&absMask
	switch {
	case xm >= Inf || ym > Inf || ym == 0:
		return NaN
	case xm < ym:
		return x
	}
	r, e := reduce(xm, ym)
	return x&signBit | r.bits(e)
}

// significand is an unsigned integer below 2^64 awaiting an exponent.
type significand uint64

// bits packs s · 2^(e-intBias-11), exactly representable.
func (s significand) bits(e int) uint64 {
	if s == 0 {
		return 0
	}
	z := bits.LeadingZeros64(uint64(s))
	return pack(0, e-z, uint64(s)<<uint(z))
}

// reduce returns r and e with r·2^(e-intBias-11) = xm mod ym for finite
// xm >= ym > 0. Each step brings down 64 zero bits of the dividend, so the
// whole takes at most 34 divisions.
func reduce(xm, ym uint64) (r significand, e int) {
	ex, mx := unpack(xm)
	ey, my := unpack(ym)
	my >>= roundBits
	rest := (mx >> roundBits) % my
	for d := ex - ey; d > 0 && rest != 0; {
		n := uint(min(d, 64))
		_, rest = bits.Div64(rest>>(64-n), rest<<n, my)
		d -= int(n)
	}
	return significand(rest), ey + roundBits
}

// Remainder returns the IEEE-754 remainder x - n·y with n the integer nearest
// to x/y, ties to even, exactly. ErrDomain if x is infinite or y is zero.
func Remainder(x, y uint64) (uint64, error) {
	xm, ym := x&absMask, y&absMask
	switch {
	case xm > Inf || ym > Inf:
		return NaN, nil
	case xm == Inf || ym == 0:
		return 0, ErrDomain
	case ym == Inf:
		return x, nil
	}
	// With c = |y| - r the choice is between r and -c; a tie goes to the even
	// quotient, found by reducing by 2|y| instead (Python's math.remainder
	// uses the same identity). All of it is exact.
	r := Fmod(xm, ym)
	c := Sub(ym, r)
	switch {
	case Lt(r, c):
	case Lt(c, r):
		r = Neg(c)
	default:
		half := Mul(Half, Sub(xm, r))
		r = Sub(r, Mul(Two, Fmod(half, ym)))
	}
	if x&signBit != 0 {
		r = Neg(r)
	}
	return r, nil
}

// Mod returns Python's x % y: the remainder takes the sign of y. y may not be
// zero, for which Python raises ZeroDivisionError; here it yields NaN.
func Mod(x, y uint64) uint64 {
	r := Fmod(x, y)
	switch {
	case IsNaN(r):
		return r
	case r&absMask == 0:
		return y & signBit
	case (r^y)&signBit != 0:
		return Add(r, y)
	}
	return r
}

// DivMod returns Python's divmod(x, y). y may not be zero, as for Mod.
//
// The quotient is what CPython computes: (x - r)/y rounded and then snapped to
// an integer, not the exact floor, which may differ from it when x/y is huge.
func DivMod(x, y uint64) (quotient, remainder uint64) {
	r := Fmod(x, y)
	q := Div(Sub(x, r), y)
	switch {
	case r&absMask == 0:
		r = y & signBit
	case !IsNaN(r) && (r^y)&signBit != 0:
		r = Add(r, y)
		q = Sub(q, One)
	}
	if q&absMask == 0 {
		return Div(x, y)&signBit | q&absMask, r
	}
	floor := Floor(q)
	if Lt(Half, Sub(q, floor)) {
		floor = Add(floor, One)
	}
	return floor, r
}

// FloorDiv returns Python's x // y. y may not be zero, as for Mod.
func FloorDiv(x, y uint64) uint64 {
	q, _ := DivMod(x, y)
	return q
}
