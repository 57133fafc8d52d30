// Package proposer puts blocks together when this validator leads a round.
//
// # Commands
//
//   - Propose: a header and a parent. The proposer asks each lane for as much as the lane's share of a block can take, keeps of every sender the
//     unbroken chain of nonces that the parent state can execute, lets block.Select choose, has the executor build (which orders by
//     VRF and leaves out what cannot run), and answers with the executed block; while the validator is jailed, with none.
//   - offered, late, built: the lanes' answers, the end of waiting for them, the executor's.
//
// A lane that does not answer within the deadline is done without: a block is worth more than a full block.
//
// # State and restarts
//
// The proposal in progress. A restart loses it; the proposer tells the replica that it knows of no question, and the replica asks
// again.
//
// Spec: WP §6.3, §6.4, §6.5, §17.9.
package proposer
