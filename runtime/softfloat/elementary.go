package softfloat

// number is what the formulas of the elementary functions need, implemented by
// quad (128 bits, fast) and real (any precision). Every operation is accurate
// relative to its result, whatever its size, so a formula only has to avoid
// subtracting nearly equal inexact numbers.
type number[T any] interface {
	Add(T) T
	Sub(T) T
	Mul(T) T
	Quo(T) T
	QuoInt(int) T
	Scale(int) T // times a power of two
	Neg() T
	Sqrt() T
	Sign() int
	Exponent() int // floor(log2(|x|))

	Int(int) T
	Bits(uint64) T
	Pi() T
	Ln2() T
	Ln10() T

	Exp() T
	Expm1() T
	Log() T
	Log1p() T
	Atan() T
	SinCos() (sin, cos T) // of |x| < 1
	SinCosBits(uint64) (sin, cos T)

	Stirling() []T
	StirlingStart() int
	Precision() int
}

// Precision is the number of bits a formula may count on.
func (a quad) Precision() int { return 128 }

// Precision is the number of bits a formula may count on.
func (a real) Precision() int { return a.prec }

// Bits of a quad that a formula may get wrong. TestQuadErrorBounds measures each
// formula against a higher precision and demands two bits of margin.
const slackBits = 10

// Precisions of Ziv's strategy after 128 bits. The last is never reached: a
// function value that is not itself half way between two doubles, which the
// callers exclude, would have to agree with such a point in 900 bits.
const (
	realPrecMin = 192
	realPrecMax = 960
)

// correctly evaluates a formula with more and more bits until the result
// rounds to the same double at both ends of its error interval.
func correctly(x uint64, first func(unit quad, x uint64) quad, again func(unit real, x uint64) real) uint64 {
	if r, ok := first(quadOne, x).round(slackBits); ok {
		return r
	}
	return insist(func(unit real) (real, int) { return exponentOf(again(unit, x)) })
}

// exponentOf adds the exponent that the error of a formula without
// cancellation is relative to: its own.
func exponentOf[T number[T]](v T) (T, int) { return v, v.Exponent() }

// insist is the second part of Ziv's strategy. The error of the formula is
// relative to a number of the exponent it returns.
func insist(again func(unit real) (v real, exponent int)) uint64 {
	for prec := realPrecMin; ; prec *= 2 {
		prec = min(prec, realPrecMax)
		v, exponent := again(realOf(One, prec))
		if r, ok := v.round(exponent - prec + slackBits); ok || prec == realPrecMax {
			return r
		}
	}
}

// carefully is correctly for formulas with cancellation: they return the
// exponent of the largest number they subtracted from.
func carefully(x uint64, first func(quad, uint64) (quad, int), again func(real, uint64) (real, int)) uint64 {
	q, exponent := first(quadOne, x)
	if lost := exponent - q.exp; q.hi != 0 && lost < 64 {
		if r, ok := q.round(uint(slackBits + max(lost, 0))); ok {
			return r
		}
	}
	return insist(func(unit real) (real, int) { return again(unit, x) })
}

// oddly evaluates an odd function through its values at positive arguments.
func oddly(x uint64, first func(quad, uint64) quad, again func(real, uint64) real) uint64 {
	return x&signBit | correctly(x&absMask, first, again)
}
