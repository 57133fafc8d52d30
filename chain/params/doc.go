// Package params holds every number two nodes must agree on, once.
//
// Spec: WP §5, §6, §8, §12, §13, §13.1, §17; CIP-2; CIP-3; CIP-4.
//
// Two kinds of number live here. Protocol constants are typed constants, one per
// line, with unit and source; changing one is a new protocol version. Governed
// parameters are fields of Params: stored in the state under their governance
// key, read once at the start of a block and passed down, checked by Validate.
// A change therefore takes effect with the next block, never inside one. Beside them stands one number a network fixes at genesis for good: the length
// of its epochs (Calendar).
//
// Invariants
//   - Params.Validate holds for every Params a block executes under; Load refuses
//     stored values that do not satisfy it.
//   - The canonical encoding of the genesis parameters has a golden hash, and so has
//     the list of constants: both change only on purpose.
//
// Deliberately absent: node settings such as ports, cache sizes and timeouts,
// which can never reach a root; opcode costs of Python, which are package pvm's.
package params
