// Package mailbox holds what actors have sent and the chain has not delivered yet: messages to other actors, deferred calls to
// themselves, and the gas both run on.
//
// # Messages
//
// A message is enqueued while its sender runs and delivered at the start of the next block, first sent first delivered over
// the whole chain. Its identity is keccak256(sender ‖ nonce ‖ msg_hash), where nonce counts the sender's messages; the target
// remembers it for the dedup window, and a message seen before is refused. A mailbox holds at most 1,000,000 bytes of encoded
// messages; a send beyond that fails.
//
// A message may carry coins. They leave the sender's balance when the message is enqueued, lie in its record until it is delivered, and are the
// target's when its handler succeeds; otherwise they return to the sender.
//
// # Deferred calls
//
// A deferred call is a transaction of the protocol's own, from an actor to its own handler, executed after the timers of the next block or of a
// later one. At most 64 wait per actor and 16,384 in all; one that has waited more than 1,000 blocks is dropped. Nobody can submit one from
// outside.
//
// # Who pays
//
// Nothing executes unpaid. When a turn ends that enqueued something, the gas its payer bought and it did not use is not refunded
// but kept as the Pool of that origin: payer, units left, and the maximum fees they were bought at, which is also the escrow in
// coin. Every delivery that descends from the origin draws from the one pool, at the basefee of the block it runs in but never
// above what was paid (fee.Bid.Carried), and what it sends descends from the same origin: it shares the pool, the 1,024 sends of
// fan-out and the depth of 32. When nothing that descends from the origin is pending any more, the pool is closed and its escrow
// returns to the payer at the maximum fees. A delivery that finds the pool empty fails for want of gas; it never runs.
//
// # Layout
//
//	Mailbox  ‖ target ‖ seq       message
//	Mailbox  ‖ zero   ‖ seq       target: the delivery order
//	Deferred ‖ actor  ‖ seq       deferred call
//	Deferred ‖ zero   ‖ 00 ‖ seq  actor: the execution order
//	Deferred ‖ zero   ‖ 01 ‖ id   pool of an origin
//	Dedup    ‖ target ‖ id        nothing; its presence is the fact
//	Dedup    ‖ zero   ‖ seq       height, target, id: the order in which entries age
//	Chain    ‖ zero   ‖ mailbox   counters
//
// # Invariants
//
//   - An account's MailboxBytes, MailboxCount and Deferred are the sums over its pending entries.
//   - A pool exists exactly as long as an item of its origin is pending, among them the jobs a developer's job dispatcher keeps.
//   - Coins in flight are the sum of Value over the pending messages; they count towards the supply.
//   - Work per block is bounded by what the block delivers and by what was enqueued one window ago.
//
// Deliberately absent: choosing what runs when (runtime/drain) and running it.
//
// Spec: WP §3.3 (message delivery), §12.1, §13; scheduler-timers §10, §11; sdk §3.9, §7.
package mailbox
