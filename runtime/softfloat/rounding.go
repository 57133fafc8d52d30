package softfloat

// Trunc returns x rounded to an integer towards zero, keeping its sign.
func Trunc(x uint64) uint64 {
	e := int(x>>52) & expMask
	switch {
	case e < expBias:
		return x & signBit
	case e >= intBias:
		return quiet(x)
	}
	return x &^ (1<<uint(intBias-e) - 1)
}

// Floor returns the largest integer not above x.
func Floor(x uint64) uint64 {
	if x&signBit == 0 || x == NegZero {
		return Trunc(x)
	}
	return awayFromZero(x)
}

// Ceil returns the smallest integer not below x.
func Ceil(x uint64) uint64 {
	if x&signBit != 0 || x == Zero {
		return Trunc(x)
	}
	return awayFromZero(x)
}

// awayFromZero rounds a non-zero x to the next integer of larger magnitude.
func awayFromZero(x uint64) uint64 {
	e := int(x>>52) & expMask
	switch {
	case e < expBias:
		return x&signBit | One
	case e >= intBias:
		return quiet(x)
	}
	// A carry out of the fraction lands in the exponent, as it should.
	mask := uint64(1)<<uint(intBias-e) - 1
	return (x + mask) &^ mask
}

// RoundHalfEven returns the integer nearest to x, ties to even, keeping the
// sign of a zero result. It is Python's round(x) before conversion to int.
func RoundHalfEven(x uint64) uint64 {
	e := int(x>>52) & expMask
	switch {
	case e < expBias-1:
		return x & signBit
	case e == expBias-1: // [0.5, 1): the tie 0.5 goes to 0
		if x&fracMask == 0 {
			return x & signBit
		}
		return x&signBit | One
	case e >= intBias:
		return quiet(x)
	}
	shift := uint(intBias - e)
	mask := uint64(1)<<shift - 1
	// For e = bias the integer's lowest bit is the hidden one, which the
	// exponent's lowest bit (odd bias) shows as 1.
	odd := x >> shift & 1
	return (x + mask>>1 + odd) &^ mask
}

// quiet returns x, or NaN if x is one.
func quiet(x uint64) uint64 {
	if IsNaN(x) {
		return NaN
	}
	return x
}

// Modf splits x into fraction and integral part, both with the sign of x.
func Modf(x uint64) (fraction, integer uint64) {
	switch {
	case IsNaN(x):
		return NaN, NaN
	case IsInf(x):
		return x & signBit, x
	}
	integer = Trunc(x)
	return Sub(x, integer)&absMask | x&signBit, integer
}
