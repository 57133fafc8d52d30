// Package check holds finalized chains against invariants that no run may break, whoever made them. A Chain is told every block a node reports as durable and
// remembers what is wrong; it trusts nothing but the genesis and executes every block itself.
//
//   - one final block at a height, on all nodes and over all restarts;
//   - each block follows its parent, executes to its header's roots, and leaves every node the same state root;
//   - the supply is what it was, plus what was minted, minus what was burned;
//   - one seed per round, and one block per round;
//   - what a node had reported as durable it still has after a restart.
//
// Signed holds what one validator signs against what it signed before, over all its lives.
//
// Spec: WP §3.1, §3.4, §6.1, §8; commonware §3.8, §7.
package check
