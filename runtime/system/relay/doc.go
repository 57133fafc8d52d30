// Package relay is the chapter of the Relay Registry at 0x0B: relays register, are heard of, are challenged and prove, drain and leave. The rules are
// package chain/relay's.
//
// Spec: storage-cbfs §2.6, §3.1, §4, §6; WP §9 (0x0B).
package relay
