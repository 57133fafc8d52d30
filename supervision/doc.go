// Package supervision keeps a tree of Proto.Actor actors alive.
//
// Start here to run an actor of your own: give it an Inbox, declare it in a Spec,
// make a Tree of the Spec with New, and Start it. The example does so, lets the
// actor panic, and goes on using the same inbox. The node's whole tree, in
// package actors/node, is one such declaration.
//
// A Tree is declared as data (Spec): groups with a Strategy, a Limit on how
// many restarts they may spend in a window, and a Backoff between them; leaves
// with a Lifetime, an Inbox and a constructor. Start brings children up in
// declared order, each one only after its elder answered that it is running;
// Stop takes them down in reverse order; each start and each stop has a deadline.
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
//	upon a Renewal panic      the same restart at once, charged to nobody: the member took something over, as a
//	                          ledger does a snapshot, and nothing failed
//	upon a panic over a       a restart at once, charged to nobody: its sender, which is told, decides how
//	Counted command           often it may fail
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
// (one goroutine, one message per step, in an Order) in simulation.
//
// # Invariants
//
//   - An inbox never runs on two goroutines at once, nor on behalf of two
//     instances of its actor.
//   - A member that does not stop within its deadline is never started again:
//     the group escalates instead of running two instances.
//   - A group holds no work of its own, so no restart of a leaf ever stops
//     another leaf unless the group's strategy says so.
//   - A leaf that does not come up within its deadline is given up like one that
//     does not stop.
//
// # Traps of the framework
//
// Each is known to catch others; the test shows that it does not catch us.
//
//	the default strategy restarts ten times in ten seconds, for everybody    TestTrapDefaultStrategy
//	a failure at the top is restarted for ever                               TestTrapUnguardedRoot
//	the stack of a panic and its message are lost                            TestTrapLostPanicStack
//	a restart drops the message without telling its sender                   TestTrapSilentlyDroppedCommand
//	a restart stops all children                                             TestTrapRestartKillsChildren
//	children lose their start order                                          TestTrapChildrenOrder
//	backoff without a cap, from a global source, on a timer's goroutine      TestTrapBackoffGoroutine, TestBackoffBounds, TestBackoffIsWaitedOut
//	restart statistics read the wall clock                                   TestTrapWallClock
//	a panic while stopping leaves the stop waiting for ever                  TestTrapPanicWhileStopping
//	Shutdown stops nobody                                                    TestTrapShutdownStopsNobody
//	mailboxes without bound, whose memory never shrinks                      TestTrapUnboundedMailbox, TestRingIsAQueueAndShrinks
//	a mailbox runs until it is empty, whatever the dispatcher                TestTrapBurstPerSchedule
//	a batch is delivered by element and then as a whole                      TestTrapBatchDeliveredTwice
//	the length of mailboxes is never exported                                TestTrapInvisibleMailboxLength
//	metrics cost more than a message and open a port                         TestTrapMetrics, TestTrapForbiddenNames
//	dead letters are published on the sender's goroutine                     TestTrapDeadLetters
//	the registry of names never gives memory back                            TestTrapRegistryGrowth
//	a system of actors takes 3 MB: many trees share one                      TestTreesShareASystem
//	futures inside Receive dead-lock; the stash reverses; middleware
//	configures shared properties; receive timeouts read real time;
//	remote, cluster and persistence trust strangers or end the process       TestTrapForbiddenNames
//
// # Deliberately absent
//
// Proto.Actor's strategies, futures, receive timeouts, stash, event stream,
// metrics, remote, cluster and persistence are not used. There is no logging here:
// Config.Observe receives every event. The file that says why a tree halted, and
// the exit status, are the process's to give: Halted delivers what they say.
package supervision
