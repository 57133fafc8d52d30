// Package digest holds hash values and the hash functions consensus uses:
// keccak256 for transactions, receipts, addresses and messages, blake3 for the
// state, sha256 for randomness derivation and published fixtures, and the binary
// Merkle tree of the transaction and receipt roots.
//
// Spec: WP §1.2, §2.5, "Storage and State Persistence" (blake3 state root,
// keccak256 transaction and receipt roots); commonware §6 (tree).
//
// Invariants
//   - Hashing several parts equals hashing their concatenation.
//   - One-shot hashing allocates nothing: the sponge lives on the caller's stack,
//     so no pool and no shared state is needed.
//
// Deliberately absent: the state tree, which is package state.
package digest
