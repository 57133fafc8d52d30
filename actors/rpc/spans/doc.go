// Package spans sends OpenTelemetry traces of transactions and blocks to a collector. It does nothing unless an endpoint is configured.
//
// # Spans
//
//	transaction                 from its submission here (else its block's proposal) to its finality here
//	├─ lane                     from submission to the proposal of its block
//	├─ turn KIND                each execution of Python it set in motion, in the proposer's and the verifier's run of its block
//	└─ final                    from its proposal to the ledger
//	block                       from proposal to the ledger, linked from its transactions
//	├─ proposal                 putting it together, where this node did: the lanes' offers, the choice, the execution
//	└─ turn KIND                those of timers, which no transaction pays for
//
// A trace's identity is the first half of the transaction's or the block's hash, so that whoever knows the hash finds the trace, also when several
// nodes report it. Plain transfers have no turns.
//
// # What it costs and loses
//
// Hooks note an instant in bounded tables and return; spans are made on a goroutine of the package, and exported by the library's own batches. A
// collector that is slow or away loses spans, never time of the node. What the tables cannot hold is not reported.
package spans
