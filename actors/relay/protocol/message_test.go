package protocol

import (
	"bytes"
	"encoding/hex"
	"reflect"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/cbfs"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/testkit/golden"
)

func sampleTable() *Table {
	t := &Table{K: 2, M: 1}
	for n := range byte(3) {
		s := Stripe{Size: uint32(n) + 1}
		for slot := range byte(3) {
			s.Roots = append(s.Roots, digest.Hash{n, slot})
		}
		t.Stripes = append(t.Stripes, s)
	}
	return t
}

func samplePeers() []Peer {
	return []Peer{{account.Address{1}, digest.Hash{2}, "relay.example:1", 3}, {account.Address{4}, digest.Hash{5}, "", 1 << 40}}
}

// Questions, answers, pages and changes are read as they were written, and nothing that is cut off or longer is one.
//
// Spec: storage-cbfs §3.3.
func TestReadAsWritten(t *testing.T) {
	q, a, table, change := golden.Fill(&Request{}), golden.Fill(&Answer{}), sampleTable(), sampleChange()
	outline := &Outline{K: 2, M: 1, Count: 257, Base: digest.Hash{1}, Pages: []digest.Hash{{2}, {3}}}
	q.Op, a.Status = PutPlacement, ErrConflict
	for name, c := range map[string]struct {
		raw  []byte
		read func(raw []byte) (any, error)
		want any
	}{
		"question": {q.Encode(), func(raw []byte) (any, error) { return DecodeRequest(raw) }, q},
		"answer":   {a.Encode(), func(raw []byte) (any, error) { return DecodeAnswer(raw) }, a},
		"page":     {table.Page(0), func(raw []byte) (any, error) { return DecodePage(raw) }, table},
		"change":   {change.Encode(), func(raw []byte) (any, error) { return DecodeChange(raw) }, change},
		"peers":    {EncodePeers(samplePeers()), func(raw []byte) (any, error) { return DecodePeers(raw) }, samplePeers()},
		"outline":  {outline.Encode(), func(raw []byte) (any, error) { return DecodeOutline(raw) }, outline},
	} {
		t.Run(name, func(t *testing.T) {
			if got, err := c.read(c.raw); err != nil || !reflect.DeepEqual(got, c.want) {
				t.Errorf("%+v %v, want %+v", got, err, c.want)
			}
			for cut := range c.raw {
				if _, err := c.read(c.raw[:cut]); err == nil {
					t.Fatalf("cut at %d it is read", cut)
				}
			}
			if _, err := c.read(append(bytes.Clone(c.raw), 0)); err == nil {
				t.Error("with a byte more it is read")
			}
		})
	}
}

// The root of a table is that of the tree over its chunks, which the chain knows.
//
// Spec: storage-cbfs §2.2 (shard_root).
func TestRootOfATable(t *testing.T) {
	table := sampleTable()
	var leaves []cbfs.Chunk
	for n := range byte(3) {
		for slot := range byte(3) {
			leaves = append(leaves, cbfs.Chunk{Key: cbfs.ShardKey(slot, uint64(n)), Root: digest.Hash{n, slot}, Size: uint64(n) + 1})
		}
	}
	if got, want := table.Root(), cbfs.ShardRoot(leaves); got != want {
		t.Errorf("%s, want %s", got, want)
	}
	none := &Table{K: 4, M: 2}
	if !none.Root().IsZero() {
		t.Error("no chunks have a root")
	}
}

// What a handshake signs is the bytes that the document lists, in their order, written out here.
//
// Spec: storage-cbfs §3.3.
func TestHandshakeHash(t *testing.T) {
	h := HandshakeHash(digest.Hash{1}, digest.Hash{2}, 3)
	var plain []byte
	plain = append(plain, "cbfs:relay-handshake:"...)
	plain = append(plain, append([]byte{1}, make([]byte, 31)...)...)
	plain = append(plain, append([]byte{2}, make([]byte, 31)...)...)
	plain = append(plain, 0, 0, 0, 0, 0, 0, 0, 3)
	if want := digest.Keccak(plain); h != want {
		t.Errorf("%s, want %s", h, hex.EncodeToString(want[:]))
	}
}

// Spec: storage-cbfs §3.3 (statuses).
func TestNamesOfStatuses(t *testing.T) {
	for s, want := range map[Status]string{Ok: "Ok", ErrAuth: "ErrAuth", ErrConflict: "ErrConflict", statuses: "unknown"} {
		t.Run(want, func(t *testing.T) {
			if s.Error() != want {
				t.Error(s.Error())
			}
		})
	}
}

func FuzzDecoders(f *testing.F) {
	f.Add(golden.Fill(&Request{}).Encode())
	f.Add(sampleTable().Page(0))
	f.Add(sampleChange().Encode())
	f.Add(EncodePeers(samplePeers()))
	f.Fuzz(func(t *testing.T, raw []byte) {
		if q, err := DecodeRequest(raw); err == nil && !bytes.Equal(q.Encode(), raw) {
			t.Error("a question has two forms")
		}
		if a, err := DecodeAnswer(raw); err == nil && !bytes.Equal(a.Encode(), raw) {
			t.Error("an answer has two forms")
		}
		if v, err := DecodePage(raw); err == nil && !bytes.Equal(v.Page(0), raw) {
			t.Error("a page has two forms")
		}
		if v, err := DecodeChange(raw); err == nil && !bytes.Equal(v.Encode(), raw) {
			t.Error("a change has two forms")
		}
		if v, err := DecodePeers(raw); err == nil && !bytes.Equal(EncodePeers(v), raw) {
			t.Error("a list of peers has two forms")
		}
		if v, err := DecodeOutline(raw); err == nil && !bytes.Equal(v.Encode(), raw) {
			t.Error("an outline has two forms")
		}
	})
}

// Spec: WP §2.5.
func TestGoldenRecords(t *testing.T) {
	golden.Records(t, map[string][]byte{
		"Request": golden.Fill(&Request{}).Encode(), "Answer": golden.Fill(&Answer{}).Encode(), "Page": sampleTable().Page(0),
		"Change": sampleChange().Encode(),
	})
}
