// Package runner is the off-chain side of a registered runner: one dispatcher, which alone signs, and any number of workers.
//
//	runner        one-for-one
//	├─ dispatcher   decides what becomes of each job and keeps the journal
//	├─ courier      asks the chain and sends to it and to the queue, one thing after the other
//	├─ messengers   hand reveals to aggregators of committees (package collect has both ends)
//	├─ lines        is connected to validators that bring jobs at once (package lines)
//	└─ workers      one-for-one: one leaf for each place of a capability (package work), fed by package queue
//
// # How a job goes
//
//	upon a poll that lists a job           the journal has its specification; it is put into the queue of its capability
//	upon a validator that brings one       likewise; nothing is committed to before a poll shows the same job
//	upon a result                          it is encoded and signed; the journal has it with salt and signature; the commitment is sent
//	upon a poll that opens the window      the reveal is handed to the aggregator, or sent
//	upon ten blocks without it on chain    the reveal is sent
//	upon a reveal of another, handed over  it is in the journal and then promised; it is sent
//	upon a poll of another attempt         the same commitment is sent, and the same reveal
//	upon a poll that says so               it is over
//
// The chain is polled every few seconds. What was sent and does not show on the chain some blocks later is sent again: the same bytes.
//
// # Never two results
//
// A record is synced before what it is about leaves the process. The first result of a job is the only one until the chain has done with it, however often
// workers do it and the dispatcher is restarted: its commitment never changes and its salt is never lost. The journal's last frame may be
// torn, and is cut; any other damage is named, and nothing starts over it. A journal that cannot be written is a supervision.Fatal.
//
// # What is told to the chain
//
// A result, or why there is none: a job beyond its bounds is impossible; whatever else fails for good, or as often as it is tried, is an external fault
// without a claim of progress. A job this runner refuses it does not answer. What it is committed to and cannot reveal it excuses as a crash, in the second
// half of the time for reveals.
//
// # Commands, bounds, restarts
//
// Dispatcher takes polls, results, outcomes of sendings, drain and status. MaxOpen bounds the open jobs; more wait on the chain. Its state is the journal,
// which each instance reads anew. A worker that panics is restarted; its job is redelivered by the queue.
//
// Spec: runner-marketplace §2.6, §2.7, §4.6, §5, §8.1, §9; WP §5.3; CIP-2 §8.
package runner
