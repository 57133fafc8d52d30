package softfloat

import (
	"errors"
	"math/big"
	"math/bits"
)

// Errors of the functions that can be asked for something that does not exist.
var (
	// ErrDomain: the function has no value at the argument (math domain error).
	ErrDomain = errors.New("math domain error")
	// ErrRange: the value is finite but larger than any double (math range error).
	ErrRange = errors.New("math range error")
	// ErrOverflow: an integer is too large to convert to a double.
	ErrOverflow = errors.New("int too large to convert to float")
	// ErrNotANumber: a NaN has no integer value.
	ErrNotANumber = errors.New("cannot convert float NaN to integer")
	// ErrInfinite: an infinity has no integer value.
	ErrInfinite = errors.New("cannot convert float infinity to integer")
)

// FromInt64 returns the double nearest to i.
func FromInt64(i int64) uint64 {
	s := uint64(i >> 63)
	return s&signBit | FromUint64((uint64(i)^s)-s)
}

// FromUint64 returns the double nearest to u.
func FromUint64(u uint64) uint64 {
	if u == 0 {
		return 0
	}
	z := uint(bits.LeadingZeros64(u))
	m := u << (z & 63)
	frac := m >> roundBits
	frac += (m&roundMask + frac&1 + (roundHalf - 1)) >> roundBits
	return uint64(expBias+62-z)<<52 + frac
}

// FromBig returns the double nearest to i, or ErrOverflow if it would round
// to infinity.
func FromBig(i *big.Int) (uint64, error) {
	r := roundBig(i, 0)
	if IsInf(r) {
		return 0, ErrOverflow
	}
	return r, nil
}

// roundBig returns the double nearest to i · 2^exp, an infinity on overflow.
func roundBig(i *big.Int, exp int) uint64 {
	if i.Sign() == 0 {
		return 0
	}
	var sign uint64
	if i.Sign() < 0 {
		sign = signBit
	}
	n := i.BitLen()
	m := topBits(i, n)
	return pack(sign, n+exp+expBias-1, m)
}

// topBits returns the 64 leading bits of |i|, whose length is n > 0, with the
// leading one at bit 63 and bit zero sticky for all that lie below.
func topBits(i *big.Int, n int) uint64 {
	if n <= 64 {
		return magnitude64(i) << uint(64-n)
	}
	abs := new(big.Int).Abs(i)
	top := new(big.Int).Rsh(abs, uint(n-64))
	m := magnitude64(top)
	if abs.TrailingZeroBits() < uint(n-64) {
		m |= 1
	}
	return m
}

// magnitude64 returns |i| for |i| < 2^64.
func magnitude64(i *big.Int) uint64 {
	if i.Sign() < 0 {
		return new(big.Int).Neg(i).Uint64()
	}
	return i.Uint64()
}

// ToInt64 returns x truncated towards zero and whether the result fits an
// int64; NaN and infinities do not.
func ToInt64(x uint64) (int64, bool) {
	e := int(x>>52) & expMask
	if e < expBias {
		return 0, true
	}
	m := x&fracMask | hidden
	switch {
	case e <= intBias:
		m >>= uint(intBias - e)
	case e < expBias+63:
		m <<= uint(e - intBias)
	default:
		// Only -2^63 itself remains in range.
		return -1 << 63, x == signBit|uint64(expBias+63)<<52
	}
	if x&signBit != 0 {
		return -int64(m), true
	}
	return int64(m), true
}

// ToBig returns x truncated towards zero. ErrNotANumber or ErrInfinite if x is
// not finite. The result has at most 1024 bits.
func ToBig(x uint64) (*big.Int, error) {
	if i, ok := ToInt64(x); ok {
		return big.NewInt(i), nil
	}
	switch {
	case IsNaN(x):
		return nil, ErrNotANumber
	case IsInf(x):
		return nil, ErrInfinite
	}
	e := int(x>>52) & expMask
	i := new(big.Int).SetUint64(x&fracMask | hidden)
	i.Lsh(i, uint(e-intBias))
	if x&signBit != 0 {
		i.Neg(i)
	}
	return i, nil
}

// CompareInt64 compares x with i exactly, without rounding i: -1, 0 or +1.
// x may not be NaN.
func CompareInt64(x uint64, i int64) int {
	t, ok := ToInt64(x)
	if !ok { // |x| >= 2^63 and x is not -2^63
		return 1 - 2*int(x>>63)
	}
	switch {
	case t < i:
		return -1
	case t > i:
		return 1
	}
	return fractionSign(x)
}

// CompareBig compares x with i exactly: -1, 0 or +1. x may not be NaN.
func CompareBig(x uint64, i *big.Int) int {
	if IsInf(x) {
		return 1 - 2*int(x>>63)
	}
	t, err := ToBig(x)
	if err != nil {
		panic("softfloat: CompareBig of NaN")
	}
	if c := t.Cmp(i); c != 0 {
		return c
	}
	return fractionSign(x)
}

// fractionSign returns the sign of x - trunc(x).
func fractionSign(x uint64) int {
	switch {
	case IsInteger(x):
		return 0
	case x&signBit != 0:
		return -1
	}
	return 1
}

// IsInteger reports whether x is finite and has no fraction.
func IsInteger(x uint64) bool {
	e := int(x>>52) & expMask
	switch {
	case e < expBias:
		return x<<1 == 0
	case e >= intBias:
		return e != expMask
	}
	return x&(1<<uint(intBias-e)-1) == 0
}
