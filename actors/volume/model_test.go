package volume

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/cowboyinc/cowboy-go/actors/relay/protocol"
	"github.com/cowboyinc/cowboy-go/chain/cbfs"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/net/mutual"
)

// wanted is what a path of a model leads to.
type wanted struct {
	kind   cbfs.EntryKind
	target string
	data   []byte
}

// model is what should be in a volume, kept in a map by the plainest rules there are.
type model struct {
	*world
	t      *testing.T
	r      *rand.Rand
	id     [32]byte
	client *Client
	want   map[string]wanted
	within string       // the folder that paths are drawn in; "" for all
	forms  map[bool]int // commits whose first page had all records, and others
	reused int          // numbers that were free and are used again
	anew   int          // commits that numbered everything anew
}

// put puts into the model, with the folders above; false says that it cannot be.
func (m *model) put(path string, w wanted) bool {
	if old, there := m.want[path]; there && (old.kind == cbfs.Directory) != (w.kind == cbfs.Directory) {
		return false
	}
	parts := strings.Split(path, "/")
	for n := 1; n < len(parts); n++ {
		if above, there := m.want[strings.Join(parts[:n], "/")]; there && above.kind != cbfs.Directory {
			return false
		}
	}
	for n := 1; n < len(parts); n++ {
		m.want[strings.Join(parts[:n], "/")] = wanted{kind: cbfs.Directory}
	}
	m.want[path] = w
	return true
}

// remove removes from the model; false says that nothing is there.
func (m *model) remove(path string) bool {
	found := false
	for one := range m.want {
		if one == path || strings.HasPrefix(one, path+"/") {
			delete(m.want, one)
			found = true
		}
	}
	return found
}

// paths are in order.
func (m *model) paths() []string {
	list := make([]string, 0, len(m.want))
	for path := range m.want {
		list = append(list, path)
	}
	slices.Sort(list)
	return list
}

// path draws one of many, in folders of folders; names sort before and behind the slash.
func (m *model) path() string {
	name := func(n int) string { return string("-0a~"[m.r.IntN(4)]) + fmt.Sprint(m.r.IntN(n)) }
	path := name(10)
	if m.within != "" {
		path = m.within
	}
	for range 1 + m.r.IntN(3) {
		path += "/" + name(40)
	}
	return path
}

// batch draws changes that can be made, and makes them in the model.
func (m *model) batch(size int, removes int) (changes []Change) {
	for len(changes) < size {
		path := m.path()
		switch n := m.r.IntN(100); {
		case n < removes:
			if list := m.paths(); len(list) > 0 && m.r.IntN(2) == 0 {
				path = list[m.r.IntN(len(list))]
			}
			if m.remove(path) {
				changes = append(changes, Change{Path: path, Remove: true})
			}
		case n < 90:
			w := wanted{kind: cbfs.Symlink, target: strings.Repeat("t", 1+m.r.IntN(cbfs.MaxPathBytes-1))}
			if m.put(path, w) {
				changes = append(changes, Change{Path: path, Kind: cbfs.Symlink, Target: w.target})
			}
		case n < 93:
			if m.put(path, wanted{kind: cbfs.Directory}) {
				changes = append(changes, Change{Path: path, Kind: cbfs.Directory})
			}
		default:
			data := random(m.r.Uint64(), m.r.IntN(3_000))
			if m.put(path, wanted{kind: cbfs.File, data: data}) {
				changes = append(changes, file(path, data))
			}
		}
	}
	return changes
}

// commit makes changes, and holds what is there afterwards to the model.
func (m *model) commit(changes []Change) {
	m.t.Helper()
	m.after(func() { must(m.t, m.client.Apply(m.t.Context(), m.id, changes)) })
}

// after does something that commits, and holds what is there afterwards to the model.
func (m *model) after(commits func()) {
	m.t.Helper()
	before, err := m.client.Open(m.t.Context(), m.id)
	must(m.t, err)
	commits()
	after, err := m.client.Open(m.t.Context(), m.id)
	must(m.t, err)
	cold := m.world.client(ann)
	defer cold.Close()
	second, err := cold.Open(m.t.Context(), m.id)
	must(m.t, err)
	m.check(second)
	m.check(after)
	m.roots(second)
	free := before.tree.first.Free
	for number := range after.tree.first.Numbers {
		if free.Has(number) && !after.tree.first.Free.Has(number) {
			m.reused++
		}
	}
	m.forms[after.tree.whole()]++
	if after.tree.first.Numbers < before.tree.first.Numbers {
		m.anew++
	} else if grown := after.tree.first.Numbers - before.tree.first.Numbers; grown > 0 && after.tree.first.Free.Len() > 0 {
		m.t.Errorf("%d numbers are new while %d are free", grown, after.tree.first.Free.Len())
	}
	if free := after.tree.first.Free.Len(); 2*free > after.tree.first.Numbers {
		m.t.Errorf("%d of %d numbers are free", free, after.tree.first.Numbers)
	}
}

