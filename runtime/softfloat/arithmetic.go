package softfloat

import "math/bits"

// Significands travel through the arithmetic with their leading one at bit
// 63, so eleven bits lie below the 53 that survive. round drops them.
const (
	roundBits = 11
	roundMask = 1<<roundBits - 1
	roundHalf = 1 << (roundBits - 1)
)

// Add returns x + y.
// Spec: sdk §17.2.
func Add(x, y uint64) uint64 {
	// The larger magnitude goes first: its exponent and its sign lead.
	a, b := x, y
	if a<<1 < b<<1 {
		a, b = y, x
	}
	ea, eb := int(a>>52)&expMask, int(b>>52)&expMask
	if ea == expMask || eb == 0 {
		return addSpecial(a, b)
	}
	// Leading ones at bit 62: bit 63 takes the carry.
	ma := (a&fracMask | hidden) << 10
	mb := (b&fracMask | hidden) << 10
	d := uint(ea - eb)
	if d > 63 {
		d = 63
	}
	lost := mb & (1<<(d&63) - 1)
	mb >>= d & 63
	mb |= (lost | -lost) >> 63
	neg := uint64(int64(a^b) >> 63)
	m := ma + (mb ^ neg) - neg
	if m == 0 {
		return 0
	}
	z := uint(bits.LeadingZeros64(m))
	m <<= z & 63
	e := ea - int(z)
	if uint(e) >= expMask-1 {
		return pack(a&signBit, e+1, m)
	}
	frac := m >> roundBits
	frac += (m&roundMask + frac&1 + (roundHalf - 1)) >> roundBits
	return a&signBit | (uint64(e)<<52 + frac)
}

// Sub returns x - y.
// Spec: sdk §17.2.
func Sub(x, y uint64) uint64 { return Add(x, y^signBit) }

// addSpecial adds when one operand is an infinity, a NaN, a zero or
// subnormal; the magnitude of a is at least that of b.
func addSpecial(a, b uint64) uint64 {
	am, bm := a&absMask, b&absMask
	switch {
	case am >= Inf:
		if am > Inf || bm > Inf || bm == Inf && (a^b)&signBit != 0 {
			return NaN
		}
		return a
	case bm == 0:
		if am == 0 {
			return a & b // -0 only if both are
		}
		return a
	}
	ea, ma := unpack(am)
	eb, mb := unpack(bm)
	ma, mb = ma>>1, shiftSticky(mb>>1, uint(ea-eb))
	if (a^b)&signBit != 0 {
		mb = -mb
	}
	m := ma + mb
	if m == 0 {
		return 0
	}
	z := bits.LeadingZeros64(m)
	return pack(a&signBit, ea+1-z, m<<uint(z))
}

// Mul returns x · y.
// Spec: sdk §17.2.
func Mul(x, y uint64) uint64 {
	sign := (x ^ y) & signBit
	ex, ey := int(x>>52)&expMask, int(y>>52)&expMask
	if uint(ex-1) >= expMask-1 || uint(ey-1) >= expMask-1 {
		return mulSpecial(x, y)
	}
	m, lo := bits.Mul64((x&fracMask|hidden)<<11, (y&fracMask|hidden)<<11)
	m |= (lo | -lo) >> 63
	z := ^m >> 63 // the product's leading one is at bit 63 or 62
	m <<= z & 1
	e := ex + ey - expBias - int(z)
	if uint(e) >= expMask-1 {
		return pack(sign, e+1, m)
	}
	frac := m >> roundBits
	frac += (m&roundMask + frac&1 + (roundHalf - 1)) >> roundBits
	return sign | (uint64(e)<<52 + frac)
}

