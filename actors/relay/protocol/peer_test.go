package protocol

import (
	"crypto/ed25519"
	"encoding/hex"
	"reflect"
	"strings"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/testkit/golden"
)

func counted(start int) (h digest.Hash) {
	for i := range h {
		h[i] = byte(start + i)
	}
	return h
}

// What relays sign of messages to each other, and the signatures, are those that another program makes; every field is in them.
//
// Spec: storage-cbfs §3.3.
func TestWhatRelaysSign(t *testing.T) {
	var v struct {
		Push            string `json:"push"`
		PushSignature   string `json:"push_signature"`
		Update          string `json:"update"`
		UpdateSignature string `json:"update_signature"`
	}
	golden.Recorded(t, "testdata/vectors.json", &v)
	key := ed25519.NewKeyFromSeed(func() []byte { s := counted(200); return s[:] }())
	from, to, chunk := counted(1), counted(40), counted(160)
	push := func(q *Request) digest.Hash { return PushHash(from, to, q, chunk) }
	update := func(q *Request) digest.Hash { return UpdateHash(from, to, q) }
	sample := func() *Request {
		return &Request{Volume: counted(80), Root: counted(120), Slot: 5, Number: 1<<33 + 7, Version: 300, Offset: 1_800_000_000_123}
	}
	for name, one := range map[string]struct {
		hash            func(q *Request) digest.Hash
		want, signature string
	}{"push": {push, v.Push, v.PushSignature}, "update": {update, v.Update, v.UpdateSignature}} {
		t.Run(name, func(t *testing.T) {
			h := one.hash(sample())
			if hex.EncodeToString(h[:]) != one.want || hex.EncodeToString(ed25519.Sign(key, h[:])) != one.signature {
				t.Errorf("%x", h)
			}
		})
	}
	for name, one := range map[string]struct {
		hash   func(q *Request) digest.Hash
		change func(q *Request)
	}{
		"the volume of a chunk":     {push, func(q *Request) { q.Volume[31]++ }},
		"the table of a chunk":      {push, func(q *Request) { q.Root[31]++ }},
		"the slot of a chunk":       {push, func(q *Request) { q.Slot++ }},
		"the number of a chunk":     {push, func(q *Request) { q.Number++ }},
		"the time of a chunk":       {push, func(q *Request) { q.Offset++ }},
		"the volume of an update":   {update, func(q *Request) { q.Volume[31]++ }},
		"the version of an update":  {update, func(q *Request) { q.Version++ }},
		"the time of an update":     {update, func(q *Request) { q.Offset++ }},
		"the receiver of a chunk":   {func(q *Request) digest.Hash { return PushHash(from, chunk, q, chunk) }, func(*Request) {}},
		"the receiver of an update": {func(q *Request) digest.Hash { return UpdateHash(from, chunk, q) }, func(*Request) {}},
		"the sender of a chunk":     {func(q *Request) digest.Hash { return PushHash(to, to, q, chunk) }, func(*Request) {}},
		"the sender of an update":   {func(q *Request) digest.Hash { return UpdateHash(to, to, q) }, func(*Request) {}},
		"the chunk":                 {func(q *Request) digest.Hash { return PushHash(from, to, q, from) }, func(*Request) {}},
	} {
		t.Run(name, func(t *testing.T) {
			q := sample()
			one.change(q)
			if h := one.hash(q); h == push(sample()) || h == update(sample()) {
				t.Error("it is not in what is signed")
			}
		})
	}
}

// A list of peers is read as it was written, with no peer more than an answer has, and no endpoint longer than the chain takes one.
//
// Spec: storage-cbfs §3.3 (SyncPeers).
func TestListsOfPeers(t *testing.T) {
	peers := func(count, endpoint int) (list []Peer) {
		for n := range count {
			list = append(list, Peer{account.Address{byte(n >> 8), byte(n)}, counted(n), strings.Repeat("e", endpoint), uint64(n)})
		}
		return list
	}
	for name, one := range map[string]struct {
		list []Peer
		ok   bool
	}{
		"as many as there may be": {peers(MaxPeers, 20), true}, "one more": {peers(MaxPeers+1, 20), false},
		"the longest endpoint": {peers(1, 256), true}, "a byte more": {peers(1, 257), false},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := DecodePeers(EncodePeers(one.list))
			if (err == nil) != one.ok || one.ok && !reflect.DeepEqual(got, one.list) {
				t.Errorf("%d peers, %v", len(got), err)
			}
		})
	}
}
