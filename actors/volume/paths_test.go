package volume

import (
	"context"
	"errors"
	"slices"
	"testing"

	"github.com/cowboyinc/cowboy-go/actors/relay"
	"github.com/cowboyinc/cowboy-go/actors/relay/protocol"
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/cbfs"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/net/mutual"
)

// What relays say of some numbers of a table is what the whole table says; from it comes the root of the next one, which relays take with what changes alone.
//
// Spec: storage-cbfs §2.2 (shard_root), §3.3 (PutPlacement).
func TestPathsLeadToTheNextTable(t *testing.T) {
	w := NewWired(t, 6)
	c := w.client(ann)
	id := w.create("docs", false, 4, 2)
	must(t, c.Apply(t.Context(), id, []Change{file("a", random(1, 9_000)), file("b", random(2, 9_000)), file("c", nil)}))
	w.confirmed(id)
	s, err := c.Open(t.Context(), id)
	must(t, err)
	table, err := s.table(t.Context())
	must(t, err)
	v, numbers := s.Volume, []uint64{0, 1, 3, 900, protocol.MaxStripes - 1}
	p, err := relay.FetchPaths(t.Context(), c.directory, c.pool, v, v.Root, numbers, account.Address{}, nil)
	must(t, err)
	for _, n := range numbers {
		for slot := range uint8(6) {
			got, there, err := p.Get(cbfs.ShardKey(slot, n))
			if err != nil || there != (n < uint64(len(table.Stripes))) || there && got.Root != table.Stripes[n].Roots[slot] {
				t.Errorf("number %d, slot %d: %+v %v %v", n, slot, got, there, err)
			}
		}
	}
	next := &protocol.Table{K: 4, M: 2, Stripes: slices.Clone(table.Stripes)}
	next.Stripes[1] = table.Stripes[0]
	next.Stripes = append(next.Stripes, table.Stripes[1])
	change, _ := next.Change(table)
	for _, one := range change.List {
		for slot, root := range one.Roots {
			must(t, p.Set(cbfs.Chunk{Key: cbfs.ShardKey(uint8(slot), one.Number), Root: root, Size: uint64(one.Size)}))
		}
	}
	if p.Root() != next.Root() || len(change.List) != 2 {
		t.Fatalf("%s, want %s", p.Root(), next.Root())
	}
	raw := change.Encode()
	for slot := range v.Slots {
		r, err := w.Relay(t.Context(), v.Slots[slot].Relay)
		must(t, err)
		q := &protocol.Request{
			Op: protocol.PutPlacement, Volume: id, Root: p.Root(), Hashes: []digest.Hash{v.Root}, Version: v.Version, Total: uint64(len(raw)), Data: raw,
		}
		must(t, c.let(v, true)(q))
		a, err := c.pool.Ask(t.Context(), r, q)
		must(t, err)
		if a.Total != 0 { // the chunks are those of other numbers
			t.Errorf("slot %d misses %d chunks", slot, a.Total)
		}
		got, err := relay.FetchTable(t.Context(), c.directory, c.pool, v, p.Root(), account.Address{}, nil)
		if err != nil || got.Root() != next.Root() || len(got.Stripes) != len(next.Stripes) {
			t.Error(err)
		}
		if q.Hashes[0] = p.Root(); slot == 0 { // the same change, but from what it made already
			if _, err := c.pool.Ask(t.Context(), r, q); err != nil {
				t.Error(err)
			}
			q.Root = digest.Hash{1}
			if _, err := c.pool.Ask(t.Context(), r, q); !errors.Is(err, protocol.ErrInvalid) {
				t.Errorf("another root: %v", err)
			}
		}
	}
}

// Questions that are none, and those of whom nobody let in, are refused.
//
// Spec: storage-cbfs §2.5 (WO), §3.3, §9.
func TestPathsThatAreNotGiven(t *testing.T) {
	w := NewWired(t, 6)
	c := w.client(ann)
	id := w.create("mine", true, 4, 2)
	must(t, c.Apply(t.Context(), id, []Change{file("a", random(1, 9_000))}))
	before, err := w.Volume(t.Context(), id)
	must(t, err)
	must(t, c.Apply(t.Context(), id, []Change{file("b", random(2, 9_000))}))
	w.confirmed(id)
	v, err := w.Volume(t.Context(), id)
	must(t, err)
	r, err := w.Relay(t.Context(), v.Slots[0].Relay)
	must(t, err)
	writer := w.Granted(id, 211, cbfs.WriteOnly, "out", 50_000)
	many := make([]uint64, protocol.PathNumbers(6)+1)
	for i := range many {
		many[i] = uint64(i)
	}
	paths := func(root digest.Hash, numbers ...uint64) *protocol.Request {
		return &protocol.Request{Op: protocol.GetPaths, Root: root, Data: protocol.EncodeNumbers(numbers)}
	}
	for name, one := range map[string]struct {
		by   *Client
		q    *protocol.Request
		want error
	}{
		"as many as may be":            {c, paths(v.Root, many[1:]...), nil},
		"one more":                     {c, paths(v.Root, many...), protocol.ErrInvalid},
		"none":                         {c, paths(v.Root), protocol.ErrInvalid},
		"not ascending":                {c, paths(v.Root, 2, 1), protocol.ErrInvalid},
		"beyond all tables":            {c, paths(v.Root, protocol.MaxStripes), protocol.ErrInvalid},
		"beyond this one":              {c, paths(v.Root, 77), nil},
		"a root there is none of":      {c, paths(digest.Hash{1}, 0), protocol.ErrNotFound},
		"the commit before":            {c, paths(before.Root, 0), nil},
		"by a writer":                  {writer, paths(v.Root, 0), nil},
		"the commit before, by one":    {writer, paths(before.Root, 0), protocol.ErrAuth},
		"a page":                       {c, &protocol.Request{Op: protocol.GetPage, Root: v.Root}, nil},
		"a page by a writer":           {writer, &protocol.Request{Op: protocol.GetPage, Root: v.Root}, nil},
		"a page beyond the table":      {c, &protocol.Request{Op: protocol.GetPage, Root: v.Root, Number: 1}, protocol.ErrInvalid},
		"a page far beyond":            {c, &protocol.Request{Op: protocol.GetPage, Root: v.Root, Number: 1 << 63}, protocol.ErrInvalid},
		"one of the commit before":     {writer, &protocol.Request{Op: protocol.GetPage, Root: before.Root}, protocol.ErrAuth},
		"the outline":                  {writer, &protocol.Request{Op: protocol.GetPlacement, Root: v.Root}, nil},
		"the outline before":           {writer, &protocol.Request{Op: protocol.GetPlacement, Root: before.Root}, protocol.ErrAuth},
		"a chunk of a file, by writer": {writer, &protocol.Request{Op: protocol.GetShard, Root: v.Root, Number: 1}, protocol.ErrAuth},
		"paths of nobody let in":       {nil, paths(v.Root, 0), protocol.ErrAuth},
		"a page of nobody let in":      {nil, &protocol.Request{Op: protocol.GetPage, Root: v.Root}, protocol.ErrAuth},
		"an outline of nobody let in":  {nil, &protocol.Request{Op: protocol.GetPlacement, Root: v.Root}, protocol.ErrAuth},
	} {
		t.Run(name, func(t *testing.T) {
			by := one.by
			if by == nil {
				by = c
			} else {
				must(t, by.let(v, by == writer)(one.q))
			}
			one.q.Volume = id
			if _, err := by.pool.Ask(t.Context(), r, one.q); !errors.Is(err, one.want) {
				t.Errorf("%v, want %v", err, one.want)
			}
		})
	}
}

