package pymath

import (
	"github.com/cowboyinc/cowboy-go/runtime/pvm/object"
	"github.com/cowboyinc/cowboy-go/runtime/softfloat"
)

// Prices in cycles, from measurements at 10 ns a cycle: the slowest argument
// decides.
const (
	costCheap    = 2   // bit operations
	costDivision = 40  // fmod, remainder, frexp of any exponents
	costBasic    = 30  // exp, log, sin and what is made of one of them
	costTwice    = 60  // what needs two of them or a division more
	costGamma    = 400 // gamma, lgamma
	costErf      = 900 // erf, erfc: a long continued fraction near 3
	costHypot    = 80  // per coordinate
	costSum      = 3   // per summand
)

// Fill makes the module's namespace.
func Fill(m *object.Machine, mod *object.Module) {
	mod.DefineFunc(m, functions...)
	for _, c := range []struct {
		name string
		bits uint64
	}{
		{"pi", 0x400921fb54442d18}, {"e", 0x4005bf0a8b145769}, {"tau", 0x401921fb54442d18},
		{"inf", softfloat.Inf}, {"nan", softfloat.NaN},
	} {
		mod.Define(m, c.name, object.Float(c.bits))
	}
}

// functions are the module's functions, shared by all machines.
var functions = concat(realFunctions(), partFunctions(), integerFunctions(), sumFunctions())

func concat(lists ...[]object.Method) []*object.Builtin {
	var out []*object.Builtin
	for _, l := range lists {
		for _, d := range l {
			b := object.NewBuiltin(d)
			b.Module = "math"
			out = append(out, b)
		}
	}
	return out
}

// fail turns an error of softfloat into Python's exception.
func fail(m *object.Machine, err error) *object.Exception {
	if err == softfloat.ErrRange {
		return m.OverflowError("math range error")
	}
	return m.ValueError("math domain error")
}
