package volume

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"

	"github.com/cowboyinc/cowboy-go/actors/relay"
	"github.com/cowboyinc/cowboy-go/actors/relay/protocol"
	"github.com/cowboyinc/cowboy-go/actors/relay/reach"
	"github.com/cowboyinc/cowboy-go/actors/volume/page"
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/cbfs"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/volume"
	"github.com/cowboyinc/cowboy-go/net/mutual"
)

// ear hears what relays are asked, and may answer in their place.
type ear struct {
	mu      sync.Mutex
	ops     map[protocol.Op]int
	sent    int // bytes of questions
	fetched int // bytes of answers
	whole   int // placements that do not change another one
	answer  func(relay byte, q *protocol.Request) *protocol.Answer
}

// listen has an ear at all relays of a wire.
func (w *wire) listen(e *ear) {
	w.mu.Lock()
	defer w.mu.Unlock()
	e.ops = map[protocol.Op]int{}
	for n, h := range w.servers {
		w.servers[n] = func(ctx context.Context, from *mutual.Peer, body []byte) *mutual.Answer {
			q, err := protocol.DecodeRequest(body)
			if err != nil || q.Token == nil && from.Note.Load() != nil { // of another relay
				return h(ctx, from, body)
			}
			e.mu.Lock()
			e.ops[q.Op]++
			e.sent += len(body)
			if q.Op == protocol.PutPlacement && q.Offset == 0 && (len(q.Hashes) == 0 || q.Hashes[0].IsZero()) {
				e.whole++
			}
			own := e.answer
			e.mu.Unlock()
			if own != nil {
				if a := own(n, q); a != nil {
					return &mutual.Answer{Parts: [][]byte{a.Encode()}, Done: func() {}}
				}
			}
			a := h(ctx, from, body)
			e.mu.Lock()
			defer e.mu.Unlock()
			for _, part := range a.Parts {
				e.fetched += len(part)
			}
			return a
		}
	}
}

// A relay that has not the table which a commit changes is left out as long as enough others take the change, and brought the whole table where they are not.
//
// Spec: storage-cbfs §3.1 (step one), §3.3 (PutPlacement).
func TestRelaysWithoutTheBase(t *testing.T) {
	for behind, whole := range map[int]int{0: 0, 1: 0, 2: 2, 6: 6} { // five of six have to take it
		t.Run(fmt.Sprint(behind, " of 6"), func(t *testing.T) {
			w := NewWired(t, 6)
			c, id := w.client(ann), w.create("docs", true, 4, 2)
			must(t, c.Apply(t.Context(), id, []Change{file("a", []byte("one"))}))
			w.confirmed(id)
			heard := &ear{}
			heard.answer = func(relay byte, q *protocol.Request) *protocol.Answer {
				if q.Op == protocol.PutPlacement && int(relay) <= behind && !q.Hashes[0].IsZero() {
					return &protocol.Answer{Status: protocol.ErrNotFound}
				}
				return nil
			}
			w.wire.listen(heard)
			must(t, c.Apply(t.Context(), id, []Change{file("b", []byte("two"))}))
			if heard.whole != whole {
				t.Errorf("%d relays are brought the whole table, want %d", heard.whole, whole)
			}
			if got, err := read(t.Context(), w.client(ann), id, "b"); err != nil || string(got) != "two" {
				t.Errorf("%q %v", got, err)
			}
		})
	}
}

// A relay that takes neither the change nor the whole table counts as one that is down.
//
// Spec: storage-cbfs §3.1 (step one).
func TestRelaysThatTakeNothing(t *testing.T) {
	w := NewWired(t, 6)
	c, id := w.client(ann), w.create("docs", true, 4, 2)
	must(t, c.Apply(t.Context(), id, []Change{file("a", []byte("one"))}))
	w.confirmed(id)
	heard := &ear{}
	heard.answer = func(relay byte, q *protocol.Request) *protocol.Answer {
		if q.Op == protocol.PutPlacement && relay <= 2 {
			return &protocol.Answer{Status: protocol.ErrNotFound}
		}
		return nil
	}
	w.wire.listen(heard)
	if err := c.Apply(t.Context(), id, []Change{file("b", []byte("two"))}); !errors.Is(err, ErrRelays) || !errors.Is(err, protocol.ErrNotFound) {
		t.Error(err)
	}
	if _, err := read(t.Context(), c, id, "b"); !errors.Is(err, ErrPath) {
		t.Error(err)
	}
}

