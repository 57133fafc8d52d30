// Package protocol has the versions of the protocol: a Version holds everything that may differ between two blocks of one chain.
//
// A Version is a value: the instructions with their intrinsic costs (tx.Table), the prices of the host and of the Python machine (params.Costs), and the
// chapters that run, each in an edition. A block has one Version, which At chooses once, from the schedule in the chain's parameters and the block's height;
// the header carries its number. What runs in the block asks the value. No rule asks for a height or a number.
//
// To add a version: append a value to the list of All, made of the one before by tx.Table.With and Without, a copy of its Costs, and the editions of its
// chapters. tx.All keeps the least that any version asks, since transactions are verified before the height of their block is known; NewTable holds every
// version to that. A network goes over to it by its genesis schedule.
//
// Deliberately absent: which code an edition of a chapter is (package system), and with it a chapter's own prices; formulas that stand beside the code of the
// Python machine, of which one that a version is to change becomes a number of params.MachineCosts first; what an additional signer and a byte of metadata
// cost, which is asked before the height is known; a vote on a schedule.
package protocol
