package volume_test

import (
	"fmt"
	"os"
	"syscall"
	"testing"

	"github.com/cowboyinc/cowboy-go/actors/volume"
	"github.com/cowboyinc/cowboy-go/actors/volume/page"
	"github.com/cowboyinc/cowboy-go/chain/cbfs"
)

// A mount of a volume with many pages reads the first one when it begins, and those of the paths that programs ask for; what is made in it is committed, and
// whoever asks for a page that no relay gives is told so, while what is at hand is there still.
//
// Spec: storage-cbfs §3.5, §8 (objects per volume).
func TestMountReadsPages(t *testing.T) {
	w := volume.NewWired(t, 6)
	id, writer := w.Owned("many", true)
	w.Fill(writer, id, 10_000) // 600 bytes of a manifest each, so more than twenty pages
	heard := w.Hear()
	s := system(t, w.Another(), id)
	fetched := func(what string, pages int) {
		t.Helper()
		if _, got := heard(); got > pages*page.Bytes+32<<10 { // and the first page, which has some 8 KB
			t.Errorf("%s: %d bytes are fetched, want %d pages", what, got, pages)
		}
	}
	fetched("mounting", 0)
	list, err := s.List(t.Context(), "folder0042")
	if err != nil || len(list) != 100 || list[7].Name != "file07" || list[7].Kind != cbfs.File || list[7].Size != 14 {
		t.Errorf("%v %v", list, err)
	}
	fetched("listing a folder", 2)
	if e, err := s.Stat(t.Context(), "folder0042/file99"); err != nil || e.Size != 14 {
		t.Error(e, err)
	}
	fetched("a look into it", 0)
	if _, err := s.Stat(t.Context(), "folder0091/none"); err != syscall.ENOENT {
		t.Error(err)
	}
	fetched("a look at what is not there", 2)
	if _, _, files := s.Room(); files != 10_100 {
		t.Errorf("%d files, want 10,000 and 100 folders", files)
	}
	put(t, s, "folder0091", "new", []byte("new"))
	must(t, s.Make(t.Context(), "folder0091", "below", cbfs.Directory, ""))
	must(t, s.Sync(t.Context()))
	if got, err := w.Bytes(t.Context(), w.Another(), id, "folder0091/new"); err != nil || string(got) != "new" {
		t.Errorf("%q %v", got, err)
	}
	if list, err := s.List(t.Context(), "folder0091"); err != nil || len(list) != 102 {
		t.Error(len(list), err)
	}
	f, err := s.Open(t.Context(), "folder0091/new", os.O_RDWR)
	must(t, err)
	defer f.Close()
	w.Vanish()
	if _, err := s.Stat(t.Context(), "folder0003/file00"); err != syscall.EIO {
		t.Errorf("a page that no relay gives: %v", err)
	}
	if n, err := f.WriteAt(t.Context(), []byte("N"), 0); n != 1 || err != nil {
		t.Error(n, err)
	}
	if e, err := s.Stat(t.Context(), "folder0042/file07"); err != nil || e.Size != 14 {
		t.Error(e, err)
	}
	for name, want := range map[string]error{"folder0091/new": nil, "folder0091/file00": nil, "folder0091/none": syscall.ENOENT} {
		t.Run(fmt.Sprint(name), func(t *testing.T) {
			if _, err := s.Stat(t.Context(), name); err != want {
				t.Error(err)
			}
		})
	}
}
