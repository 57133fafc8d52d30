package relay

import (
	"context"
	"crypto/ed25519"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/cowboyinc/cowboy-go/actors/relay/protocol"
	"github.com/cowboyinc/cowboy-go/actors/relay/reach"
	"github.com/cowboyinc/cowboy-go/actors/relay/store"
	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/net/mutual"
)

// pair is a public volume with one slot at this relay and one at another, whose responder answers over memory and counts the pages and chunks that it is
// asked for.
type pair struct {
	volume    *reach.Volume
	ours      *Mender
	theirs    *store.Store
	dir       string // of ours
	responder *Responder
	pages     atomic.Int32
	shards    atomic.Int32
}

func newPair(t *testing.T) *pair {
	t.Helper()
	opened := func(dir string) *store.Store {
		s, err := store.Open(dir, 1<<30)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = s.Close() })
		return s
	}
	v := &reach.Volume{ID: vol, Status: "ACTIVE", K: 1, M: 1, Slots: []reach.Slot{{Relay: other}, {Relay: me}}}
	p := &pair{theirs: opened(t.TempDir()), dir: t.TempDir(), volume: v}
	directory := reach.NewDirectory(p, time.Now)
	p.responder = NewResponder(&Responder{Self: other, Store: p.theirs, Directory: directory, Now: time.Now})
	pool := &reach.Pool{Key: ed25519.NewKeyFromSeed(make([]byte, 32)), Now: time.Now}
	pool.Dial = func(context.Context, string, ed25519.PrivateKey, mutual.Key, mutual.Greeting) (mutual.Conn, error) {
		return p, nil
	}
	p.ours = &Mender{Self: me, Store: opened(p.dir), Directory: directory, Pool: pool, Now: time.Now}
	return p
}

// Height implements reach.Source.
func (p *pair) Height(context.Context) (uint64, error) { return 9, nil }

// Volume implements reach.Source.
func (p *pair) Volume(context.Context, digest.Hash) (*reach.Volume, error) { return p.volume, nil }

// Relay implements reach.Source.
func (p *pair) Relay(_ context.Context, owner account.Address) (*reach.Relay, error) {
	return &reach.Relay{Owner: owner, Status: "active", Endpoint: owner.Hex()}, nil
}

// Revoked implements reach.Source.
func (p *pair) Revoked(context.Context, account.Address, digest.Hash) (uint64, error) { return 0, nil }

// Account implements reach.Source.
func (p *pair) Account(context.Context, account.Address) (*wire.StorageAccount, error) {
	return nil, reach.ErrUnknown
}

// Ask implements mutual.Conn.
func (p *pair) Ask(ctx context.Context, body ...[]byte) (*mutual.Body, error) {
	raw := slices.Concat(body...)
	switch protocol.Op(raw[0]) {
	case protocol.GetPage:
		p.pages.Add(1)
	case protocol.GetShard:
		p.shards.Add(1)
	}
	a := p.responder.Answer(ctx, &mutual.Peer{}, raw)
	defer a.Done()
	return &mutual.Body{Bytes: slices.Concat(a.Parts...)}, nil
}

// Alive implements mutual.Conn.
func (p *pair) Alive() bool { return true }

// Close implements mutual.Conn.
func (p *pair) Close() error { return nil }

