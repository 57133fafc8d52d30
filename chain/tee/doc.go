// Package tee is the TEE verifier, 0x05, in its interim design: governance registers the keys of trusted environments, one for a type and a measurement of
// what runs there, and a statement signed by a key that is registered and not revoked is believed. It is rules over a state.
//
// # What is signed
//
// Numbers are big-endian; a type is its name with a length before it; the measurement has 32 bytes. ECDSA signatures are r ‖ s of fixed length, over the
// hash that belongs to the curve: P-256 with SHA-256 for sgx and tdx, P-384 with SHA-384 for sev.
//
//	record of a job:  "cbss/tee-attestation/v1" ‖ job(32) ‖ runner(20) ‖ u8 length ‖ type ‖ measurement(32) ‖ expires_at u64
//	model of a job:   "cowboy/tee-verifier/model/v1" ‖ job(32) ‖ runner(20) ‖ u8 length ‖ type ‖ measurement(32) ‖ model_id(32)
//	result of a job:  "cowboy/tee-verifier/ecdsa-attestation/v1" ‖ job(32) ‖ runner(20) ‖ u8 length ‖ type ‖ measurement(32) ‖ sha256(result)(32)
//
// # Rules
//
//   - A runner records that its environment was attested for a job, until a block of at most MaxLifetime blocks from now. It may replace and revoke its own
//     record; governance may revoke any.
//   - A type and a measurement that are deprecated are for no new jobs, and their key goes on counting for those that run.
//   - A key that is revoked ends what it signed: a record counts while its key does.
//   - The end of a block forgets records that have expired.
//
// # Layout, records of 0x04, where the whitepaper puts them
//
//	tee_key: ‖ type ‖ ':' ‖ measurement   Key
//	tee_keys                              how many there are
//	tee_att: ‖ job ‖ runner               Attestation
//	tee_exp: ‖ be8 height ‖ job ‖ runner  nothing: records by the block they expire in
//
// Deliberately absent: quotes of the hardware and their chains of certificates, composite attestations and collateral (CIP-23), which need succinct proofs
// that no public text fixes; nitro, for which the interim design has no form of key.
//
// Spec: tee §1, §2.1, §3, §4, §5, §6, §8; WP §5.3, §9 (0x05).
package tee
