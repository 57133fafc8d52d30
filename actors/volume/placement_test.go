package volume

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"

	"github.com/cowboyinc/cowboy-go/actors/relay/protocol"
	"github.com/cowboyinc/cowboy-go/actors/relay/reach"
	"github.com/cowboyinc/cowboy-go/actors/relay/store"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/net/mutual"
)

// overheard is a world over a wire whose relays' questions a test hears, and may answer in their place.
type overheard struct {
	*world
	honest map[byte]mutual.Handler

	mu    sync.Mutex
	asked map[byte][]protocol.Request // of each relay, without data
	got   map[byte][]protocol.Status  // what each answered
}

// overhear begins so many relays.
func overhear(t *testing.T, relays int) *overheard {
	w := newWorldOver(t, relays, &wire{servers: map[byte]mutual.Handler{}, cut: map[byte]bool{}}, nil)
	o := &overheard{world: w, honest: map[byte]mutual.Handler{}, asked: map[byte][]protocol.Request{}, got: map[byte][]protocol.Status{}}
	for n := range w.relays {
		o.hear(byte(n+1), nil)
	}
	return o
}

// hear listens to a relay from now on. instead answers in its place, or gives nil for the relay's own answer; it may be nil.
func (o *overheard) hear(number byte, instead func(q *protocol.Request) *protocol.Answer) {
	if o.honest[number] == nil {
		o.wire.mu.Lock()
		o.honest[number] = o.wire.servers[number]
		o.wire.mu.Unlock()
	}
	honest := o.honest[number]
	o.wire.attach(number, func(ctx context.Context, from *mutual.Peer, body []byte) *mutual.Answer {
		q, err := protocol.DecodeRequest(body)
		if err != nil {
			return honest(ctx, from, body)
		}
		var answer *mutual.Answer
		if instead != nil {
			if a := instead(q); a != nil {
				answer = &mutual.Answer{Parts: [][]byte{a.Encode()}, Done: func() {}}
			}
		}
		if answer == nil {
			answer = honest(ctx, from, body)
		}
		o.mu.Lock()
		defer o.mu.Unlock()
		q.Data = nil
		o.asked[number] = append(o.asked[number], *q)
		o.got[number] = append(o.got[number], protocol.Status(answer.Parts[0][0]))
		return answer
	})
}

// again starts a relay over its folder.
func (o *overheard) again(i int) {
	delete(o.honest, byte(i+1))
	o.relays[i] = o.begin(byte(i+1), o.relays[i].dir, 1<<30)
	o.hear(byte(i+1), nil)
}

// of lists the statuses of what relays were asked of an operation since forget.
func (o *overheard) of(op protocol.Op, numbers ...byte) (list []protocol.Status) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for _, number := range numbers {
		for i, q := range o.asked[number] {
			if q.Op == op {
				list = append(list, o.got[number][i])
			}
		}
	}
	return list
}

func (o *overheard) forget() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.asked, o.got = map[byte][]protocol.Request{}, map[byte][]protocol.Status{}
}

// holder is the first relay that holds a slot of a volume: where it is in the world, its number and its slot.
func (o *overheard) holder(id digest.Hash) (i int, number byte, slot uint8) {
	v, err := o.Volume(context.Background(), id)
	must(o.t, err)
	i = slices.IndexFunc(o.relays, func(n *node) bool { return len(v.Holds(n.self)) > 0 })
	return i, byte(i + 1), v.Holds(o.relays[i].self)[0]
}

// whole waits until every relay that is up has found its slots whole.
func (o *overheard) whole() {
	o.t.Helper()
	o.until("all is found whole", func() bool {
		for _, n := range o.relays {
			if n.stop != nil {
				if s, ok := n.handle.Status(); !ok || s.Whole != s.Slots {
					return false
				}
			}
		}
		return true
	})
}

// tableOf is the table of a snapshot.
func tableOf(t *testing.T, s *Snapshot) *protocol.Table {
	t.Helper()
	table, err := s.table(t.Context())
	must(t, err)
	return table
}

func others(relays int, but byte) (list []byte) {
	for n := byte(1); n <= byte(relays); n++ {
		if n != but {
			list = append(list, n)
		}
	}
	return list
}

