package softfloat

import (
	"math/big"
	"math/bits"
)

// DigitsMax is the most significant digits a finite double can have; all
// further ones are zero.
const DigitsMax = 767

// Digits are significant decimal digits with the position of the point: the
// value is 0.d1d2d3… · 10^Point. Zero has no digits.
type Digits struct {
	// Text holds the digits, '0' to '9', without leading zeros.
	Text []byte
	// Point is the number of digits before the decimal point; negative where
	// zeros follow the point.
	Point int
}

// SignificantDigits returns |x|, finite, rounded half-even to n significant
// digits, n >= 1. Trailing zeros are removed.
func SignificantDigits(x uint64, n int) Digits {
	x &= absMask
	if x == 0 {
		return Digits{Point: 1}
	}
	n = min(n, DigitsMax)
	exponent := decimalExponent(x)
	d := roundAt(x, exponent-n+1)
	// Where the estimate was one short there is a digit too many. A power of
	// ten is what rounding up to n digits gives as well.
	if len(d.Text) > n && !isPowerOfTen(d.Text) {
		d = roundAt(x, exponent-n+2)
	}
	return d.trim()
}

// FractionDigits returns |x|, finite, rounded half-even to n digits after the
// decimal point; a negative n rounds to a power of ten before it. Trailing
// zeros are removed, and no digits remain if x rounds to zero.
func FractionDigits(x uint64, n int) Digits {
	x &= absMask
	n = min(max(n, -400), 1100) // beyond both bounds nothing changes
	if x == 0 {
		return Digits{Point: -n}
	}
	if _, e := integerForm(x); n > max(-e, 0) {
		n = max(-e, 0) // these are all the places that x has
	}
	return roundAt(x, -n).trim()
}

func (d Digits) trim() Digits {
	n := len(d.Text)
	for n > 0 && d.Text[n-1] == '0' {
		n--
	}
	return Digits{d.Text[:n], d.Point}
}

func isPowerOfTen(text []byte) bool {
	for i, c := range text {
		if i == 0 && c != '1' || i > 0 && c != '0' {
			return false
		}
	}
	return true
}

// decimalExponent returns floor(log10(x)) for x > 0, or, where the leading 64
// bits of x and of a power of ten are the same, possibly one less.
func decimalExponent(x uint64) int {
	e, m := unpack(x)
	e -= expBias
	k := floorLog10Pow2(e) + 1
	if floorLog2Pow10(k) == e && m > powers[k-powersMin][0] {
		return k
	}
	return k - 1
}

// roundAt returns x rounded half-even to a multiple of 10^p.
func roundAt(x uint64, p int) Digits {
	if d, ok := roundAtFast(x, p); ok {
		return digitsOf(d, p)
	}
	return roundAtExact(x, p)
}

// digitsOf lays out the integer d · 10^p.
func digitsOf(d uint64, p int) Digits {
	if d == 0 {
		return Digits{Point: p}
	}
	var buffer [20]byte
	i := len(buffer)
	for ; d != 0; d /= 10 {
		i--
		buffer[i] = byte('0' + d%10)
	}
	text := append([]byte(nil), buffer[i:]...)
	return Digits{text, p + len(text)}
}

// roundAtFast multiplies by 10^-p in fixed point. The power is truncated, so
// the product may be a little short; ok is false where that leaves the rounding
// undecided, or the result may exceed 60 bits.
func roundAtFast(x uint64, p int) (d uint64, ok bool) {
	if -p < powersMin || -p > powersMax {
		return 0, false
	}
	e, m := unpack(x)
	g := powers[-p-powersMin]
	// x·10^-p = (hi,mid,lo) · 2^(shift-192) with the integer part on top.
	hi, mid := bits.Mul64(m, g[0])
	carryHi, _ := bits.Mul64(m, g[1])
	mid, c := bits.Add64(mid, carryHi, 0)
	hi += c
	shift := e - expBias + floorLog2Pow10(-p) + 2
	switch {
	case shift < -1: // below a quarter
		return 0, true
	case shift > 60:
		return 0, false
	}
	return roundFixed(hi, mid, shift, p <= 0 && g[1] == 0)
}

// roundFixed rounds (hi,mid)·2^(shift-128), -1 <= shift <= 60, half-even to an
// integer. The true value is less than two units of mid above it, or is exact.
func roundFixed(hi, mid uint64, shift int, exact bool) (d uint64, ok bool) {
	const half = 1 << 63
	var frac, rest uint64 // the fraction's 64 leading bits, and those below
	switch {
	case shift > 0:
		s := uint(shift)
		d, frac, rest = hi>>(64-s), hi<<s|mid>>(64-s), mid<<s
	case shift == 0:
		frac, rest = hi, mid
	default:
		frac, rest = hi>>1, hi<<63|mid>>1
	}
	// The error is below two units of frac, so only near a half can it matter.
	if !exact && frac-half+2 <= 4 {
		return 0, false
	}
	if frac > half || frac == half && (rest != 0 || d&1 == 1) {
		d++
	}
	return d, true
}

// roundAtExact is roundAt by division of integers.
func roundAtExact(x uint64, p int) Digits {
	m, e := integerForm(x)
	num := new(big.Int).SetUint64(m)
	if e >= 0 {
		num.Lsh(num, uint(e))
	}
	if p < 0 {
		num.Mul(num, pow10(-p))
	}
	q := num
	switch {
	case p > 0:
		den := pow10(p)
		q = roundHalfEvenQuo(num, den.Lsh(den, uint(max(-e, 0))))
	case e < 0:
		q = roundHalfEvenShift(num, uint(-e))
	}
	if q.Sign() == 0 {
		return Digits{Point: p}
	}
	text := q.Append(nil, 10)
	return Digits{text, p + len(text)}
}

// roundHalfEvenQuo returns the integer nearest to num/den, both positive, a
// tie to even. It overwrites num.
func roundHalfEvenQuo(num, den *big.Int) *big.Int {
	q, r := num.QuoRem(num, den, new(big.Int))
	switch r.Lsh(r, 1).Cmp(den) {
	case 1:
		q.Add(q, big.NewInt(1))
	case 0:
		if q.Bit(0) == 1 {
			q.Add(q, big.NewInt(1))
		}
	}
	return q
}

// roundHalfEvenShift returns the integer nearest to num/2^n, n > 0, a tie to even. It overwrites num.
func roundHalfEvenShift(num *big.Int, n uint) *big.Int {
	half, below := num.Bit(int(n-1)) == 1, num.TrailingZeroBits() < n-1
	q := num.Rsh(num, n)
	if half && (below || q.Bit(0) == 1) {
		q.Add(q, big.NewInt(1))
	}
	return q
}

// pow10 returns 10^n for n >= 0.
func pow10(n int) *big.Int {
	return new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(n)), nil)
}
