// Package actors holds nothing itself: the packages below it are ring 3, one
// supervised protoactor package per subsystem of the node.
//
//	node                 the whole tree, declared as data; start here to run a node in a process of your own
//	ledger, index        finalized blocks on disk; which receipts concern an address
//	executor, system     blocks and their turns; the actors at reserved addresses
//	timers               which timers are due, in three tiers
//	replica, proposer    this node's part in agreement; putting blocks together
//	attendant            a validator's duties beside agreement
//	lanes, verifier      the mempool; signatures on all cores
//	rpc                  the HTTP interface and the explorer
//	push                 jobs to their runners, over connections of these
//	peers, catchup       the network; catching up with it
//	link, recent, budget shared by them: the seam to the network, a table of what was lately seen, shares of the node's memory
//
// Every subsystem has the same files: doc.go (what it takes, owns, loses and
// rebuilds on a restart), inbox.go (its commands and the Handle that others hold),
// actor.go (one switch that performs), state.go (its decisions, without the actor
// framework and without a clock) and state_test.go.
//
// Subsystems share nothing but what travels in commands. A Handle has a method for
// each command; methods that answer at once read what the subsystem has
// published. Whoever sends learns whether the inbox took the command, and a
// command with a reply is answered exactly once, even when the actor panics.
//
// The example starts a node of one validator in this process, submits a transfer
// and waits until it is final.
package actors
