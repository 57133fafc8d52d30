// Package roster keeps the connected peers of a subsystem that talks to validators: in which order peers are asked, how many requests each may send, and the
// signed introduction by which a peer proves which validator's node it is. It decides nothing about what is said.
//
// Packages replica and attendant use it. Each keeps a Roster of its own, with what it knows of a peer beside the peer. The time comes as an argument.
//
// # Introductions
//
// A validator introduces its node to a peer by a signature with its voting key over its own network identity (IntroductionPreimage). The transport proves the
// identity, so whoever repeats the signature under another identity introduces nobody.
//
// # First bytes
//
// Both subsystems share channel Consensus. A frame's first byte says whose it is: below FirstDuty the replica's, from FirstInvitation on package push's,
// between them the attendant's.
//
// # Bounds
//
// A peer is served RequestsPerSecond requests a second by each subsystem.
//
// Spec: WP "Network Layer"; commonware §2.6.
package roster
