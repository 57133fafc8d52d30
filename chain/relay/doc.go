// Package relay is the Relay Registry, 0x0B: who holds the shards of volumes, with what stake, who holds what, whether they still have it, and what they earn.
// Its rules are functions over a state.Store; relays and all coins of volumes and relays lie under 0x0B.
//
// # A relay's life, event by event
//
//   - upon Register of a stranger: its stake is the least one at least. It is registered, and active with its first heartbeat.
//   - upon Place: the chain draws the relays of a new volume among the active ones that have room and were heard of lately.
//   - upon Confirm: the relay says that it holds its slot under the root of the newest commit. From then on its shards count, and it answers for them.
//   - upon the end of a block, each relay once in an interval: the beacon draws a slot, a chunk and a block of the relay's, which it has to prove in a window.
//   - upon Prove: it has proven, or it loses the penalty of a fraud. Without an answer it loses that of a miss, and with three in a row it is evicted.
//   - upon Drain, by its owner, by a vote, or because it is too full, silent or short of stake: it gets no more volumes, and loses a bond unless what it holds
//     is with others in time. Repair gives its slots to others.
//   - upon Unstake: it holds nothing, and after a delay Withdraw pays its stake.
//
// # What relays earn
//
// Of rent, fees and penalties a tenth is burned and a fiftieth goes to the pool, from which bounties are paid. The rest is the pot of the epoch. A sweep meets
// each relay once in an epoch: it pays the relay's share of the pot before, by the weight the sweep before gave it, and gives it its weight, its confirmed
// shards times its age in epochs, at most 90. A relay that is penalized has no weight in the epoch.
//
// # Choices where the sources are silent
//
//   - A relay answers only for what it has confirmed: an owner that commits a root of nothing harms nobody.
//   - The chunks of a slot are numbered, so that the beacon can draw one: the key of the tree of shards is made of slot and number (package cbfs).
//   - A shard that counts is a MiB of what a slot holds by the sizes that pay rent, a begun one whole: what is not paid for earns nothing.
//   - A challenger gives bond and fee. The fee is the relay's if it proves; the bond always comes back.
//
// # Layout, records of 0x0B
//
//	ras:relay: ‖ owner                 Relay
//	ras:relay-node: ‖ node_id          owner
//	ras:active: ‖ be4 seat             owner
//	ras:slot: ‖ owner ‖ be4            volume_id ‖ slot
//	ras:placement: ‖ volume_id         Placement
//	ras:challenge: ‖ id                Challenge
//	ras:asked: ‖ volume_id ‖ slot      id
//	ras:asked-of: ‖ owner ‖ be8 ‖ id   nothing
//	ras:deadline: ‖ be8 height ‖ id    nothing
//	ras:proof: ‖ be8 height ‖ owner    nothing
//	ras:settlement                     Clock
//
// # Invariants
//
//   - The balance of 0x0B is the sum of stakes, bonds and fees of challenges, reserves of volumes, pool, pot, and what is left of the pot before, and whatever
//     somebody sent there for nothing.
//   - The end of a block meets a bounded number of relays and challenges, however many there are.
//
// Deliberately absent: volumes (chain/volume); when all this runs (runtime/system/relay); the relay protocol.
//
// Spec: storage-cbfs §2.3, §2.6, §2.7, §4, §6, §8.
package relay
