// Package keyring is the directory of a node's keys.
//
//	network.key   the identity peers know the node by; not encrypted, worth only the node's name
//	vote.json     BLS key of votes and header proofs
//	share.json    BLS share of the round seed, of the genesis sharing
//	account.json  secp256k1 key of the account that owns the stake and receives rewards
//	used          the node has voted with these keys
//
// The .json files are of the form of EIP-2335 under one password (package keyfile). A directory that others can enter, and a file that others can read,
// are refused. Files are written whole: a temporary file, a sync, a rename.
//
// used is what tells a lost journal from a first start: a validator whose keys were used and whose journal is gone must not vote before the epoch
// ends. Restored keys count as used.
//
// Invariants: no secret is printed or put into an error; a key that is there is never overwritten, except by ChangePassword with the
// same key.
//
// Deliberately absent: where passwords come from, signing.
//
// Spec: EIP-2335; WP "Validator Set" (keys); commonware §4.1.
package keyring