// check holds a snapshot to the model: all entries in order, some paths, a folder, and what is in some files.
func (m *model) check(s *Snapshot) {
	m.t.Helper()
	ctx, list := m.t.Context(), m.paths()
	if s.Count() != uint64(len(list)) {
		m.t.Fatalf("%d entries, want %d", s.Count(), len(list))
	}
	for range 10 {
		path := m.path()
		if len(list) > 0 && m.r.IntN(2) == 0 {
			path = list[m.r.IntN(len(list))]
		}
		m.find(s, path)
		m.list(s, path)
	}
	m.list(s, "")
	at := 0
	for e, err := range s.Entries(ctx, "") {
		must(m.t, err)
		if at >= len(list) || e.Path != list[at] || !m.same(e) {
			m.t.Fatalf("entry %d is %q of kind %d, want %q", at, e.Path, e.Kind, list[min(at, len(list)-1)])
		}
		at++
	}
	if at != len(list) {
		m.t.Fatalf("%d entries, want %d", at, len(list))
	}
}

// same reports whether an entry is the model's.
func (m *model) same(e *cbfs.Entry) bool {
	w, there := m.want[e.Path]
	if !there || e.Kind != w.kind || e.Target != w.target {
		return false
	}
	return w.kind != cbfs.File || e.Object.Size == uint64(len(w.data)) && e.Object.ContentHash == digest.Blake3(w.data)
}

func (m *model) find(s *Snapshot, path string) {
	m.t.Helper()
	e, err := s.Find(m.t.Context(), path)
	w, there := m.want[path]
	if there != (err == nil) || !there && !errors.Is(err, ErrPath) || there && !m.same(e) {
		m.t.Fatalf("%q: %v %v, there %v", path, e, err, there)
	}
	if there && w.kind == cbfs.File {
		var out bytes.Buffer
		if err := s.Read(m.t.Context(), path, &out); err != nil || !bytes.Equal(out.Bytes(), w.data) {
			m.t.Fatalf("%q: %d bytes, %v", path, out.Len(), err)
		}
	}
}

func (m *model) list(s *Snapshot, folder string) {
	m.t.Helper()
	got, err := s.List(m.t.Context(), folder)
	must(m.t, err)
	names := map[string]bool{}
	below := cbfs.Canonical(folder)
	for path := range m.want {
		if rest, ok := strings.CutPrefix(path, below); ok {
			name, _, _ := strings.Cut(rest, "/")
			names[name] = true
		}
	}
	if len(got) != len(names) {
		m.t.Fatalf("%q has %d names, want %d", folder, len(got), len(names))
	}
	for i, one := range got {
		if !names[one.Name] || i > 0 && got[i-1].Name >= one.Name || one.Entry == nil || !m.same(one.Entry) {
			m.t.Fatalf("%q has %+v", folder, one)
		}
	}
	holds, err := s.Holds(m.t.Context(), folder)
	if _, there := m.want[folder]; err != nil || holds != (there || len(names) > 0) {
		m.t.Fatalf("%q: holds %v %v", folder, holds, err)
	}
}

// roots makes both roots on chain of what a reader sees, by the rules alone: every stripe at its number, and the filler at those that nothing has.
func (m *model) roots(s *Snapshot) {
	m.t.Helper()
	table := &protocol.Table{K: s.Volume.K, M: s.Volume.M, Stripes: make([]protocol.Stripe, s.Volume.Chunks)}
	zero := make([]byte, s.Volume.K)
	chunks, err := s.code.Split(zero)
	must(m.t, err)
	filler := protocol.Stripe{Size: 1}
	for _, one := range chunks {
		filler.Roots = append(filler.Roots, digest.Blake3(one))
	}
	for i := range table.Stripes {
		table.Stripes[i] = filler
	}
	taken := map[uint64]bool{}
	set := func(one protocol.Numbered) {
		if taken[one.Number] {
			m.t.Fatalf("number %d twice", one.Number)
		}
		taken[one.Number] = true
		table.Stripes[one.Number] = one.Stripe
	}
	set(s.head)
	raw := 8 + s.tree.size
	for _, one := range s.tree.first.Pages {
		set(one.Page)
		raw += one.Length
	}
	var entries []cbfs.Entry
	for r, err := range s.records(m.t.Context(), "") {
		must(m.t, err)
		for _, one := range r.Stripes {
			set(one)
		}
		e := cbfs.Entry{Path: r.Path, Kind: m.want[r.Path].kind, Target: m.want[r.Path].target}
		if e.Kind == cbfs.File {
			e.Object = r.Object
			raw += e.Object.CiphertextSize
		}
		entries = append(entries, e)
	}
	if got := uint64(len(taken)) + s.tree.first.Free.Len(); got != s.Volume.Chunks {
		m.t.Errorf("%d numbers are used or free, want %d", got, s.Volume.Chunks)
	}
	if table.Root() != s.Volume.Root {
		m.t.Error("another shard_root")
	}
	if s.Volume.Raw != raw {
		m.t.Errorf("%d bytes, want %d", s.Volume.Raw, raw)
	}
	if !s.Volume.Private {
		if root, err := cbfs.ManifestRoot(entries); err != nil || root != s.Volume.Manifest {
			m.t.Error("another manifest_root", err)
		}
	}
	if v, err := s.Verify(m.t.Context()); err != nil || v.Entries != uint64(len(entries)) || v.Free != s.Volume.Chunks-uint64(len(taken)) {
		m.t.Errorf("%+v %v", v, err)
	}
}

