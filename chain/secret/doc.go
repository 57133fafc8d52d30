// Package secret is the Secrets Manager, 0x04: which account keeps which secret, who may have it, which proxies share the keys, and what was released. Its
// rules are functions over a state.Store; package cbss has the cryptography. No plaintext and no data key is ever in the state.
//
// # Rules
//
//   - A secret is known by its account and keccak256(account ‖ name). It has versions, numbered from 1 and never again; what is deleted leaves a tombstone.
//   - Versions of an account are sealed to the account's release key, which a committee of proxies shares. A version may have a committee of its own: it is
//     pending until that committee has made its key and the owner has sealed the version.
//   - Proxies register with a stake, soak before they are chosen, and unbond after they leave. Committees are drawn at the end of the block after the one
//     they were asked for in, by stake times health, from a seed that nobody knew when they were asked for.
//   - A committee's key is made or passed on outside of the chain; RotateCommittee brings its commitments, with the signatures of both sides. The master key
//     never changes; former committees serve for a grace.
//   - The key of a private volume is sealed to an account's key too, with keccak256("cbfs-dek" ‖ volume_id) in the place of the name. Who may have it is
//     whom the volume's grants let (chain/volume).
//   - A time lock is sealed to an account's key and to a round of the beacon. Once the round is reached the committee's partials open it for everybody,
//     and those who gave them share the fees that were held.
//   - The content key of a key epoch of a paid stream is wrapped to the release key of the stream's publisher. Proxies post receipts of SealRequests, which the
//     manager of streams (package stream) pays for, and give their partials, sealed to the beneficiary's key, to whoever asks.
//   - A proxy that gave a partial posts a receipt, and gets a fee from the actor whose job it was. A runner that got no answer may challenge: that costs the
//     proxy health, never stake. Three faults cost stake: each is shown by what the proxy itself has signed.
//
// # Layout, records of 0x04
//
//	secret:                         account ‖ key_hash → Secret
//	secret_count:                   account → UInt, its secrets that have versions
//	secret_version:                 account ‖ key_hash ‖ be8 version → Version
//	secret_payload:                 likewise → what is kept inline
//	secret_version_tombstone:       likewise → Tombstone
//	account_release_key:            account → ReleaseKey
//	secret_release_key:             account ‖ key_hash ‖ be8 version → ReleaseKey
//	dkg_pending:                    scope → Pending
//	dkg_draw:                       be8 height ‖ scope → nothing: committees to draw
//	cbss_proxy:                     id → Proxy
//	cbss_proxy_index_by_operator:   operator → id
//	cbss_proxies                    how many there are
//	cbss_unbonding:                 be8 height ‖ id → nothing
//	cbss_leaving:                   id → the last scope whose resharing was asked for
//	cbss_punished:                  proxy ‖ fault(1) ‖ what of → nothing, also when the proxy is gone
//	committee_membership:           proxy ‖ scope → nothing
//	release_receipt:                release → Receipts
//	release_count:                  job ‖ runner ‖ account ‖ key_hash → UInt, releases that are remembered
//	liveness_challenge:             id → Challenge
//	liveness_challenge_open:        proxy ‖ id → nothing: those that wait for the proxy
//	cbss_forget:                    be8 height ‖ kind(1) ‖ id → nothing
//	cbss_debt:                      actor → Debt
//	tlock:                          lock → Lock
//	tlock_payload:                  lock → what is kept inline
//	tlock_due:                      be8 epoch ‖ be8 view ‖ lock → nothing: those that wait
//	tlock_count:                    account → UInt, its locks that wait
//	cbss_escrow                     UInt: stakes, bonds and fees of time locks
//
// The documents' key of a secret's own release key has no account; a key hash is not proven to be of its account, so here it has.
//
// # Invariants
//
//   - What is held is the sum of the proxies' stakes, of the bonds of pending keys and challenges, and of the fees of time locks that wait.
//   - Lists are bounded by the constants of this package; the end of a block does at most what params.go says, whatever waits.
//
// Deliberately absent: KeyDelivery (42), of which no public text says what it does; grants of operators, which are outside of the first version
// (secrets-cbss §12); the keys of volumes, which are secrets like others; SealRequests themselves, which are package stream's.
//
// Spec: secrets-cbss; WP §9 (0x04).
package secret
