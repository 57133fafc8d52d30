// Package store keeps a relay's chunks, each under its root, and the tables that say which volume's slot holds which: in a directory, or in an object store
// that speaks S3.
//
// # Layout
//
//	format            "1"
//	chunks/ab/ROOT    a chunk; ab are the first two digits of its root (cbfs.ChunkRoot)
//	tables/V-ROOT     an encoded table (protocol.Table) of volume V; the time of the file is when the chain was last known to name it
//	partial/…         what is being written; emptied when the store is opened
//
// # Durability
//
// A chunk is written beside its place and renamed, and not synced: an upload of many is synced once, by Sync, before its table is said to be there. After a
// power cut a chunk that was not synced may be torn; that is found when it is read, since its name is its root, and it is as if it had not come. A table is
// synced before it is renamed, and its directory after. The kernel is told at once to write a chunk, so that little is left when an upload is synced.
//
// # Object stores
//
// The names are the same, below a prefix. What a request has answered is durable, and an object is whole or not there. When the chain named a table is another
// object, since an object's own time cannot be set. The prefix is the relay's whose node_id came first.
//
// # Invariants
//
//   - What Get gives is what its name says. What is found otherwise is removed.
//   - All files together have at most the capacity; beyond it, and when the disk or the bucket is full, nothing more is taken (ErrFull).
//   - Collect removes nothing that a table names, and nothing younger than its age.
//
// Deliberately absent: who may do what, and which tables the chain names (package relay).
//
// Spec: storage-cbfs §3.3, §4 (orphan shard).
package store
