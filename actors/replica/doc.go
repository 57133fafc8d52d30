// Package replica is one validator's part in agreement: it proposes, votes, certifies and finalizes blocks. It runs the certificate
// rules of the protocol over the validator set of its network; networks of one validator are what this version serves, and with one
// validator every vote it casts is a quorum.
//
// # The rules, as upon-event bullets
//
//   - upon entering a round: ask the beacon for the round's partial; wait until the block interval has passed since the parent (the first
//     block on genesis waits for nothing); ask the proposer for a block on the certified head.
//   - upon a proposal of the round: journal the block together with the vote to notarize it, sync, and only then count or send the vote. The vote
//     carries the commit half for the block's direct parent, since no round of that parent was ever given up.
//   - upon a quorum of votes to notarize: recover the round's seed from their partials; signers, aggregate and seed are the block's
//     certificate (QC). The block is the new certified head; its parent is committed. Journal the vote to commit it, sync, count it; enter the
//     next round.
//   - upon a quorum of votes to commit, explicit ones and commit halves counting alike: the block and its ancestors are final; hand them to the
//     ledger in order. A certificate whose voters all gave the commit half is thereby a finalization of the parent.
//   - upon an answer of the ledger: forget the journal up to the durable block.
//
// Committed (a direct child has a certificate) and finalized are exposed apart; only finalized is safe to act on.
//
// # Commands
//
// due, partial, proposed, recovered, executed, durable, ready: answers and deadlines of its own questions. Nobody else commands it.
//
// # State and restarts
//
// The journal: every vote of its own, and the blocks it voted for that the ledger does not hold yet. A restart loses nothing: the durable tip comes
// from the ledger, journaled blocks are executed and finalized again, and a round in which a vote was journaled is never voted in
// differently. A journal that cannot be written is a supervision.Fatal, and so is an own block that does not execute to its own roots.
//
// Deliberately absent: other validators' votes, nullification and time-outs, which are the full protocol's (chain/simplex).
//
// Spec: WP "Consensus and Networking", §6.1; commonware §3.3, §3.5, §3.6, §3.7, §3.8.
package replica
