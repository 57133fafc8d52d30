package volume

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/cowboyinc/cowboy-go/actors/relay/protocol"
	"github.com/cowboyinc/cowboy-go/actors/volume/page"
	"github.com/cowboyinc/cowboy-go/chain/cbfs"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/volume"
	"github.com/cowboyinc/cowboy-go/net/mutual"
)

// forgery is a commit by somebody who may write and who lies.
type forgery struct {
	first    *page.First
	seal     string      // of leaf pages, in the place of a path
	plain    []byte      // in the place of the first page; nil for it
	length   uint64      // that is said before the first page; 0 for its own
	manifest digest.Hash // the root on chain; zero for the right one
	table    func(t *protocol.Table)
}

// forge commits leaf pages of records, as a forgery says that is changed by somebody.
func (w *world) forge(c *Client, id digest.Hash, pages [][]page.Record, change func(f *forgery)) {
	w.t.Helper()
	ctx := w.t.Context()
	s, err := c.Open(ctx, id)
	must(w.t, err)
	u := newUploader(s, nil)
	f := &forgery{seal: leafPath, first: &page.First{Numbers: uint64(1 + len(pages))}, table: func(*protocol.Table) {}}
	send := func(raw []byte) protocol.Stripe {
		stripes, err := u.send(ctx, standing(raw), nil, false)
		must(w.t, err)
		return stripes[0]
	}
	var leaves []digest.Hash
	refer := func() {
		f.first.Pages, leaves = nil, nil
		for i, list := range pages {
			raw := page.EncodeLeaf(list)
			if s.key != nil {
				raw, err = sealPage(s.key, id, f.seal, raw)
				must(w.t, err)
			}
			r := page.SumOf(list)
			r.Length, r.Hash, r.Page = uint64(len(raw)), digest.Blake3(raw), protocol.Numbered{Number: uint64(1 + i), Stripe: send(raw)}
			f.first.Pages, leaves = append(f.first.Pages, r), append(leaves, hashesOf(list)...)
		}
	}
	refer()
	seal := f.seal
	if change(f); f.seal != seal {
		refer()
	}
	raw := f.first.Encode()
	if f.plain != nil {
		raw = f.plain
	}
	root := cbfs.RootOfLeaves(leaves)
	if s.key != nil {
		raw, err = sealPage(s.key, id, firstPath, raw)
		must(w.t, err)
		root = cbfs.ChunkRoot(raw)
	}
	length := uint64(len(raw))
	if f.length > 0 {
		length = f.length
	}
	head := send(append(binary.LittleEndian.AppendUint64(nil, length), raw...))
	table := &protocol.Table{K: s.Volume.K, M: s.Volume.M, Stripes: []protocol.Stripe{head}}
	table.Stripes = append(table.Stripes, make([]protocol.Stripe, len(pages))...)
	for i := range f.first.Pages {
		table.Stripes[f.first.Pages[i].Page.Number] = f.first.Pages[i].Page.Stripe
	}
	f.table(table)
	next := volume.Commit{Base: s.Volume.Manifest, Manifest: root, Raw: 1_000, Objects: 10, Chunks: uint64(len(table.Stripes))}
	for i := range table.Stripes {
		next.Raw += uint64(table.Stripes[i].Size) * uint64(s.Volume.K)
	}
	if f.manifest != (digest.Hash{}) {
		next.Manifest = f.manifest
	}
	next.Shards, err = u.publish(ctx, listOf(table), true)
	must(w.t, err)
	must(w.t, c.Chain.Commit(ctx, s.Volume, nil, next))
}

// listOf lists the stripes of a table with their numbers.
func listOf(t *protocol.Table) (list []protocol.Numbered) {
	for i := range t.Stripes {
		list = append(list, protocol.Numbered{Number: uint64(i), Stripe: t.Stripes[i]})
	}
	return list
}

// links are records of links with names from one letter on.
func links(letter byte, count int) (list []page.Record) {
	for i := range count {
		list = append(list, page.Record{Entry: cbfs.Entry{Path: fmt.Sprintf("%c%02d", letter, i), Kind: cbfs.Symlink, Target: "t"}})
	}
	return list
}

