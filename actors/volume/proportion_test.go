package volume

import (
	"fmt"
	"testing"
	"time"

	"github.com/cowboyinc/cowboy-go/actors/relay/protocol"
	"github.com/cowboyinc/cowboy-go/actors/volume/page"
)

// heard is what an ear heard since it was asked last.
func (e *ear) heard() (ops map[protocol.Op]int, sent, fetched int) {
	e.mu.Lock()
	defer e.mu.Unlock()
	ops, sent, fetched = e.ops, e.sent, e.fetched
	e.ops, e.sent, e.fetched = map[protocol.Op]int{}, 0, 0
	return ops, sent, fetched
}

// patient is a client that asks no slot for a chunk besides: what it asks for can be counted.
func (w *world) patient() *Client {
	c := w.client(ann)
	c.Late = time.Hour
	return c
}

// What a client sends and fetches grows with what it touches, and with the first page: in a volume of 50,000 files a put, an overwriting and a removal take the
// page of the path, a folder's listing and a look those with the folder or the path, and an opening nothing more. The same holds where the first page has all.
//
// Spec: storage-cbfs §8 (objects per volume).
func TestWhatIsTouched(t *testing.T) {
	const (
		leafBytes = 6 * page.Bytes / 4 // of all slots
		others    = 64 << 10           // tokens, paths of the first page, and a small file
	)
	for _, count := range []int{1_000, 50_000} {
		if count > 1_000 && testing.Short() { // the race detector counts the same, and takes minutes for it
			continue
		}
		for _, private := range []bool{true, false} {
			t.Run(fmt.Sprint(count, " files, private ", private), func(t *testing.T) {
				w := NewWired(t, 6)
				id, writer := w.create("many", private, 4, 2), w.patient()
				w.Fill(writer, id, count)
				listen := &ear{}
				w.wire.listen(listen)
				open := func(c *Client) *Snapshot {
					s, err := c.Open(t.Context(), id)
					must(t, err)
					return s
				}
				first := int(open(writer).tree.size)
				leaf := 1 // page that holds a path, besides the first one
				if count == 1_000 {
					leaf = 0
				}
				if refs := open(writer).tree.first.Pages; (len(refs) > 0) != (leaf > 0) || count == 50_000 && first > 64<<10 {
					t.Fatalf("%d pages, the first one of %d bytes", len(refs), first)
				}
				writes := func(c *Client, change Change) func() {
					return func() { must(t, c.Apply(t.Context(), id, []Change{change})) }
				}
				for _, one := range []struct {
					what  string
					do    func()
					pages int // that are fetched besides the first one
					sent  int // stripes that get other chunks; 0 where nothing is sent
				}{
					{"opening", func() { open(w.patient()) }, 0, 0},
					{"opening again", func() { open(writer) }, -1, 0},
					{"a look", func() {
						if e, err := open(w.patient()).Find(t.Context(), "folder0003/file07"); err != nil || e.Object.Size != uint64(len(shared)) {
							t.Error(e, err)
						}
					}, leaf, 0},
					{"a listing", func() {
						if list, err := open(w.patient()).List(t.Context(), "folder0003"); err != nil || len(list) != 100 {
							t.Error(len(list), err)
						}
					}, 2 * leaf, 0}, // it may lie in two
					{"a new file", writes(writer, file("folder0005/new", []byte("new"))), leaf - 1, 5},
					{"another one", writes(writer, file("folder0005/new2", []byte("new"))), leaf - 1, 5},
					{"a file over another", writes(writer, file("folder0007/file09", []byte("other"))), leaf - 1, 5},
					{"a removal", writes(writer, Change{Path: "folder0008/file08", Remove: true}), leaf - 1, 5},
					{"the removal of a folder", writes(writer, Change{Path: "folder0002", Remove: true}), 2*leaf - 1, 104},
				} {
					t.Run(one.what, func(t *testing.T) {
						w.confirmed(id) // whoever lags behind gives nothing, and another one is asked
						listen.heard()
						one.do()
						ops, sent, fetched := listen.heard()
						most, read := others, one.pages+1
						if one.sent > 0 {
							most += first*6/4 + 2*leafBytes + 6*one.sent*200
						}
						if sent > most {
							t.Errorf("%d bytes sent, want at most %d: %v", sent, most, ops)
						}
						paths := one.sent*6*600 + 6*200*wholeFrom // of the tree of shards; or the table, if it is no longer
						if most := others + first + max(0, one.pages)*page.Bytes + paths; fetched > most {
							t.Errorf("%d bytes fetched, want at most %d: %v", fetched, most, ops)
						}
						if ops[protocol.GetShard] > 4*read || ops[protocol.GetPaths] > 1+one.sent/64 {
							t.Errorf("asked: %v, want at most %d chunks", ops, 4*read)
						}
						if ops[protocol.GetPage] > 0 && wholeFrom*one.sent < count {
							t.Errorf("the table is fetched: %v", ops)
						}
					})
				}
				// whoever comes first to a private volume reads what it changes; to a public one, all of it, for the root is over all leaves
				reads := 1 + leaf
				if !private {
					reads = 1 + len(open(writer).tree.first.Pages)
				}
				w.confirmed(id)
				listen.heard()
				writes(w.patient(), file("folder0009/new", []byte("new")))()
				if ops, _, _ := listen.heard(); ops[protocol.GetShard] != 4*reads {
					t.Errorf("a writer that comes first asks: %v, want %d pages", ops, reads)
				}
			})
		}
	}
}

// A reader that looked for a page just before another one's fetch of it ended asks nobody for it again.
func TestReadersThatMeet(t *testing.T) {
	w := NewWired(t, 6)
	id := w.create("many", true, 4, 2)
	w.Fill(w.patient(), id, 12_000)
	s, err := w.patient().Open(t.Context(), id)
	must(t, err)
	const place = 0
	listen := &ear{}
	w.wire.listen(listen)
	list, err := s.load(t.Context(), place)
	must(t, err)
	if ops, _, _ := listen.heard(); ops[protocol.GetShard] == 0 {
		t.Fatalf("the page was there before: %v", ops)
	}
	got := <-s.fetchOnce(t.Context(), place, pageKey{id, s.tree.leaves[place].Hash})
	must(t, got.Err)
	if again := got.Val.([]page.Record); len(again) == 0 || &again[0] != &list[0] {
		t.Errorf("%d other records", len(again))
	}
	if ops, _, _ := listen.heard(); len(ops) > 0 {
		t.Errorf("asked again: %v", ops)
	}
}
