package softfloat

// Bit patterns of the special values and of a few constants.
const (
	// Zero is +0.0.
	Zero uint64 = 0
	// NegZero is -0.0.
	NegZero uint64 = signBit
	// Half is 0.5.
	Half uint64 = 0x3fe0000000000000
	// One is 1.0.
	One uint64 = 0x3ff0000000000000
	// Two is 2.0.
	Two uint64 = 0x4000000000000000
	// Inf is positive infinity.
	Inf uint64 = 0x7ff0000000000000
	// NegInf is negative infinity.
	NegInf uint64 = Inf | signBit
	// NaN is the canonical not-a-number.
	NaN uint64 = 0x7ff8000000000000
	// Max is the largest finite double, (2-2^-52)·2^1023.
	Max uint64 = 0x7fefffffffffffff
	// MinNormal is the smallest normal double, 2^-1022.
	MinNormal uint64 = 0x0010000000000000
	// MinSubnormal is the smallest positive double, 2^-1074.
	MinSubnormal uint64 = 1
	// Epsilon is the distance from 1.0 to the next double, 2^-52.
	Epsilon uint64 = 0x3cb0000000000000
)

// Layout of a binary64.
const (
	signBit  uint64 = 1 << 63
	absMask  uint64 = signBit - 1
	fracMask uint64 = 1<<52 - 1
	hidden   uint64 = 1 << 52

	fracBits = 52
	expMask  = 0x7ff
	expBias  = 1023
	// intBias turns a biased exponent into the power of two that the 53-bit
	// integer significand is scaled by: value = significand · 2^(e-intBias).
	intBias = expBias + fracBits
)

// IsNaN reports whether x is a not-a-number.
func IsNaN(x uint64) bool { return x&absMask > Inf }

// IsInf reports whether x is an infinity of either sign.
func IsInf(x uint64) bool { return x&absMask == Inf }

// IsFinite reports whether x is neither an infinity nor a NaN.
func IsFinite(x uint64) bool { return x&absMask < Inf }

// IsZero reports whether x is +0.0 or -0.0; it is the negation of Python's
// truth value of a float.
func IsZero(x uint64) bool { return x<<1 == 0 }

// SignBit reports whether the sign bit of x is set, as it is for -0.0.
func SignBit(x uint64) bool { return x>>63 != 0 }

// Neg returns x with its sign inverted.
func Neg(x uint64) uint64 { return x ^ signBit }

// Abs returns x with its sign cleared.
func Abs(x uint64) uint64 { return x &^ signBit }

// CopySign returns the magnitude of x with the sign of y.
func CopySign(x, y uint64) uint64 { return x&^signBit | y&signBit }

// Canonical maps every NaN onto NaN or its negation and returns every other
// pattern unchanged. Bits that come from outside the package (struct, CBOR)
// pass through here before they become a Python value.
func Canonical(x uint64) uint64 {
	if IsNaN(x) {
		return NaN | x&signBit
	}
	return x
}
