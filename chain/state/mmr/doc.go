// Package mmr is the arithmetic, hashing and proofs of a Merkle mountain range:
// an append-only list of leaves under perfect binary trees ("peaks"), largest
// first, whose nodes are numbered in the order in which they come into being.
//
// Two roots exist over the same nodes. The plain one folds the peaks forward;
// the one of an authenticated store folds the peaks below the inactivity floor
// forward into one accumulator and the rest backward, so that proofs of recent
// leaves stay short. The hash function is a parameter.
//
// Nothing here stores a node: callers keep nodes where they like and pass a
// lookup by peak coordinates.
//
// Deliberately absent: the MMB family, which the chain does not use.
//
// Spec: commonware §5.4, §5.6.
package mmr
