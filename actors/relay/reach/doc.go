// Package reach lets clients and relays reach relays: Directory reads from the chain which relays hold a volume, and Pool keeps connections to them.
//
// A Directory remembers what it read for 15 seconds; while no node answers it goes on for 60 seconds, and then knows nothing. Its owner looks up 50 names a
// second; a stranger (For) 10, all strangers 100, and names that they make up take the place of none that the chain has. A Pool has one connection to each
// relay, dials again when it is gone, and presents itself as a relay where it has a node.
//
// Spec: storage-cbfs §3.3, §3.4 (cache of chain state).
package reach
