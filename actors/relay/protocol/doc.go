// Package protocol defines the messages that clients and relays send to relays: requests, answers, and the table of a volume's chunks with its changes. It is
// pure; package mutual carries it.
//
// # Operations
//
//	Ping                                          who answers: its node_id in Holders, the newest height it knows in Version
//	RelayHandshake  Volume node_id, Hashes[0] nonce, Hashes[1] the owner's address behind 12 zero bytes, Offset time, Data signature
//	                                              the connection is a relay's: signed is keccak256("cbfs:relay-handshake:" ‖ node_id ‖ nonce ‖ time as be8)
//	PutShard        Volume, Slot, Data            keeps a chunk of a slot; Hashes[0] is its root
//	HaveShards      Volume, Hashes                a bit for each chunk that is there, in Data
//	GetShard        Volume, Root, Slot, Number, Offset, Length
//	                                              a range of a chunk, or all of it where Length is 0
//	PutPlacement    Volume, Root, Hashes[0] the root of the base or none, Version, Total, Offset, Data
//	                                              a part of the change that makes the table with the shard_root Root of its base, or of an empty one; with the
//	                                              last part the table and the slot's chunks that it changes are durable
//	GetPlacement    Volume, Root                  the outline of a table
//	GetPage         Volume, Root, Number          a page of a table
//	GetPaths        Volume, Root, Data numbers    what stands in all slots at some numbers, a chunk or nothing, as a part of the tree of shards
//	                                              (cbfs.Partial); Total is how many stripes the table has
//	GetManifest     Volume                        what is committed: the shard_root in Hashes[0], Version of the placement, and the first chunk of the slot
//	ProveShard      Volume, Root, Slot, Number, Offset (the draw)
//	                                              a proof of retrievability, as the chain takes it
//	GetPieces       Root contract_id, Slot blob, Number, Length
//	                                              at most 8 pieces of a retained blob with their paths, as an audit takes them; Total is how many it has
//
// Those that touch a private volume, and those that write, carry a token, which is its holder's only if the connection's key is the one its certificate
// names: what a relay or a listener captures lets nobody in.
//
// # Choices where the sources are silent
//
// The chain places a volume's slots, and a chunk is named by its root. So PutPlacement brings a table of all chunks: as
// what changes of one that the relay has, checked against the new root. The version of the placement is compared with the chain's before it is taken. A relay
// that has not the base answers ErrNotFound, and takes the change from no table to the whole one instead.
//
// Deliberately absent: DeleteShard, since what no commit names goes by itself (ORPHAN_SHARD_TTL), and two volumes may have a chunk in common; and the messages
// by which relays push (ReplicatePlacement, SyncPeers, PeerRelayPushShard, PeerPlacementUpdate), since whoever is given a slot fetches what it lacks.
//
// Spec: storage-cbfs §3.3.
package protocol
