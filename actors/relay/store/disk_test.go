package store

import (
	"os"
	"path/filepath"
	"sync"
	"syscall"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/digest"
)

// durable is what a power cut leaves of a directory: the entries that its folders had, and the sizes that its files had, when they were synced.
type durable struct {
	dir string

	mu      sync.Mutex
	entries map[string]bool
	sizes   map[uint64]int64 // by inode
}

func (d *durable) sync(f *os.File) error {
	info, err := f.Stat()
	if err != nil {
		return err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if !info.IsDir() {
		d.sizes[info.Sys().(*syscall.Stat_t).Ino] = info.Size()
		return nil
	}
	list, err := os.ReadDir(f.Name())
	for _, one := range list {
		d.entries[filepath.Join(f.Name(), one.Name())] = true
	}
	return err
}

// has holds a file to what a power cut leaves of it.
func (d *durable) has(t *testing.T, name string) {
	t.Helper()
	at := filepath.Join(d.dir, name)
	info, err := os.Stat(at)
	if err != nil {
		t.Fatal(err)
	}
	if d.sizes[info.Sys().(*syscall.Stat_t).Ino] != info.Size() {
		t.Errorf("%s is empty after a power cut", name)
	}
	for ; at != d.dir; at = filepath.Dir(at) {
		if !d.entries[at] {
			t.Errorf("%s is not there after a power cut", at)
		}
	}
}

// What the store relies on is there after a power cut: its format once it is open, chunks that were synced, and all of a table that was kept.
//
// Spec: storage-cbfs §3.1 (step one).
func TestPowerCut(t *testing.T) {
	p := newDisk(t.TempDir())
	d := &durable{dir: p.dir, entries: map[string]bool{}, sizes: map[uint64]int64{}}
	p.fsync = d.sync
	for _, folder := range []string{"chunks/ab", "partial"} { // made before, and not synced
		check(t, os.MkdirAll(p.at(folder), 0o700))
	}
	check(t, os.WriteFile(p.at("partial/1"), []byte("half"), 0o600)) // the first file that was begun, before there was a format
	s, err := begin(p, 1<<20)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	d.has(t, "format")
	if !d.entries[p.at("chunks/ab")] {
		t.Error("a folder that was made before is not there after a power cut")
	}
	chunk := put(t, s, []byte("the first of its folder"))
	if missing, err := s.Sync([]digest.Hash{chunk}); err != nil || len(missing) != 0 {
		t.Fatal(missing, err)
	}
	d.has(t, chunkName(chunk))
	n, err := keep(s, tableOf(chunk))
	if err != nil {
		t.Fatal(err)
	}
	d.has(t, tableName(n))
	pageNames, branchNames := partsOf(t, s, n)
	for _, name := range append(pageNames, branchNames...) {
		d.has(t, name)
	}
}
