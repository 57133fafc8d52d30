// Package replay executes what a node recorded, in the kit: a whole chain on a testkit.Chain that can go on from there, or one block on its parent
// state, turn by turn. Transition, drain, host and Python machine are the node's own, so a header, a root or a receipt that differs is a bug of one of
// the two runs, never of the kit.
//
// A recording is a node's data directory, or what `cowboy dev dump` wrote, unpacked. No node may have it open.
//
// Deliberately absent: consensus. That a block was final is the ledger's word.
package replay
