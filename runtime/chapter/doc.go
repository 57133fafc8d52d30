// Package chapter is the seam between a chapter of the specification and the node: what a chapter consists of (Chapter), and what its functions are given when
// they run (Env, Boundary).
//
// # A chapter
//
// A Chapter is a value: its name, the system actors it answers for, and functions over an Env.
//
//	Instructions execute its transactions
//	Handlers     answer messages, Execute transactions and synchronous calls from Python at its addresses
//	Syscalls     are members of pvm_host that it offers to Python
//	Begin, End   run at both ends of a block, in the order of the list of chapters
//	Escrow       says what coin it holds for others
//	Found        writes what it has at genesis
//	Faults       name its rejects: error, receipt code, Python class
//	Claims       name the ranges of state keys it keeps its records in
//	Params       name its governed parameters
//
// Its rules live in a package of ring 0 over a state.Store; its seam, the Chapter value, in a package below runtime/system; its instructions and their
// bytes in chain/tx. Package runtime/system has the one list of chapters, which dispatch, block ends, the supply check, SDK, genesis and tools walk.
//
// # The environment
//
// Env is what runs: who asks, at which address, in which turn, on which overlay, with what left to spend. Emit, Send, Hold and Sum cause effects; Call runs
// a handler of a Python actor. The host makes the Env of a call or a syscall from Python, package system that of an instruction or a message; both meter in
// cycles and cells of the turn that pays.
//
// A function that answers an error leaves its writes to the caller, who undoes them: transition for a turn, the host for a call from Python.
//
// # Sums
//
// A total over many records (fees, supply, stake) is not written by every turn, which would make one hot key of it: Env.Sum adds to a named sum, the block
// adds the turns up, and End finds them in its Boundary and writes once. A turn that faults adds nothing.
//
// Deliberately absent: what the node's core does for every block (accounts, fees, mailbox, the timer walk), which is transition's.
package chapter
