// Package pydata is the native part of Python's dataclasses module: the methods
// that CPython generates as source text (__init__, __repr__, __eq__, the
// orderings, __hash__) as callables that know the fields. Everything else is
// Python source in package stdlib.
//
// A generated method binds like a function and fails with a function's errors.
//
// Spec: sdk §17.3 (dataclasses in the import list); Python 3.11 library,
// "dataclasses".
package pydata

import (
	"github.com/cowboyinc/cowboy-go/runtime/pvm/object"
	"github.com/cowboyinc/cowboy-go/runtime/pvm/stdlib/namespace"
)

type (
	value     = object.Value
	exception = object.Exception
	machine   = object.Machine
)

// entries are shared by all machines.
var entries = namespace.Functions("dataclasses",
	object.Method{Name: "_make_init", Sig: "qualname, fields, positional, post_init, frozen, /", Func: makeInit},
	object.Method{Name: "_make_repr", Sig: "qualname, names, /", Func: makeRepr},
	object.Method{Name: "_make_compare", Sig: "qualname, name, names, /", Func: makeCompare},
	object.Method{Name: "_make_hash", Sig: "qualname, names, /", Func: makeHash},
)

// Fill makes the native part of the module's namespace.
func Fill(m *object.Machine, mod *object.Module) *object.Exception {
	return namespace.Fill(m, mod, entries)
}
