package volume

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/cowboyinc/cowboy-go/actors/relay/protocol"
	"github.com/cowboyinc/cowboy-go/actors/relay/reach"
	"github.com/cowboyinc/cowboy-go/actors/relay/stripe"
	"github.com/cowboyinc/cowboy-go/actors/volume/page"
	"github.com/cowboyinc/cowboy-go/chain/cbfs"
	"github.com/cowboyinc/cowboy-go/chain/digest"
)

// planned is a public volume of one slot, whose first page has a MiB, with so many leaf pages.
func planned(t *testing.T, leaves int) *Snapshot {
	t.Helper()
	code, err := stripe.New(1, 0)
	must(t, err)
	s := &Snapshot{Volume: &reach.Volume{K: 1}, code: code, tree: newTree(&page.First{Numbers: 1}, 0)}
	for i := range leaves {
		s.tree.leaves = append(s.tree.leaves, &leaf{Ref: page.Ref{First: fmt.Sprintf("%07d", i), Entries: 1}})
	}
	return s
}

// Leaf pages have 256 KiB at most, and a MiB once references would fill half of the first page.
//
// Spec: storage-cbfs §8 (objects per volume).
func TestPagesGrowBeforeTheFirstOneIsFull(t *testing.T) {
	var records []page.Record
	for i := range 1_000 { // of some 640 bytes, 640 KB together
		target := strings.Repeat("t", 600)
		records = append(records, page.Record{Entry: cbfs.Entry{Path: fmt.Sprintf("%07d", i), Kind: cbfs.Symlink, Target: target}})
	}
	for leaves, want := range map[int]int{0: 3, 4_095: 3, 4_096: 1} { // 128 bytes for each reference
		t.Run(fmt.Sprint(leaves, " pages"), func(t *testing.T) {
			p := &plan{}
			planned(t, leaves).split(p, []part{{records: records}})
			if len(p.pages) != want {
				t.Errorf("%d pages, want %d", len(p.pages), want)
			}
		})
	}
}

// Everything is numbered anew when more than half of the numbers would be free, and when naming them takes more than an eighth of the first page.
//
// Spec: storage-cbfs §2.2 (shard_root).
func TestWhenNumbersAreGivenAnew(t *testing.T) {
	runs := func(count int) (all page.Runs) { // two bytes for each
		for i := range count {
			all = append(all, page.Run{First: uint64(1 + 3*i), Length: 1})
		}
		return all
	}
	for name, one := range map[string]struct {
		free    page.Runs
		numbers uint64
		freed   []uint64
		placed  int // stripes that need a number
		want    bool
	}{
		"none is free":               {nil, 10, nil, 0, false},
		"half of them":               {page.Runs{{First: 1, Length: 5}}, 10, nil, 0, false},
		"more than half":             {page.Runs{{First: 1, Length: 5}}, 10, []uint64{6}, 0, true},
		"of which one is used":       {page.Runs{{First: 1, Length: 5}}, 10, []uint64{6}, 1, false},
		"all of which are used":      {page.Runs{{First: 1, Length: 9}}, 10, nil, 9, false},
		"scattered ones":             {runs(65_530), 1_000_000, nil, 0, false}, // and three bytes of their number
		"as many as have space":      {runs(65_533), 1_000_000, nil, 0, false},
		"one more than have space":   {runs(65_535), 1_000_000, nil, 0, true},
		"one more, all of them used": {runs(65_535), 1_000_000, nil, 70_000, false},
	} {
		t.Run(name, func(t *testing.T) {
			s := planned(t, 0)
			s.tree.first = &page.First{Numbers: one.numbers, Free: one.free}
			r := page.Record{Stripes: make([]protocol.Numbered, one.placed)}
			if got := s.sparse(&plan{whole: true}, &draft{parts: []part{{records: []page.Record{r}}}, freed: one.freed}); got != one.want {
				t.Errorf("anew: %v", got)
			}
		})
	}
}

// A volume whose references do not fit into the first page is not committed.
//
// Spec: storage-cbfs §8 (objects per volume).
func TestFirstPageThatIsFull(t *testing.T) {
	w := NewWired(t, 1)
	c, id := w.client(ann), w.create("docs", false, 1, 0)
	s, err := c.Open(t.Context(), id)
	must(t, err)
	for count, want := range map[int]error{1_700: nil, 1_800: page.ErrFull} { // some 590 bytes each, of a MiB
		t.Run(fmt.Sprint(count, " pages"), func(t *testing.T) {
			p := &plan{pool: page.Pool{Numbers: uint64(1 + count)}}
			for i := range count {
				path := fmt.Sprintf("%0255d/%0256d", i, i)
				at := protocol.Numbered{Number: uint64(1 + i), Stripe: protocol.Stripe{Size: 1, Roots: make([]digest.Hash, 1)}}
				p.leaves = append(p.leaves, &leaf{Ref: page.Ref{First: path, Entries: 1, Length: 1, Page: at}})
			}
			if _, _, _, err := newUploader(s, nil).sendFirst(t.Context(), p); !errors.Is(err, want) {
				t.Error(err)
			}
		})
	}
}

// A client keeps 32 MiB of pages, and throws out the one that was used longest ago beyond.
func TestPagesThatAreKept(t *testing.T) {
	c := &Client{}
	c.open()
	p := c.pages
	key := func(n byte) pageKey { return pageKey{hash: digest.Hash{n}} }
	kept := func() (numbers string) {
		for n := range byte(4) {
			if _, ok := p.Find(key(n)); ok { // which uses it
				numbers += fmt.Sprint(n)
			}
		}
		return numbers
	}
	for _, step := range []struct {
		what string
		do   func()
		want string
	}{
		{"one", func() { p.Put(key(0), []page.Record{{}}, 16<<20) }, "0"},
		{"as much as may be", func() { p.Put(key(1), []page.Record{{}}, 16<<20) }, "01"},
		{"one again", func() { p.Put(key(1), []page.Record{{}}, 16<<20) }, "01"},
		{"a byte more", func() { p.Find(key(0)); p.Put(key(2), []page.Record{{}}, 1) }, "02"},
		{"one that is larger than all", func() { p.Put(key(3), []page.Record{{}}, 33<<20) }, "02"},
	} {
		t.Run(step.what, func(t *testing.T) {
			if step.do(); kept() != step.want {
				t.Errorf("%s are kept, want %s", kept(), step.want)
			}
		})
	}
}