// commit has the other relay keep a table, and the chain name it.
func (p *pair) commit(t *testing.T, next *protocol.Table) {
	t.Helper()
	c, _ := next.Change(&protocol.Table{})
	d, err := p.theirs.Draft(store.Name{Volume: vol}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	if err := d.Apply(c); err != nil {
		t.Fatal(err)
	}
	n, err := d.Keep()
	if err != nil {
		t.Fatal(err)
	}
	p.volume.Root, p.volume.Chunks = n.Root, uint64(len(next.Stripes))
}

// A table that this relay has not is made of the last one that it confirmed and of the pages that differ, in pieces or at once; what comes of it is the table.
//
// Spec: storage-cbfs §3.3 (GetPlacement), §4 (self-heal).
func TestTablesAreFetched(t *testing.T) {
	for _, piece := range []int{0, 1, 40_000} {
		t.Run(fmt.Sprint(piece, " bytes at a time"), func(t *testing.T) {
			p := newPair(t)
			p.ours.piece = piece
			r := rand.New(rand.NewPCG(1, 2))
			stripe := func() protocol.Stripe {
				return protocol.Stripe{Size: 1 + r.Uint32N(1_000), Roots: []digest.Hash{{byte(r.Uint32()), byte(r.Uint32()), 1}, {byte(r.Uint32()), 2}}}
			}
			table := &protocol.Table{K: 1, M: 1}
			for _, step := range []struct{ touch, grow, pages int }{
				{0, 1_000, 4},  // all of it
				{300, 0, 1},    // the second page
				{0, 30, 2},     // the end of the fourth page, and a fifth
				{1_025, 0, 1},  // the last one
				{5, 2_000, 9},  // the first, the fifth, and seven more: 3,030 stripes
				{2_999, 11, 1}, // the last one, which has room
			} {
				t.Run(fmt.Sprint(step), func(t *testing.T) {
					table = &protocol.Table{K: 1, M: 1, Stripes: slices.Clone(table.Stripes)}
					if step.touch > 0 {
						table.Stripes[step.touch] = stripe()
					}
					for range step.grow {
						table.Stripes = append(table.Stripes, stripe())
					}
					p.commit(t, table)
					p.pages.Store(0)
					got, err := p.ours.table(t.Context(), p.volume, p.volume.Root, false)
					if err != nil {
						t.Fatal(err)
					}
					if want := table.Root(); p.volume.Root != want || int(p.pages.Load()) != step.pages || !got.Is(1, 1, uint64(len(table.Stripes))) {
						t.Errorf("%d pages are fetched, want %d", p.pages.Load(), step.pages)
					}
					for at := range got.Outline().Pages {
						page, err := got.Page(at)
						if err != nil || string(page.Page(0)) != string(table.Page(at)) {
							t.Fatalf("page %d is another one: %v", at, err)
						}
					}
					if lacks, err := got.Lacks(true); lacks || err != nil {
						t.Error("branches are lost", err)
					}
					p.volume.Slots[1].Root = p.volume.Root
				})
			}
		})
	}
}

// Where a part of the table is lost of which the missing one is to be made, it is made of nothing, by all pages that are not here.
//
// Spec: storage-cbfs §4 (self-heal).
func TestTablesAreFetchedOverALostBase(t *testing.T) {
	p := newPair(t)
	table := &protocol.Table{K: 1, M: 1}
	for n := range 1_000 {
		table.Stripes = append(table.Stripes, protocol.Stripe{Size: 1, Roots: []digest.Hash{{byte(n), byte(n >> 8), 1}, {2}}})
	}
	p.commit(t, table)
	if _, err := p.ours.table(t.Context(), p.volume, p.volume.Root, false); err != nil {
		t.Fatal(err)
	}
	p.volume.Slots[1].Root = p.volume.Root
	lost, err := filepath.Glob(filepath.Join(p.dir, "branches", "*", "*"))
	if err != nil || len(lost) != 2 { // of 2,000 chunks
		t.Fatal(lost, err)
	}
	for _, name := range lost {
		if err := os.Remove(name); err != nil {
			t.Fatal(err)
		}
	}
	table.Stripes[700] = table.Stripes[1]
	p.commit(t, table)
	p.pages.Store(0)
	got, err := p.ours.table(t.Context(), p.volume, p.volume.Root, false)
	if err != nil {
		t.Fatal(err)
	}
	if lacks, err := got.Lacks(true); lacks || err != nil {
		t.Error("branches are lost", err)
	}
	if count := p.pages.Load(); count > 2 { // the third, once for each try
		t.Errorf("%d pages are fetched", count)
	}
}
