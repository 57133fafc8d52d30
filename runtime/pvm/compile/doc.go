// Package compile turns a resolved tree into code for the register machine.
//
// A frame's window holds named variables from register 0, then the cells the
// frame owns, then temporaries, which live like a stack: every expression leaves
// the temporaries as it found them but for its result. Constants sit in a table
// of the code.
//
// # Costs
//
// Each instruction is emitted with the price of the source operations it
// completes (package cost). The cost of a block is that of all instructions from
// its first one up to the next that can send control elsewhere, labels in between
// included; every jump charges the block it goes to. Rest is the part behind an
// instruction, which an exception gives back.
//
// # Exceptions
//
// Nothing runs when a try block is entered or left: a table names the handler of
// every instruction. A finally block exists once; a register says whether it was
// reached by falling through, by an exception, or on the way of a return, break
// or continue, and the end of the block dispatches on it. So the code is linear
// in the size of the source.
//
// # Variables
//
// While statements are compiled, a bit set follows which of the first variables of
// a function are certainly bound; only other ones are checked before use.
//
// # Work
//
// The time is linear in the size of the source. What would look at a part of it
// again for everything around it stops at a bound (mostLooks, mostFollowed,
// livenessLimit and the limits beside it) and takes the safe answer: to copy, to
// check, to count a register as alive.
//
// Deliberately absent: optimisation beyond the choice of instructions (constant
// folding is limited to signs of numbers, tuples of constants, and lists and sets
// of constants that are only tested for membership, so that costs are those of
// the source).
//
// Spec: WP "The Cowboy Actor VM (PVM)"; CIP-3 §2.2.1.
package compile
