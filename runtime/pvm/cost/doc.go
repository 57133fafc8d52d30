// Package cost is the price list of the PVM: how many cycles each operation of
// a Python program takes.
//
// Prices belong to operations of the source, not to instructions: a compiler
// that chooses other instructions charges the same. A basic block's prices are
// taken together when it is entered; an exception inside it gives back what was
// not executed, so the count is that of charging one operation after another.
// Work that depends on the size of operands is charged by the operation itself,
// before it is done (packages object and stdlib); those formulas stand beside
// the code, the numbers they share are here.
//
// The published prices are met exactly; the others aim at the same number of
// nanoseconds for a cycle, about five on a machine of 2024. Work that has no price
// of its own is paid with the memory it allocates, ByteShift, wherever that
// is made; texts, whose characters have a published price, pay that instead. TestFairness of package pvm measures what the
// prices are worth (go test ./runtime/pvm -run Fairness -args -report).
//
// The list is a value that the version of a block names (chain/protocol). A machine
// has one, and programs carry the prices they were compiled for; the host keeps the
// programs of each version apart. The golden hash of the first is pinned by a test.
//
// Where the published prices leave the aim: bulk work on text is dearer than its
// time (a character is a cycle, however fast it is copied). The published surcharge
// of big ints is linear, multiplying and dividing are not: beyond 256 bits they
// cost more, and an int beyond 64 bits pays for its memory as other objects do.
//
// Spec: CIP-3 §2.2.1; sdk §17.4.
package cost
