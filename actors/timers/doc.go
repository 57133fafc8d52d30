// Package timers indexes the pending timers of the finalized state in three tiers, each a supervised subsystem: the near ring (the next 256 heights, entry by
// entry), the epoch queue (from there to the end of the next epoch, by height), and the far set (everything later, by epoch). Near timers, which are asked for
// often, are kept entry by entry; far ones are only counted.
//
// The tiers are an index, not a rule: the records are chain state, a block finds its due timers in the state's own ordered index, and
// nothing here can reach a root. They serve whoever looks ahead (the explorer, operators), at a cost per block that does not depend on how
// many timers are pending: a tier reads what the block changed, and the one bucket that came into its range.
//
// # Commands
//
//   - final (each tier): a finalized block. The tier applies the block's changes that lie in its range, moves its range, and reads what entered
//     it out of the block's own state.
//   - due, ahead: questions from goroutines of a server.
//
// # State and restarts
//
// The index in memory. A restart loses it and reads the tier's range again from the ledger's newest state: the ring's and the
// queue's cost their size, the far set's a walk over index keys alone.
//
// Spec: WP §5.1a (storage); scheduler-timers §3.
package timers
