package volume_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/cowboyinc/cowboy-go/actors/volume"
	"github.com/cowboyinc/cowboy-go/actors/volume/mount"
	"github.com/cowboyinc/cowboy-go/chain/cbfs"
)

// Changes that cannot be made are all named, before anything is sent.
//
// Spec: storage-cbfs §2.1, §3.1 (two-step commit).
func TestRefusedChangesAreNamed(t *testing.T) {
	w := volume.NewWired(t, 6)
	id, c := w.Owned("docs", false)
	must(t, c.Apply(t.Context(), id, []volume.Change{volume.File("a/b", nil), volume.File("d", nil)}))
	heard := w.Hear()
	for name, x := range map[string]struct {
		changes []volume.Change
		refused string
	}{
		"by what is there": {[]volume.Change{
			volume.File("a", []byte("1")), volume.File("c", []byte("2")), {Path: "d", Kind: cbfs.Directory}, volume.File("d/e/x", []byte("3")),
		}, "[a d d/e/x]"},
		"by each other": {[]volume.Change{volume.File("n", []byte("1")), volume.File("n/x", []byte("2")), volume.File("o", []byte("3"))}, "[n/x]"},
		"by their form": {[]volume.Change{volume.File("n", []byte("1")), volume.File("../x", []byte("2")), volume.File("/y", []byte("3"))}, "[../x /y]"},
	} {
		t.Run(name, func(t *testing.T) {
			err := c.Apply(t.Context(), id, x.changes)
			var all volume.PathErrors
			if !errors.As(err, &all) || !errors.Is(err, cbfs.ErrPath) {
				t.Fatal(err)
			}
			var paths []string
			for _, one := range all {
				paths = append(paths, one.Path)
				if !strings.Contains(err.Error(), fmt.Sprintf("%q", one.Path)) {
					t.Errorf("%v does not name %s", err, one.Path)
				}
			}
			if fmt.Sprint(paths) != x.refused {
				t.Errorf("%s, want %s", paths, x.refused)
			}
			if sent, _ := heard(); sent > 0 {
				t.Errorf("%d bytes are sent", sent)
			}
		})
	}
}

// A file that has no place any more, since others made a folder of its name, holds nothing else up: the rest is committed, and whoever syncs that file alone is
// told of it. It stays as it is, and is listed at the end.
//
// Spec: storage-cbfs §3.5 (sync).
func TestAMountCommitsTheRest(t *testing.T) {
	w := volume.NewWorld(t, 6)
	id, c := w.Owned("docs", true)
	dir := filepath.Join(t.TempDir(), "cache")
	s, err := mount.New(t.Context(), w.Another(), id, mount.Options{Dir: dir, Now: time.Now})
	must(t, err)
	put(t, s, "", "a", []byte("mine"))
	put(t, s, "", "c", []byte("free"))
	must(t, s.Make(t.Context(), "", "d", cbfs.Directory, ""))
	put(t, s, "d", "x", []byte("below"))
	must(t, c.Apply(t.Context(), id, []volume.Change{volume.File("a/b", []byte("theirs")), volume.File("d", []byte("theirs"))}))
	must(t, s.SyncPath(t.Context(), "c"))
	if got, err := w.Bytes(t.Context(), c, id, "c"); err != nil || string(got) != "free" {
		t.Errorf("committed is %q %v", got, err)
	}
	for path, refused := range map[string]bool{"a": true, "d": true, "d/x": true, "c": false, "": false} {
		t.Run("sync of "+path, func(t *testing.T) {
			if err := s.SyncPath(t.Context(), path); errors.Is(err, cbfs.ErrPath) != refused || (err != nil) != refused {
				t.Error(err)
			}
		})
	}
	put(t, s, "", "later", []byte("later"))
	if err := s.Sync(t.Context()); !errors.Is(err, cbfs.ErrPath) || !strings.Contains(err.Error(), `"a"`) {
		t.Errorf("sync of all: %v", err)
	}
	if got, err := w.Bytes(t.Context(), c, id, "later"); err != nil || string(got) != "later" {
		t.Errorf("committed is %q %v", got, err)
	}
	same(t, s, "a", []byte("mine"))
	same(t, s, "d/x", []byte("below"))
	if err := s.Close(t.Context()); !errors.Is(err, cbfs.ErrPath) {
		t.Error("the end:", err)
	}
	names, err := os.ReadFile(filepath.Join(dir, "paths"))
	must(t, err)
	lines := strings.Split(strings.TrimSpace(string(names)), "\n")
	if len(lines) != 3 || !strings.HasSuffix(lines[0], ` "a"`) || lines[1] != `folder "d"` || !strings.HasSuffix(lines[2], ` "d/x"`) {
		t.Fatalf("%q", names)
	}
	file, _, _ := strings.Cut(lines[0], " ")
	if left, err := os.ReadFile(filepath.Join(dir, file)); err != nil || string(left) != "mine" {
		t.Errorf("%q %v", left, err)
	}
}
