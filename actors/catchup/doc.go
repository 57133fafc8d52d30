// Package catchup brings a node that is behind to where the others are. Near by it fetches ranges of final blocks, proves them, and hands them to the
// replica, which executes them. Far behind it fetches a state instead, proves it, and hands it to the ledger. It serves both to others.
//
// # Upon event
//
//   - upon Seek, or a tip that stands still while there are peers: ask one peer for the blocks after the newest one held.
//   - upon a range: the first block must follow what is held, each next one its predecessor, each body its header, and the last one must be the subject
//     of a finalization by a quorum of its epoch's validators. Then all of them are final. A range that proves less costs its sender a
//     report; nothing of it is used. Hand it over and ask for the next, at most some hundred blocks ahead of the disk.
//   - upon no answer in time, or one with nothing: ask the next peer. When nobody had anything, rest until the next look.
//   - upon a range handed over that does not become durable in time: begin again behind the durable tip.
//   - upon a peer's question: the blocks from a height on, up to the last one with a finalization of its own that fits the budget, never across the end
//     of an epoch: the next epoch's validators are known to the asker only then.
//   - upon a peer that is further ahead than Snapshot, or when no peer holds the next block any more: fetch a state.
//
// # Fetching a state
//
//   - the way: a light client starts from the validator set in the own state and asks for the way out of epoch after epoch until a peer has none.
//   - the goal: a final block and what its state root stands for, its target. The certificate must be of the client's set; the target must hash to the
//     header's state root.
//   - the parts: runs of the operations log from the target's boundary on, from all peers at once, each with a proof against the target's root of
//     operations; the first brings the nodes below the boundary, proven likewise. What is proven is appended to the ledger's stage, in order, and
//     synced now and then. Parts of an earlier goal stay good, since the log only grows.
//   - upon a part, goal or way that does not prove what it says: report its sender and never ask it again in this fetch.
//   - upon a goal that nobody serves any more: take another. Three in vain: throw away what was collected. Six: rest, and go on with blocks.
//   - the end: seal the stage, build the state out of it, compare its root with the header's, and let the ledger adopt it; blocks are fetched from there.
//
// # Frames
//
//	00 ‖ UInt id ‖ UInt from                                                          a range is wanted
//	01 ‖ UInt id ‖ UInt top ‖ UInt first ‖ Vec Bytes block ‖ finalization (only if there are blocks)
//	                                       here is one; top is the sender's height, first the lowest one it holds
//	02 ‖ UInt id ‖ UInt epoch                                                         the way out of an epoch is wanted
//	03 ‖ UInt id ‖ UInt top ‖ Option Bytes crossing                                   here it is, or there is none
//	04 ‖ UInt id                                                                      a goal is wanted
//	05 ‖ UInt id ‖ Option (Bytes block ‖ finalization ‖ target)                       here is one, or there is none
//	06 ‖ UInt id ‖ UInt length ‖ UInt from ‖ UInt count ‖ bool foundation             operations of a log of a length are wanted
//	07 ‖ UInt id ‖ Bytes operations ‖ (proof ‖ Option foundation, or UInt wait)       here are some, or none: ask again in wait ms, or not if 0
//
// # State and restarts
//
// Progress is the ledger's tip and its stage, so an interruption at any moment costs the ranges that were not executed and the parts that were not synced.
// A restart loses which peer was asked. A full disk ends a fetch with its reason in Status; it goes on when there is room. Damage to the stage
// throws it away. Any other failure of the disk is a supervision.Fatal.
//
// # Bounds
//
// A range: 256 blocks, 8 MiB. A part: 8,192 operations, 4 MiB and one operation. Served to one peer: 64 MiB at once and 32 MiB a second. One question about
// blocks out, or two about a state to each peer and eight in all; a thousand blocks or 64 MiB ahead of the durable tip.
//
// Deliberately absent: which peers exist and what a report costs them; the choice between peers by speed.
//
// Spec: WP §6.1, "Network Layer", "Storage and State Persistence"; commonware §3.4, §3.8, §5.7.
package catchup