// A manifest that does not hang on what the chain has is not read, and a page of it is not that is not what the first page says: each lie for its own reason,
// when the volume is opened or when the page is read.
//
// Spec: storage-cbfs §2.4 (read rule).
func TestForgedManifests(t *testing.T) {
	w := newWorldOver(t, 6, &wire{servers: map[byte]mutual.Handler{}, cut: map[byte]bool{}}, nil)
	c := w.client(ann)
	pages := [][]page.Record{links('a', 10), links('b', 20), links('c', 30)}
	for name, one := range map[string]struct {
		change  func(f *forgery)
		opening error // nil: it is opened, and reading b05 gives
		reading error
	}{
		"nothing":                    {func(*forgery) {}, nil, nil},
		"a leaf page as the first":   {func(f *forgery) { f.plain = page.EncodeLeaf(pages[0]) }, page.ErrKind, nil},
		"a length beyond the stripe": {func(f *forgery) { f.length = 1 << 40 }, page.ErrLength, nil},
		"no page at all":             {func(f *forgery) { f.plain = []byte{9} }, page.ErrForm, nil},
		"fewer numbers than chunks": {func(f *forgery) {
			f.table = func(t *protocol.Table) { t.Stripes = append(t.Stripes, t.Stripes[0]) }
		}, page.ErrCount, nil},
		"the hash of another page":   {func(f *forgery) { f.first.Pages[1].Hash = f.first.Pages[0].Hash }, nil, page.ErrHash},
		"another page with its hash": {func(f *forgery) { swap(f.first.Pages, 0, 1) }, nil, page.ErrCount},
		"another length":             {func(f *forgery) { f.first.Pages[1].Length-- }, nil, page.ErrHash},
		"fewer entries":              {func(f *forgery) { f.first.Pages[1].Entries-- }, nil, page.ErrCount},
		"another beginning":          {func(f *forgery) { f.first.Pages[1].First = "b" }, nil, page.ErrOrder},
		"paths of the next page":     {func(f *forgery) { f.first.Pages[2].First = "b10" }, nil, page.ErrOverlap},
		"a chunk that is not the shards'": {func(f *forgery) {
			f.table = func(t *protocol.Table) { t.Stripes[2].Roots = append([]digest.Hash{{1}}, t.Stripes[2].Roots[1:]...) }
		}, nil, nil},
	} {
		for volume, private := range map[string]bool{"public": false, "private": true} {
			t.Run(name+", "+volume, func(t *testing.T) {
				id := w.create(strings.NewReplacer(" ", "-", "'", "").Replace(name)+"-"+volume, private, 4, 2)
				w.forge(c, id, pages, one.change)
				s, err := w.client(ann).Open(t.Context(), id)
				if one.opening != nil {
					if !errors.Is(err, ErrRoot) || !errors.Is(err, one.opening) || s != nil {
						t.Errorf("opening: %v, want %v", err, one.opening)
					}
					return
				}
				must(t, err)
				e, err := s.Find(t.Context(), "b05")
				if one.reading == nil && (err != nil || e.Target != "t") {
					t.Error("reading:", err)
				}
				if one.reading != nil && (!errors.Is(err, ErrRoot) || !errors.Is(err, one.reading) || e != nil) {
					t.Errorf("reading: %v, want %v", err, one.reading)
				}
				_, err = s.Verify(t.Context())
				if (err == nil) != (name == "nothing") {
					t.Error("verified:", err)
				}
			})
		}
	}
}

// swap exchanges where two pages lie.
func swap(pages []page.Ref, i, j int) {
	a, b := &pages[i], &pages[j]
	a.Page, b.Page = b.Page, a.Page
	a.Length, b.Length = b.Length, a.Length
	a.Hash, b.Hash = b.Hash, a.Hash
}

