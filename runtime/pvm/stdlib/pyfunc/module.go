package pyfunc

import (
	"github.com/cowboyinc/cowboy-go/runtime/pvm/object"
	"github.com/cowboyinc/cowboy-go/runtime/pvm/stdlib/namespace"
)

// entries are shared by all machines.
var entries = namespace.Join(namespace.Types(&typePartial, &typeCachedProperty), namespace.Functions("functools",
	object.Method{Name: "reduce", Sig: "function, iterable, initial=None, /", Func: reduce},
	object.Method{Name: "cmp_to_key", Sig: "mycmp", Func: cmpToKey},
	object.Method{Name: "_lru_cache_wrapper", Sig: "func, maxsize, typed, info, /", Func: newCache},
))

// Fill makes the native part of the module's namespace.
func Fill(m *object.Machine, mod *object.Module) *object.Exception {
	return namespace.Fill(m, mod, entries)
}
