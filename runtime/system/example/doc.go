// Package example is a chapter that exists to be read, and to prove what a new chapter needs: this package, its instruction in chain/tx, and one line in
// each of the two lists. It keeps coins that are pledged in the name of actors.
//
// It has everything a chapter may have: an instruction that calls a Python hook, handlers for messages and for synchronous calls from Python, a syscall, both
// ends of a block, an escrow, a beginning at genesis, a fault, a parameter and claims of its keys. It is in builds with the tag examplechapter alone:
//
//	go test -tags examplechapter ./runtime/system/example
package example
