package reach

import (
	"encoding/hex"
	"errors"
	"strings"

	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/cbfs"
	"github.com/cowboyinc/cowboy-go/chain/digest"
)

// ErrNode reports an answer of a node that is not what it should be.
var ErrNode = errors.New("the node gave what is no volume or relay")

// Slot is a place of a volume.
type Slot struct {
	Relay    account.Address
	Root     digest.Hash // the relay has confirmed; zero for none
	Degraded bool
	// Challenged says that the slot stays where it is until its relay has answered, or missed.
	Challenged bool
}

// Token is a token of version 0 as the chain has it.
type Token struct {
	ID     [cbfs.TokenIDSize]byte
	Body   []byte
	Runner account.Address
	Mode   string
	Prefix string
	Used   uint64 // bytes of its max_bytes
}

// Volume is what the chain says of a volume.
type Volume struct {
	ID       digest.Hash
	Owner    account.Address
	Name     string
	Private  bool
	Status   string
	Manifest digest.Hash // manifest_root
	Root     digest.Hash // shard_root
	Chunks   uint64      // of each slot
	Raw      uint64
	K, M     uint8
	Version  uint64 // of the placement
	Slots    []Slot
	Tokens   []Token
}

// Writable reports whether something may be written, and Readable whether it may be read.
//
// Spec: storage-cbfs §4 (volume).
func (v *Volume) Writable() bool { return v.Status == "ACTIVE" }

// Readable reports whether something may be read.
func (v *Volume) Readable() bool { return v.Status == "ACTIVE" || v.Status == "GRACE_PERIOD" }

// Holds reports the slots of a relay.
func (v *Volume) Holds(owner account.Address) (slots []uint8) {
	for i := range v.Slots {
		if v.Slots[i].Relay == owner {
			slots = append(slots, uint8(i))
		}
	}
	return slots
}

// reading reads fields of a node's answer; after the first mistake err says so.
type reading struct{ err error }

func (r *reading) hash(text string) (h digest.Hash) {
	if text == "" {
		return h
	}
	h, err := digest.ParseHash(text)
	r.err = errors.Join(r.err, err)
	return h
}

func (r *reading) address(text string) account.Address {
	a, err := account.ReadAddress(text)
	r.err = errors.Join(r.err, err)
	return a
}

func (r *reading) bytes(text string) []byte {
	raw, err := hex.DecodeString(strings.TrimPrefix(text, "0x"))
	r.err = errors.Join(r.err, err)
	return raw
}

// VolumeOf reads what a node says of a volume. Error: ErrNode.
func VolumeOf(w *wire.Volume) (*Volume, error) {
	r := &reading{}
	v := &Volume{
		ID: r.hash(w.VolumeID), Owner: r.address(w.Owner), Name: w.Name, Private: w.Visibility == "PRIVATE", Status: w.Status, Manifest: r.hash(w.ManifestRoot),
		Root: r.hash(w.ShardRoot), Chunks: w.Chunks, Raw: w.RawSize, K: w.K, M: w.M, Version: w.Version,
	}
	for i := range w.Slots {
		one := &w.Slots[i]
		v.Slots = append(v.Slots, Slot{r.address(one.Relay), r.hash(one.Root), one.Degraded, one.Challenged})
	}
	for i := range w.Tokens {
		one := &w.Tokens[i]
		t := Token{Body: r.bytes(one.Token), Runner: r.address(one.Runner), Mode: one.Mode, Prefix: one.Prefix, Used: one.Used}
		if copy(t.ID[:], r.bytes(one.TokenID)) != len(t.ID) {
			r.err = ErrNode
		}
		v.Tokens = append(v.Tokens, t)
	}
	if r.err != nil {
		return nil, errors.Join(ErrNode, r.err)
	}
	return v, nil
}

// Challenge is one that a relay has to answer.
type Challenge struct {
	ID, Volume digest.Hash
	Ask        cbfs.Ask
	Deadline   uint64
}

// Relay is what the chain says of a relay.
type Relay struct {
	Owner      account.Address
	Node, Key  digest.Hash
	Endpoint   string
	Status     string
	Heartbeat  uint64 // height of the last one
	Capacity   uint64
	Used       uint64
	Challenges []Challenge
}

// RelayOf reads what a node says of a relay. Error: ErrNode.
func RelayOf(w *wire.Relay) (*Relay, error) {
	r := &reading{}
	v := &Relay{
		Owner: r.address(w.Owner), Node: r.hash(w.NodeID), Key: r.hash(w.PublicKey), Endpoint: w.Endpoint, Status: w.Status, Heartbeat: w.Heartbeat,
		Capacity: w.Capacity, Used: w.Used,
	}
	for i := range w.Challenges {
		c := &w.Challenges[i]
		v.Challenges = append(v.Challenges, Challenge{
			r.hash(c.ID), r.hash(c.VolumeID), cbfs.Ask{Root: r.hash(c.Root), Slot: c.Slot, Ordinal: c.Chunk, Draw: c.Draw}, c.Deadline,
		})
	}
	if r.err != nil {
		return nil, errors.Join(ErrNode, r.err)
	}
	return v, nil
}
