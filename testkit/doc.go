// Package testkit is for scripting the chain and for testing the project. Its Chain is a whole chain in one process
// and on one goroutine, with the node's own transition, drain, host and Python machine, and without network, clock
// or disk. Only tests and tools import it.
//
// Start with NewChain in a Go test. The example deploys an actor, calls it, goes back in time and reads a failure.
//
//	Mine, AdvanceTo                       a Chain makes a block when it is told to
//	Account, Impersonate                  accounts with keys of their own, and senders without any
//	Deploy, Call, Try, Fund               transactions of an account, each in a block of its own
//	CallWith, TryWith                     calls that bring coins
//	Advance, AdvanceTo                    time and heights; timers on the way fire
//	Stored[T], Timers, Fire               storage as Go values, timers and what their fires take
//	Fuzz                                  calls drawn from a source, against invariants
//	Query, Storage, Balance, Events       reading without a transaction
//	Snapshot, Revert, Fork                going back, and two futures; they take the same time whatever the state holds
//	Jobs, SetRunner, AnswerJob            what off-chain runners answer: a function of Job (Prompt, Model), or scripts in the chain's state
//	SetBalance, SetStorage, SendAs        what the administrator of a development network may do
//	Lose                                  a worker that panics in a turn
//	Replay                                blocks that a node recorded
//
// Every block is held against the supply: what it changed, and the whole state where an epoch begins. A Chain keeps
// the newest state only, so that a day of idle blocks takes seconds and little memory.
//
// # Packages below
//
//	examples, scenario, pytest, script    actors to start from; stories, Python tests and command lines as tests
//	sim, faulty, check, hashed            networks of whole nodes on one goroutine, with faults; the rules no run may break
//	crash, netfault, hostile              processes that are killed and cut off; actors and transactions that attack
//	fairness, mutants, sequence, shape    searches: dear cycles, changes no test notices, calls that break an invariant
//	conform, pyfuzz, heap                 the Python machine against CPython, and its templates field by field
//	foreign, browser                      a client in another language; the explorer in a browser
//	recorded, replay                      a recorded chain with every instruction; what a node recorded, executed again
//	bench, golden, ports                  measurements, expected files, free ports
//	tidy, specmap                         rules about the source; from the specification's sections to code and tests
//
// Commands for people are in testkit/cmd; make help lists them.
package testkit
