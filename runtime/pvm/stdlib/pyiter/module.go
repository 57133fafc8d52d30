package pyiter

import (
	"github.com/cowboyinc/cowboy-go/runtime/pvm/object"
	"github.com/cowboyinc/cowboy-go/runtime/pvm/stdlib/namespace"
)

// entries are shared by all machines.
var entries = namespace.Join(
	namespace.Types(
		&typeAccumulate, &typeChain, &typeCombinations, &typeReplacement, &typeCompress, &typeCount, &typeCycle, &typeDropWhile,
		&typeFilterFalse, &typeGroupBy, typeISliceDefined, &typePairwise, &typePermutations, &typeProduct, &typeRepeat, &typeStarMap,
		&typeTakeWhile, &typeZipLongest,
	),
	namespace.Functions("itertools", object.Method{Name: "tee", Sig: "iterable, n=2, /", Func: teeFunction}),
)

// Fill makes the module's namespace.
func Fill(m *object.Machine, mod *object.Module) *object.Exception {
	return namespace.Fill(m, mod, entries)
}