// After a commit a relay that was whole looks at what the commit touched: a chunk beside it that went is not missed, until everything is looked at.
//
// Spec: storage-cbfs §4 (self-heal), §8 (repair check).
func TestLooksAtWhatACommitTouched(t *testing.T) {
	o := overhear(t, 6)
	c := o.client(ann)
	id := o.create("docs", false, 4, 2)
	must(t, c.Apply(t.Context(), id, []Change{file("a", random(1, 9_000))}))
	o.confirmed(id)
	o.whole()
	s, err := c.Open(t.Context(), id)
	must(t, err)
	i, _, slot := o.holder(id)
	untouched := chunkFile(o.relays[i], tableOf(t, s).Stripes[1].Roots[slot])
	must(t, os.Remove(untouched))
	must(t, c.Apply(t.Context(), id, []Change{file("b", random(2, 9_000))}))
	o.confirmed(id)
	o.whole()
	if _, err := os.Stat(untouched); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("more is looked at than the commit touched: %v", err)
	}
	s, err = c.Open(t.Context(), id)
	must(t, err)
	if _, err := os.Stat(chunkFile(o.relays[i], tableOf(t, s).Stripes[2].Roots[slot])); err != nil {
		t.Error(err)
	}
	o.pass(3_600)
	o.until("everything is looked at", func() bool { _, err := os.Stat(untouched); return err == nil })
}

// Of a commit that a relay missed it fetches the pages that differ; one that has nothing left fetches all of them.
//
// Spec: storage-cbfs §3.3 (GetPlacement), §4 (self-heal).
func TestFetchesThePagesThatDiffer(t *testing.T) {
	o := overhear(t, 6)
	c := o.client(ann)
	id := o.create("docs", false, 4, 2)
	o.Fill(c, id, 1_000) // four pages, the manifest in the first
	o.confirmed(id)
	o.whole()
	i, number, _ := o.holder(id)
	o.hear(number, func(q *protocol.Request) *protocol.Answer {
		if q.Op == protocol.PutShard || q.Op == protocol.PutPlacement || q.Op == protocol.ReplicatePlacement {
			return &protocol.Answer{Status: protocol.ErrCapacity}
		}
		return nil
	})
	o.forget()
	must(t, c.Apply(t.Context(), id, []Change{file("zz", random(2, 9_000))}))
	o.confirmed(id)
	if got := o.of(protocol.GetPage, others(6, number)...); len(got) != 2 {
		t.Errorf("%d pages are fetched", len(got))
	}
	o.kill(i)
	o.forget()
	o.again(i)
	o.confirmed(id)
	o.until("the table is here", func() bool { return len(o.of(protocol.GetPage, others(6, number)...)) >= 4 })
	o.whole()
	if got := o.of(protocol.GetPage, others(6, number)...); len(got) != 4 {
		t.Errorf("%d pages are fetched, and the table has four", len(got))
	}
	v, err := o.Volume(t.Context(), id)
	must(t, err)
	_, _, slot := o.holder(id)
	if !has(o.relays[i], v, slot) {
		t.Error("the slot is not whole")
	}
}

// A relay that has not the base of a change says so, is left out where enough others take it, and mends its slot of what these have.
//
// Spec: storage-cbfs §3.3 (PutPlacement), §4 (self-heal), §9 (ErrNotFound).
func TestARelayWithoutTheBase(t *testing.T) {
	o := overhear(t, 6)
	c := o.client(ann)
	id := o.create("docs", false, 4, 2)
	must(t, c.Apply(t.Context(), id, []Change{file("a", random(1, 9_000))}))
	o.confirmed(id)
	i, number, slot := o.holder(id)
	o.kill(i)
	for _, n := range others(6, number) {
		o.hear(n, func(q *protocol.Request) *protocol.Answer { // so that it does not mend before
			if q.Op == protocol.GetPlacement {
				return &protocol.Answer{Status: protocol.ErrCapacity}
			}
			return nil
		})
	}
	o.again(i)
	o.forget()
	must(t, c.Apply(t.Context(), id, []Change{file("b", random(2, 9_000))}))
	if got, want := o.of(protocol.PutPlacement, number), []protocol.Status{protocol.ErrNotFound}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	for _, n := range others(6, number) {
		if got := o.of(protocol.PutPlacement, n); len(got) != 1 || got[0] != protocol.Ok {
			t.Errorf("relay %d answers %v", n, got)
		}
		o.hear(n, nil)
	}
	o.confirmed(id)
	v, err := o.Volume(t.Context(), id)
	must(t, err)
	if !has(o.relays[i], v, slot) {
		t.Error("the slot is not whole")
	}
}

