// Package keyindex is an immutable ordered map from state keys to locations in
// the operation log.
//
// An [Index] is a value: editing it yields a new Index that shares every
// untouched node with the old one, so a block's speculative state, its siblings
// and the finalized state are all plain values that readers may use at the same
// time without a lock. It is a B+ tree whose leaves pack their keys behind one
// shared prefix and hold five bytes per location; a change of location alone
// copies the locations of one leaf, never its keys.
//
// Invariants: keys are strictly ascending across leaves; no leaf is empty; a
// node reachable from a finished Index is never written again.
//
// The node sizes are private and cannot reach a state root: only the order of
// keys and their locations can.
//
// Deliberately absent: values, files, and any notion of blocks.
//
// Spec: commonware §5.3, §5.10 (the ordered index behind next_key).
package keyindex
