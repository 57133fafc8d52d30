// Package quote verifies quotes of trusted environments with libraries for their vendors' formats, and extracts what the chain wants to know: measurement,
// report data, the platform's security versions and the root of its certificates. It runs off chain: whoever vouches for a composite attestation signs what
// was found here, governance registers measurements and roots by it, and an operator examines a quote with `cowboy-runner quote`.
//
//	tdx    github.com/google/go-tdx-guest: DCAP's quote of version 4, whose certificates are in it
//	sev    github.com/google/go-sev-guest: SEV-SNP's report, with the certificate of the chip's key, to AMD's roots
//	nitro  github.com/veraison/go-cose: the COSE_Sign1 of an attestation document, with its bundle, to a root that is given
//
// Nothing is fetched: certificates come with the quote or from files, and so do revocation lists, which the chain's collateral lists by their hash. The
// vendors' TCB information is not read here; the collateral has the least versions.
//
// Deliberately absent: sgx, whose quotes of version 3 no kept library verifies; tokens of accelerators (NRAS).
//
// Spec: tee §2.2, §2.4, §4 (3, 4, 5), §8 (6).
package quote
