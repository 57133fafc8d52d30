// Package tee is the chapter of the TEE verifier at 0x05: governance says which keys of trusted environments count, and runners record what those signed for
// their jobs, and set what they are bound to. The rules are package chain/tee's.
//
// # Methods of 0x05
//
//	begin_binding() -> nonce
//	bind_measurements(cpu_tee_type, allowed_cpu_measurements, allowed_gpu, service_pubkey, service_scheme, proof)
//	renew_binding(proof)
//	unbind_measurements()
//	get_binding(runner) -> map by the names of the text, with status; None where the runner has set none
//
// A proof is tee.Evidence of the binding's hash.
//
// Spec: tee §2.3, §3, §8 (4); WP §9 (0x05).
package tee
