// Package replica is a node's part in consensus. It drives the state machine simplex.State and performs what that asks for and what takes time: journal,
// signatures, network, execution, ledger.
//
// What decides is the type state (state.go): an event in, and the time; effects out. It has no clock, no network, no disk and no key. agreement.go steps
// simplex.State, requests.go and final.go have blocks built, judged and made final, peer.go says whom to ask and what to hold against whom, epoch.go begins
// epochs, participation.go tells who voted; tree.go holds the blocks. What performs is the actor: it brings events, does what the effects say in their order,
// and brings the answers back (actor.go, perform.go), with the journal (journal.go), the keys behind their guard (keys.go, guard.go, signer.go) and the bytes
// (message.go).
//
// # Upon event
//
//   - upon any command: step the State until nothing follows at once, own signatures included; one sync of the journal for all of it; only
//     then send, report and finalize.
//   - upon Build: wait until the parent is executed here, the block interval since it has passed and the ledger keeps up; ask the proposer. The header tells
//     who voted for the parent, and of those who missed many votes what is known of them in the views of the 31 blocks before it.
//   - upon Check and Certify: judge the block after its ancestors (beacon and reward address here, transactions' signatures in the verifier, the
//     rest in the executor) and answer; the header's own signatures are claims, which agreement verifies with the votes. A proposal more than half a
//     second ahead of this clock waits for its time. What is missing is asked for by hash.
//   - upon a verdict that a proposal is invalid by itself, or its leader's own bytes are not its block's: tell agreement, which may have this validator accuse
//     the leader; the block's bytes go to whoever keeps them first (BadProposal). A block on a bad one, one beside the root, and a body with bad signatures
//     that somebody else than the leader sent say nothing about the leader.
//   - upon giving a view up, or leaving it: take back what was asked of the proposer for it, and the checks of its proposals on which no vote depends any
//     more. The executor must be free for the next view. A block that is certified nevertheless is executed for that.
//   - between two commands, while a leader or the proposer is waited for: make the partial of the current round and hash what its header proof signs
//     (Preparer). Nothing of it leaves before it is asked for.
//   - upon a proposal that agreement wants announced to some: to those alone, with its block. It may be another validator's.
//   - upon a peer's introduction as a validator: what agreement wants repeated to it, so that whoever was away for a moment waits for no deadline.
//   - upon Finalized: queue the chain up to the final block; execute what was not, the first 32 one behind the other while their
//     signatures are recovered at the same time; hand it to the ledger in order, at most 160 or 64 MiB ahead of the disk, and have it at hand for peers until
//     it is durable. A final block that does not execute to its roots, and two contradicting certificates, stop the node with the evidence. Far behind: ask the
//     catch-up, whose ranges come back as Import.
//   - upon the last block of the epoch being durable: begin the next one with a journal of its own, and with the set the registry in the state gives
//     (Registered). A validator that joined votes from here on if it holds its share of the round seed; one that left, or has no share, follows; shares
//     that are useless now are destroyed. The State of the epoch before goes on answering those who are still in it.
//
// Committed (a direct child has a certificate) and finalized are exposed apart; only finalized is safe to act on.
//
// # Commands
//
// Import: final blocks another subsystem fetched and verified. Frames and comings and goings of peers. Everything else answers the replica's own
// questions or is a deadline of its own; answers to an earlier instance are recognized and dropped.
//
// # Messages
//
// Strict and bounded; peers are known by their network identity and become validators by an introduction signed with the validator's key over it.
//
//	00 ‖ UInt epoch ‖ simplex message     channel Consensus; a proposal with its block on channel Blocks
//	01 ‖ UInt rank ‖ signature(96)        which validator the sender is
//	02                                    introduce yourself
//	03 ‖ hash(32)                         a block is wanted
//	04 ‖ Bytes block                      it is here
//
// First bytes from 0x10 on are the attendant's.
//
// # Never twice
//
// What is decided is in the journal before it is signed for others to see. The guard knows the journal and refuses to sign what excludes it, whoever
// asks. A second process on the same key is refused by a lock, and where locks do not reach the first finds at its next write that the journal
// was opened again. A validator without the journal of an epoch that has begun follows and does not vote until the next. A journal that cannot be
// written is a supervision.Fatal.
//
// # State and restarts
//
// The journal; the tree of blocks above the durable tip. A restart loses the tree: blocks voted for come back out of the journal, others from
// peers, the durable tip from the ledger.
//
// # Bounds
//
// Frames waiting: per peer and in all. Unasked blocks: one per proposal agreement may come to need, 64 MiB in all. Blocks executed and not final: 64
// above the durable tip. Blocks asked for: 32.
//
// Deliberately absent: which peers exist; bringing evidence to the chain and the ceremony that makes the next epoch's keys (actors/attendant).
//
// Spec: WP "Consensus and Networking", §3.4, §6.1; commonware §3.
package replica
