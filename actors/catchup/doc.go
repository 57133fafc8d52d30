// Package catchup brings a node that is behind up to date. A node that is a few blocks behind fetches final blocks, verifies their certificates, and hands
// them to the replica, which executes them. A node that is far behind fetches a state instead, verifies its proof, and hands it to the ledger. The package
// also serves both to other nodes.
//
// # Upon event
//
//   - upon Seek, or a tip that stands still while there are peers: ask for the blocks after the newest ones held, several ranges at once, each of another
//     peer if there are enough, at most some thousand blocks ahead of the disk.
//   - upon a range: its blocks must follow each other, each body its header, and the last one must be the subject of a finalization. It waits until the
//     ranges before it were handed over. Then its first block must follow those, and the finalization must be by a quorum of its epoch's validators: all
//     its blocks are final by it, since what is finalized finalizes its ancestors. A range that proves less costs its sender a report; nothing of it is
//     used. Hand it over.
//   - upon no answer in time, or one with nothing: ask others, after no answer for fewer blocks. When nobody had anything, rest until the next look.
//   - upon a range handed over that does not become durable in time: begin again behind the durable tip.
//   - upon a peer's request: the blocks from a height on, up to the last one asked for with a finalization of its own, or the first behind those, within
//     the budget, never across the end of an epoch: the next epoch's validators are known to the asker only then.
//   - upon a peer that is further ahead than Snapshot, or when no peer holds the next block any more: fetch a state.
//
// # Fetching a state
//
//   - the way: a light client starts from the validator set in the own state and asks for the way out of epoch after epoch until a peer has none.
//   - the pivot: a final block and what its state root stands for, its target. The certificate must be of the client's set; the target must hash to the
//     header's state root.
//   - the chunks: runs of the operations log from the target's boundary on, from all peers at once, each with a proof against the target's root of
//     operations; the first brings the nodes below the boundary, proven likewise. What is proven is appended to the ledger's stage, in order, and
//     synced now and then. Chunks of an earlier pivot stay good, since the log only grows.
//   - upon a chunk, pivot or epoch proof that does not prove what it says: report its sender and never ask it again in this fetch.
//   - upon a pivot that nobody serves any more: take another. Three in vain: throw away what was collected. Six: rest, and go on with blocks.
//   - the end: seal the stage, build the state out of it, compare its root with the header's, and let the ledger adopt it; blocks are fetched from there.
//
// # Frames
//
//	00 ‖ UInt id ‖ UInt from ‖ UInt count                                             a range is wanted
//	01 ‖ UInt id ‖ UInt top ‖ UInt first ‖ Vec Bytes block ‖ finalization (only if there are blocks)
//	                                       here is one; top is the sender's height, first the lowest one it holds
//	02 ‖ UInt id ‖ UInt epoch                                                         the proof of the end of an epoch is wanted
//	03 ‖ UInt id ‖ UInt top ‖ Option Bytes proof                                      here it is, or there is none
//	04 ‖ UInt id                                                                      a pivot is wanted
//	05 ‖ UInt id ‖ Option (Bytes block ‖ finalization ‖ target)                       here is one, or there is none
//	06 ‖ UInt id ‖ UInt length ‖ UInt from ‖ UInt count ‖ bool foundation             operations of a log of a length are wanted
//	07 ‖ UInt id ‖ Bytes operations ‖ (proof ‖ Option foundation, or UInt wait)       here are some, or none: ask again in wait ms, or not if 0
//
// # State and restarts
//
// Progress is the ledger's tip and its stage, so an interruption at any moment costs the ranges that were not executed and the chunks that were not synced.
// A restart loses which peer was asked. A full disk ends a fetch with its reason in Status; it goes on when there is room. Damage to the stage
// throws it away. Any other failure of the disk is a supervision.Fatal.
//
// # Bounds
//
// A range: 1,024 blocks, 8 MiB. A chunk: 8,192 operations, 4 MiB and one operation. Served to one peer: 64 MiB at once and 32 MiB a second. Four requests
// about blocks out, or eight about a state, two to each peer; 4,096 blocks or 96 MiB ahead of the durable tip. A range that a node executes keeps one
// finalization, so the bounds of a range are also how far apart finalizations may lie for whoever it serves.
//
// Deliberately absent: which peers exist and what a report costs them; the choice between peers by speed; several certificates in one product of pairings
// (two checks of one for a thousand blocks are a twentieth of what the blocks cost).
//
// Spec: WP §6.1, "Network Layer", "Storage and State Persistence"; commonware §3.4, §3.8, §5.7.
package catchup
