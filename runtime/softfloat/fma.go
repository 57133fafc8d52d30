package softfloat

import "math/bits"

// FMA returns x·y + z rounded once.
// Spec: sdk §17.2.
func FMA(x, y, z uint64) uint64 {
	xm, ym, zm := x&absMask, y&absMask, z&absMask
	switch {
	case xm >= Inf || ym >= Inf || xm == 0 || ym == 0:
		return Add(Mul(x, y), z) // the product is exact or special
	case zm >= Inf:
		return quiet(z) // a finite product cannot move it
	}
	sp := (x ^ y) & signBit
	ex, mx := unpack(xm)
	ey, my := unpack(ym)
	// p = (hi,lo) · 2^(ep-intBias-11-64), leading one at bit 126 of 128.
	hi, lo := bits.Mul64(mx>>1, my)
	ep := ex + ey - expBias + 1
	if hi>>62 == 0 {
		hi, lo = hi<<1|lo>>63, lo<<1
		ep--
	}
	if zm == 0 {
		return pack128(sp, ep, hi, lo)
	}
	ez, mz := unpack(zm)
	sz := z & signBit
	zhi, zlo := mz>>1, uint64(0)
	if ez > ep || ez == ep && zhi > hi {
		hi, lo, zhi, zlo = zhi, zlo, hi, lo
		ep, ez = ez, ep
		sp, sz = sz, sp
	}
	// Now |p| >= |z|. With two or more places between them the difference
	// loses at most one leading bit, so a sticky bit 20 places below the
	// rounding position decides as the exact value would; with fewer nothing
	// is shifted out, for both have at least 21 zero bits at the end.
	zhi, zlo = shiftSticky128(zhi, zlo, uint(ep-ez))
	if sp == sz {
		var c uint64
		lo, c = bits.Add64(lo, zlo, 0)
		hi, _ = bits.Add64(hi, zhi, c)
	} else {
		var c uint64
		lo, c = bits.Sub64(lo, zlo, 0)
		hi, _ = bits.Sub64(hi, zhi, c)
		if hi|lo == 0 {
			return 0
		}
	}
	return pack128(sp, ep, hi, lo)
}

// pack128 normalises and rounds (hi,lo), where bit 126 stands for 2^(e-bias).
func pack128(sign uint64, e int, hi, lo uint64) uint64 {
	z := bits.LeadingZeros64(hi)
	if hi == 0 {
		z = 64 + bits.LeadingZeros64(lo)
	}
	if z >= 64 {
		hi, lo = lo<<uint(z-64), 0
	} else if z > 0 {
		hi, lo = hi<<uint(z)|lo>>uint(64-z), lo<<uint(z)
	}
	if lo != 0 {
		hi |= 1
	}
	return pack(sign, e+1-z, hi)
}

// shiftSticky128 shifts (hi,lo) right by n and ORs the bits lost into bit zero.
func shiftSticky128(hi, lo uint64, n uint) (uint64, uint64) {
	switch {
	case n == 0:
		return hi, lo
	case n >= 128:
		return 0, 1 // the operand is not zero
	case n >= 64:
		if lo != 0 {
			hi |= 1 // below everything that n still shifts out, or kept as sticky
		}
		return 0, shiftSticky(hi, n-64)
	}
	lost := lo & (1<<n - 1)
	lo = lo>>n | hi<<(64-n)
	if lost != 0 {
		lo |= 1
	}
	return hi >> n, lo
}
