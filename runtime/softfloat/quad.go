package softfloat

import "math/bits"

// quad is a floating-point number with a 128-bit significand and an exponent
// that never overflows here: ±(hi,lo)·2^(exp-127), bit 63 of hi set. hi = 0 is
// zero. It is the first precision at which the elementary functions are
// evaluated. Each operation truncates; its relative error is below 2^-124.
type quad struct {
	hi, lo uint64
	exp    int
	neg    bool
}

// quadOf returns x, finite, exactly.
func quadOf(x uint64) quad {
	if IsZero(x) {
		return quad{}
	}
	e, m := unpack(x & absMask)
	return quad{hi: m, exp: e - expBias, neg: x&signBit != 0}
}

// quadInt returns n exactly.
func quadInt(n int) quad {
	if n == 0 {
		return quad{}
	}
	u := uint64(max(n, -n))
	z := bits.LeadingZeros64(u)
	return quad{hi: u << uint(z), exp: 63 - z, neg: n < 0}
}

// normalQuad returns (hi,lo)·2^(exp-127), shifting the leading one into place.
func normalQuad(neg bool, exp int, hi, lo uint64) quad {
	if hi == 0 {
		if lo == 0 {
			return quad{}
		}
		hi, lo, exp = lo, 0, exp-64
	}
	if z := uint(bits.LeadingZeros64(hi)); z > 0 {
		hi, lo, exp = hi<<z|lo>>(64-z), lo<<z, exp-int(z)
	}
	return quad{hi, lo, exp, neg}
}

func (a quad) isZero() bool       { return a.hi == 0 }
func (a quad) Sign() int          { return sign(a.neg, a.hi != 0) }
func (a quad) Exponent() int      { return a.exp }
func (a quad) Scale(n int) quad   { a.exp += n; return a }
func (a quad) Neg() quad          { a.neg = !a.neg; return a }
func (a quad) Int(n int) quad     { return quadInt(n) }
func (a quad) Bits(x uint64) quad { return quadOf(x) }

func sign(neg, nonzero bool) int {
	switch {
	case !nonzero:
		return 0
	case neg:
		return -1
	}
	return 1
}

// Mul returns a·b.
func (a quad) Mul(b quad) quad {
	if a.hi == 0 || b.hi == 0 {
		return quad{}
	}
	hi, lo := mulHigh(a.hi, a.lo, b.hi, b.lo)
	exp := a.exp + b.exp + 1
	if hi>>63 == 0 {
		hi, lo, exp = hi<<1|lo>>63, lo<<1, exp-1
	}
	return quad{hi, lo, exp, a.neg != b.neg}
}

// mulHigh returns the upper 128 bits of the product of two 128-bit numbers, at
// most two units too small.
func mulHigh(ahi, alo, bhi, blo uint64) (hi, lo uint64) {
	hi, lo = bits.Mul64(ahi, bhi)
	if alo != 0 {
		x, _ := bits.Mul64(alo, bhi)
		var c uint64
		lo, c = bits.Add64(lo, x, 0)
		hi += c
	}
	if blo != 0 {
		x, _ := bits.Mul64(ahi, blo)
		var c uint64
		lo, c = bits.Add64(lo, x, 0)
		hi += c
	}
	return hi, lo
}

// Add returns a + b.
func (a quad) Add(b quad) quad {
	switch {
	case b.hi == 0:
		return a
	case a.hi == 0:
		return b
	}
	if a.exp < b.exp || a.exp == b.exp && (a.hi < b.hi || a.hi == b.hi && a.lo < b.lo) {
		a, b = b, a
	}
	d := uint(a.exp - b.exp)
	if d >= 128 {
		return a
	}
	bhi, blo := shiftRight128(b.hi, b.lo, d)
	if a.neg == b.neg {
		lo, c := bits.Add64(a.lo, blo, 0)
		hi, c := bits.Add64(a.hi, bhi, c)
		if c != 0 {
			return quad{hi>>1 | 1<<63, lo>>1 | hi<<63, a.exp + 1, a.neg}
		}
		return quad{hi, lo, a.exp, a.neg}
	}
	lo, c := bits.Sub64(a.lo, blo, 0)
	hi, _ := bits.Sub64(a.hi, bhi, c)
	return normalQuad(a.neg, a.exp, hi, lo)
}

// Sub returns a - b.
func (a quad) Sub(b quad) quad { return a.Add(b.Neg()) }