// What is more than one change may be is brought in steps, each of a table that relays make of the one before; what comes of it is the table as a whole.
//
// Spec: storage-cbfs §2.2 (shard_root), §3.3 (PutPlacement).
func TestTablesInSteps(t *testing.T) {
	for most := 1; most <= 8; most += 3 {
		t.Run(fmt.Sprint(most, " at a time"), func(t *testing.T) {
			w := NewWired(t, 6)
			c, id := w.client(ann), w.create("docs", false, 4, 2)
			must(t, c.Apply(t.Context(), id, []Change{file("a", random(1, 9_000)), file("b", random(2, 9_000)), file("c", random(3, 9_000))}))
			w.confirmed(id)
			s, err := c.Open(t.Context(), id)
			must(t, err)
			before, err := s.table(t.Context())
			must(t, err)
			list := []protocol.Numbered{{Number: 0, Stripe: before.Stripes[2]}, {Number: 2, Stripe: before.Stripes[0]}}
			want := &protocol.Table{K: 4, M: 2, Stripes: append([]protocol.Stripe{}, before.Stripes...)}
			want.Stripes[0], want.Stripes[2] = before.Stripes[2], before.Stripes[0]
			for n := range 5 {
				list = append(list, protocol.Numbered{Number: uint64(4 + n), Stripe: before.Stripes[n%4]})
				want.Stripes = append(want.Stripes, before.Stripes[n%4])
			}
			paths, err := s.paths(t.Context(), []uint64{0, 2, 4, 5, 6, 7, 8})
			must(t, err)
			for name, p := range map[string]*placing{
				"by paths":     {tree: partial{paths}, base: s.Volume.Root, count: 4},
				"by all of it": {tree: whole{before}, base: s.Volume.Root, count: 4},
				"from nothing": {tree: whole{&protocol.Table{K: 4, M: 2}}},
			} {
				t.Run(name, func(t *testing.T) {
					given := list
					if p.base.IsZero() {
						given = listOf(want)
					}
					p.uploader, p.most, p.slots = newUploader(s, nil), most, []int{0, 1, 2, 3, 4, 5}
					behind, err := p.send(t.Context(), given)
					if err != nil || len(behind) > 0 || p.base != want.Root() || p.count != 9 {
						t.Fatal(behind, err, p.count)
					}
					must(t, p.enough())
					for slot, why := range p.down {
						if why != nil {
							t.Error(slot, why)
						}
					}
					got, err := relay.FetchTable(t.Context(), c.directory, c.pool, s.Volume, want.Root(), account.Address{}, nil)
					if err != nil || got.Root() != want.Root() {
						t.Error(err)
					}
				})
			}
		})
	}
}

