// Package ledger is the single writer of the chain's store. It takes finalized blocks in order, makes each durable with one append and one
// sync, and only then lets readers, subscribers and the replica see it.
//
// # Commands
//
//   - Commit: a finalized block with its receipts, certificates and state. Blocks the ledger holds already are answered and skipped,
//     so whoever restarts may send them again.
//
// # What others read
//
// Tip, blocks, receipts and states are immutable and read without a command, from any goroutine. Snapshots stay valid after later
// commits.
//
// # State and restarts
//
// The store is all its state. It is opened before the tree starts and outlives the subsystem, so that snapshots in other hands stay
// readable; a restart loses nothing that was durable, and commits that were not are in the replica's journal and come again. A write,
// sync or checkpoint that fails is a supervision.Fatal: nothing is ever restarted over it.
//
// Spec: WP "Storage and State Persistence"; commonware §5.10.
package ledger
