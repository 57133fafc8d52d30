// Package resolve decides what every name of a module means before it is
// compiled: which register, cell, received cell or namespace holds it.
//
// Resolve walks the tree three times. The first pass collects, per scope, which
// names are bound and used (CPython's symbol table); the second follows each
// name outward to the scope that owns it; the third numbers registers and cells
// and writes the result into the tree. What the grammar allows but the language
// does not ('return' outside a function, two parameters of one name, a nonlocal
// without a binding, …) is refused with CPython 3.11's message.
//
// One deliberate difference from CPython 3.11: list, set and dict
// comprehensions run in the frame of the code around them, as CPython does from
// 3.12 on (PEP 709). Their variables keep their own scope.
//
// Invariants: every Binding of the tree is filled in; registers are dense;
// parameters come first; the result depends on the tree alone.
//
// Deliberately absent: the namespaces themselves, and what consensus forbids
// beyond the language (package check).
//
// Spec: WP "The Cowboy Actor VM (PVM)" (Python 3.11).
package resolve
