// Package staking is the chapter of validators at 0x09: their instructions, what the registry does at a block's end, and the coin it holds. The rules are
// package stake's.
//
// Spec: WP "Validator Set", "Staking and Rewards", "Slashing"; governance-staking part A.
package staking