// What relays say of a table that is not so is found out, and nothing of it stays; the one that is honest is believed.
//
// Spec: storage-cbfs §2.2 (shard_root), §3.3 (GetPlacement).
func TestLyingAboutTables(t *testing.T) {
	o := overhear(t, 6)
	c := o.client(ann)
	id := o.create("docs", false, 4, 2)
	o.Fill(c, id, 600) // three pages
	o.confirmed(id)
	s, err := c.Open(t.Context(), id)
	must(t, err)
	count := uint64(len(tableOf(t, s).Stripes))
	wrong := &protocol.Table{K: 4, M: 2, Stripes: slices.Clone(tableOf(t, s).Stripes)}
	wrong.Stripes[300] = protocol.Stripe{Size: 9, Roots: make([]digest.Hash, 6)}
	outline := func(t *protocol.Table) *protocol.Outline {
		o := &protocol.Outline{K: t.K, M: t.M, Count: uint64(len(t.Stripes))}
		for at := range protocol.Pages(o.Count) {
			o.Pages = append(o.Pages, digest.Blake3(t.Page(at)))
		}
		return o
	}
	give := func(o *protocol.Outline, page func(at uint64) []byte) func(q *protocol.Request) *protocol.Answer {
		return func(q *protocol.Request) *protocol.Answer {
			switch q.Op {
			case protocol.GetPlacement:
				return &protocol.Answer{Data: o.Encode()}
			case protocol.GetPage:
				return &protocol.Answer{Data: page(q.Number)}
			}
			return nil
		}
	}
	longer := &protocol.Table{K: 4, M: 2, Stripes: append(slices.Clone(tableOf(t, s).Stripes), tableOf(t, s).Stripes[0])}
	other := &protocol.Table{K: 2, M: 4, Stripes: tableOf(t, s).Stripes}
	lies := []func(q *protocol.Request) *protocol.Answer{
		give(outline(wrong), func(at uint64) []byte { return wrong.Page(int(at)) }),         // of another table, which it is
		give(outline(tableOf(t, s)), func(at uint64) []byte { return wrong.Page(int(at)) }), // pages that are not those of the outline
		give(outline(longer), func(at uint64) []byte { return longer.Page(int(at)) }),       // longer than the chain says
		give(outline(other), func(at uint64) []byte { return other.Page(int(at)) }),         // of another code
		give(outline(tableOf(t, s)), func(uint64) []byte { return []byte{4, 2, 0, 0} }),     // none
	}
	i, number, slot := o.holder(id)
	o.kill(i)
	rest := others(6, number)
	for at, n := range rest {
		o.hear(n, lies[at])
	}
	o.again(i)
	o.forget()
	o.until("all of them were asked", func() bool {
		return !slices.ContainsFunc(rest, func(n byte) bool { return len(o.of(protocol.GetPlacement, n)) < 2 }) // the second time they are done with the first
	})
	o.hear(rest[4], nil)
	v, err := o.Volume(t.Context(), id)
	must(t, err)
	o.until("the table is here", func() bool { return has(o.relays[i], v, slot) })
	for folder, want := range map[string]int{"tables/*": 1, "pages/*/*": 3} {
		t.Run(folder, func(t *testing.T) {
			files, err := filepath.Glob(filepath.Join(o.relays[i].dir, filepath.FromSlash(folder)))
			must(t, err)
			if len(files) != want {
				t.Errorf("%d files, want %d, of a table of %d stripes", len(files), want, count)
			}
		})
	}
}

