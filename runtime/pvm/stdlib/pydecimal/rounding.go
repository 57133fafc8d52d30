package pydecimal

import (
	"github.com/cowboyinc/cowboy-go/runtime/pvm/object"
	"github.com/cowboyinc/cowboy-go/runtime/pvm/stdlib/decimal"
	"github.com/cowboyinc/cowboy-go/runtime/pvm/stdlib/namespace"
)

// roundingNames are the constants of the modes, which are strings.
var roundingNames = [...]struct {
	name string
	mode decimal.Rounding
}{
	{"ROUND_CEILING", decimal.Ceiling}, {"ROUND_FLOOR", decimal.Floor}, {"ROUND_UP", decimal.Up}, {"ROUND_DOWN", decimal.Down},
	{"ROUND_HALF_UP", decimal.HalfUp}, {"ROUND_HALF_DOWN", decimal.HalfDown}, {"ROUND_HALF_EVEN", decimal.HalfEven},
	{"ROUND_05UP", decimal.ZeroFiveUp},
}

// rounding reads a rounding argument; without one the context's mode holds.
func rounding(m *machine, v value) (decimal.Rounding, *exception) {
	if v.IsZero() || v.IsNone() {
		return context.Rounding, nil
	}
	if s, ok := v.AsStr(); ok {
		for _, r := range roundingNames {
			if r.name == s.String() {
				return r.mode, nil
			}
		}
	}
	return 0, m.TypeError("valid values for rounding are:\n  [ROUND_CEILING, ROUND_FLOOR, ROUND_UP, ROUND_DOWN,\n" +
		"   ROUND_HALF_UP, ROUND_HALF_DOWN, ROUND_HALF_EVEN,\n   ROUND_05UP]")
}

func roundingEntries() []namespace.Entry {
	var out []namespace.Entry
	for _, r := range roundingNames {
		out = append(out, namespace.Of(r.name, object.StaticName(r.name).Value()))
	}
	return out
}
