// Package traced gives a chain of the kit the traces that a node gives: what a transaction led to, call by call, made by executing its blocks again.
//
//	chain := traced.New(t, testkit.NewChain(t))
//	id := alice.Send(…)
//	chain.Mine(2)
//	trace := chain.Trace(id)
//
// The blocks have to be among the newest, of which the chain knows what they stand on. It needs no index: it looks through all receipts.
package traced
