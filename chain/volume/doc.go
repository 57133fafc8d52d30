// Package volume is the Storage Manager, 0x0A: who owns which volume, what lies in it by the root of its manifest, who may write where, and what it pays. Its
// rules are functions over a state.Store; volumes lie under 0x0A, their coins and relays under 0x0B.
//
// # A volume's life, event by event
//
//   - upon Create: the fee is shared out, the rest of the coins is the volume's reserve, and the chain draws a relay for each of its k + m slots.
//   - upon Commit: the manifest that the relays have already becomes the volume's, in one step, if it was made from the one before. The owner commits, or who
//     has a token to write, within max_bytes. The fee for what is new is paid, and the rent of an epoch is in the reserve besides.
//   - upon the first change in an epoch, or the sweep: the rent of the epoch is paid out of the reserve. What it does not cover is owed, and the volume is in
//     grace: nothing is committed.
//   - upon TopUp: what is owed is paid if the reserve covers it, and grace is over.
//   - upon Delete, its expiry, or the end of grace: the volume is deleted. It goes on paying, and its owner can take it back within the grace.
//   - upon the end of that: its relays let go of it, its tokens end, the rest of the reserve goes back. A day later, when the relays have pruned its shards,
//     it is gone, and its name is free.
//
// # Choices where the sources are silent
//
//   - Each volume has a reserve of its own, which anybody may add to: a volume's rent is nobody else's debt.
//   - The epoch in which bytes are committed is free, since rent is paid when an epoch begins.
//   - Who is offered a volume has to accept it.
//   - The key of a private volume stays sealed to the account that wrapped it when the volume is given away; who may have it follows the new owner.
//   - What a token's holder shrinks gives back room to grow that the token had used, and no more.
//   - A token that its owner granted lets the jobs of whom it was granted to attach the volume. Their runners' tokens are made from it: they allow no more,
//     count what they write against it too, and end with it.
//
// # Layout, records of 0x0A
//
//	ras:volume: ‖ volume_id                     Volume
//	ras:owner-name: ‖ owner ‖ keccak256(name)   volume_id
//	ras:token: ‖ token_id                       Token
//	ras:live: ‖ volume_id ‖ token_id            nothing
//	ras:account-summary: ‖ owner                Summary
//	ras:due: ‖ be8 height ‖ volume_id           nothing
//	ras:volume-key: ‖ key hash                  Wrapped, which stays when the volume goes
//	ras:revocation: ‖ wallet ‖ key of CBFS      Revocation, which stays
//	ras:volume-billing                          UInt epoch ‖ volume_id: the last one the sweep has billed
//
// # Invariants
//
//   - A volume has at most 64 tokens that hold, and no two of those that write have prefixes of which one lies in the other, unless one is made from the other.
//   - What a job's token is made from holds while it does, and allows all that it does.
//   - The end of a block meets a bounded number of volumes, however many there are.
//
// Deliberately absent: relays (chain/relay); when all this runs (runtime/system/volume); how the keys of private volumes are released (chain/secret); routes.
//
// Spec: storage-cbfs §2, §3.1, §4, §6, §8.
package volume
