// Package beacon holds this validator's share of the round seed and makes the seeds.
//
// # Commands
//
//   - Contribute: this validator's partial signature over a round. It goes with every vote of that round.
//   - Recover: a round's seed out of enough partials. In a set of one the share is the whole key and one partial is enough.
//
// Both are answered once. The answer to Recover is verified under the group's key before it is given, so a wrong partial is found here and
// nowhere else.
//
// # State and restarts
//
// The share, which it is given at every start, and a cache of recent seeds. A restart loses the cache; the replica is restarted after it
// and asks again.
//
// Spec: WP §3.4; commonware §2.5, §4.2.
package beacon