func mulSpecial(x, y uint64) uint64 {
	sign := (x ^ y) & signBit
	xm, ym := x&absMask, y&absMask
	if xm >= Inf || ym >= Inf {
		if xm > Inf || ym > Inf || xm == 0 || ym == 0 {
			return NaN
		}
		return sign | Inf
	}
	if xm == 0 || ym == 0 {
		return sign
	}
	ex, mx := unpack(xm)
	ey, my := unpack(ym)
	m, lo := bits.Mul64(mx, my)
	m |= (lo | -lo) >> 63
	z := bits.LeadingZeros64(m)
	return pack(sign, ex+ey-expBias+1-z, m<<uint(z))
}

// Div returns x / y; division by zero follows IEEE-754 (±Inf, or NaN for 0/0).
// Spec: sdk §17.2.
func Div(x, y uint64) uint64 {
	sign := (x ^ y) & signBit
	ex, ey := int(x>>52)&expMask, int(y>>52)&expMask
	if uint(ex-1) >= expMask-1 || uint(ey-1) >= expMask-1 {
		return divSpecial(x, y)
	}
	// The dividend is halved so that the quotient fits 64 bits; its leading
	// one is then at bit 63 or 62.
	m, r := bits.Div64((x&fracMask|hidden)<<10, 0, (y&fracMask|hidden)<<11)
	m |= (r | -r) >> 63
	z := ^m >> 63
	m <<= z & 1
	e := ex - ey + expBias - 1 - int(z)
	if uint(e) >= expMask-1 {
		return pack(sign, e+1, m)
	}
	frac := m >> roundBits
	frac += (m&roundMask + frac&1 + (roundHalf - 1)) >> roundBits
	return sign | (uint64(e)<<52 + frac)
}

func divSpecial(x, y uint64) uint64 {
	sign := (x ^ y) & signBit
	xm, ym := x&absMask, y&absMask
	switch {
	case xm > Inf || ym > Inf:
		return NaN
	case xm == Inf:
		if ym == Inf {
			return NaN
		}
		return sign | Inf
	case ym == Inf:
		return sign
	case ym == 0:
		if xm == 0 {
			return NaN
		}
		return sign | Inf
	case xm == 0:
		return sign
	}
	ex, mx := unpack(xm)
	ey, my := unpack(ym)
	m, r := bits.Div64(mx>>1, 0, my)
	m |= (r | -r) >> 63
	z := bits.LeadingZeros64(m)
	return pack(sign, ex-ey+expBias-z, m<<uint(z))
}

// unpack splits a finite non-zero magnitude into a biased exponent e and a
// significand m with its leading one at bit 63, value = m · 2^(e-intBias-11).
// A subnormal gets the exponent its normalised significand asks for, which is
// zero or negative.
func unpack(abs uint64) (e int, m uint64) {
	e = int(abs >> 52)
	m = abs & fracMask
	if e == 0 {
		z := bits.LeadingZeros64(m)
		return 12 - z, m << uint(z)
	}
	return e, (m | hidden) << 11
}

// pack rounds m · 2^(e-intBias-11) with m's leading one at bit 63 to a double,
// whatever the exponent: overflow gives an infinity, underflow is gradual. Bit
// zero of m is sticky.
func pack(sign uint64, e int, m uint64) uint64 {
	if e <= 0 {
		m = shiftSticky(m, uint(1-e))
		e = 1
	} else if e >= expMask {
		return sign | Inf
	}
	frac := m >> roundBits
	frac += (m&roundMask + frac&1 + (roundHalf - 1)) >> roundBits
	// The leading one, present or not, adds one to the exponent field: a
	// subnormal that rounds up to 2^-1022 becomes normal by itself, and the
	// largest double overflows into the pattern of infinity.
	return sign | (uint64(e-1)<<52 + frac)
}

// shiftSticky shifts m right by n and ORs every bit lost into bit zero.
func shiftSticky(m uint64, n uint) uint64 {
	if n > 63 {
		if m != 0 {
			return 1
		}
		return 0
	}
	lost := m & (1<<n - 1)
	m >>= n
	if lost != 0 {
		m |= 1
	}
	return m
}
