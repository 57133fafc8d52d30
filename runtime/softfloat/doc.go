// Package softfloat computes IEEE-754 binary64 arithmetic with integers only.
//
// A double is a uint64 holding its bit pattern. No function of this package
// performs, or lets the compiler emit, a floating-point instruction, so the
// result of every operation is a function of its arguments alone: never of
// the processor, the Go version, the optimiser or the rounding mode somebody
// left behind.
//
// # What is here
//
//   - The basic operations Add, Sub, Mul, Div, Sqrt and FMA, each rounded once
//     to nearest, ties to even, as IEEE-754 demands.
//   - Python's arithmetic on top of them: Mod, FloorDiv, DivMod, Round to a
//     number of decimal digits, exact comparison with integers.
//   - Conversions to and from int64 and *big.Int, integer ratios, decimal and
//     hexadecimal text. Repr is the shortest decimal text that reads back as
//     the same double, laid out as CPython lays it out. Parse rounds correctly
//     whatever the length of the text.
//   - Every function of Python's math module. Each is *correctly rounded*: the
//     result is the double nearest to the mathematical value. The definition
//     names no library and no platform, so it can never drift.
//
// # NaN
//
// An operation that produces a NaN returns NaN, the positive quiet pattern
// with an empty payload; no payload is ever propagated. Only the operations
// that IEEE-754 defines on the sign bit alone (Neg, CopySign and reading the
// text "-nan") can yield the same pattern with the sign set, and Canonical
// maps any pattern that arrives from outside onto one of the two. Abs clears
// the sign.
//
// # Errors
//
// The basic operations follow IEEE-754 and never fail: overflow is an
// infinity, an invalid operation is NaN. Functions that Python defines to
// raise return ErrDomain, ErrRange or ErrOverflow; which exception that
// becomes is decided by the caller.
//
// # Invariants
//
//   - Pure: no state, no allocation in the basic operations, bounded work.
//   - For all finite arguments the basic operations equal the infinitely
//     precise result rounded once.
//
// Absent on purpose: rounding modes other than nearest-even, exception flags,
// signalling NaNs, binary32 arithmetic (only its encoding exists, for struct).
//
// Spec: sdk §17.2, §24 (floats: allowed, software arithmetic).
package softfloat
