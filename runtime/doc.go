// Package runtime holds nothing itself: the packages below it are ring 1, the
// Python machine and the drain that feeds it, in one exact order per block.
//
// A parent state, a header, verified transactions and parameters go in; a state
// delta, receipts and a root come out. Start here to run Python under a meter, to
// execute a block, or to see what an actor may ask of the chain:
//
//	pvm          Python 3.11: compile, load, call, all of it metered; docs/machine.md says why it is built the way it is
//	softfloat    floats computed with integers, the same on every processor
//	sdk          the library that actors import
//	host         the calls of an actor to the chain, and the choice of the handler
//	drain        what runs next in a block
//	chapter      what a chapter of the specification is, and what it meets while it runs
//	system       the one list of chapters, and what walks it
//	keyspace     every range of state keys, and whose it is
//	transition   one block from the state before to the state after
//
// The example runs a Python function under a meter. Whole blocks are easiest to
// make with testkit.
//
// The purity rule is that of package chain. Nothing below imports a ring above.
package runtime
