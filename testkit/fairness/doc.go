// Package fairness searches for programs and transactions that use the most processor time for a block's worth of cycles.
//
// A block may hold 80,000,000 cycles and comes every second, so a cycle has to stand for about the same work wherever it is spent. The
// package makes six kinds of cases and measures nanoseconds a cycle of each, dearest first:
//
//   - natives: every builtin, method, operator and module function, with arguments of every type and of sizes from a byte to 256 KiB,
//     right ones and refused ones (natives.go, values.txt, prelude.py);
//   - programs: generated ones (testkit/pyfuzz), the corpus of the machine, and what mutation makes of the dearest (programs.go);
//   - statements: each of the language, repeated, and programs with thousands of one thing (structures.go, statements.txt, structures.txt);
//   - uses: each attribute of each small value, and each operation on it and on every other one, ten times in a loop, so that no call around it hides what
//     it takes (uses.go);
//   - sources: what compiling costs a deployment (chain.go);
//   - transactions, messages, timers and proofs, through transition.Apply, with their signatures (chain.go).
//
// Time is that of the thread, with the garbage collector run between measurements. Each is divided by that of a plain loop before and after it; of several
// the one is taken that a quarter are below. It is given for a machine on which CPython 3.11 computes fib(27) in 60 ms (reference.go), so that it hardly
// depends on this machine and on what else it does. The cases found are kept in testdata/worst.txt; the test replays them and holds each to its outcome and
// to the cycles recorded, so that what was made to pay goes on paying. testdata/statements.txt has what each statement costs, testdata/uses.txt what
// the uses of each value cost together.
//
// Deliberately absent: bounds on time in tests, which a shared machine cannot hold.
//
// Spec: CIP-3 §2.2.1 (cycles are a measure of work); WP §4 (a block's cycles).
package fairness
