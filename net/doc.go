// Package net is where bytes between peers belong: transport, gossip and discovery. It knows nothing of chain.
//
// The directory holds no code of its own.
package net
