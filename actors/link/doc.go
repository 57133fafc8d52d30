// Package link is the seam between a node's subsystems and the network: opaque frames to and from authenticated peers, over channels that do not
// delay each other.
//
// A Messenger promises little: a frame arrives whole or not at all, from the peer it names; frames may be lost, repeated and overtaken. What a sender needs
// to arrive it sends again. Nothing here blocks and nothing here knows what a frame says.
//
// Implementations: actors/peers over QUIC between machines, Hub inside one process, testkit/sim between simulated nodes, Alone for a node without
// a network.
//
// Spec: WP "Network Layer"; ARCHITECTURE "Rings".
package link
