// Package gossip passes on what every node should have: Flood for many small items (transactions), Relay for few large ones
// (blocks). Both are state machines: events and the time come in through methods, what is to be done comes out of Effects.
// Items are opaque; whether one is worth passing on is for the node above to say, in a verdict.
//
// # Flood
//
//	frame     uv count 1..1024 ‖ bytes item*
//
//	upon items of our own    mark them seen; they wait for the next flush
//	upon a frame             items not seen are delivered, at most Waiting of them per peer without a verdict; whoever sent one knows it
//	upon a verdict           good: it waits for the next flush; bad: its sender is charged, and it stays seen; busy: it is forgotten
//	                         and may come again
//	upon a flush             each peer is sent what waits and it does not know, in frames of up to FrameBytes
//
// Every item crosses each connection at most once in each direction while it is remembered.
//
// # Relay
//
//	announce  1 ‖ uv count 1..64 ‖ id 32*      we have these
//	want      2 ‖ id 32                         send it
//	block     3 ‖ id 32 ‖ data                  here it is
//	gone      4 ‖ id 32                         we have it no more
//
//	upon Publish             push it to every peer (the maker of a block)
//	upon Have                announce it to every peer that is not known to have it (everybody else)
//	upon announce            want it from the sender, unless it is had, wanted from another, or under way
//	upon want                block or gone, within the sender's budget
//	upon block               deliver it; at most two of one sender without a verdict. Whether data is what id names is the verdict's business
//	upon gone, silence, end  want it from the next that announced it; silence is 4 s
//	upon a bad verdict       charge the sender, ask the next
//	upon a good verdict      keep it to serve, announce it
//
// # Bounds
//
// Seen holds two generations of a fixed number of keys and turns over when one is full or old, so memory is constant and what is
// forgotten was seen at least one generation ago. Relay keeps the newest Blocks blocks of at most Bytes, wants at most Wants at a
// time, remembers at most 8 sources of each. Per peer: Waiting items, two blocks, a rate of bytes served.
//
// Frames that do not decode are errors, for which the caller charges the sender.
//
// Spec: WP "Network Layer" (transactions flood to all peers; blocks are relayed by validators).
package gossip
