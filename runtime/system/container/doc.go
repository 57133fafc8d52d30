// Package container is the chapter of the Container Registry at 0x11: governance says which images container jobs may run and what resource classes mean.
// The rules are package chain/container's.
//
// Spec: gateway-payments-streams §I; WP §9 (0x11).
package container
