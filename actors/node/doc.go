// Package node declares the whole tree of a node as data and starts it.
//
//	node         one-for-one; an escalation is an orderly halt with a reason
//	├─ core      rest-for-one: ledger, timers{ring,epoch,far}, system{one per address}, pvm{workers}, executor, signatures, replica, proposer
//	├─ intake    one-for-one: verifier, lanes{router,system,timer,runner,user}, attendant, push, then what Config.Intake adds: index, rpc
//	└─ network   all-for-one: what Config.Network adds: peers; catchup
//
// The order of core is the order of dependence: whatever fails, everything that could hold something made from it is restarted after it, from the
// ledger's durable tip and the replica's journal. Workers and system actors have groups of their own, because they hold nothing: the
// executor learns of a turn they lost and runs the block again.
//
// New opens the store and wires the handles, Start brings the tree up, Stop takes it down and closes the store. A halt (Halted)
// means that the tree has stopped itself; the reason is to be kept and shown, and the process to end with a status of its own.
//
// Spec: ARCHITECTURE "The supervision tree"; WP §9.
package node
