// Package flood passes transactions on: it hosts net/gossip's Flood over a link.Link, and asks whoever keeps the pool for a verdict
// on each. It knows nothing of what a transaction is.
//
// # Commands
//
//	hear       a frame of the transactions channel: what is new in it goes to Admit; bytes that do not decode are reported
//	local      transactions this node has taken from its own clients
//	judged     Admit's verdicts: good ones are passed on, bad ones reported
//	up, down   the link's peers
//	flush      every Every, while there is something to send
//
// # State and restarts
//
// It owns what was seen, what each peer is known to have, and what waits for a verdict or the next flush. A restart loses that:
// transactions may cross a connection again, and those under way reach a block through the nodes that have them. The peers
// are kept with the handle, which outlives instances.
//
// Frames are those of net/gossip: a list of byte strings, each at most 128 KiB.
//
// Spec: WP "Network Layer" (transactions flood to all peers).
package flood
