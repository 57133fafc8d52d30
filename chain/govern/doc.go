// Package govern is governance on chain: proposals and the votes of two houses, the Security Council, the circuit breaker. Its rules are functions over a
// state.Store; what it keeps lies under the Governance actor (0x09).
//
// Spec: WP §11; governance-staking part B.
//
// # A proposal, event by event
//
//		TempCheck ──pass──► Voting ──pass──► Queued ──Execute──► Executed
//		    └─fail─► Rejected └─fail─► Rejected ├─► ExecutionFailed (tried again until the window closes)
//		    └─ Withdraw, any of the three ─► Withdrawn    └─ council ─► Cancelled
//
//	  - upon Submit: the deposit goes into escrow, the snapshot is the state the block began with, the temperature check begins. With the council's
//	    signatures (fast-track) the vote begins at once.
//	  - upon CastVote: the voter's weight is read from the checkpoints of the validator registry (stake.WeightAt) at the snapshot, and counted.
//	  - upon the end of the block of a deadline (Close): the phase is decided. Deadlines lie in a queue by height, of which a block walks
//	    params.ProposalStepsPerBlock; what is late is late, and nobody votes after the deadline.
//	  - upon Execute, from executable_at on for a window of retry_hours: the payload is checked again and applied. Who executes is of no account.
//
// # Money
//
// Deposits are in no account: Escrow has them. They go back when a proposal that reached its vote ends otherwise than by withdrawal, and are burned when
// the check fails or the proposer withdraws.
//
// # The council
//
// Nine addresses. Seven signatures over a digest with chain, rotation and nonce cancel a queued proposal, pause a system actor, or open a fast-track.
// A pause opens the vote on its ratification, which decides before the pause ends and takes effect without a timelock, since any would outlast the pause.
//
// # How a chapter uses it
//
// A Registry is governance during one block. Its methods are one rule each; Close is the end of the block. Paused is what dispatch asks.
//
// # Code of system actors
//
//   - upon SystemActorUpgrade: a pointer (gov:codes) gets the code and the height it is switched at. Upon SystemActorRollback it is recalled, or the code
//     before comes back.
//   - upon the beginning of a block: Due lists whose height has come; Begun and Settle are what package transition does with each.
//   - upon Upload: a Python program is kept for a year (gov:upload:), and as long as a pointer names it.
//
// Deliberately absent: the seats of the foundation, which no address shows; delegation of votes; undoing what migrated code wrote.
package govern
