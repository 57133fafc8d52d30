package softfloat

import (
	"math/big"
	"math/bits"
)

// Hypot returns the Euclidean length sqrt(x1² + x2² + …) rounded once; an
// infinity if any coordinate is one, whatever the others, or on overflow.
//
// Work is linear in len(xs), with numbers of up to 4,200 bits.
//
// Spec: sdk §17.2.
func Hypot(xs ...uint64) uint64 {
	largest, nan := uint64(0), false
	for _, x := range xs {
		switch {
		case IsInf(x):
			return Inf
		case IsNaN(x):
			nan = true
		}
		largest = max(largest, x&absMask)
	}
	switch {
	case nan:
		return NaN
	case largest == 0:
		return Zero
	}
	sum := new(big.Int)
	least := leastExponent(xs)
	for _, x := range xs {
		if x&absMask != 0 {
			addSquare(sum, x&absMask, least)
		}
	}
	return sqrtBig(sum, 2*least)
}

// Dist returns the distance of two points of the same dimension. The
// differences are exact, so the whole is rounded once.
func Dist(p, q []uint64) uint64 {
	sum := new(big.Int)
	var inf, nan bool
	least := min(leastExponent(p), leastExponent(q))
	for i := range p {
		switch {
		case Unordered(p[i], q[i]):
			nan = true
		case IsInf(p[i]) && p[i] == q[i]:
			nan = true // as the difference is
		case IsInf(p[i]) || IsInf(q[i]):
			inf = true
		case !inf && !nan:
			d := exactAt(p[i], least)
			d.Sub(d, exactAt(q[i], least))
			sum.Add(sum, d.Mul(d, d))
		}
	}
	switch {
	case inf:
		return Inf
	case nan:
		return NaN
	}
	return sqrtBig(sum, 2*least)
}

// leastExponent returns the least exponent of the integer forms of xs.
func leastExponent(xs []uint64) int {
	least := expMask
	for _, x := range xs {
		if IsFinite(x) && !IsZero(x) {
			_, e := integerForm(x & absMask)
			least = min(least, e)
		}
	}
	return least
}

// exactAt returns the finite x as a multiple of 2^e, where e is at most its
// exponent.
func exactAt(x uint64, e int) *big.Int {
	if IsZero(x) {
		return new(big.Int)
	}
	m, k := integerForm(x & absMask)
	n := new(big.Int).SetUint64(m)
	n.Lsh(n, uint(k-e))
	if x&signBit != 0 {
		n.Neg(n)
	}
	return n
}

func addSquare(sum *big.Int, abs uint64, e int) {
	n := exactAt(abs, e)
	sum.Add(sum, n.Mul(n, n))
}

// sqrtBig returns the double nearest to sqrt(n·2^e), e even. The root of the
// leading 128 or 127 bits has 64; a remainder or anything below them is sticky.
func sqrtBig(n *big.Int, e int) uint64 {
	if n.Sign() == 0 {
		return 0
	}
	shift := n.BitLen() - 128
	shift += shift & 1
	top := new(big.Int)
	if shift >= 0 {
		top.Rsh(n, uint(shift))
	} else {
		top.Lsh(n, uint(-shift))
	}
	root := new(big.Int).Sqrt(top)
	m := root.Uint64()
	z := bits.LeadingZeros64(m)
	inexact := root.Mul(root, root).Cmp(top) != 0 || shift > 0 && n.TrailingZeroBits() < uint(shift)
	m <<= uint(z)
	if inexact {
		m |= 1
	}
	return pack(0, (e+shift)/2+63-z+expBias, m)
}

// Sum accumulates doubles without error; the zero value is an empty sum. It is
// a fixed-point number of 2,176 bits, enough for 2^40 of the largest doubles,
// and never allocates.
type Sum struct {
	// words holds the sum in two's complement, the least word first; bit 0 has
	// weight 2^-1074.
	words [34]uint64
	// special is the sum of the infinities and NaNs.
	special uint64
	// conflict: infinities of both signs were added.
	conflict bool
}

// Add adds x.
func (s *Sum) Add(x uint64) {
	if !IsFinite(x) {
		s.conflict = s.conflict || IsInf(x) && IsInf(s.special) && x != s.special
		s.special = Add(s.special, x)
		return
	}
	e := int(x>>52) & expMask
	m := x & fracMask
	if e > 0 {
		m |= hidden
		e--
	}
	i, shift := e/64, uint(e%64)
	lo, hi := m<<shift, m>>(64-shift)
	var c uint64
	if x&signBit == 0 {
		s.words[i], c = bits.Add64(s.words[i], lo, 0)
		s.words[i+1], c = bits.Add64(s.words[i+1], hi, c)
		for k := i + 2; c != 0 && k < len(s.words); k++ {
			s.words[k], c = bits.Add64(s.words[k], 0, c)
		}
		return
	}
	s.words[i], c = bits.Sub64(s.words[i], lo, 0)
	s.words[i+1], c = bits.Sub64(s.words[i+1], hi, c)
	for k := i + 2; c != 0 && k < len(s.words); k++ {
		s.words[k], c = bits.Sub64(s.words[k], 0, c)
	}
}

// Value returns the sum rounded once: Python's math.fsum. ErrDomain if
// infinities of both signs were added, ErrRange on overflow.
func (s *Sum) Value() (uint64, error) {
	switch {
	case s.conflict:
		return 0, ErrDomain
	case s.special != 0:
		return s.special, nil
	}
	words, sign := s.words, uint64(0)
	if words[len(words)-1]>>63 != 0 {
		sign = signBit
		c := uint64(1)
		for i := range words {
			words[i], c = bits.Add64(^words[i], 0, c)
		}
	}
	top := len(words) - 1
	for top > 0 && words[top] == 0 {
		top--
	}
	m := words[top]
	if m == 0 {
		return 0, nil
	}
	z := uint(bits.LeadingZeros64(m))
	m <<= z
	if top > 0 {
		m |= words[top-1] >> (64 - z)
		rest := words[top-1] << z
		for _, w := range words[:max(top-1, 0)] {
			rest |= w
		}
		if rest != 0 {
			m |= 1
		}
	}
	return finite(pack(sign, 64*top+63-int(z)-1074+expBias, m))
}
