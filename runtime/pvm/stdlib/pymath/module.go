package pymath

import (
	"github.com/cowboyinc/cowboy-go/runtime/pvm/object"
	"github.com/cowboyinc/cowboy-go/runtime/pvm/stdlib/namespace"
	"github.com/cowboyinc/cowboy-go/runtime/softfloat"
)

// Prices in cycles, from measurements at 10 ns a cycle: the slowest argument
// decides.
const (
	costCheap    = 2   // bit operations
	costDivision = 40  // fmod, remainder, frexp of any exponents
	costBasic    = 60  // exp, log, sin and what is made of one of them
	costTwice    = 100 // what needs two of them or a division more
	costGamma    = 560 // gamma, lgamma
	costErf      = 900 // erf, erfc: a long continued fraction near 3
	costHypot    = 80  // per coordinate
	costSum      = 3   // per summand
)

// Fill makes the module's namespace.
func Fill(m *object.Machine, mod *object.Module) *object.Exception {
	return namespace.Fill(m, mod, entries)
}

// entries are shared by all machines.
var entries = namespace.Join(
	namespace.Functions("math", realFunctions()...), namespace.Functions("math", partFunctions()...),
	namespace.Functions("math", integerFunctions()...), namespace.Functions("math", sumFunctions()...),
	[]namespace.Entry{
		namespace.Of("pi", object.Float(0x400921fb54442d18)), namespace.Of("e", object.Float(0x4005bf0a8b145769)),
		namespace.Of("tau", object.Float(0x401921fb54442d18)), namespace.Of("inf", object.Float(softfloat.Inf)),
		namespace.Of("nan", object.Float(softfloat.NaN)),
	},
)

// fail turns an error of softfloat into Python's exception.
func fail(m *object.Machine, err error) *object.Exception {
	if err == softfloat.ErrRange {
		return m.OverflowError("math range error")
	}
	return m.ValueError("math domain error")
}
