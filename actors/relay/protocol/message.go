package protocol

import (
	"encoding/binary"
	"errors"

	"github.com/cowboyinc/cowboy-go/chain/cbfs"
	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/digest"
)

// Op is what is asked.
//
// Spec: storage-cbfs §3.3.
type Op uint8

// The operations.
const (
	Ping Op = iota
	RelayHandshake
	PutShard
	HaveShards
	GetShard
	PutPlacement
	GetPlacement
	GetManifest
	ProveShard
	GetPieces
	GetPage
	GetPaths
	DeleteShard
	ReplicatePlacement
	SyncPeers
	PeerRelayPushShard
	PeerPlacementUpdate
	operations
)

// String names the operation.
func (o Op) String() string {
	if o >= operations {
		return "unknown"
	}
	return [...]string{
		"Ping", "RelayHandshake", "PutShard", "HaveShards", "GetShard", "PutPlacement", "GetPlacement", "GetManifest", "ProveShard", "GetPieces",
		"GetPage", "GetPaths", "DeleteShard", "ReplicatePlacement", "SyncPeers", "PeerRelayPushShard", "PeerPlacementUpdate",
	}[o]
}

// Status is how an answer begins.
//
// Spec: storage-cbfs §3.3, §9.
type Status uint8

// The statuses.
const (
	Ok Status = iota
	ErrAuth
	ErrNotFound
	ErrCapacity
	ErrInvalid
	ErrConflict
	statuses
)

// Error implements error with the name of the document.
func (s Status) Error() string {
	if s >= statuses {
		return "unknown"
	}
	return [...]string{"Ok", "ErrAuth", "ErrNotFound", "ErrCapacity", "ErrInvalid", "ErrConflict"}[s]
}

// Bounds.
const (
	MaxHashes  = 8_192           // of a question
	MaxHolders = 24              // slots of a volume
	PartBytes  = cbfs.ChunkBytes // of a change in one frame
	maxData    = cbfs.ChunkBytes // of a frame
	certBytes  = 2 << 10         // of a certificate
	tokenBytes = cbfs.MaxTokenBytes + 1
)

// Request is a question. Which fields an operation reads, the package says.
type Request struct {
	Op                                     Op
	Volume                                 digest.Hash
	Token                                  []byte // cbfs.RunnerToken or cbfs.OwnerToken; empty for none
	Certificate                            []byte // of whoever holds a RunnerToken; of a message that a relay signs, the signature
	Root                                   digest.Hash
	Slot                                   uint8
	Number, Offset, Length, Total, Version uint64
	Hashes                                 []digest.Hash
	Data                                   []byte
}

// Encode is the fields in their order: u8, 32 bytes, Bytes, Bytes, 32 bytes, u8, five UInt, a list of 32 bytes, Bytes.
func (q *Request) Encode() []byte { return append(q.Head(), q.Data...) }

// Head is the encoding without the bytes of Data, which come last.
func (q *Request) Head() []byte {
	dst := make([]byte, 0, len(q.Token)+len(q.Certificate)+digest.Size*len(q.Hashes)+160)
	dst = codec.AppendFixed(append(dst, byte(q.Op)), q.Volume[:])
	dst = codec.AppendBytes(codec.AppendBytes(dst, q.Token), q.Certificate)
	dst = append(codec.AppendFixed(dst, q.Root[:]), q.Slot)
	for _, n := range [...]uint64{q.Number, q.Offset, q.Length, q.Total, q.Version} {
		dst = codec.AppendUint(dst, n)
	}
	return codec.AppendLen(appendHashes(dst, q.Hashes), len(q.Data))
}

func appendHashes(dst []byte, list []digest.Hash) []byte {
	dst = codec.AppendLen(dst, len(list))
	for i := range list {
		dst = codec.AppendFixed(dst, list[i][:])
	}
	return dst
}

func readHashes(in *codec.Reader, most int) []digest.Hash {
	list := make([]digest.Hash, in.Len(0, most, digest.Size))
	for i := range list {
		in.Into(list[i][:])
	}
	return list
}

// DecodeRequest reads what Encode wrote.
func DecodeRequest(data []byte) (*Request, error) {
	in, q := codec.NewReader(data), new(Request)
	q.Op = Op(in.Tag(uint8(operations)))
	in.Into(q.Volume[:])
	q.Token, q.Certificate = in.Bytes(tokenBytes), in.Bytes(certBytes)
	in.Into(q.Root[:])
	q.Slot = in.U8()
	q.Number, q.Offset, q.Length, q.Total, q.Version = in.Uint(), in.Uint(), in.Uint(), in.Uint(), in.Uint()
	q.Hashes = readHashes(in, MaxHashes)
	q.Data = in.Bytes(maxData)
	return q, in.Finish()
}

// Answer is an answer.
type Answer struct {
	Status         Status
	Version, Total uint64
	Holders        []digest.Hash // node_id of each slot
	Hashes         []digest.Hash
	Data           []byte
}

// Encode is the fields in their order: u8, two UInt, two lists of 32 bytes, Bytes.
func (a *Answer) Encode() []byte { return append(a.Head(), a.Data...) }

// Head is the encoding without the bytes of Data, which come last.
func (a *Answer) Head() []byte {
	dst := append(make([]byte, 0, digest.Size*(len(a.Holders)+len(a.Hashes))+40), byte(a.Status))
	dst = codec.AppendUint(codec.AppendUint(dst, a.Version), a.Total)
	return codec.AppendLen(appendHashes(appendHashes(dst, a.Holders), a.Hashes), len(a.Data))
}

// DecodeAnswer reads what Encode wrote.
func DecodeAnswer(data []byte) (*Answer, error) {
	in, a := codec.NewReader(data), new(Answer)
	a.Status = Status(in.Tag(uint8(statuses)))
	a.Version, a.Total = in.Uint(), in.Uint()
	a.Holders, a.Hashes = readHashes(in, MaxHolders), readHashes(in, MaxHashes)
	a.Data = in.Bytes(maxData)
	return a, in.Finish()
}

// HandshakeHash is what a relay signs to be known as one.
//
// Spec: storage-cbfs §3.3.
func HandshakeHash(node, nonce digest.Hash, timeMs uint64) digest.Hash {
	return digest.Keccak256([]byte("cbfs:relay-handshake:"), node[:], nonce[:], binary.BigEndian.AppendUint64(nil, timeMs))
}

// HandshakeSkewMs is how far the time of a handshake may be from the clock of whoever is asked.
//
// Spec: storage-cbfs §3.3.
const HandshakeSkewMs = 30_000

// ErrTable reports bytes that are no part of a table and no change of one, or are beyond their bounds.
var ErrTable = errors.New("protocol: not of the table of a volume's chunks")
