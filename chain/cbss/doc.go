// Package cbss is the cryptography of the secret service: identity-based encryption on BLS12-381 whose master key n proxies share, so that t of them open
// what was sealed to an identity, and fewer learn nothing.
//
// # Keys
//
// Identities and partials are points of G1 (48 bytes, compressed), keys and commitments points of G2 (96 bytes). The master secret is the value at zero of a
// polynomial of degree t−1; the proxy at place i of its committee, counted from 1, has the value at i. The commitments are the coefficients times the
// generator of G2, the first of which is the master public key.
//
// # Sealing
//
//	aad = chain_id be8 ‖ account(20) ‖ key_hash(32) ‖ version le8 ‖ wrap_epoch le8 ‖ mpk(96)        172 bytes
//	I   = hash_to_curve(aad)                 BLS12381G1_XMD:SHA-256_SSWU_RO_ of RFC 9380, domain "cbss/ibe/v1"
//	U   = r·G2, K = HKDF-SHA-256(salt "cbss/ibe/v1", key e(I, MPK)^r, info "cbss/ibe/v1" ‖ aad, 32 bytes)
//	AES-256-GCM of the data key under K, a nonce of 12 bytes, and aad
//
// Whoever has σ = MSK·I takes e(σ, U) for the pairing's value. Without r the value would be public; it is drawn anew for each envelope.
//
// e is the optimal ate pairing with the final exponent 3·(p¹²−1)/r, as the common libraries have it. A value of it is written as twelve numbers of 48 bytes,
// big-endian, in the order of the tower: c0 to c5 of Fp12 = Fp6[w]/(w²−v), Fp6 = Fp2[v]/(v³−(u+1)), which are the coefficients of 1, v, v², w, vw, v²w; of
// each the real part first.
//
// # Receipts
//
// A receipt on chain shows that a proxy gave the right partial, and helps nobody to open anything: σ′ = ρ·σᵢ and T = ρ·Sᵢ with a new ρ, a Schnorr proof that
// ρ is known for the base Sᵢ, and e(σ′, G2) = e(I, T). Partials are never published.
//
// # Constant time
//
// Points are blst's (see chain/sig/bls). A point times a secret is blst's constant-time multiplication, for scalars of 255 bits; pairings take the same steps
// for all points. Multiplications by public numbers and Lagrange's coefficients, which are made of public places, need not be.
//
// Random numbers are the caller's: this package draws none. Invariants: a decoded point is of its subgroup and not infinity; a decoded scalar is between 1
// and the order of the group.
//
// Deliberately absent: HPKE, by which partials travel, the making of keys among proxies, and who may have what (chain/secret).
//
// Spec: secrets-cbss §3, §10.
package cbss
