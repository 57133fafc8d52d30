package softfloat

import "math/bits"

// layout is an IEEE-754 interchange format narrower than binary64.
type layout struct {
	exponent, fraction uint // bits
}

var (
	half   = layout{5, 10}
	single = layout{8, 23}
)

// ToSingle rounds x to binary32; ErrOverflow if a finite x becomes infinite.
func ToSingle(x uint64) (uint32, error) {
	r, err := single.narrow(x)
	return uint32(r), err
}

// ToHalf rounds x to binary16; ErrOverflow if a finite x becomes infinite.
func ToHalf(x uint64) (uint16, error) {
	r, err := half.narrow(x)
	return uint16(r), err
}

// FromSingle returns the double equal to a binary32; NaNs become canonical.
func FromSingle(x uint32) uint64 { return single.widen(uint64(x)) }

// FromHalf returns the double equal to a binary16; NaNs become canonical.
func FromHalf(x uint16) uint64 { return half.widen(uint64(x)) }

// narrow rounds x, half to even.
func (l layout) narrow(x uint64) (uint64, error) {
	sign := x >> 63 << (l.exponent + l.fraction)
	top := uint64(1)<<l.exponent - 1
	abs := x & absMask
	switch {
	case abs > Inf:
		return sign | top<<l.fraction | 1<<(l.fraction-1), nil
	case abs == Inf:
		return sign | top<<l.fraction, nil
	case abs == 0:
		return sign, nil
	}
	e, m := unpack(abs)
	bias := int(top >> 1)
	e += bias - expBias
	drop := 63 - l.fraction
	if e <= 0 {
		m = shiftSticky(m, uint(1-e))
		e = 1
	}
	frac := m >> drop
	rest := m & (1<<drop - 1)
	halfway := uint64(1) << (drop - 1)
	if rest > halfway || rest == halfway && frac&1 == 1 {
		frac++
	}
	// As in pack, the leading one counts one into the exponent.
	r := uint64(e-1)<<l.fraction + frac
	if e > int(top) || r >= top<<l.fraction {
		return 0, ErrOverflow
	}
	return sign | r, nil
}

// widen is exact.
func (l layout) widen(x uint64) uint64 {
	sign := x >> (l.exponent + l.fraction) << 63
	top := uint64(1)<<l.exponent - 1
	e := x >> l.fraction & top
	frac := x & (1<<l.fraction - 1)
	switch {
	case e == top && frac != 0:
		return sign | NaN
	case e == top:
		return sign | Inf
	case e == 0 && frac == 0:
		return sign
	}
	if e == 0 {
		z := uint(bits.LeadingZeros64(frac)) - (63 - l.fraction)
		frac = frac << z &^ (1 << l.fraction)
		e = 1 - uint64(z)
	}
	return sign | (e+expBias-top>>1)<<52 | frac<<(52-l.fraction)
}