// The first page of a private volume is held to the root on chain as it is sealed, and no page that is sealed as another kind is opened as a leaf page.
//
// Spec: storage-cbfs §2.1, §2.4 (read rule), §3.1.
func TestForgedSeals(t *testing.T) {
	w := newWorldOver(t, 6, &wire{servers: map[byte]mutual.Handler{}, cut: map[byte]bool{}}, nil)
	c := w.client(ann)
	pages := [][]page.Record{links('a', 10), links('b', 20)}
	id := w.create("root", true, 4, 2)
	w.forge(c, id, pages, func(f *forgery) { f.manifest = digest.Hash{1} })
	if _, err := w.client(ann).Open(t.Context(), id); !errors.Is(err, ErrRoot) {
		t.Error(err)
	}
	for name, path := range map[string]string{"the first page": firstPath, "a file": "a00", "a file of that name": "__manifest__"} {
		t.Run(name, func(t *testing.T) {
			id := w.create(strings.ReplaceAll("seal "+name, " ", "-"), true, 4, 2)
			w.forge(c, id, pages, func(f *forgery) { f.seal = path })
			s, err := w.client(ann).Open(t.Context(), id)
			must(t, err)
			if _, err := s.Find(t.Context(), "a05"); !errors.Is(err, ErrKey) {
				t.Error(err)
			}
		})
	}
}

// Of a public volume with many pages whoever reads a few holds them to the shard_root; whoever has read all holds them to the manifest_root, and so does
// whoever changes it. A volume whose first page has everything is always held to it.
//
// Spec: storage-cbfs §2.2, §2.4 (read rule).
func TestForgedRootOfAPublicVolume(t *testing.T) {
	w := newWorldOver(t, 6, &wire{servers: map[byte]mutual.Handler{}, cut: map[byte]bool{}}, nil)
	c := w.client(ann)
	id := w.create("large", false, 4, 2)
	w.forge(c, id, [][]page.Record{links('a', 10), links('b', 20), links('c', 30)}, func(f *forgery) { f.manifest = digest.Hash{1} })
	s, err := w.client(ann).Open(t.Context(), id)
	must(t, err)
	for _, path := range []string{"a00", "c29"} {
		if _, err := s.Find(t.Context(), path); err != nil {
			t.Error(path, err)
		}
	}
	if _, err := s.Find(t.Context(), "b00"); !errors.Is(err, ErrRoot) {
		t.Errorf("the last page that is missing: %v", err)
	}
	if _, err := s.Find(t.Context(), "a00"); !errors.Is(err, ErrRoot) {
		t.Errorf("afterwards: %v", err)
	}
	if _, err := s.Verify(t.Context()); !errors.Is(err, ErrRoot) {
		t.Errorf("verified: %v", err)
	}
	if err := w.client(ann).Apply(t.Context(), id, []Change{file("new", nil)}); !errors.Is(err, ErrRoot) {
		t.Errorf("changed: %v", err)
	}
	small := w.create("small", false, 4, 2)
	whole := &page.First{Numbers: 1, Records: links('a', 10)}
	w.forge(c, small, nil, func(f *forgery) { f.plain, f.manifest = whole.Encode(), digest.Hash{1} })
	if _, err := w.client(ann).Open(t.Context(), small); !errors.Is(err, ErrRoot) {
		t.Error(err)
	}
	right := w.create("right", false, 4, 2)
	w.forge(c, right, nil, func(f *forgery) { f.plain, f.manifest = whole.Encode(), cbfs.RootOfLeaves(hashesOf(whole.Records)) })
	if s, err := w.client(ann).Open(t.Context(), right); err != nil || s.Count() != 10 {
		t.Error(err)
	}
}

// A file whose record says other chunks than the shards on chain is not read, and found by whoever verifies.
//
// Spec: storage-cbfs §2.2.
func TestRecordsOfOtherChunks(t *testing.T) {
	w := newWorldOver(t, 6, &wire{servers: map[byte]mutual.Handler{}, cut: map[byte]bool{}}, nil)
	c, id := w.client(ann), w.create("docs", false, 2, 2)
	must(t, c.Apply(t.Context(), id, []Change{file("a", bytes.Repeat([]byte("a"), 5_000)), file("b", bytes.Repeat([]byte("b"), 5_000))}))
	s, err := c.Open(t.Context(), id)
	must(t, err)
	must(t, s.Read(t.Context(), "a", &bytes.Buffer{}))
	records := s.tree.leaves[0].held
	for i := range records[0].Stripes[0].Roots {
		records[0].Stripes[0].Roots[i][0]++
	}
	if err := s.Read(t.Context(), "a", &bytes.Buffer{}); err == nil {
		t.Error("it is read")
	}
	if _, err := s.Verify(t.Context()); !errors.Is(err, errShards) {
		t.Error(err)
	}
}
