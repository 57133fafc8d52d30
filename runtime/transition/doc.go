// Package transition executes one block: from the state after the parent, a header and verified transactions to receipts, roots and the state after
// the block.
//
// # The block, in the specification's order
//
//   - upon Begin: read the governed parameters and basefees of the parent state once; check the header against its parent and the
//     body against the header (block.CheckHeader, block.CheckBody); refuse a jailed proposer, and votes for the parent of another
//     set (chain/stake); start the drain.
//   - upon an upgrade of a system actor that is due: run its migration, if it has one, as the first turn; switch the code, or drop the upgrade if the migration
//     failed (chain/govern); then let the chapters begin the block.
//   - upon a message (drain.Messages): take it out of its mailbox; run it on its origin's pool.
//   - upon a transaction: admit it (nonce, funds, basefee, privilege) against the state at this point; charge the limits at the maximum
//     fees; pay the intrinsic cost; move the value; run it; undo its writes if it faulted; burn, tip, and refund or keep the rest as
//     the origin's pool.
//   - upon a due timer: remove it if it expired, was skipped too often or cannot be paid; otherwise charge its payer, take it out of
//     the index, run it, settle.
//   - upon a deferred call: drop it if it is too old, otherwise run it on its origin's pool.
//   - upon the end: send the answers of a developer's job dispatcher that are due (runtime/system/dispatcher); announce actors that a removed
//     entitlement has made non-executable; forget aged message identities; fix the next basefees from the use of the block; mint inflation, which the
//     validators are owed; do the validator registry's part: who was absent, the epoch's boundary with its payments and slashes (chain/stake); pay
//     tips to the proposer; write the supply; commit the overlay; compute the roots.
//
// # Driving it
//
//	s, err := transition.Begin(parent, job)
//	for {
//		turn, err := s.Next()      // plain transfers and dropped work happen inside Next
//		if turn == nil { break }
//		outcome, err := runner.Run(turn)
//		err = s.Take(outcome)
//	}
//	result, err := s.Finish()
//
// Run and Apply are that loop for one goroutine. Between Next and Take the turn's holder owns the overlay.
//
// Two modes. Verify holds every field of the header against what execution gives; a difference is a *Mismatch. Build leaves out
// transactions that cannot be executed (Result.Refused) and fills the header; what it builds, Verify accepts. Leaving a
// transaction out can change the order of the others; Build then starts over with what remains. Whoever builds may end it early: Stop takes no further
// transactions, Forgo leaves out the one whose turn is out. Both choose among the blocks that can be built and none of them is a rule.
//
// # Errors
//
// *Invalid is a verdict about the block, the same on every honest node. Any other error is a failure of this machine: the block's validity is
// unknown. A fault of a transaction is neither; it is in its receipt.
//
// # Invariants
//
//   - genesis + minted − burned = the sum of balances, open pools, coins in flight and what validators are owed, after every block (CheckSupply).
//   - A faulted turn leaves its fee, its receipt and nothing else.
//   - Same parent, header and transactions: same result, whoever runs the turns.
//
// Deliberately absent: signatures (chain/tx), what handlers do (runtime/host, runtime/system), job resolution by runners (its chapter is not
// built), who leads a round (chain/simplex). A state without a validator registry gives inflation to the proposer (Rewards is the seam).
//
// Spec: WP "The State Transition Function", §2.3, §4, §8.2, §8.4; scheduler-timers §6, §10.
package transition
