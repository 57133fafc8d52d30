// Package testkit is for scripting the chain and testing the project: a whole chain in one process and one goroutine, with
// the node's own transition, drain, host and Python machine, and no network, clock or disk. Only tests and tools import it.
//
// A Chain makes a block when it is told to. Accounts sign with keys of their own or, impersonated, with nothing; Jobs has a function decide what the
// runners answer, and without it the scripts in the chain's state do (package dispatcher); Snapshot, Revert and Fork take the same time whatever the
// state holds; Query reads; SetBalance, SetStorage, SendAs, SetRunner and AnswerJob do as the network's administrator may; Lose has a worker panic;
// Replay executes what a node recorded (package replay reads it).
//
// Every block is held against the supply: what it changed, and the whole state where an epoch begins. A Chain keeps the newest state only, so that
// a day of idle blocks takes seconds and little memory.
package testkit