// A page, a branch or the directory of a table that goes is made good, once somebody asks for it or everything is looked at; a challenge is answered meanwhile.
//
// Spec: storage-cbfs §4 (self-heal), §6.
func TestPartsOfTablesAreMended(t *testing.T) {
	o := overhear(t, 6)
	c := o.client(ann)
	id := o.create("docs", false, 4, 2)
	o.Fill(c, id, 600)
	o.confirmed(id)
	o.whole()
	v, err := o.Volume(t.Context(), id)
	must(t, err)
	i, _, slot := o.holder(id)
	n := o.relays[i]
	r, err := o.Relay(t.Context(), n.self)
	must(t, err)
	files := func(pattern string) []string {
		list, err := filepath.Glob(filepath.Join(n.dir, filepath.FromSlash(pattern)))
		must(t, err)
		return list
	}
	ask := func(q *protocol.Request) error {
		q.Volume, q.Root = id, v.Root
		_, err := c.pool.Ask(t.Context(), r, q)
		return err
	}
	table, err := n.store.Table(store.Name{Volume: id, Root: v.Root})
	must(t, err)
	page := table.Outline().Pages[1].Hex()
	must(t, os.Remove(filepath.Join(n.dir, "pages", page[:2], page)))
	if err := ask(&protocol.Request{Op: protocol.GetPage, Number: 1}); !errors.Is(err, protocol.ErrNotFound) {
		t.Error(err)
	}
	o.until("the page is back", func() bool { return ask(&protocol.Request{Op: protocol.GetPage, Number: 1}) == nil })
	branches := files("branches/*/*")
	for _, name := range branches {
		must(t, os.WriteFile(name, []byte("rotten"), 0o600))
	}
	o.world.mu.Lock()
	challenge, err := o.registry.Challenge(ann.Address(), id, slot, o.registry.Terms.Proof.Bond+o.registry.Terms.Proof.Fee)
	o.world.mu.Unlock()
	must(t, err)
	o.until("the challenge is answered", func() bool {
		r, err := o.Relay(t.Context(), n.self)
		must(t, err)
		return !slices.ContainsFunc(r.Challenges, func(one reach.Challenge) bool { return one.ID == challenge })
	})
	numbers := protocol.EncodeNumbers([]uint64{1, 2, 3, 4, 5, 6, 7, 8, 9})
	o.until("paths are given again", func() bool { return ask(&protocol.Request{Op: protocol.GetPaths, Data: numbers}) == nil })
	for _, name := range files("tables/*") {
		must(t, os.WriteFile(name, []byte("rotten"), 0o600))
	}
	o.pass(3_600)
	o.until("everything is there", func() bool { return has(n, v, slot) && len(files("branches/*/*")) == len(branches) })
	if err := ask(&protocol.Request{Op: protocol.ProveShard, Slot: slot, Number: 3}); err != nil {
		t.Error(err)
	}
}

// Parts of a change come in their order, of one change from one base; what was brought once counts for nothing the second time, and a change whose last part
// came is over.
//
// Spec: storage-cbfs §3.3 (PutPlacement), §9.
func TestPartsOfChanges(t *testing.T) {
	o := overhear(t, 6)
	c := o.client(ann)
	id := o.create("docs", false, 4, 2)
	must(t, c.Apply(t.Context(), id, []Change{file("a", random(1, 9_000))}))
	o.confirmed(id)
	s, err := c.Open(t.Context(), id)
	must(t, err)
	v := s.Volume
	i, _, _ := o.holder(id)
	r, err := o.Relay(t.Context(), o.relays[i].self)
	must(t, err)
	next := &protocol.Table{K: 4, M: 2, Stripes: slices.Clone(tableOf(t, s).Stripes)}
	for len(next.Stripes) < 6_000 { // of 200 bytes
		next.Stripes = append(next.Stripes, next.Stripes[0])
	}
	change, _ := next.Change(tableOf(t, s))
	raw, root := change.Encode(), next.Root()
	const middle = protocol.PartBytes
	put := func(root, base digest.Hash, offset, end int) error {
		q := &protocol.Request{
			Op: protocol.PutPlacement, Volume: id, Root: root, Hashes: []digest.Hash{base}, Version: v.Version, Total: uint64(len(raw)), Offset: uint64(offset),
			Data: raw[offset:end],
		}
		must(t, c.let(v, true)(q))
		_, err := c.pool.Ask(t.Context(), r, q)
		return err
	}
	for at, step := range []struct {
		what       string
		root, base digest.Hash
		offset     int
		want       error
	}{
		{"the second before the first", root, v.Root, middle, protocol.ErrInvalid},
		{"the first", root, v.Root, 0, nil},
		{"the second of another base", root, digest.Hash{}, middle, protocol.ErrInvalid},
		{"the second of another root", digest.Hash{1}, v.Root, middle, protocol.ErrInvalid},
		{"the first again", root, v.Root, 0, nil},
		{"the second", root, v.Root, middle, nil},
		{"the second again", root, v.Root, middle, protocol.ErrInvalid},
		{"the first of another base", root, digest.Hash{}, 0, nil},
		{"the second of it", root, digest.Hash{}, middle, protocol.ErrInvalid}, // which has not the stripes before it
	} {
		t.Run(step.what, func(t *testing.T) {
			end := len(raw)
			if step.offset == 0 {
				end = middle
			}
			if err := put(step.root, step.base, step.offset, end); !errors.Is(err, step.want) {
				t.Errorf("%v, want %v", err, step.want)
			}
			_, err := o.relays[i].store.Table(store.Name{Volume: id, Root: root})
			if done := at >= 5; errors.Is(err, store.ErrMissing) == done || err == nil != done {
				t.Errorf("the table is here after step %d: %v", at, err)
			}
		})
	}
}
