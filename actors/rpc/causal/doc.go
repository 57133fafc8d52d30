// Package causal makes the tree of what a transaction, or the fire of a timer, led to. It reads which receipts have a part in it from an index, has their
// blocks executed again (actors/query), and gives every execution the parent that sent it: nothing is guessed from addresses.
//
//	origin, root, ok, err := causal.Root(source, hash)
//	trace, err := causal.Trace(question, origin, root)
//
// A tree is bounded: so many executions, blocks that are executed again, fires of one timer, and fires that follow from fires; what it leaves out is named
// (wire.Trace, Stops). Errors are those of the source and of the service.
package causal
