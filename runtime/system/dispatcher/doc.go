// Package dispatcher is the job dispatcher 0x02 of a developer's network: one with administrators and a single validator. There the runners are
// scripts, which the administrators keep in the chain's state, so that every block replays bit-equal and a snapshot, a revert or a dump carries them.
// Jobs no script matches may be for registered runners (Market), as all are on any other network. Where those have none, the address answers as every
// address does whose chapter is not built, but for jobs that are to be answered by some block.
//
// # What becomes of a job
//
// A job is a message to 0x02 whose payload is a map. It is looked at when it is delivered, in the block after the one that sent it:
//
//   - The newest script that matches it - all jobs, those of a type, those of an actor, or both - says what its runners answer: a result, an error, several
//     results that are compared (Votes), or nothing; how many blocks late; and how often the answer is delivered. A script for so many jobs is gone with
//     the last of them, and the one before it applies.
//   - A job no script matches, and no registered runner takes, waits until an administrator answers it by its cid, for MaxLate blocks at most; then it is
//     let go, as a lost one is.
//   - A job that names its timeout_block is answered in that block at the latest, whatever becomes of it: one that is lost, waits, would be answered
//     later, or does not fit what can be kept, has an error for an answer. So has every one of them on a network without runners, at once.
//   - An answer is a message of 0x02 to the actor, and runs on what the job's origin has left to pay with. A late one is sent at the end of the block it
//     is due in (Send), so that its actor has it one block later.
//
// # Layout, records of 0x02
//
//	jobs:counters                 how many scripts, jobs and bytes are kept; the next numbers
//	jobs:script: ‖ number         a script
//	jobs:waiting: ‖ number        a job nobody has answered
//	jobs:late: ‖ due ‖ number     an answer that is not due yet, or the notice that there was none
//
// # Invariants
//
//   - At most MaxScripts scripts of at most MaxScriptBytes are kept, and at most MaxKept jobs and late answers, of at most MaxKeptBytes together.
//   - Each job or late answer kept counts as one pending item of its origin's pool: the pool stays open for as long as an answer may come, and a trace
//     is not settled before.
//   - Deciding and sending depend on the state and the block alone.
//
// Deliberately absent: the job market itself, that is registration, selection, commitments, payment and disputes of real runners; what a job asks for is
// shown to people and never interpreted.
//
// Spec: sdk §9.1, §9.6; runner-marketplace §5; WP §5.3, §13.1; governance-staking B10 (administrators of local networks).
package dispatcher
