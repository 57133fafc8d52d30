// Package shards turns a folder into the shards of a public volume, and shards into the folder again: what `cowboy volume pack` and `unpack` do, and what a
// relay needs to answer a challenge.
//
// # Layout of a packed folder
//
//	pack.json        what a commit says, and what the shards are of (Pack)
//	tree             a line for each chunk: slot, number, root, size: what proofs are made from
//	slot-N/NUMBER    the chunk of a slot
//
// The bytes of a volume are cut into stripes of k MiB, each of which gives every slot a chunk of a k-th, of a MiB at most. First come the stripes of the
// manifest, which begins with its length, then those of the files in the order of their paths; none is of two. So k slots, the root of the manifest and k and
// m are enough for all: whoever unpacks believes nothing else.
//
// # Invariants
//
//   - What is unpacked is what the root says, or nothing: the manifest is held to the root, each file to its hash in the manifest.
//   - Nothing is written outside of the folder it is unpacked into.
//   - A stripe is in memory at a time, and the manifest.
//
// Deliberately absent: private volumes, whose keys the Secrets Manager's committee releases; sending shards to relays and fetching them.
//
// Spec: storage-cbfs §2.3, §2.4, §5, §6.
package shards
