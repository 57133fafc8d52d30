// Package shards turns a folder into the shards of a public volume, and shards into the folder again: what `cowboy volume pack` and `unpack` do, and what a
// relay needs to answer a challenge.
//
// # Layout of a packed folder
//
//	pack.json        what a commit says, and what the shards are of (Pack)
//	tree             a line for each chunk: slot, number, root, size: what proofs are made from
//	slot-N/NUMBER    the chunk of a slot
//
// The bytes of a volume are cut into stripes of k MiB, each of which gives every slot a chunk of a k-th, of a MiB at most: what lies on relays is the same.
// Stripe 0 is the first page of the manifest, behind its length; the others are those of the files, and of further pages where there are any (package
// actors/volume/page), which say of each stripe the roots of its chunks. So k slots, the root of the manifest and k and m are enough for all: whoever unpacks
// believes nothing else.
//
// # Invariants
//
//   - What is unpacked is what the root says, or nothing: all pages are held to the root, each chunk and each file to what they say.
//   - Nothing is written outside of the folder it is unpacked into.
//   - A stripe is in memory at a time, and the manifest.
//
// Deliberately absent: private volumes, whose keys the Secrets Manager's committee releases; sending shards to relays and fetching them.
//
// Spec: storage-cbfs §2.3, §2.4, §5, §6.
package shards
