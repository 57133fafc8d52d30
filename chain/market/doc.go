// Package market is the Job Dispatcher, 0x02, where registered runners do the work: what is asked of them, who was selected, what was committed and revealed,
// until when, and the coin held for it. Its rules are functions over a state.Store; all of it lies under 0x02. Package job has a job's specification and the
// draw, package runner who offers work.
//
// # A job's life, event by event
//
//   - upon Submit: a job of a model that governance banned is refused. max_price and tip are held. Those who can do the job (filters), and
//     provide what its actor's manifest requires, are its candidates. With
//     a committee of one the runner is drawn at once from the beacon of the block: Assigned. Else the candidates are frozen: AwaitingSeed.
//   - upon a block whose beacon is of the awaited round, or a later one: the committee is drawn, Assigned.
//   - upon Commit: Executing; of the last of the committee, Revealing.
//   - upon the end of the deadline's block: those who did not commit themselves have a timeout score and are excluded from other attempts. Somebody did:
//     Revealing. Nobody did: the attempt failed.
//   - upon Reveal of the last who committed themselves, or the end of the window: Verifying, in the end of that block. The Verifier judges; fewer reveals than
//     the threshold, or no result, and the attempt failed. A result is told to whoever awaits it, its runners are free: Challengeable.
//   - upon a check by an actor: it is asked, in a turn of its own, and the end of the block in which it has ruled judges again.
//   - upon a failed attempt: another one with the retry seed, at most three; then Failed, and all that was held goes back.
//   - upon the end of the dispute window: the Verifier pays, the rest goes back: Completed.
//   - upon Repeat of a deterministic job: a second run by other runners, drawn from the seed of a round to come; the first waits. The Verifier is told what it
//     says.
//   - upon Cancel before runners are assigned: Cancelled, and all goes back.
//   - upon the block before the one in which whoever awaits the job takes no answer any more: a job without a verified result is Failed.
//
// # The seam for the Result Verifier
//
// The chapter that has opcodes 7 and 9 calls Commit and Reveal, and sets Market.Verifier, whose methods the end of a block calls: Judge, Unrevealed, Settle,
// Reward. They get a Task and may take coins with Pay; what becomes of the job is this package's.
//
// # Layout, records of 0x02
//
//	market:job/ ‖ id                       Job, small: what changes
//	market:spec/, selection/, caller/ ‖ id what is long, or written once
//	market:candidates/ ‖ id                between submission and draw
//	market:commitment/, reveal/ ‖ id ‖ runner
//	market:inquiry/ ‖ id                   Inquiry: questions to actors of checks, and rulings
//	market:paying/ ‖ id                    Paying: what is left of a settlement that takes several blocks
//	market:result/ ‖ id                    Result
//	market:rerun/, original/ ‖ id          Rerun of a job; the job that one is the second run of
//	market:runner/, submitter/ ‖ addr ‖ id indexes
//	market:due/ ‖ be8 height ‖ id          jobs, by the block at whose end something becomes of them
//	market:seed/ ‖ be8 epoch ‖ be8 view ‖ id
//	market:answer/ ‖ be8 height ‖ id       answers to whoever awaits a job
//	market:recent/ ‖ submitter ‖ kind(1)   Recent: who did the last job, where governance has that matter
//	market:escrow, epoch, committee
//
// # Bounded work
//
// The end of a block looks at what is due alone, a bounded number of jobs, of runners and of tranches behind them, and judges a bounded amount of results; the
// rest is the next block's. Nothing of a job stays: when nobody
// can challenge it any more, 900 blocks after its end, all but its record is deleted, and the record after a week.
//
// Spec: WP §5.3, §9, §13; CIP-2 §3, §4, §5, §6; runner-marketplace §2.6, §2.7, §2.8, §4, §5.
package market
