// Package tx is the transaction: its 17 fields, its instructions, its one byte
// form, and everything a node checks before executing it.
//
// Spec: WP §2.1–2.5, §17.2, Appendix A; commonware §0; runner-marketplace §3
// (opcode numbers); node-rpc-cli §2.2–3 (reject codes, admission).
//
// A transaction goes through four gates, each a type or an error:
//
//	Decode    bytes → *Tx          layout, canonical form, known instruction
//	Verify    *Tx → Verified       size, chain, limits, signatures; no state needed
//	Admit     Verified × account   nonce, balance, basefee, privilege; needs state
//	(execute) in package transition
//
// Only Verify can make a Verified, so a function that takes one need not ask
// again. Verify's work is independent per transaction and safe to run on many
// goroutines.
//
// Invariants
//   - decode(encode(t)) = t and encode(decode(b)) = b; a transaction has exactly one
//     encoding of at most 128 KiB.
//   - The identity of a transaction is its signing hash: the keccak256 of its
//     encoding with every signature zeroed. It does not depend on signatures.
//   - Every refusal carries a number (Code) that is part of the node's interface.
//
// Instructions live in one file per chapter: the rows of the chapter, and a type for
// the body of each. A Row says what all instructions of an opcode have in common; a
// body shows its fields to a Form, once for decoding, encoding and every list of
// fields there is. To add an instruction, write its body and give its row that body.
// A row without one is a gap: its instruction is refused by name; see Unsupported.
//
// Deliberately absent: what instructions do, how fees are settled, the mempool.
package tx
