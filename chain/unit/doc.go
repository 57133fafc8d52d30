// Package unit gives the quantities that must never be mixed their own types
// and checked arithmetic: Cycles (metered computation), Cells (metered bytes),
// Amount (native coin in base units) and Height (block number).
//
// Spec: WP §4.1 (cycles, cells), §8.1 (supply), §2.3 (fee arithmetic).
//
// Invariants
//   - An operation either returns the exact mathematical result or an error;
//     nothing wraps around and nothing saturates silently.
//   - One CBY is 10⁹ base units everywhere in the chain. The genesis supply,
//     10⁹ CBY, is 10¹⁸ base units and fits a uint64 eighteen times over.
//
// Deliberately absent: floating point, negative amounts, and conversions
// between the types other than by writing them out.
package unit
