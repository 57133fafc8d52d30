// Package chain holds nothing itself: the packages below it are ring 0, the rules
// of the Cowboy chain as data and pure functions.
//
// Start here to decode a transaction, to price it, to check a proof or a
// certificate, or to look up a number of the protocol, without running a node:
//
//	unit, codec, digest    amounts and heights; the one binary encoding; hashes and the Merkle tree
//	account, genesis       addresses, account records, the layout of state keys; the block at height 0
//	tx, sig                the transaction and its instructions; keys, signatures, recovery
//	block, fee, params     header, body, receipts, lanes; the two meters' prices; every governed number
//	state, light           the authenticated store and its proofs; following a chain without executing it
//	simplex, beacon, stake agreement as a state machine; the randomness key; the validator registry
//	entitle, cbor          what an actor's manifest lets it do; the encoding between actors
//	timer, mailbox         what wakes actors up, and what they sent each other
//
// The example signs a transfer, encodes it, and checks what a node checks before
// anything else.
//
// Every package below this directory is pure: no goroutine, channel, lock,
// clock, file, socket, logger, random source, host floating point, writable
// package variable, or map iteration whose order can reach a result. The same
// arguments give the same result on every machine, which is what agreement
// needs; testkit/tidy checks it. One chapter of the specification is one package.
package chain
