// Package develop is what the administrators of a development network with one validator may do, by Execute transactions at 0x09: set balances and storage,
// send as anybody, and script the network's runners. Being transactions they are in the block like everything that changes state, and replay with it.
// Everybody else, and every other network, gets the answer of an address whose chapter is not built.
//
// Spec: governance-staking B10 (administrators of local networks).
package develop
