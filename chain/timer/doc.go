// Package timer is the chain's own alarm clock: an actor schedules a call of one of its handlers at a later block, and the chain
// makes it, paid per fire by the timer's fee payer, with nobody's help.
//
// # The end of a block at height h
//
//   - upon the last transaction of the block: walk the due timers by height and insertion. Entries of earlier heights are carried-over
//     timers; they come first because they are smaller. A timer that was cancelled is not there.
//   - upon a timer with h > expires_at: it is dead, TimerExpired.
//   - upon a timer whose entry is more than 256 blocks old: it is dead, timer.dead_letter.
//   - upon a timer whose payer holds less than gas_limit × cycle basefee + max_cells × cell basefee (lane prices): it is dead,
//     TimerCancelledInsufficientFunds.
//   - upon a dead timer: remove it for 1,000 cycles of gc_cycles_per_block; without budget it stays for a later block. The lane's room and the
//     block's turns are not touched, and the owner's next timer waits until all other owners have been visited.
//   - upon a live timer whose gas limit exceeds what is left of the lane: stop firing. It and everything after it stay where they
//     are, which is the front of the bucket of h+1; skip_count is h+1 − height without a write.
//   - upon any other timer: debit the payer the maximum cost; take the timer out of the index, or, if it is an interval, move it to
//     h + every; run the handler; give back what was not used. The timer is taken out before it runs: a handler can schedule
//     again, cancel its own interval, and cannot fire twice.
//
// # A storm of dead timers
//
// A block visits at most VisitedPerBlock timers, twice: when it begins, to reserve the lane for the live ones (Terms.Demand), and when they
// fire. Walk visits one timer of each owner before a second one of an owner whose timer was dead, and a queue per owner makes that one step;
// so 1,000,000 dead timers of the 977 owners they need at 1,024 each cost a live timer behind them 977 visits, and nothing of the lane.
// Dead timers that the budget leaves are met again, one for each owner. Only as many owners as visits can hold a live timer back, and their
// first timers cost more cycles than a block has.
//
// Carry-over costs nothing because the index is ordered by height and insertion: "the front of bucket h+1, in order" is where
// an untouched entry already is. A block reads the entries it acts on and the few it stops at, however many timers are pending
// elsewhere or behind.
//
// # Layout
//
//	Timer      ‖ zero  ‖ id                  record
//	Timer      ‖ owner ‖ n                   count of an external owner (an actor's is in its account)
//	Timer      ‖ owner ‖ h                   the owner's place in the list of queues
//	TimerIndex ‖ zero  ‖ be8 height ‖ be8 seq   owner ‖ id
//	TimerIndex ‖ owner ‖ be8 height ‖ be8 seq   id: the owner's queue, for the walk, listing and eviction
//	Chain      ‖ zero  ‖ timer.heads ‖ be8 height ‖ be8 seq   owner: the list of queues
//	Chain      ‖ zero  ‖ timer               next insertion number
//
// seq is the chain-wide insertion number, so a bucket is FIFO by insertion.
//
// # Invariants
//
//   - Held of an owner is the number of its records; never above max_timers_per_actor by scheduling.
//   - Every record has exactly one index entry and one queue entry, at its Height and Seq.
//   - An owner with timers is in the list of queues once, at its first timer's place or before it.
//   - A timer never fires in the block that scheduled it.
//   - An identifier is never overwritten.
//
// # Choices where the sources are silent
//
//   - Identifier: keccak256(actor ‖ height ‖ payload ‖ nonce), followed by the number of the call within its turn when that is
//     above zero; should that be taken, by the chain-wide insertion number with its top bit set, which no call number has.
//   - The deposit is zero; cancelling refunds nothing.
//   - An interval is re-inserted at the height it fired at + every, keeps its identifier, payer, gas limit and expiry, and holds
//     one slot of its owner's count for its whole life.
//   - A timer an external account schedules by transaction (TimerSchedule) is owned and paid by that account: its fires have it as
//     sender, so they may do no more than a transaction of its own, and it takes none of the actor's slots.
//   - A gas limit of zero is refused: such a timer could only fail.
//
// # The fee-market phase
//
// From params.HybridConfig.ActivationHeight on (default: never) a block orders due timers by score instead of age:
//
//   - upon the timer phase: rank everything due by priority × W(owner), ties by identifier; fill the lane greedily; a timer whose
//     maximum fee is below the lane basefee, or that does not fit, stays.
//   - a fire pays both basefees and its priority per cycle; the basefees are burned, the priority is the proposer's.
//   - upon the end of the block: move the lane basefee by the lane's use, remember the median priority, slide the window of fires.
//
// A timer without a bid follows the default policy of the block it is due in: twice the lane basefee, the median priority times the multiplier of its tier.
// Everything else is as before: payer, pre-charge, exits, caps, opcodes. Files market.go and fairness.go hold all of it.
//
// Deliberately absent: the tiers that index finalized state (actors/timers), running handlers.
//
// Spec: WP §3.3, §5.1a, §5.1b, §17.9; scheduler-timers §2–§9, §13.
package timer
