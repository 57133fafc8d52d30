// Package entitle is the manifest of an actor: what it may ask of the chain, as grants from one closed registry.
//
// # Manifest
//
// A Manifest is a list of grants, ascending by id, each id at most once and from the registry, each parameter of the kind the registry
// gives it. Its canonical form is CBOR: a map with the one key "entitlements", whose value is an array of maps {"id": text, "params": map},
// where "params" is left out when it is empty. Parse reads that form, an array of grants alone, or the JSON that people write; Encode
// gives the canonical form, which is what is kept in state.
//
// A parameter is an unsigned integer (in JSON also as decimal text), a text of at most 256 bytes, a list of at most 64 texts, or a list of at
// most 64 addresses. Lists are sets: they are kept ascending, and an element given twice is refused.
//
// # Meaning
//
// A grant without one of its numbers is not limited in that respect by the manifest; what the protocol limits stays limited. A grant
// without a list has an empty one: http.fetch without domains reaches nobody.
//
// Within says that one manifest asks for no more than another, which an upgrade's manifest has to: every id is there, every number that
// was limited is limited at least as much, every list is part of the other. min_vram_gb, a demand and not a permission, may not fall;
// exclude_routes, a list of what is not permitted, may only grow; names of a server for tools permit nothing and may change.
//
// # Invariants
//
// Parse refuses any other bytes with ErrManifest, never panics, and keeps no more than its input. Two manifests that mean the same have
// the same canonical form.
//
// # Children, and the end of an entitlement
//
// A child that an actor spawns holds a manifest within its parent's Inheritance: the grants the registry marks inheritable, each at most as wide.
// Complete is what a manifest has to state besides being valid. Which entitlements are deprecated or removed is a governed parameter
// (params.EntitlementConfig); a manifest that holds a removed one stays readable, and its actor does not execute.
//
// # Runners
//
// An Attestation is what a runner signs that it provides, in canonical CBOR, of which one form alone is taken. Required is the part of a manifest that runners
// have to provide, ProvidedBy whether capabilities do.
//
// Deliberately absent: where attestations are kept (package runner) and who is matched (package market), grants between addresses (package grant).
//
// Spec: ENT §3, §4, §5, §6, §7, §8, §9, §10, Appendix A, Appendix B; entitlement-extras §2, §3, §4.
package entitle
