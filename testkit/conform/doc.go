// Package conform runs CPython 3.11's own test programs on the Python machine.
//
//	go run ./testkit/cmd/conform -cpython DIR [-json] [-v] [-run PATTERN] [-table FILE] [names…]
//
// DIR is the directory "test" of an installed CPython 3.11. Its programs are read
// where they are and never become part of this repository. A name is a program
// without ".py": test_int, or test_json.test_decode for a directory of programs.
// Without names the programs of Programs run.
//
// A program is loaded as source together with modules of this package, written in
// Python (directory python): a unittest, a doctest and test.support of our own, and
// shims for what tests import and actors may not (sys, types, io, warnings, …). A
// few modules in pure Python that tests rely on (operator, copy, contextlib,
// fractions, …) are read from beside DIR. A module that is neither gives objects
// whose use skips the test that uses them, with the module's name as the reason.
// exec, eval and compile exist for tests alone (evaluate.go), and so do "is" between
// strings and numbers (identity.go) and literal names of ASCII and Latin-1 as
// encodings (recode.go): a test of something else must not end there.
//
// The command runs each program in a process of its own (testkit/cmd/conform), so that
// even a test that ends the process is counted. Every test method is called by
// itself, with cycles, memory and recursion far above an actor's, and passes, fails or
// is not applicable. Not applicable is a test that
// skips itself and one that notapplicable.txt lists: each has a reason. A test that
// exhausts its cycles or makes the machine panic fails and the program is loaded
// anew for the next. A test that ends in DeterminismError, in a file outside /tmp
// or in an integer beyond 4,096 bits does what consensus forbids and does not apply. Docstrings with examples
// run as one test each.
//
// Warnings do not exist on the machine: assertWarns checks only that its block runs.
// The search for reference cycles is off, since tests build them at will.
//
// Deliberately absent: CPython's code, the tests of what consensus forbids, mocking.
//
// Spec: WP "The Cowboy Actor VM (PVM)" (Python 3.11).
package conform
