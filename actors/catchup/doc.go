// Package catchup brings a node that is behind to where the others are: it fetches ranges of final blocks, proves them, and hands them to the replica,
// which executes them. It serves ranges to others.
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
//
// # Frames
//
//	00 ‖ UInt id ‖ UInt from                                                          a range is wanted
//	01 ‖ UInt id ‖ UInt top ‖ Vec Bytes block ‖ finalization (only if there are blocks)   here is one; top is the sender's height
//
// # State and restarts
//
// Progress is the ledger's tip, so an interruption costs the ranges that were not executed yet. A restart loses which peer was asked.
//
// # Bounds
//
// A range: 256 blocks, 8 MiB. Served to one peer: 32 MiB at once and 8 MiB a second. One question out; a thousand blocks or 64 MiB ahead of the durable tip.
//
// Deliberately absent: snapshots of the state.
//
// Spec: WP §6.1, "Network Layer"; commonware §3.4, §3.8.
package catchup
