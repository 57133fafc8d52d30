// Package pydecimal is Python's decimal module over package decimal.
//
// The machine has one context: 28 digits, ROUND_HALF_EVEN, exponents within
// ±999999, traps for InvalidOperation, DivisionByZero and Overflow. It can be
// read and used, but not changed or replaced; an attempt is a DeterminismError.
// Flags are not kept. Operations with a rounding argument take any of the eight
// modes.
//
// Deliberate deviations from CPython: coefficients have at most 1,234 digits (as
// many as the largest int), beyond which OverflowError is raised; powers are
// correctly rounded where CPython's may be off by one in the last place.
//
// Spec: sdk §17.3 (decimal in the import list); WP-January "Numeric Determinism"; Python 3.11
// library, "decimal".
package pydecimal

import (
	"github.com/cowboyinc/cowboy-go/runtime/pvm/object"
	"github.com/cowboyinc/cowboy-go/runtime/pvm/stdlib/decimal"
)

type (
	value     = object.Value
	exception = object.Exception
	machine   = object.Machine
	number    = decimal.Number
)

// context is the one context.
var context = &decimal.Default

// Prices in cycles: operations on numbers of the context's
// precision; longer coefficients add their words squared.
const (
	costSimple = 60
	costDivide = 120
	costRoot   = 900
	costExp    = 6000
	costLog    = 9000
	costPower  = 15000
	roundWords = 80 // each word of a coefficient beyond the first, which is rounded away
)

// charge takes base and the surcharge of the operands' lengths.
func charge(m *machine, base int, operands ...*number) *exception {
	words := 0
	for _, x := range operands {
		words = max(words, x.Coef().BitLen()/64)
	}
	return m.Charge(base + words*words + roundWords*max(words-1, 0))
}
