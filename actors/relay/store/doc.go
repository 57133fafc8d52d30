// Package store keeps a relay's chunks, each under its root, and the tables that say which volume's slot holds which: in a directory, or in an object store
// that speaks S3.
//
// # Layout
//
//	format            "3"
//	chunks/ab/ROOT    a chunk, its size, and a checksum of its root and its bytes; ab are the first two digits of its root (cbfs.ChunkRoot)
//	pages/ab/HASH     256 stripes of a table (protocol.EncodePage), or its last ones
//	branches/ab/HASH  the chunks of a table whose keys in the tree of shards begin with the same bits, some 1,024 of them: slot, number, size and root of each
//	tables/V-ROOT     the directory of a table of volume V: the hashes of its pages and branches, the roots of the subtrees that the branches are, the table
//	                  that it was made from, and the numbers in which it differs; the time of the file is when the chain was last known to name it
//	partial/…         what is being written; emptied when the store is opened
//
// # Tables
//
// A table is made of another one by a change (Draft): the pages and the branches that it touches are read and written, and a directory; the rest is that of the
// other table, by its hashes. The new root comes of the branches that were touched and of the subtrees' roots. So a change of c stripes costs c pages, c
// branches for each slot and a directory of 32 bytes for each page and 68 for each branch. The number of branches is a power of two that grows with the table;
// when it doubles, all branches are written anew. A branch that is lost is made of the pages, a page is another relay's to give.
//
// # Durability
//
// A chunk is written beside its place and renamed, and not synced: an upload of many is synced once, by Sync, before its table is said to be there. After a
// power cut a chunk that was not synced may be torn; that is found by its checksum when it is read, and it is as if it had not come. The pages
// and branches of a table are synced before its directory is renamed to its place, and this is synced too. The kernel is told at once to write a chunk, so that
// little is left when an upload is synced.
//
// # Page cache
//
// A chunk of 64 KiB or more is written past the page cache where the file system can (O_DIRECT), sixteen at a time: a chunk is brought once, and most are
// read by a proof or a scrub alone. Taking pages for it took more than half of a put's processor time, and kept other programs' files out of memory. The file
// is filled up to a block for that. Reading it bypasses the page cache, too, the first time that a client or another relay asks for it; the second time it is
// read through the cache and stays there. The store remembers the last 32,768 chunks that were asked for. Proofs and scrubs always read the disk, since the
// disk is what they check.
//
// # Object stores
//
// The names are the same, below a prefix. What a request has answered is durable, and an object is whole or not there. When the chain named a table is another
// object, since an object's own time cannot be set. The prefix is the relay's whose node_id came first.
//
// # Invariants
//
//   - What Get gives is what its name says, by its root. Read, which serves whoever holds chunks to their roots himself, goes by the checksum: a client hashes
//     a chunk in any case, and if its relay hashed it too, a file would take a fourth longer to get. What is found otherwise is removed.
//   - All files together have at most the capacity; beyond it, and when the disk or the bucket is full, nothing more is taken (ErrFull).
//   - TakeBack removes a chunk that came for one draft, and only while no table names it and nobody else brought it or asked about it.
//   - Collect removes nothing that a table names, no chunk younger than its age, and nothing of a draft that is open nor of the table it is made of.
//   - What is remembered of tables takes 64 MiB at most, whatever their sizes.
//
// Deliberately absent: who may do what, and which tables the chain names (package relay).
//
// Spec: storage-cbfs §3.3, §4 (orphan shard).
package store
