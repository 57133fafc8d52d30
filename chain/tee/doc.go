// Package tee is the TEE verifier, 0x05: governance registers the keys of trusted environments, one for a type and a measurement of what runs there, and a
// statement signed by a key that is registered and not revoked is believed. Composite attestations (CIP-23) are held to all that takes no vendor's
// certificates; those a trusted key vouches for. Its rules are functions over a state.Store.
//
// # What is signed
//
// Numbers are big-endian; a type is its name with a length before it; the measurement has 32 bytes. ECDSA signatures are r ‖ s of fixed length, over the
// hash that belongs to the curve: P-256 with SHA-256 for sgx and tdx, P-384 with SHA-384 for sev and nitro.
//
//	record of a job:  "cbss/tee-attestation/v1" ‖ job(32) ‖ runner(20) ‖ u8 length ‖ type ‖ measurement(32) ‖ expires_at u64
//	model of a job:   "cowboy/tee-verifier/model/v1" ‖ job(32) ‖ runner(20) ‖ u8 length ‖ type ‖ measurement(32) ‖ model_id(32)
//	result of a job:  "cowboy/tee-verifier/ecdsa-attestation/v1" ‖ job(32) ‖ runner(20) ‖ u8 length ‖ type ‖ measurement(32) ‖ sha256(result)(32)
//	quote of a job:   "cowboy/tee-verifier/cae/v1" ‖ job(32) ‖ runner(20) ‖ u8 length ‖ type ‖ measurement(32) ‖ attest_digest(32) ‖ root(32) ‖ tcb(16) ‖
//	                  revoked(32)
//	binding:          "cowboy/tee-verifier/binding/v1" ‖ nonce(32) ‖ runner(20) ‖ u8 length ‖ type ‖ measurement(32) ‖ Hash of the binding(32)
//
// # Rules
//
//   - A runner records that its environment was attested for a job, until a block of at most MaxLifetime blocks from now. It may replace and revoke its own
//     record; governance may revoke any.
//   - A type and a measurement that are deprecated are for no new jobs, and their key goes on counting for those that run.
//   - A key that is revoked ends what it signed: a record counts while its key does.
//   - A runner sets a binding: a list of measurements, one of accelerators, its service's key. The key of one of the measurements signs it, with a nonce that
//     the runner asks for first and uses within MaxQuoteAge blocks. It admits new jobs that end within Renewal blocks, and is renewed by another proof.
//   - A binding stands as the best of its measurements does. Its environments attest what they were not deprecated for when it was given out.
//   - Of a runner that has set none counts the measurement it declared; its key admits new jobs for Renewal blocks after it was registered.
//   - A composite attestation is verified in the order of tee §4, once for a nonce, a runner and MaxQuoteAge blocks, against the collateral of the block.
//   - Collateral with a root that is not in force takes effect RootDelay blocks later, any other at once.
//   - The end of a block forgets what has expired.
//
// # Layout, records of 0x04, where the whitepaper puts them
//
//	tee_key: ‖ type ‖ ':' ‖ measurement   Key
//	tee_keys                              how many there are
//	tee_att: ‖ job ‖ runner               Attestation
//	tee_exp: ‖ be8 height ‖ job ‖ runner  nothing: records by the block they expire in
//	tee_col: ‖ type                       Collateral
//	tee_cae: ‖ job ‖ runner               Composite
//	tee_nonce: ‖ nonce ‖ runner           nothing: it was used
//	tee_binding: ‖ runner                 Binding
//	tee_ask: ‖ runner                     the nonce that a runner asked for: UInt block ‖ nonce(32)
//	tee_over: ‖ be8 height ‖ u8 what ‖ nonce or job ‖ runner   nothing: nonces (0) and composite attestations (1) by the block they are over in
//
// Deliberately absent: verifying chains of certificates in a block, which needs succinct proofs that no public text fixes (the full mode, chip_root); the
// quote of nitro, whose CBOR is not the chain's profile.
//
// Spec: tee §1, §2, §3, §4, §5, §6, §8; WP §5.3, §5.5, §9 (0x05).
package tee
