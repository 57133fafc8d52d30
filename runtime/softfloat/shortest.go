package softfloat

import "math/bits"

// Shortest returns the decimal d·10^e with the fewest digits that reads back
// as x, a finite non-zero magnitude, and among those the one nearest to x. d
// has at most 17 digits and no trailing zeros.
//
// The algorithm is Raffaele Giulietti's Schubfach ("The Schubfach way to
// render doubles", 2020): the rounding interval of x, scaled by a power of ten
// so that it spans at least one and fewer than ten integers, is computed in
// 128-bit fixed point rounded to odd, which preserves every comparison.
func Shortest(x uint64) (d uint64, e int) {
	be := int(x>>52) & expMask
	c := x & fracMask
	q := 1 - intBias
	if be != 0 {
		c |= hidden
		q = be - intBias
	}
	if q <= 0 && q > -53 { // an integer below 2^53 is its own shortest form
		if z := uint(-q); c&(1<<z-1) == 0 {
			return trimZeros(c>>z, 0)
		}
	}
	d, e = schubfach(c, q)
	return trimZeros(d, e)
}

// schubfach returns the decimal for c·2^q; only trailing zeros may remain.
func schubfach(c uint64, q int) (d uint64, e int) {
	// Boundaries in quarters of the unit of c. Below a power of two the
	// neighbour is closer, unless both are subnormal or at the border.
	low, k := 4*c-2, floorLog10Pow2(q)
	if c == hidden && q > 1-intBias {
		low, k = 4*c-1, floorLog10ThreeQuartersPow2(q)
	}
	g := powers[-k-powersMin]
	glo, carry := bits.Add64(g[1], 1, 0)
	ghi := g[0] + carry // never wraps: no entry is all ones
	h := uint(q + floorLog2Pow10(-k) + 1)
	odd := c & 1 // an odd significand does not own its boundaries
	vl := roundToOdd(ghi, glo, low<<h) + odd
	v := roundToOdd(ghi, glo, 4*c<<h)
	vr := roundToOdd(ghi, glo, (4*c+2)<<h) - odd

	s := v / 4
	if s >= 10 {
		t := s / 10
		under, over := vl <= 40*t, 40*t+40 <= vr
		if under != over {
			if over {
				t++
			}
			return t, k + 1
		}
	}
	under, over := vl <= 4*s, 4*s+4 <= vr
	if under == over { // both or neither: the nearer, a tie to even
		over = v > 4*s+2 || v == 4*s+2 && s&1 == 1
	}
	if over {
		s++
	}
	return s, k
}

// roundToOdd returns g·c / 2^128 with the bits below ORed into bit zero.
func roundToOdd(ghi, glo, c uint64) uint64 {
	x, _ := bits.Mul64(glo, c)
	hi, lo := bits.Mul64(ghi, c)
	lo, carry := bits.Add64(lo, x, 0)
	hi += carry
	if lo > 1 {
		hi |= 1
	}
	return hi
}

// trimZeros moves trailing decimal zeros of d, which is not zero, into e.
func trimZeros(d uint64, e int) (uint64, int) {
	for d%100 == 0 {
		d, e = d/100, e+2
	}
	if d%10 == 0 {
		d, e = d/10, e+1
	}
	return d, e
}

// floorLog10Pow2 returns floor(log10(2^q)) for |q| <= 1650.
func floorLog10Pow2(q int) int { return q * 1262611 >> 22 }

// floorLog10ThreeQuartersPow2 returns floor(log10(3/4 · 2^q)) for |q| <= 1500.
func floorLog10ThreeQuartersPow2(q int) int { return (q*1262611 - 524031) >> 22 }

// floorLog2Pow10 returns floor(log2(10^k)) for |k| <= 1233.
func floorLog2Pow10(k int) int { return k * 1741647 >> 19 }
