// Package ledger is the single writer of the chain's store. It takes finalized blocks in order, makes each durable, and only then lets readers,
// subscribers and the replica see it. Blocks that wait at the same time share one append and one sync.
//
// # Commands
//
//   - Commit: a finalized block with its receipts, certificates and state. Blocks the ledger holds already are answered and skipped,
//     so whoever restarts may send them again.
//
//   - Adopt: a snapshot that was collected on the stage, proven and loaded. It takes the place of the whole store, durably in one step, and the ledger
//     renews itself with Adopted (supervision.Renewal), so that everything that stands on it starts again from the new tip.
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
// # What is kept
//
// A store keeps a window of states and of blocks, or everything. What is below the window, or below the snapshot the chain begins with, is answered with
// ErrAbsent and a *store.PrunedError that names the first height held. The genesis block, and of every epoch its last header, the certificate of that and
// the proof of the next validator set (EpochProof), are kept for ever: light clients and nodes that begin with a snapshot follow the chain by them.
//
// On a disk: generations of stores, of which the file "generation" names the present one, and the file "crossings".
//
// Spec: WP "Storage and State Persistence"; commonware §5.10.
package ledger
