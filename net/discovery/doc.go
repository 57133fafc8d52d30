// Package discovery finds nodes: signed records, a Kademlia table of them, and lookups that walk from the nodes one knows to
// those one does not.
//
// Finder is a state machine: events and the time come in through its methods, effects come out of Effects, randomness is drawn
// from a seed. It speaks over transport connections only, on their Discovery channel; to ask a node it has no connection to, it
// has one dialed with transport.Lookup, which is brief and does not take a peer's place.
//
// # Why not an existing one
//
// go-ethereum's p2p/discover v5 is the best kept Kademlia in Go and was the first choice. It identifies nodes by secp256k1 keys
// where ours prove ed25519 keys in TLS, speaks a second encrypted protocol of its own on UDP where the specification asks for
// QUIC over TLS 1.3, keeps its node table in LevelDB, and runs on goroutines and clocks of its own, which a simulation from one
// seed cannot hold. What is left when those are replaced is the table and the lookup, and they are here.
//
// # Records
//
//	record    key 32 ‖ seq u64 ‖ family u8 (4 or 6) ‖ ip 4 or 16 ‖ port u16 ‖ signature 64
//
// The signature is the key's, under "_COWBOY_NET_RECORD", over network digest 32 ‖ the fields before it. The network digest is
// SHA-256 of bytes name ‖ genesis 32, so a record of another network does not verify. A node replaces its record by one with
// a higher seq. Nobody but the key's owner can make a record, so whoever passes records on can withhold but not invent them.
//
// # Messages
//
//	advert    1 ‖ record                                the sender's own; said first on every connection
//	find      2 ‖ request u32 ‖ target 32               who is closest to target?
//	found     3 ‖ request u32 ‖ uv count ≤ 16 ‖ record*  the closest the answering node knows
//	seen      4 ‖ family u8 ‖ ip 4 or 16 ‖ port u16      where the sender dialed you, or would; from protocol version 2 on, said once
//
// # The own address
//
// A node that is told no address, and listens at all of its machine's, goes by what its peers say: the address most of them name, public ones before private
// ones. Only peers it dialed and those its operator named are heard, each once a connection. Who lies about it gains nothing: the record that is signed then
// is not believed where it does not prove true, and so is passed on by nobody else.
//
// # Table
//
// Distance is the exclusive or of two IDs. Bucket i holds at most 16 nodes whose distance has i leading zero bits, longest known
// first, and 8 that wait for a place. A node enters only when its address has been seen to be its own: we dialed it there, or
// it came from that IP. A node known for long is not displaced by a newcomer, only by its own failure to answer. In one bucket at
// most 2 nodes, and in the table at most 10, share an IPv4 /24 or IPv6 /64, private addresses excepted: a network's owner cannot
// fill a table. The nodes of Config.Private have no place: nobody is told where they are.
//
// # Upon
//
//	upon a connection        send our advert and seen; if it was dialed to ask, or nobody is known, send the find
//	upon an advert           verify; if it is the sender's and its address is proven, table and Learned
//	upon find                found: the 16 closest of the table, the asking node left out
//	upon found               verify every record; Learned for each; go on with the lookup
//	upon seen                if the own address changes by it: our advert to all
//	upon silence             a question has 8 s from its dial on; then the node has failed
//	upon a tick              hungry: look up our own ID, then random targets, 5 s to 1 min apart; else every 10 min;
//	                         every 30 s ask the node longest unheard of, so that the table stays true;
//	                         nobody known: ask the bootstrap nodes and all peers, 5 s to 1 min apart
//
// Private addresses are taken from peers at private addresses only. A lookup asks 3 nodes at a time, the closest first, and ends when
// the 16 closest it has heard of have answered or failed.
//
// # Bounds
//
// One lookup at a time of at most 64 candidates; one question per node; at most 256 × 24 records, of
// 123 bytes, and 2,048 remembered as verified. A found that
// nobody asked for is ignored, because an answer may be late; bytes that do not decode, records that do not verify and another's
// advert are errors, for which Receive's caller charges the sender.
//
// Spec: WP §6.2 ("peer discovery (DHT + bootstrap nodes)").
package discovery