// Whatever is put, put over and removed in whatever order, one path or thousands at a time, a volume has what a map has to which the same is done, for whoever
// made the changes and for whoever comes afterwards; pages split and join, numbers of stripes are used again, and both roots are those of the rules.
//
// Spec: storage-cbfs §2.2, §2.4, §3.1.
func TestVolumeAgainstAMap(t *testing.T) {
	for name, private := range map[string]bool{"public": false, "private": true} {
		t.Run(name, func(t *testing.T) {
			w := newWorldOver(t, 1, &wire{servers: map[byte]mutual.Handler{}, cut: map[byte]bool{}}, nil)
			m := &model{
				world: w, t: t, r: rand.New(rand.NewPCG(5, 6)), id: w.create(name, private, 1, 0), client: w.client(ann), want: map[string]wanted{},
				forms: map[bool]int{},
			}
			for round := range 24 {
				size, removes := 1+m.r.IntN(20), 20
				m.within = ""
				switch {
				case round%20 < 4: // grows
					size, removes = 2_500, 1
				case round%20 == 18: // shrinks
					size, removes = 60, 90
				default: // in one folder
					m.within = m.path()[:2]
					if round%4 == 0 {
						removes = 80
					}
				}
				m.commit(m.batch(size, removes))
			}
			m.within = ""
			var all []Change
			for path := range m.want {
				if !strings.Contains(path, "/") {
					all = append(all, Change{Path: path, Remove: true})
				}
			}
			clear(m.want)
			m.commit(all)
			m.commit(m.batch(3, 0))
			if m.forms[true] == 0 || m.forms[false] == 0 || m.reused == 0 || m.anew == 0 {
				t.Errorf("never tried: %v, %d numbers used again, %d numberings anew", m.forms, m.reused, m.anew)
			}
		})
	}
}

// Pages that get small are joined with one beside them, until few are left, and all numbers are given anew when more than half of them would be free; files
// are read before and afterwards.
//
// Spec: storage-cbfs §2.4.
func TestPagesJoin(t *testing.T) {
	for name, private := range map[string]bool{"public": false, "private": true} {
		t.Run(name, func(t *testing.T) {
			w := newWorldOver(t, 1, &wire{servers: map[byte]mutual.Handler{}, cut: map[byte]bool{}}, nil)
			m := &model{
				world: w, t: t, r: rand.New(rand.NewPCG(7, 8)), id: w.create(name, private, 1, 0), client: w.client(ann), want: map[string]wanted{},
				forms: map[bool]int{},
			}
			var paths []string
			for i := range 9_000 {
				path := fmt.Sprintf("d%02d/%s%03d", i/300, strings.Repeat("n", 40), i%300)
				paths = append(paths, path)
				if private { // what files share is sealed for one of them
					m.put(path, wanted{kind: cbfs.Symlink, target: strings.Repeat("t", 200)})
				} else {
					m.put(path, wanted{kind: cbfs.File, data: shared})
				}
			}
			if private {
				var links []Change
				for _, path := range paths {
					links = append(links, Change{Path: path, Kind: cbfs.Symlink, Target: m.want[path].target})
				}
				m.commit(links)
			} else {
				m.after(func() { w.share(m.client, m.id, paths) })
			}
			joined := 0
			for _, n := range m.r.Perm(30) {
				folder := fmt.Sprintf("d%02d", n)
				m.remove(folder)
				before := m.pages()
				m.commit([]Change{{Path: folder, Remove: true}})
				after := m.pages()
				if len(after) < len(before) {
					joined++
				}
				for i, size := range after {
					if size < 60<<10 && len(after) > 1 { // a quarter of a page, less what records are counted with too much
						t.Errorf("page %d of %d has %d bytes", i, len(after), size)
					}
				}
			}
			if joined < 5 || m.forms[true] == 0 || m.forms[false] < 10 || m.anew == 0 {
				t.Errorf("%d times pages were joined, forms %v, %d numberings anew", joined, m.forms, m.anew)
			}
		})
	}
}

// pages are the lengths of the leaf pages.
func (m *model) pages() (lengths []uint64) {
	m.t.Helper()
	s, err := m.client.Open(m.t.Context(), m.id)
	must(m.t, err)
	for i := range s.tree.first.Pages {
		lengths = append(lengths, s.tree.first.Pages[i].Length)
	}
	return lengths
}
