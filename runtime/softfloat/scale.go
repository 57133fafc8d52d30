package softfloat

import (
	"math/big"
	"math/bits"
)

// Frexp returns m and e with x = m·2^e and 0.5 <= |m| < 1; x itself and 0 if x
// is zero, infinite or NaN.
func Frexp(x uint64) (m uint64, e int) {
	if IsZero(x) || !IsFinite(x) {
		return quiet(x), 0
	}
	be, s := unpack(x & absMask)
	return x&signBit | uint64(expBias-1)<<52 | s<<1>>12, be - expBias + 1
}

// Ldexp returns x·2^e rounded once, an infinity on overflow; Python raises
// OverflowError when a finite x becomes infinite.
func Ldexp(x uint64, e int) uint64 {
	if IsZero(x) || !IsFinite(x) {
		return quiet(x)
	}
	// Beyond these every double overflows or vanishes; the bound keeps the sum
	// below from wrapping.
	const far = 4 * expMask
	e = min(max(e, -far), far)
	be, s := unpack(x & absMask)
	return pack(x&signBit, be+e, s)
}

// NextAfter returns the next double after x towards y.
func NextAfter(x, y uint64) uint64 {
	switch {
	case Unordered(x, y):
		return NaN
	case Eq(x, y):
		return y
	case IsZero(x):
		return y&signBit | MinSubnormal
	case Lt(x, y) == (x&signBit == 0): // away from zero
		return x + 1
	}
	return x - 1
}

// Ulp returns the value of the least significant bit of x, Python's math.ulp:
// the distance to the next larger magnitude, and for Max to the next smaller.
func Ulp(x uint64) uint64 {
	switch {
	case IsNaN(x):
		return NaN
	case IsInf(x):
		return Inf
	}
	e := int(x>>52) & expMask
	if e <= fracBits {
		return 1 << uint(max(e-1, 0))
	}
	return uint64(e-fracBits) << 52
}

// AsIntegerRatio returns the exact fraction of x in lowest terms with a
// positive denominator; ErrInfinite or ErrNotANumber if x is not finite. Both
// have at most 1075 bits.
func AsIntegerRatio(x uint64) (num, den *big.Int, err error) {
	switch {
	case IsNaN(x):
		return nil, nil, ErrNotANumber
	case IsInf(x):
		return nil, nil, ErrInfinite
	case IsZero(x):
		return new(big.Int), big.NewInt(1), nil
	}
	m, e := integerForm(x & absMask)
	num, den = new(big.Int).SetUint64(m), big.NewInt(1)
	if e >= 0 {
		num.Lsh(num, uint(e))
	} else {
		den.Lsh(den, uint(-e))
	}
	if x&signBit != 0 {
		num.Neg(num)
	}
	return num, den, nil
}

// integerForm returns m odd and e with m·2^e = abs, a finite magnitude above 0.
func integerForm(abs uint64) (m uint64, e int) {
	be, m := unpack(abs)
	z := bits.TrailingZeros64(m)
	return m >> uint(z), be - intBias - roundBits + z
}

// Quo returns num/den rounded once: Python's true division of integers. den
// may not be zero. ErrOverflow if the quotient exceeds every double.
func Quo(num, den *big.Int) (uint64, error) {
	if num.Sign() == 0 {
		return 0, nil
	}
	r := roundQuo(num, den, 0)
	if IsInf(r) {
		return 0, ErrOverflow
	}
	return r, nil
}

// roundQuo returns num/den · 2^exp rounded once, an infinity on overflow.
func roundQuo(num, den *big.Int, exp int) uint64 {
	if num.Sign() == 0 {
		return 0
	}
	var sign uint64
	if num.Sign()*den.Sign() < 0 {
		sign = signBit
	}
	// Scale so that the quotient has 65 or 66 bits, two more than topBits
	// keeps; whatever the division leaves over is sticky.
	shift := 65 - (num.BitLen() - den.BitLen())
	n, d := new(big.Int).Abs(num), new(big.Int).Abs(den)
	if shift > 0 {
		n.Lsh(n, uint(shift))
	} else {
		d.Lsh(d, uint(-shift))
	}
	q, r := n.QuoRem(n, d, new(big.Int))
	length := q.BitLen()
	m := topBits(q, length)
	if r.Sign() != 0 {
		m |= 1
	}
	return pack(sign, length-shift+exp+expBias-1, m)
}
