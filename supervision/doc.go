// Package supervision keeps a tree of Proto.Actor actors alive.
//
// A Tree is declared as data (Spec): groups with a Strategy, a Limit on how
// many restarts they may spend in a window, and a Backoff between them; leaves
// with a Lifetime, an Inbox and a constructor. Start brings children up in
// declared order, each one only after its elder answered that it is running;
// Stop takes them down in reverse order, each with its own deadline.
//
// # How a failure is handled
//
//	upon a panic in a leaf    the stack and the command are recorded, the command's sender is told it
//	                          was abandoned, the inbox is held, the group is informed
//	upon a failure report     Decide(policy, history, failure, now) names the action; adapter.go alone
//	                          carries it out
//	upon Restart of one leaf  after the delay, Proto.Actor's restart directive: same inbox, fresh state
//	upon Restart of a set     youngest first every member stops, then eldest first every member starts
//	upon Escalate             the group reports itself failed to its own group; at the root the tree
//	                          publishes one Halt and stops in order
//	upon a Fatal panic        every group escalates at once: nothing is ever restarted over a failed
//	                          fsync or over evidence of divergence
//
// Decide, Window, Backoff and the Spec checks are pure: time is an argument,
// jitter is drawn from a seed. testdata holds their behaviour as scripts.
//
// # Inboxes
//
// Inbox is the mailbox of every actor in the tree, in production and in
// simulation alike. It is bounded, it counts, and whoever sends to it learns
// Accepted, Shed or Closed. It outlives the actor instance behind it, so a
// handle built on it stays valid over restarts and queued commands are kept.
// The Scheduler decides when an inbox runs: Goroutines in production, Sequence
// (one goroutine, one message per step, order drawn from a seed) in simulation.
//
// # Invariants
//
//   - An inbox never runs on two goroutines at once, nor on behalf of two
//     instances of its actor.
//   - A member that does not stop within its deadline is never started again:
//     the group escalates instead of running two instances.
//   - A group holds no work of its own, so no restart of a leaf ever stops
//     another leaf unless the group's strategy says so.
//
// # Deliberately absent
//
// Proto.Actor's strategies, futures, receive timeouts, stash, event stream,
// metrics, remote, cluster and persistence are not used; traps_test.go shows
// for each known trap that it cannot catch us. There is no logging here:
// Config.Observe receives every event.
package supervision
