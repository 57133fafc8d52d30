package volume

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/cbfs"
)

// What a tally says of changes is no less than what the volume grows by once they are committed, and not much more: of new files, links and folders, of files
// that are written over, in a manifest of one page and of many, and where the one becomes the other.
//
// Spec: storage-cbfs §2.5 (max_bytes), §3.1 (commit_manifest).
func TestTalliesAgainstCommits(t *testing.T) {
	w := NewWired(t, 6)
	for name, x := range map[string]struct {
		files   int // that are there
		private bool
	}{"empty": {0, true}, "public": {0, false}, "one page": {300, true}, "before many pages": {4_460, false}, "many pages": {6_000, true}} {
		t.Run(name, func(t *testing.T) {
			c, id, r := w.client(ann), w.create(strings.ReplaceAll(name, " ", "-"), x.private, 2, 2), rand.New(rand.NewPCG(uint64(x.files), 3))
			if x.files > 0 {
				w.Fill(c, id, x.files)
			}
			s, err := c.Open(t.Context(), id)
			must(t, err)
			became := false
			for round := range 6 {
				base, tally := s, s.Tally()
				changes := someChanges(t, s, r, tally, 1+2*round*round, x.files)
				said := tally.Bytes()
				if s, err = s.Apply(t.Context(), changes); err != nil {
					t.Fatal(err)
				}
				pages := uint64(len(s.tree.first.Pages))
				became = became || base.tree.whole() && !s.tree.whole()
				if grew := s.Grew(); grew > int64(said) || said > uint64(grew+grew/20)+pages*4_000+s.tree.size/200+500 {
					t.Errorf("round %d: %d bytes are said for %d changes, and it grew by %d", round, said, len(changes), grew)
				}
			}
			if became != (name == "before many pages") {
				t.Errorf("the manifest became one of many pages: %v", became)
			}
		})
	}
}

// One file more may make two pages of one, or share out the first: it is tallied for every file that is put into a page, and not where none is.
//
// Spec: storage-cbfs §2.4, §2.5 (max_bytes).
func TestTallyOfAPageThatIsShared(t *testing.T) {
	w := NewWired(t, 6)
	for name, files := range map[string]int{"one of many": 6_000, "the first": 4_480} {
		t.Run(name, func(t *testing.T) {
			c, id := w.client(ann), w.create(strings.ReplaceAll(name, " ", "-"), true, 2, 2)
			w.Fill(c, id, files)
			s, err := c.Open(t.Context(), id)
			must(t, err)
			if s.tree.whole() != (name == "the first") {
				t.Fatalf("the manifest has %d pages", len(s.tree.first.Pages))
			}
			for begun := len(s.tree.first.Pages); len(s.tree.first.Pages) == begun; {
				one, tally := file(fmt.Sprintf("folder0007/%d", s.Count()), []byte("1")), s.Tally()
				tally.Set(one.Path, s.Measure(&one), Size{})
				if s, err = s.Apply(t.Context(), []Change{one}); err != nil {
					t.Fatal(err)
				}
				if said := tally.Bytes(); s.Grew() > int64(said) || said > uint64(s.Grew())+4_000+uint64(s.room()/200) {
					t.Errorf("%d bytes are said, and it grew by %d", said, s.Grew())
				}
			}
			one, tally := file("folder0007/file07", []byte("1")), s.Tally()
			before, err := s.Find(t.Context(), one.Path)
			must(t, err)
			if tally.Set(one.Path, s.Measure(&one), s.SizeOf(before)); tally.Bytes() > 100 {
				t.Errorf("%d bytes are said for a file of fewer bytes", tally.Bytes())
			}
		})
	}
}

// someChanges draws changes of a volume, each of another path, none of which takes less than before, and tallies them.
func someChanges(t *testing.T, s *Snapshot, r *rand.Rand, tally *Tally, count, files int) (all []Change) {
	t.Helper()
	taken := map[string]bool{}
	for len(all) < count {
		path := fmt.Sprintf("new%d/deep%d/%s%d", r.IntN(3), r.IntN(3), strings.Repeat("n", r.IntN(40)), r.Uint64())
		if files > 0 && r.IntN(2) == 0 {
			at := r.IntN(files)
			path = fmt.Sprintf("folder%04d/file%02d", at/100, at%100)
		}
		if taken[path] {
			count--
			continue
		}
		taken[path] = true
		one, before := file(path, make([]byte, r.IntN(3_000))), Size{}
		if e, err := s.Find(t.Context(), path); err == nil {
			before = s.SizeOf(e)
			one = file(path, make([]byte, e.Object.Size+uint64(r.IntN(3_000))))
		} else if r.IntN(3) == 0 {
			one = Change{Path: path, Kind: cbfs.Symlink, Target: strings.Repeat("t", r.IntN(500))}
		} else if r.IntN(3) == 0 {
			one = Change{Path: path, Kind: cbfs.Directory}
		}
		tally.Set(path, s.Measure(&one), before)
		all = append(all, one)
	}
	return all
}

// A tally that was taken back, or moved to the next commit, is what it would be from the beginning.
func TestTalliesTakenBack(t *testing.T) {
	w := NewWired(t, 6)
	c, id := w.client(ann), w.create("docs", true, 2, 2)
	empty, err := c.Open(t.Context(), id)
	must(t, err)
	w.Fill(c, id, 6_000)
	s, err := c.Open(t.Context(), id)
	must(t, err)
	set := func(t *Tally, s *Snapshot, paths ...string) *Tally {
		for _, path := range paths {
			t.Set(path, s.Measure(&Change{Path: path, Size: 1_000}), Size{})
		}
		return t
	}
	want := set(s.Tally(), s, "a/b/c", "folder0007/x").Bytes()
	moved := set(empty.Tally(), empty, "a/b/c", "folder0007/x", "folder0042/y", "a/b/c")
	moved.Drop("folder0042/y")
	moved.Drop("folder0042/z")
	if moved.Move(s); moved.Bytes() != want || want <= set(s.Tally(), s, "a/b/c").Bytes() {
		t.Errorf("%d, want %d", moved.Bytes(), want)
	}
	moved.Drop("a/b/c")
	if moved.Drop("folder0007/x"); moved.Bytes() != 0 {
		t.Error(moved.Bytes())
	}
}
