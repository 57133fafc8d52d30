// Package causal builds the causal tree of a transaction or a timer fire: every execution below the one that sent it. It finds the receipts that belong to the
// tree in an index, re-executes their blocks (actors/query), and reads the sender of each execution there: nothing is guessed from addresses.
//
//	origin, root, ok, err := causal.Root(source, hash)
//	trace, err := causal.Trace(question, origin, root)
//
// A tree is bounded: so many executions, blocks that are executed again, fires of one timer, and fires that follow from fires; what it leaves out is named
// (wire.Trace, Stops). Errors are those of the source and of the service.
package causal