// shiftRight128 shifts (hi,lo) right by d < 128, dropping bits.
func shiftRight128(hi, lo uint64, d uint) (uint64, uint64) {
	switch {
	case d == 0:
		return hi, lo
	case d < 64:
		return hi >> d, lo>>d | hi<<(64-d)
	}
	return 0, hi >> (d - 64)
}

// Quo returns a / b; b is not zero. Two words of quotient by long division.
func (a quad) Quo(b quad) quad {
	if a.hi == 0 {
		return quad{}
	}
	exp := a.exp - b.exp - 1
	// Halve the dividend so that the first quotient word cannot overflow.
	r2, r1, r0 := a.hi>>1, a.lo>>1|a.hi<<63, a.lo<<63
	hi, r2, r1 := quotientWord(r2, r1, r0, b.hi, b.lo)
	lo, _, _ := quotientWord(r2, r1, 0, b.hi, b.lo)
	if hi>>63 == 0 {
		return quad{hi<<1 | lo>>63, lo << 1, exp, a.neg != b.neg}
	}
	return quad{hi, lo, exp + 1, a.neg != b.neg}
}

// quotientWord divides (r2,r1,r0) by (bhi,blo), where (r2,r1) < (bhi,blo) and
// bhi has bit 63 set: Knuth's algorithm D with two-word divisor.
func quotientWord(r2, r1, r0, bhi, blo uint64) (q, hi, lo uint64) {
	var rem, carry uint64
	if r2 >= bhi {
		q = ^uint64(0) // r2 == bhi; the remainder is r1 + bhi
		rem, carry = bits.Add64(r1, bhi, 0)
	} else {
		q, rem = bits.Div64(r2, r1, bhi)
	}
	phi, plo := bits.Mul64(q, blo)
	// At most two corrections bring q·blo below the remainder.
	for carry == 0 && (phi > rem || phi == rem && plo > r0) {
		q--
		var c uint64
		plo, c = bits.Sub64(plo, blo, 0)
		phi -= c
		rem, carry = bits.Add64(rem, bhi, 0)
	}
	lo, c := bits.Sub64(r0, plo, 0)
	hi, _ = bits.Sub64(rem, phi, c)
	return q, hi, lo
}

// QuoInt returns a / n for 0 < n < 2^31.
func (a quad) QuoInt(n int) quad {
	if a.hi == 0 {
		return quad{}
	}
	// Shift the divisor up, so that the quotient keeps all its bits.
	u := uint64(n)
	z := uint(bits.LeadingZeros64(u))
	u <<= z
	hi, r := bits.Div64(a.hi>>1, a.hi<<63|a.lo>>1, u)
	lo, _ := bits.Div64(r, a.lo<<63, u)
	// (hi,lo) = significand·2^63/u, and n = u·2^-z.
	return normalQuad(a.neg, a.exp+int(z)-63, hi, lo)
}

// Sqrt returns the square root of a >= 0: a 64-bit root, whose error is below
// 2^-62, and one step of Newton's method, which squares that.
func (a quad) Sqrt() quad {
	if a.hi == 0 {
		return quad{}
	}
	root, rest := sqrt64(a.hi >> uint(^a.exp&1))
	low := min((rest<<31)/root, 1<<32-1)
	s := quad{hi: root<<32 + low, exp: a.exp >> 1}
	return s.Add(a.Quo(s)).Scale(-1)
}

// Cmp compares a and b.
func (a quad) Cmp(b quad) int { return a.Sub(b).Sign() }

// round returns the double nearest to the true value if that is certain when a
// may be off by 2^slack of its last places.
func (a quad) round(slack uint) (x uint64, ok bool) {
	if a.hi == 0 {
		return 0, false
	}
	shift, low := uint(0), uint64(1)<<(slack&63)
	var high uint64
	if slack >= 64 {
		shift = slack - 64
		low, high = 0, 1<<shift
	}
	upLo, c := bits.Add64(a.lo, low, 0)
	upHi, c := bits.Add64(a.hi, high, c)
	up := quad{upHi, upLo, a.exp, a.neg}
	if c != 0 {
		up = quad{upHi>>1 | 1<<63, upLo>>1 | upHi<<63, a.exp + 1, a.neg}
	}
	downLo, c := bits.Sub64(a.lo, low, 0)
	downHi, _ := bits.Sub64(a.hi, high, c)
	down := normalQuad(a.neg, a.exp, downHi, downLo)
	x = up.nearest()
	return x, x == down.nearest()
}

// nearest rounds a to a double.
func (a quad) nearest() uint64 {
	var s uint64
	if a.neg {
		s = signBit
	}
	m := a.hi
	if a.lo != 0 {
		m |= 1
	}
	return pack(s, a.exp+expBias, m)
}
