// Package sig holds signatures as the chain carries them: recoverable secp256k1
// signatures of transactions, and the byte layouts of BLS12-381 keys,
// signatures, round seeds and certificates, with everything that is signed
// spelled out once.
//
// Spec: WP §1.1, §2.5, §3.4, §6.1, Appendix A; commonware §0, §2.3–2.5, §3.6,
// §3.7, §4.
//
// Pure Go without cgo: the arithmetic of BLS12-381 lives in the sub-package bls,
// which needs a C library. Address recovery is the seam Recoverer with two
// implementations that agree on every input: libsecp256k1 where cgo is there,
// btcec otherwise.
//
// Invariants
//   - A transaction signature has one valid byte form: v is 0 or 1, r and s are in
//     1..n−1 and s is in the lower half.
//   - Every signed byte string is a domain separated pre-image made by one function
//     of this package.
//   - A round's own seed never reaches the execution of that round; Randomness takes
//     the seed of the parent round.
//
// Deliberately absent: key generation from entropy (callers bring 32 bytes), key
// files, and the rules of when to sign, which are package simplex.
package sig
