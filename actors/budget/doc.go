// Package budget divides the memory that a node may use among everything that grows with what others send: queues, caches, frames and bodies under way.
//
// A budget is one number of bytes. Divide gives each Purpose its share of it by one table: a part of the whole, never less than a floor and never more than
// a ceiling. The shares of a budget never add up to more than the budget. What is left goes to Execution, which nobody bounds here: blocks in execution, the
// heaps of Python machines (bounded by the rules), the index of the state, and the runtime itself.
//
// An Account is one share and what is used of it. Whoever holds memory takes its bytes from an account and gives them back; where there is no room it does
// without, as it does without room in an inbox. Shares are counted in bytes of the heap. What a byte of an encoding takes there once it is decoded is
// Decoded, measured for the smallest transactions, which take the most.
//
// The package is arithmetic and counters: it reads no clock and no file.
package budget
