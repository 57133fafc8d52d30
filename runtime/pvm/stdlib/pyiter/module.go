package pyiter

import "github.com/cowboyinc/cowboy-go/runtime/pvm/object"

var functions = []*object.Builtin{
	object.NewBuiltin(object.Method{Name: "tee", Sig: "iterable, n=2, /", Func: teeFunction}),
}

// Fill makes the module's namespace.
func Fill(m *object.Machine, mod *object.Module) {
	for _, t := range []*object.Type{
		&typeAccumulate, &typeChain, &typeCombinations, &typeReplacement, &typeCompress, &typeCount, &typeCycle, &typeDropWhile,
		&typeFilterFalse, &typeGroupBy, &typeISlice, &typePairwise, &typePermutations, &typeProduct, &typeRepeat, &typeStarMap,
		&typeTakeWhile, &typeZipLongest,
	} {
		mod.Define(m, t.Name, t.Value())
	}
	mod.DefineFunc(m, functions...)
}
