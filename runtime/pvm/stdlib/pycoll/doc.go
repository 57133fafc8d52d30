// Package pycoll is the native part of Python's collections module: deque, the
// parts of named tuples that are called often, and the counting loop of Counter.
// The rest of collections is Python source in package stdlib.
//
// Spec: sdk §17.3 (collections in the import list); Python 3.11 library,
// "collections".
package pycoll

import (
	"github.com/cowboyinc/cowboy-go/runtime/pvm/object"
	"github.com/cowboyinc/cowboy-go/runtime/pvm/stdlib/namespace"
)

type (
	value     = object.Value
	exception = object.Exception
	machine   = object.Machine
)

// Fill makes the native part of the module's namespace.
func Fill(m *object.Machine, mod *object.Module) *object.Exception {
	return namespace.Fill(m, mod, entries)
}

// entries are shared by all machines.
var entries = namespace.Join(namespace.Types(&typeDeque), namespace.Functions("collections",
	object.Method{Name: "_count_elements", Sig: "mapping, iterable, /", Func: countElements},
	object.Method{Name: "_tuplegetter", Sig: "index, doc, /", Func: newGetter},
	object.Method{Name: "_ordered", Sig: "cls, /", Func: ordered},
	object.Method{Name: "_update", Sig: "mapping, other, names, /", Func: update},
	object.Method{Name: "_move_to_end", Sig: "mapping, key, last, /", Func: moveToEnd},
	object.Method{Name: "_dot", Sig: "cls, /", Func: dot},
	object.Method{Name: "_tuplemaker", Sig: "typename, names, defaults, /", Func: newMaker},
))
