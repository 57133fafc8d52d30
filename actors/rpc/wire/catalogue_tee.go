package wire

// teeEntries are the errors of the TEE verifier. Spec: tee §6.
func teeEntries() map[int]entry {
	const c = "tee"
	return map[int]entry{
		1661: {c, "unsupported TEE type", "the type is not sgx, sev, tdx or nitro", "write one of the four, in lower case"},
		1662: {c, "TEE key not found", "governance has registered no key for this type and measurement", "use an environment whose key is registered"},
		1663: {c, "TEE key or attestation revoked", "the key or the attestation was revoked", "attest anew, with a key that is trusted"},
		1664: {c, "TEE signature invalid", "the registered key did not sign this job, runner and measurement",
			"sign as docs/choices.md says, with that key"},
		1665: {c, "TEE attestation expired", "the attestation has expired", "attest anew"},
		1666: {c, "no TEE attestation", "nothing is recorded for this job and runner", "record an attestation first"},
		1901: {c, "binding deprecated", "this type and measurement are closed for new jobs already", "nothing, or register a key for them again"},
		1910: {c, "no nonce for a binding", "the runner asked for no nonce, or used it",
			"call `begin_binding` of 0x05, then sign and bind within 75 blocks"},
		1911: {c, "no binding", "the runner has set no binding", "call `bind_measurements` of 0x05"},
		1902: {c, "attestation not of these blocks", "the attestation has expired, is from a later block, or is more than 75 blocks old", "attest anew"},
		1903: {c, "attestation replayed", "this runner used the nonce within the last 75 blocks", "nothing: an attestation of the job is recorded"},
		1904: {c, "nonce not bound", "the nonce is not the hash of the job, its specification and the seed its runners were drawn from",
			"compute the nonce from these three"},
		1905: {c, "no collateral in force", "governance has set no trusted roots for this type, or they are not in force yet", "wait for the block"},
		1906: {c, "platform out of date", "the platform's security version is below the least that the collateral accepts",
			"update the platform's firmware"},
		1907: {c, "not the runner's environment", "environment, service or accelerator is none that the runner is bound to, or it has no such job",
			"attest an environment of the binding"},
		1908: {c, "quote does not fit", "the quote's measurement, report data, root or accelerator differ from the attestation's",
			"ask for a quote of this attestation"},
		1909: {c, "operator not listed", "the proof does not lead to the collateral's operator_root", "prove the address against the present root"},
		1668: {c, "attestation of another result", "the attestation_data is not the SHA-256 of the result", "attest the bytes that are handed in"},
		1667: {c, "TEE attestation missing", "the job requires an attestation of a trusted environment", "hand one in with the result"},
	}
}
