// Package index is the node's auxiliary index: which receipts concern an address, who holds a token. It is a supervised subsystem of its own, off
// the block's path, and not part of consensus: deleting its file loses nothing but the time to rebuild it.
//
// Commands it takes: a finalized height, which makes it read every block it has not seen up to there; that its file is damaged.
// A file that is damaged, as values with checksums, counts and bbolt tell when it is opened or read, is made anew; whoever asked meanwhile is told. What
// lost an entry and its count together, or entries of causes, is not found out.
// It owns one bbolt file. Writes are batched and not synced: after a crash the file is at an older height, or unreadable and
// made anew, and the missing blocks are read again from the ledger. A restart loses nothing else. Behind a node that keeps a window
// of blocks, entries of dropped blocks are forgotten, some with every final block.
//
// Spec: WP "Storage and State Persistence" (auxiliary indexes); node-rpc-cli §2.3, §2.6.
package index
