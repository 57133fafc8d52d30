// Package tee is the chapter of the TEE verifier at 0x05: governance says which keys of trusted environments count, and runners record what those signed for
// their jobs. The rules are package chain/tee's.
//
// Spec: tee §3; WP §9 (0x05).
package tee
