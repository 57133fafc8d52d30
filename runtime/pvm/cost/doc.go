// Package cost is the price list of the PVM: how many cycles each operation of
// a Python program takes.
//
// Prices belong to operations of the source, not to instructions: a compiler
// that chooses other instructions charges the same. A basic block's prices are
// taken together when it is entered; an exception inside it gives back what was
// not executed, so the count is that of charging one operation after another.
// Work that depends on the size of operands is charged by the operation itself,
// before it is done (packages object and stdlib); those formulas stand beside
// the code, the constants they share are here.
//
// The published prices are met exactly; the others aim at the same number of
// nanoseconds for a cycle. The table is part of the protocol: its golden hash is
// pinned by a test.
//
// Spec: CIP-3 §2.2.1; sdk.md §17.4.
package cost
