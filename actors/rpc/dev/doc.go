// Package dev is what a developer may do to a development network of one validator: make blocks at once, move its clock, take it back to a
// snapshot, carry its state away and bring it back, set balances and storage, send as anybody, and make a subsystem panic.
//
// # How each keeps the chain true
//
//   - Blocks and time: a Clock between the node and the machine's clock. Blocks are made the usual way, one interval of the clock after the other.
//   - Balances, storage, messages: transactions of the network's administrator to 0x09 (runtime/system), in the block and replayed with it.
//   - Snapshots: copies of the data directory of a stopped node, kept by Snapshots. A revert puts one in the place of the directory and opens it, so
//     ledger, index, timers, votes and mempool are what a restart makes of them: nothing has to be undone in memory. The node is away for as long as
//     a restart takes; answers to such requests come before it, and GET /dev says which run of the node answers.
//   - Panics: the supervision tree's own injection point; the next command of the subsystem fails, and its supervisor does what it does.
//
// Runners that the network runs itself (Fleet) are told what to do on such a node, and on a development network of several validators too.
//
// All other calls exist only on a node that cannot have peers: its genesis is the development one with a single validator. Everywhere else they are answered
// as unknown calls are. Pages of other origins are refused.
//
// Spec: governance-staking B10 (why: docs/choices.md, Developers' networks).
package dev
