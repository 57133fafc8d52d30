// Package decimal is the arithmetic of Python's decimal module: General Decimal
// Arithmetic (Mike Cowlishaw's specification, version 1.70) on numbers of any
// precision, with results rounded to a context.
//
// It knows nothing of the Python machine; package stdlib makes the Decimal type
// out of it. A Number is never modified after it was made, so numbers share
// their coefficients freely. An operation takes a Context and returns a number
// and the conditions it raised; which of them become exceptions is decided by
// the caller.
//
// Invariants: integer arithmetic only; the coefficient of every number made by
// this package has at most MaxDigits digits, so the work of every operation is
// bounded; exp, ln, log10 and power are correctly rounded.
//
// Numbers of at most 28 digits also have a form in plain words (Small), in which the
// common operations of the default context are computed; both forms give equal
// results.
//
// Absent on purpose: flags that stick to a context (the machine's context is
// read-only), the clamp mode of the interchange formats.
//
// Spec: sdk §17.3 (decimal in the import list); WP-January "Numeric Determinism" (28 digits,
// ROUND_HALF_EVEN).
package decimal
