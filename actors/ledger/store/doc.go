// Package store keeps a chain on disk: the finalized state, blocks, receipts and
// their indexes. It is plain Go; the ledger subsystem wraps it.
//
// # What is durable, and when
//
// The log is the database. [Store.Append] writes one frame per finalized block,
// holding the block's operations, the block, its receipts and the hashes of its
// transactions, and returns after one sync of one file. Everything else (the
// ordered index from keys to locations, the activity bitmap, tree nodes) is
// derived from the log, lives in memory, and is saved now and then by
// [Store.Checkpoint] to a bbolt file, off the path of blocks, so that opening
// replays only the frames since.
//
// # After a crash
//
// Opening gives exactly the last acknowledged block, or the one that was being
// written if all of it arrived. Only an incomplete last frame is cut off. A
// damaged frame that had been acknowledged, a log shorter than what had been
// acknowledged, a checkpoint that does not lead to its root: each is a
// [CorruptError] that names the file and the place, and nothing is repaired. The
// file "acknowledged" remembers how far callers were told their blocks are safe;
// it is written without a sync after each block, which outlives a killed
// process, and may lag behind after a power cut, never run ahead.
//
// # In memory
//
// What a state needs: its index, and bitmap, nodes and places of operations from
// the floor of a recent block on, as of the last checkpoint. The past below lies
// on the archive: the checkpoint file alone says where its operations and nodes
// are, and a bounded number of the places read last is remembered. So memory is
// in proportion to the state, not to the length of the chain, in an archive too;
// a store without a checkpoint file keeps everything in memory.
//
// A failed sync poisons the store: it is not retried, since the kernel may have
// dropped the bytes, and every later call answers [ErrPoisoned].
//
// # Readers and the writer
//
// One goroutine appends; one (another) checkpoints; any number read. A
// [Snapshot] is the chain as of one block and does not change; its state is an
// immutable [state.Commit].
//
// # History
//
// Frames keep, for every operation, which one it replaced. [Store.At] takes
// blocks back from a recent state, within the window the store was opened with;
// with the window [Archive] nothing is ever dropped. Below the window the
// operations of a segment are given back to the file system (the segment becomes
// sparse). Blocks and receipts stay for good, or for Options.Blocks: then whole
// segments are dropped behind the window, after the checkpoint that takes their
// blocks out of the indexes. What is gone is answered with a [PrunedError].
//
// # Snapshots
//
// A log may begin with a snapshot instead of the genesis: the nodes below a
// boundary, operations from there on, and the block after which they are the
// state. A [Stage] collects one on a disk of its own and continues over
// interruptions; sealed, the disk opens as a Store, which builds the state out of
// the operations and compares its root.
//
// Deliberately absent: decisions about what is final, encodings of blocks and
// receipts (opaque bytes here), goroutines of its own.
//
// Spec: commonware §5.7, §5.10; WP "Storage and State Persistence" (recovery to the last durable block).
package store
