// Package pyfunc is the native part of Python's functools module: partial,
// reduce, cmp_to_key, lru_cache, cached_property, update_wrapper. What is rarely
// needed is Python source in package stdlib.
//
// Invariants: cached values are visible to the memory limit and to the search for
// reference cycles; nothing depends on addresses.
//
// Spec: sdk §17.3 (functools in the import list); Python 3.11 library,
// "functools".
package pyfunc

import "github.com/cowboyinc/cowboy-go/runtime/pvm/object"

type (
	value     = object.Value
	exception = object.Exception
	machine   = object.Machine
)

// visitAll visits the values that are there.
func visitAll(visit func(value), vs ...value) {
	for _, v := range vs {
		if !v.IsZero() {
			visit(v)
		}
	}
}
