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
//	DeleteShard     Volume, Hashes                takes back chunks that were brought for the volume and that no table names; a bit for each that is
//	                                              not here any more, in Data; ErrConflict where one stays
//	SyncPeers       Hashes[0] the owner after whom it goes on, behind 12 zero bytes, or none
//	                                              the relays it spoke with (EncodePeers), at most MaxPeers by ascending owners; Total is how many there are
//	GetPieces       Root contract_id, Slot blob, Number, Length
//	                                              at most 8 pieces of a retained blob with their paths, as an audit takes them; Total is how many it has
//
// Relays among themselves, after RelayHandshake; what is signed is in Certificate:
//
//	ReplicatePlacement   as PutPlacement: the table of the newest commit, from a holder to one that has not confirmed it
//	PeerRelayPushShard   Volume, Root, Slot, Number, Offset time, Data, signed PushHash
//	                     a chunk of a slot that the chain has given to whoever is asked, and that the table of the newest commit names
//	PeerPlacementUpdate  Volume, Version, Offset time, signed UpdateHash
//	                     the placement has another version: a reason to look at the chain, and no more
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
// What a relay pushes is held to the chain as what it fetches: the receiver takes a chunk only if the slot is its own, the newest commit's table names the
// chunk there, and it has not got it. A message is signed for one receiver and one minute, so a captured one says nothing to another relay; and none is heard
// on a connection that is not the relay's own. Taking back is for whoever brought a chunk: what anybody else brought, asked about or has a table of stays,
// since two volumes may have a chunk in common.
//
// Spec: storage-cbfs §3.3.
package protocol
