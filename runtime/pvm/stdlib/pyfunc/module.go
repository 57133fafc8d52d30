package pyfunc

import "github.com/cowboyinc/cowboy-go/runtime/pvm/object"

var functions = []*object.Builtin{
	object.NewBuiltin(object.Method{Name: "reduce", Sig: "function, iterable, initial=None, /", Func: reduce}),
	object.NewBuiltin(object.Method{Name: "cmp_to_key", Sig: "mycmp", Func: cmpToKey}),
	object.NewBuiltin(object.Method{Name: "_lru_cache_wrapper", Sig: "func, maxsize, typed, info, /", Func: newCache}),
}

// Fill makes the native part of the module's namespace.
func Fill(m *object.Machine, mod *object.Module) {
	mod.DefineFunc(m, functions...)
	mod.Define(m, "partial", typePartial.Value())
	mod.Define(m, "cached_property", typeCachedProperty.Value())
}
