// Package stubs holds type stubs (.pyi) of cowboy_sdk for type checkers and editors.
//
// `cowboy init` writes them to typings/ of a project, where pyright looks by default. A decorator cannot tell a checker
// that the class gains storage and address, so an actor declares them when it wants them checked:
//
//	class Counter:
//	    storage: Storage
//	    address: Address
//
// Invariants: every public name of a module of cowboy_sdk has a declaration here, those of cowboy_sdk.testing and mock_host
// included (testkit/pytest checks these); pyright finds no error in the stubs, the starter and the examples (make types).
//
// Deliberately absent: modules whose names begin with an underscore, but for what public signatures mention.
//
// Spec: sdk §2.
package stubs
