// Package reach is how relays and clients reach relays: what the chain says of a volume and of who holds it (Directory), and connections to them (Pool).
//
// A Directory remembers what it read for 15 seconds; while no node answers it goes on for 60 seconds, and then knows nothing. A Pool has one connection to each
// relay, dials again when it is gone, and presents itself as a relay where it has a node.
//
// Spec: storage-cbfs §3.3, §3.4 (cache of chain state).
package reach
