// Package block is the block: header, body, receipts and their roots, the lanes'
// budgets, the choice of transactions for a block and their order in it.
//
// Spec: WP §2.5, §3.4, §6.1, §6.3–6.5, §17.9, "The State Transition Function";
// commonware §3.6, §6.
//
// Choice and order are two functions. Select belongs to the proposer alone: other
// nodes have other mempools and cannot repeat it, so they only check the limits it
// respects (CheckBudgets). Order is a rule: given the set and the proposer's VRF
// output there is one order, and CheckOrder refuses any other.
//
// How a transaction counts towards its lane. A lane's budget is measured by
// reservation: a transaction reserves its whole cycles_limit, which is at least
// its intrinsic cost and at most the lane's budget. The check is therefore a sum
// that needs no execution, and whatever is executed, actual use stays within it.
// Budget that System, Runner and Timer leave unreserved spills to User; User
// capacity never goes to another lane. The Timer lane's reservation is the cycles
// the timers due at the block's height may use, which the parent state fixes.
//
// Invariants
//   - A header's hash is the keccak256 of its canonical encoding; the transaction and
//     receipt roots are binary Merkle trees with keccak256.
//   - A receipt's hash covers everything but the human-readable text of a fault.
//   - Transactions of one sender stand in ascending nonce order.
//
// Deliberately absent: executing anything, how basefees change (package fee), and
// certificates of a block (package sig).
package block
