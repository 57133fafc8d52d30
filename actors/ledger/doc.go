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
// The store is all its state. A restart closes the store, opens it again and finds everything that was durable; commits that were not
// are in the replica's journal and come again. A store that cannot be written, synced or opened is a supervision.Fatal: nothing is
// ever restarted over a failed sync.
//
// Spec: WP "Storage and State Persistence"; commonware §5.10.
package ledger
