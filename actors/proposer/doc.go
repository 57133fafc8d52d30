// Package proposer puts blocks together when this validator leads a round.
//
// # Commands
//
//   - Propose: a header and a parent. The proposer asks each lane for as much as the lane's share of a block can take, keeps of every sender the
//     unbroken chain of nonces that the parent state can execute, lets block.Select choose, has the executor build (which orders by
//     VRF and leaves out what cannot run), and answers with the executed block; while the validator is jailed, with none.
//   - offered, late, built: the lanes' answers, the end of waiting for them, the executor's.
//   - Withdraw: the round is over; the build is taken back.
//   - Learn: what the executor saw of a block, this node's or another's.
//
// A lane that does not answer within the deadline is done without: a block is worth more than a full block.
//
// # Time
//
// A build has a budget of time, less what the latest block had to hold behind its transactions. A transaction that took more than half of it, in anybody's
// block, is put aside, and so is the one that took longest in a proposal of this node that was lost, if it took an eighth of the budget: others may be slower.
// So is one that used up a build whose block holds nothing, though it took little of a processor: the machine is busy. The lanes do not offer it with others.
// Every eighth proposal, or the next one if there is nothing else, is made for one such transaction alone, with all of the budget. If it takes too much of a
// processor again, or the proposal is lost, the lanes drop it and refuse it for an hour; whatever else its sender executes is put aside from the start for ten
// minutes. Another node may think differently: it may be faster.
//
// A transaction whose turn breaks the machine as a block is built is dropped and refused in the same way, its sender's others put aside, and the block built
// without it, three times in a round; then, or where the turn is none of a transaction, the round gets a block of what it has to hold alone. If that breaks the
// machine too, there is nothing to propose, and the node stops.
//
// After one lost view, one whose leader was waited for, and after a proposal that holds nothing since its first transaction was ended, transfers are proposed
// and transactions that this node has seen executed in time; after two lost views in a row what a block has to hold and nothing else. What is known is bounded
// and forgotten with a restart. None of it is a rule: any block that executes is valid.
//
// # State and restarts
//
// The proposal in progress, and what is known of the time that transactions take. A restart loses both; the proposer tells the replica that it knows of no
// question, and the replica asks again.
//
// Spec: WP §6.3, §6.4, §6.5, §17.9.
package proposer
