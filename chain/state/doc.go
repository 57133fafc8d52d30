// Package state is the chain's authenticated key/value store: an append-only log
// of operations under a Merkle mountain range, with a bitmap of the operations
// that are the present value of their key mixed into the root. A block's state
// root commits to every key, its value and the key that follows it, so that
// presence and absence are both provable.
//
// # The values a caller meets
//
//   - [Commit] is the immutable state after one block. It answers reads, scans
//     and proofs, and may be used by any number of goroutines.
//   - [Overlay] collects one block's writes on top of a Commit. Mark and Revert
//     give nested frames; [Overlay.Commit] turns the writes into operations and
//     yields the next Commit, its root and its [Delta]. An overlay belongs to
//     one goroutine at a time.
//   - [Reader] and [Store] are what rules are given to read and to write a state;
//     no other package has interfaces of its own for that.
//   - [Source] is where operations are read once they left memory. The package
//     itself opens nothing: actors/ledger/store implements Source on disk,
//     [Memory] in memory.
//
// Commits form a tree rooted at the last finalized block: each shares with its
// parent whatever it did not change, competing children share nothing they
// wrote, and dropping a Commit is forgetting it. A Commit carries the bytes of
// the operations its Source does not hold yet. Of the log below the Source's
// Shelved it holds no nodes but those that later ones are computed from; history
// is proven and taken back with the nodes the Source keeps.
//
// # Fetching a state from others
//
// A [Target] says what a state root stands for. The operations from its boundary
// on are fetched in runs ([Commit.Operations], [Commit.ProveRange]), the nodes
// below it as a [Foundation]; each is proven against the target by itself, and
// [Rebuild] makes the state out of them.
//
// # What determines a root
//
// The list of operations alone. A batch becomes operations in this order:
// deletes, updates, creates, re-written predecessors, operations moved up from
// the inactivity floor, one commit; see batch.go and raise.go.
//
// # Invariants
//
//   - A key is in the index if and only if exactly one active Update of it is in
//     the log; the index holds that operation's location.
//   - The active bit of a location is set for those operations and for the
//     latest commit, and for nothing else. All bits below the floor are clear.
//   - An error from a Source comes back unchanged in meaning: the machine failed
//     and nothing is known about the key. It never reads as an absent key.
//
// Deliberately absent: files, locks, caches, goroutines; the MMB family and the
// immutable and keyless variants.
//
// Spec: commonware §5; ARCHITECTURE "Rings".
package state
