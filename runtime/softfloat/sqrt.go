package softfloat

import "math/bits"

// Sqrt returns the square root of x rounded once; NaN for x < 0, and -0.0 for
// -0.0.
// Spec: sdk §17.2.
func Sqrt(x uint64) uint64 {
	switch {
	case x&absMask == 0 || x == Inf:
		return x
	case x > Inf: // negative or NaN
		return NaN
	}
	e, m := unpack(x)
	// |x| = m·2^(e-63). An even power of two leaves the root as half of itself:
	// with n = m/2 for even e and n = m for odd e, |x| = (n·2^-62)·2^(2·(e>>1)).
	e -= expBias
	s, exact := sqrtHigh(m >> uint(^e&1))
	if !exact {
		s |= 1
	}
	return pack(0, e>>1+expBias, s)
}

// sqrtHigh returns floor(sqrt(n · 2^64)) for n in [2^62, 2^64) whose low ten
// bits are zero, and whether the root is exact. Zimmermann's recursive square
// root: the root of the high half is known, a division gives the other half,
// at most one too large.
func sqrtHigh(n uint64) (root uint64, exact bool) {
	s, r := sqrt64(n)
	// r <= 2s < 2^33, so the shifted remainder fits.
	q, u := (r<<31)/s, (r<<31)%s<<1
	q2hi, q2lo := bits.Mul64(q, q)
	uhi, ulo := u>>32, u<<32
	root = s<<32 + q
	lo, borrow := bits.Sub64(ulo, q2lo, 0)
	hi, negative := bits.Sub64(uhi, q2hi, borrow)
	if negative != 0 {
		return root - 1, false
	}
	return root, hi|lo == 0
}

// sqrt64 returns floor(sqrt(n)) and the remainder for n in [2^62, 2^64).
func sqrt64(n uint64) (s, r uint64) {
	s, r = sqrt32(n >> 32)
	a := n >> 16 & 0xffff
	q := (r<<16 | a) / (2 * s)
	u := (r<<16 | a) % (2 * s)
	s = s<<16 + q
	rest := int64(u<<16|n&0xffff) - int64(q*q)
	if rest < 0 {
		rest += int64(2*s - 1)
		s--
	}
	return s, uint64(rest)
}

// sqrt32 returns floor(sqrt(n)) and the remainder for n in [2^30, 2^32), by
// Newton's method from above, which decreases until it meets the root.
func sqrt32(n uint64) (s, r uint64) {
	s = n>>17 + 1<<15 // (n/2^16 + 2^16)/2 >= sqrt(n)
	for {
		next := (s + n/s) >> 1
		if next >= s {
			return s, n - s*s
		}
		s = next
	}
}
