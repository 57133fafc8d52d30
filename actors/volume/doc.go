// Package volume is the client of relays: it reads and writes the files of volumes over the network.
//
// # What lies on relays
//
// The bytes of a volume are cut into stripes (package stripe); no stripe is of two things. Stripe 0 is the first page of the manifest, le8 length before it.
// Further pages and files have stripes whose numbers stay with them, wherever in the order of the paths they are (package page). A chunk lies at the relay of
// its slot under its root; the table says which chunks there are, and its root is the volume's shard_root.
//
// # Writing, in two steps
//
//  1. The chunks of what is new go to the relays of their slots, those of the pages that differ too, then what changes of the table, for which each relay
//     answers when all of it is durable. Enough relays have to.
//  2. The chain is told the new roots, with the manifest root they were made from. Before, nobody sees anything; after, everybody does. If another commit came
//     first, the pages are made anew from that one, and what was sent is there already.
//
// A change of one path reads, makes and sends the page it is in and the first page. The next shard_root is made from paths of the numbers that it changes
// (GetPaths), which the present one holds; where many change, from the whole table. What goes gives its numbers back; they are used again first, and until
// then have the filler. Where more than half of them would be free, everything is numbered anew: all pages are made again, and no file is sent.
//
// A power cut between the two leaves chunks nobody names. Whoever puts the same files again sends only what is not there (Journal, HaveShards). An upload that
// comes to nothing before the chain is told, and that no journal lets go on, is taken back at once (DeleteShard), and one that could go on by GiveUp.
//
// # Reading
//
// Opening a volume reads its first page. A leaf page is read when a path in it is looked for, and kept (pages). Each hangs on a root on chain:
//
//   - The chunks of the first page are held to the shard_root by their paths. Of a private volume the page is the manifest_root's besides, of a public one its
//     records are, where it has all of them.
//   - A leaf page has the hash that the first page says, and what it says of it: its beginning, how many entries, files, stripes and bytes.
//   - A chunk of a file has the root that the file's record says, and the file its hash.
//   - Whoever has read all pages of a public volume holds them to the manifest_root; whoever writes to it has to read all, to make the new one. The leaves of
//     §2.4's tree are kept with the pages.
//
// Verify reads all and holds it to both roots. Of a stripe k chunks are asked for, and one more whenever one fails or is late. So relays can refuse, and
// nothing else.
//
// # Private volumes
//
// A volume has a key of 32 bytes, drawn by the client. Each object is sealed whole by AES-256-GCM under a nonce of its own, with volume_id ‖ path ‖
// write_id as associated data; so is each page, under a write_id and a nonce of its own: write_id(16) ‖ nonce(12) ‖ sealed. The path of the first page is
// "__manifest__", that of all others "__manifest__/", which is no path of a file. The manifest root of a private volume is the root over the sealed first page,
// in blocks of 1,024 bytes as a chunk's: verifying it takes no key. A nonce is used again only for the very same bytes, which the journal knows by their hash:
// a file is hashed first, and what is read again to be sealed is held to that, MiB by MiB, before any of it leaves (ErrChanged).
//
// # Invariants
//
//   - Nothing of a private volume leaves the client unsealed, paths included.
//   - A few stripes of a file are in memory, and all of it only where it is sealed and cannot be read twice; of a manifest the first page is, and pagesKept
//     bytes of others; of a public one 32 bytes for each entry that was read, too.
//   - What a commit takes grows with its changes, the pages they are in and the first page.
//
// Spec: storage-cbfs §2.3, §2.4, §2.5, §3.1, §5.
package volume
