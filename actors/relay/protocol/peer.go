package protocol

import (
	"encoding/binary"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/digest"
)

// PeerSkewMs is how far the time of a message that a relay signed may be from the clock of whoever is told.
//
// Spec: storage-cbfs §3.3 (±60 s).
const PeerSkewMs = 60_000

// PushHash is what a relay signs of a chunk that it pushes to another one: BLAKE3("cbfs:peer_push_shard:v1" ‖ node_id of who signs ‖ node_id of the other one ‖
// volume_id ‖ shard_root ‖ slot ‖ number as be8 ‖ root of the chunk ‖ time as be8).
//
// Spec: storage-cbfs §3.3 (PeerRelayPushShard).
func PushHash(from, to digest.Hash, q *Request, chunk digest.Hash) digest.Hash {
	number, time := binary.BigEndian.AppendUint64(nil, q.Number), binary.BigEndian.AppendUint64(nil, q.Offset)
	return digest.Blake3([]byte("cbfs:peer_push_shard:v1"), from[:], to[:], q.Volume[:], q.Root[:], []byte{q.Slot}, number, chunk[:], time)
}

// UpdateHash is what a relay signs of its word that a placement has another version: BLAKE3("cbfs:peer_placement_update:v1" ‖ node_id of who signs ‖ node_id of
// the other one ‖ volume_id ‖ version as be8 ‖ time as be8).
//
// Spec: storage-cbfs §3.3 (PeerPlacementUpdate).
func UpdateHash(from, to digest.Hash, q *Request) digest.Hash {
	version, time := binary.BigEndian.AppendUint64(nil, q.Version), binary.BigEndian.AppendUint64(nil, q.Offset)
	return digest.Blake3([]byte("cbfs:peer_placement_update:v1"), from[:], to[:], q.Volume[:], version, time)
}

// Bounds of lists of peers.
const (
	// MaxPeers is how many peers one answer lists at most.
	MaxPeers    = 256
	maxEndpoint = 256
	peerBytes   = account.AddressSize + digest.Size + 2 // that a peer takes at least
)

// Peer is a relay that another one knows. It is that one's word: what of it is so the chain says.
//
// Spec: storage-cbfs §3.3 (SyncPeers).
type Peer struct {
	Owner    account.Address
	Node     digest.Hash
	Endpoint string
	SeenMs   uint64 // when the two spoke last
}

// EncodePeers is a list of 20 bytes, 32 bytes, Bytes, UInt for each.
func EncodePeers(list []Peer) []byte {
	dst := codec.AppendLen(nil, len(list))
	for i := range list {
		p := &list[i]
		dst = codec.AppendFixed(codec.AppendFixed(dst, p.Owner[:]), p.Node[:])
		dst = codec.AppendUint(codec.AppendBytes(dst, []byte(p.Endpoint)), p.SeenMs)
	}
	return dst
}

// DecodePeers reads what EncodePeers wrote of at most MaxPeers.
func DecodePeers(data []byte) ([]Peer, error) {
	in := codec.NewReader(data)
	list := make([]Peer, in.Len(0, MaxPeers, peerBytes))
	for i := range list {
		p := &list[i]
		in.Into(p.Owner[:])
		in.Into(p.Node[:])
		p.Endpoint, p.SeenMs = string(in.Bytes(maxEndpoint)), in.Uint()
	}
	return list, in.Finish()
}
