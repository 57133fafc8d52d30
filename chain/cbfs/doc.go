// Package cbfs defines the encodings of volumes: identities, names and paths, manifests, tokens, certificates, the trees behind proofs of retrievability, and
// references to blobs. It is pure; the records that the chain keeps are in chain/volume and chain/relay.
//
// # Forms
//
// What the reference writes with bincode 1 is written by hand, the same: integers little-endian, lengths as u64, tags as u32, arrays without a length, true
// as 1 (Writer, Reader). What only this chain reads is in its own canonical encoding (chain/codec).
//
// # Trees
//
//	manifest   leaf BLAKE3(path ‖ entry); padded with zero hashes to a power of two; node BLAKE3(left ‖ right)
//	chunk      BLAKE3's own, over blocks of 1,024 bytes, the last one shorter: its root is the plain BLAKE3 of the chunk
//	shards     sparse, 256 levels: leaf BLAKE3(key ‖ chunk root ‖ size as le8) at key BLAKE3("cbfs:shard-key:v1" ‖ slot ‖ ordinal as be8); an empty subtree
//	           is the zero hash, one of a single leaf that leaf; node BLAKE3(left ‖ right)
//
// Of the tree of shards a part can stand alone (Partial): what it says is held to the root, and chunks are set in it without the rest at hand.
//
// A slot is one of the k + m places of a volume; its relay holds a chunk of every stripe, so that its chunks are numbered from 0.
//
// Spec: storage-cbfs §2, §6, §7.
package cbfs
