// Package shares keeps a validator's shares of the round seeds' keys on disk, and destroys those it must not keep.
//
// A share belongs to the shared key that holds from an epoch on; a deal is what another dealer told this player in the ceremony of an epoch. A deal is
// durable before it is acknowledged, because whoever acknowledged a deal and lost it has lost its share. A share is durable before anything is signed
// with it.
//
// # Files
//
//	share-<epoch>   one frame: the share of the key that holds from the epoch on
//	deals-<epoch>   a frame for each deal, in the order they came
//	charges         a frame for each evidence of misbehaviour that is not settled on chain
//
// A frame is length(4) ‖ nonce(12) ‖ sealed: AES-256-GCM under a key derived from the voting key, bound to chain, file and epoch. The nonce is derived
// from what is sealed, so that one never serves two contents. A file of shares or evidence is written beside its place and renamed; a deal is appended and
// synced, so only the last frame can be torn, and a torn one was never acted on. Any other damage is ErrDamaged.
//
// Forget renames a file, overwrites it and removes it; an opening store finishes what was interrupted. Copies that a file system or a backup keeps are the
// operator's.
//
// Who opens the store holds the lock of the validator's journal, or of its chain: nothing here keeps a second process out.
//
// Deliberately absent: the ceremony (chain/beacon), when a share is useless (package replica), the share of the genesis dealer in the operator's key file.
//
// Spec: commonware §4.2, §4.3 (2, 4).
package shares
