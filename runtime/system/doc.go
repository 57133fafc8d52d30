// Package system routes what is addressed to the chain's own actors: from a reserved address to the rule package that answers
// there, and from a governed instruction to the address that owns it.
//
// A handler that is not built answers with drain.FaultUnavailable, naming address and chapter: the chain knows the address, this
// build does not have its rules. Rules live in chain/*; nothing is kept here.
//
// Built: the governed instructions whose state exists (basefee and timer parameters, lane multipliers, the deprecation of entitlements, cancelling and extending timers by
// governance) and the instructions of validators (chain/stake), all at 0x09; and, on a network with one validator, what its administrators may do as
// developers (develop.go, runner.go), with the job dispatcher 0x02 that answers by their scripts (package dispatcher). Deliberately absent: every other
// chapter of WP §9.
//
// Spec: WP §9, §13.1; scheduler-timers §8; runner-marketplace §3; governance-staking part A.
package system