// Both ways to the next shard_root, by paths of the stripes that change and by the whole table, lead to the same one.
//
// Spec: storage-cbfs §2.2 (shard_root).
func TestWaysToTheNextRoot(t *testing.T) {
	w := NewWired(t, 6)
	c, id := w.client(ann), w.create("docs", false, 4, 2)
	paths := make([]string, 1_500)
	for i := range paths {
		paths[i] = fmt.Sprintf("f%04d", i)
	}
	w.share(c, id, paths)
	s, err := c.Open(t.Context(), id)
	must(t, err)
	filler, err := fillerOf(s)
	must(t, err)
	for count, want := range map[int]string{1: "volume.partial", 70: "volume.partial", 107: "volume.partial", 108: "volume.whole", 1_500: "volume.whole"} {
		t.Run(fmt.Sprint(count, " stripes"), func(t *testing.T) {
			var list []protocol.Numbered
			for n := range count {
				list = append(list, protocol.Numbered{Number: uint64(1_502 - count + n), Stripe: filler}) // the last of them is new
			}
			tree, err := s.shards(t.Context(), list, false)
			must(t, err)
			if got := fmt.Sprintf("%T", tree); got != want {
				t.Errorf("%s, want %s", got, want)
			}
			must(t, tree.set(list))
			table, err := s.table(t.Context())
			must(t, err)
			leaves := map[digest.Hash]cbfs.Chunk{}
			add := func(n uint64, one protocol.Stripe) {
				for slot, root := range one.Roots {
					key := cbfs.ShardKey(uint8(slot), n)
					leaves[key] = cbfs.Chunk{Key: key, Root: root, Size: uint64(one.Size)}
				}
			}
			for n := range table.Stripes {
				add(uint64(n), table.Stripes[n])
			}
			for _, one := range list {
				add(one.Number, one.Stripe)
			}
			var all []cbfs.Chunk
			for _, one := range leaves {
				all = append(all, one)
			}
			if tree.root() != cbfs.ShardRoot(all) {
				t.Error("another root")
			}
		})
	}
	if s.Volume.Chunks != 1_501 {
		t.Error(s.Volume.Chunks)
	}
	few := w.create("few", false, 4, 2)
	must(t, c.Apply(t.Context(), few, []Change{file("a", nil)}))
	s, err = c.Open(t.Context(), few)
	must(t, err)
	for count, want := range map[int]string{1: "volume.partial", 64: "volume.partial", 65: "volume.whole"} { // 64 are of one question
		t.Run(fmt.Sprint(count, " stripes of a small volume"), func(t *testing.T) {
			list := make([]protocol.Numbered, count)
			for n := range list {
				list[n] = protocol.Numbered{Number: uint64(n), Stripe: filler}
			}
			tree, err := s.shards(t.Context(), list, false)
			must(t, err)
			if got := fmt.Sprintf("%T", tree); got != want {
				t.Errorf("%s, want %s", got, want)
			}
		})
	}
}

// A commit says as many objects as the volume has files, and more only where the chain would not take it otherwise: it takes twice as many chunks as bytes and
// objects need, and 256 besides.
//
// Spec: storage-cbfs §3.1 (commit_manifest), §8.
func TestObjectsOfACommit(t *testing.T) {
	s := &Snapshot{Volume: &reach.Volume{K: 4, M: 2}}
	for name, one := range map[string]struct{ files, raw, chunks, want uint64 }{
		"an empty one":                     {0, 20, 1, 1},
		"a file":                           {1, 600, 2, 1},
		"a million of files":               {1_000_000, 600 << 20, 1_002_301, 1_000_000},
		"folders, as many as are free":     {0, 4 << 20, 258, 1},
		"folders in more pages":            {0, 4 << 20, 260, 1},
		"folders in more pages, by an odd": {0, 4 << 20, 261, 2},
		"folders in many pages":            {0, 40 << 20, 1_256, 490},
		"a large file":                     {1, 1 << 30, 257, 1},
	} {
		t.Run(name, func(t *testing.T) {
			got := s.objects(one.files, one.raw, one.chunks)
			if got != one.want {
				t.Errorf("%d, want %d", got, one.want)
			}
			least := (one.raw + 4<<20 - 1) / (4 << 20)
			if one.chunks > 2*(least+got)+256 {
				t.Error("the chain refuses it")
			}
		})
	}
}

// A volume has 1,000,000 entries, and not one more.
//
// Spec: storage-cbfs §8 (objects per volume).
func TestEntriesOfAVolume(t *testing.T) {
	for count, want := range map[uint64]error{1_000_000: nil, 1_000_001: volume.ErrQuota} {
		t.Run(fmt.Sprint(count), func(t *testing.T) {
			p := &plan{leaves: []*leaf{{Ref: page.Ref{Entries: count - 400_000}}, {Ref: page.Ref{Entries: 400_000}}}}
			if err := p.check(); !errors.Is(err, want) {
				t.Error(err)
			}
		})
	}
}
