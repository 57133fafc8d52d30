// Package volume is the client of relays: it reads and writes the files of volumes over the network.
//
// # What lies on relays
//
// The bytes of a volume are cut into stripes (package stripe). First come those of the manifest, which begins with its length as le8, then those of the files,
// in the order of their paths; no stripe is of two. A chunk lies at the relay of its slot under its root; the table says which chunks there are, and its root
// is the volume's shard_root.
//
// # Writing, in two steps
//
//  1. The chunks of what is new go to the relays of their slots, then what changes of the table, for which each relay answers when all of it is durable.
//     Enough relays have to.
//  2. The chain is told the new roots, with the manifest root they were made from. Before, nobody sees anything; after, everybody does. If another commit came
//     first, the manifest is made anew from that one, and what was sent is there already.
//
// A power cut between the two leaves chunks nobody names. Whoever puts the same files again sends only what is not there (Journal, HaveShards).
//
// # Reading
//
// The manifest is held to the root on chain, each chunk to the table and so to the shard_root, each file to its hash. Of a stripe k chunks are asked for, and
// one more whenever one fails or is late. So relays can refuse, and nothing else.
//
// # Private volumes
//
// A volume has a key of 32 bytes, drawn by the client. Each object is sealed whole by AES-256-GCM under a nonce of its own, with volume_id ‖ path ‖
// write_id as associated data; so is the manifest, whose path is "__manifest__": write_id(16) ‖ nonce(12) ‖ sealed. The manifest root of a private volume is
// the root over that, in blocks of 1,024 bytes as a chunk's: verifying it takes no key. A nonce is used again only for the very same bytes, which the journal
// knows by their hash.
//
// # Invariants
//
//   - Nothing of a private volume leaves the client unsealed, paths included.
//   - A file is in memory whole where it is sealed, and a few stripes of it otherwise.
//
// Spec: storage-cbfs §2.3, §2.4, §2.5, §3.1, §5.
package volume
