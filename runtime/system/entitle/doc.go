// Package entitle is the chapter of entitlements at 0x07: the Entitlement Registry's instructions, its functions for actors and its faults, whose rules are
// package grant's; and the end of a block, which announces the actors that stop executing when an entitlement is removed. Manifests are held by the host, and
// what governance announces comes through package govern.
//
// An operation costs what CIP-2 §7.4 says, on top of a transaction's intrinsic cost. The price of a check is that of five entries read; each entry beyond
// costs a storage read more, so that no grant of anybody makes a check dearer for the node than for who asks.
//
// Spec: CIP-2 §7; entitlement-extras §4, §5, §6; ENT §9.11; WP §9 (0x07).
package entitle
