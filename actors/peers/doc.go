// Package peers is the node's network: it hosts transport, discovery and the address book, and is the link.Messenger of a node between
// machines.
//
// # Commands
//
//	penalize   charges a peer's score (Handle.Report, Handle.Penalize); at the limit the peer is banned and its connection ended
//	pardon     ends a ban
//	ban        keeps a peer away for a time: the operator's decision (Handle.Ban)
//	bans       who is banned, answered once
//
// and the events of the transport: up, down, failed, refused, heard (discovery frames), tick (once a second: whom to dial, what to
// look up, whether to save the book), and resolved: the addresses of a peer, or of a bootstrap node, that is known by its name.
//
// # Validators
//
// A node with a voting key needs the other validators. While Missing tells that some are not connected, the book has more places, and every 20 s a peer that is
// none of them is let go for a node that was never reached.
//
// Frames do not pass through the inbox. Sending goes from the caller straight to the queue of its channel and peer; what comes
// in goes from the channel's reader straight to the link.Receiver, which only sends a command to an inbox of its own. So a
// flood on one channel meets nothing that another channel waits for.
//
// # State and restarts
//
// It owns the UDP socket and every connection, the address book with its file, the discovery table. A restart ends every connection
// (receivers see each peer go down), reads the book again and dials anew; the table is rebuilt from the bootstrap nodes and the
// peers. Frames in flight are lost, which link.Messenger allows. The book is written at most once a minute and at a stop; after a crash
// it is older, and a damaged file is set aside and rebuilt. Receivers keep their place: the handle outlives instances.
//
// Group "network", all-for-one: catchup and the loops over this link start anew with it.
//
// # Deliberately absent
//
// What frames mean: floods, block relay and requests belong to the subsystems that use the link. Names in the address book and in
// discovery: a name stands for one of the operator's own peers or bootstrap nodes only. Which peer is which validator: that is agreement's to know.
//
// Spec: WP §6.2 and "Network Layer".
package peers