// A relay that gives other paths, fewer, or none is passed over; where all do, nothing is believed.
//
// Spec: storage-cbfs §2.2 (shard_root).
func TestLyingAboutPaths(t *testing.T) {
	over := &wire{servers: map[byte]mutual.Handler{}, cut: map[byte]bool{}}
	w := newWorldOver(t, 6, over, nil)
	c := w.client(ann)
	id := w.create("docs", false, 4, 2)
	must(t, c.Apply(t.Context(), id, []Change{file("a", random(1, 9_000)), file("b", random(2, 9_000))}))
	w.confirmed(id)
	v, err := w.Volume(t.Context(), id)
	must(t, err)
	other := (&protocol.Table{K: 4, M: 2, Stripes: []protocol.Stripe{{Size: 1, Roots: make([]digest.Hash, 6)}}}).Leaves()
	cbfs.SortChunks(other)
	part := func(leaves []cbfs.Chunk, keys ...digest.Hash) []byte {
		p, err := cbfs.Extract([]cbfs.Subtree{cbfs.SubtreeOf(leaves, 0)}, keys, func(int) ([]cbfs.Chunk, error) { return leaves, nil })
		must(t, err)
		return p.Append(nil)
	}
	right, err := relay.FetchTable(t.Context(), c.directory, c.pool, v, v.Root, account.Address{}, nil)
	must(t, err)
	leaves := right.Leaves()
	cbfs.SortChunks(leaves)
	fetch := func() (*cbfs.Partial, error) {
		return relay.FetchPaths(t.Context(), c.directory, c.pool, v, v.Root, []uint64{0, 1}, account.Address{}, nil)
	}
	lies := map[string][]byte{
		"of another table": part(other, protocol.Keys(6, []uint64{0, 1})...), "fewer": part(leaves, protocol.Keys(6, []uint64{0})...), "no bytes": nil,
		"of all, but one bit": func() []byte {
			raw := part(leaves, protocol.Keys(6, []uint64{0, 1})...)
			raw[len(raw)/2] ^= 4
			return raw
		}(),
	}
	honest := map[byte]mutual.Handler{}
	over.mu.Lock()
	for n, h := range over.servers {
		honest[n] = h
	}
	over.mu.Unlock()
	for name, lie := range lies {
		t.Run(name, func(t *testing.T) {
			lying := func(n byte) {
				over.attach(n, func(ctx context.Context, from *mutual.Peer, body []byte) *mutual.Answer {
					if q, err := protocol.DecodeRequest(body); err != nil || q.Op != protocol.GetPaths {
						return honest[n](ctx, from, body)
					}
					return &mutual.Answer{Parts: [][]byte{(&protocol.Answer{Data: lie}).Encode()}, Done: func() {}}
				})
			}
			for n := range byte(6) {
				if n+1 != 4 {
					lying(n + 1)
				}
			}
			if p, err := fetch(); err != nil || p.Root() != v.Root {
				t.Errorf("with one that is honest: %v", err)
			}
			lying(4)
			if _, err := fetch(); err == nil {
				t.Error("it is believed")
			}
			for n, h := range honest {
				over.attach(n, h)
			}
		})
	}
	for name, numbers := range map[string][]uint64{"none": nil, "too many": make([]uint64, 65)} {
		t.Run(name, func(t *testing.T) {
			if _, err := relay.FetchPaths(t.Context(), c.directory, c.pool, v, v.Root, numbers, account.Address{}, nil); !errors.Is(err, protocol.ErrTable) {
				t.Error(err)
			}
		})
	}
	empty, err := relay.FetchPaths(t.Context(), c.directory, c.pool, v, digest.Hash{}, []uint64{0}, account.Address{}, nil)
	if _, there, failed := empty.Get(cbfs.ShardKey(0, 0)); err != nil || failed != nil || there {
		t.Error(err, failed)
	}
}
