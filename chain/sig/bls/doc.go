// Package bls is the arithmetic of BLS12-381 behind package sig: validator keys
// with proofs of possession, votes and their aggregates, threshold shares and the
// round seed, the proposer's VRF proof, and certificates.
//
// Spec: WP §3.4, §6.1; commonware §2.5, §2.6, §3.6, §3.7, §4.
//
// Keys are points of G1 (48 bytes), signatures points of G2 (96 bytes). Messages
// are hashed to the curve as RFC 9380 says, under
// BLS_SIG_BLS12381G2_XMD:SHA-256_SSWU_RO_POP_, proofs of possession under
// BLS_POP_BLS12381G2_XMD:SHA-256_SSWU_RO_POP_.
//
// # The C libraries
//
// Points of G2 come out of bytes, messages are hashed to the curve, sums are held to be
// of the subgroup, two pairings are compared, and keys sign, by blst; products of more
// pairings, multiplications by public numbers and the sums of G1 are herumi's library:
// each does what it is faster at, and the tests hold each against the other. Points pass between them as coordinates. On x86-64 blst
// asks for a processor with ADX (of 2014 or later); built with CGO_CFLAGS="-O2
// -D__BLST_PORTABLE__" it looks what there is when it starts.
//
// A point times a private key is always blst's: whatever the key, it does the same
// doublings and additions, and reads the whole of each table to pick an entry
// (POINTonE2_mult_gls in its src/e2.c, over the "constant-time subroutines" of
// src/ec_mult.h, for every scalar of 145 to 256 bits' length as told, here 255).
// Herumi's multiplications take a time that depends on the scalar.
//
// Herumi's library keeps its curve parameters
// in process-global memory and must be initialised once before anything else and
// never changed afterwards. That is the one piece of package state in the rings
// that must be pure: ready, a sync.OnceValue every entry point goes through. It
// starts nothing, reads nothing from outside, and gives the same state in every
// process, so results stay a function of arguments alone. Nothing in this module
// may call the library's other global switches (domain tags, order checks).
//
// What the library accepts and we must not: the point at infinity as key or
// signature, and the zero private key. Every decoder here refuses them.
//
// Invariants
//   - A decoded key or signature is a point of the right subgroup and not infinity.
//   - Batch verification draws its weights from a hash of everything it verifies; it
//     needs no random source and gives the same answer everywhere. A weight is one of
//     2¹²⁸ different numbers a + λ·b, none of them zero, chosen to be multiplied by in
//     half the steps. The subgroup is checked of each signature or of a plain sum of
//     them, never of a weighted sum: the cofactor has small factors.
//
// Deliberately absent: the ceremony that makes a shared key (chain/beacon), key generation
// from entropy, and the decision what to sign.
package bls
