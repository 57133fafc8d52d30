package proxy

import (
	"bytes"
	"slices"
	"testing"

	"github.com/cowboyinc/cowboy-go/actors/ledger/store/disk"
)

// watched is a disk that records what becomes of the files that were opened.
type watched struct {
	disk.Disk
	calls []string
}

func (w *watched) Open(name string) (disk.File, error) {
	f, err := w.Disk.Open(name)
	if err != nil {
		return nil, err
	}
	return &watchedFile{f, w}, nil
}

type watchedFile struct {
	disk.File
	disk *watched
}

func (f *watchedFile) WriteAt(data []byte, at int64) (int, error) {
	if size, err := f.Size(); err == nil && at == 0 && bytes.Equal(data, make([]byte, size)) {
		f.disk.calls = append(f.disk.calls, "zeros")
	}
	return f.File.WriteAt(data, at)
}

func (f *watchedFile) Sync() error {
	f.disk.calls = append(f.disk.calls, "sync")
	return f.File.Sync()
}

func (f *watchedFile) Close() error {
	f.disk.calls = append(f.disk.calls, "close")
	return f.File.Close()
}

// opened gives the vault of a gate, and what it keeps.
func opened(t *testing.T) (*gate, *Vault, *state) {
	t.Helper()
	g := newGate(t)
	v, _, err := OpenVault(g.files, []byte("a passphrase of the test"), testChain)
	if err != nil {
		t.Fatal(err)
	}
	d, err := v.load()
	if err != nil {
		t.Fatal(err)
	}
	return g, v, d
}

// The vault before is overwritten with zeros, and these reach the disk before the file is given up.
//
// Spec: secrets-cbss §3 (old shares must be zeroed).
func TestOldVaultIsZeroed(t *testing.T) {
	g, v, d := opened(t)
	w := &watched{Disk: g.files}
	v.disk = w
	if err := v.save(d); err != nil {
		t.Fatal(err)
	}
	if want := []string{"zeros", "sync", "close"}; !slices.Equal(w.calls, want) {
		t.Errorf("%v, want %v", w.calls, want)
	}
}

// A node that executes old blocks anew says of a key that it is not there yet. A proxy that began again meanwhile keeps its share.
//
// Spec: secrets-cbss §3 (old shares must be zeroed).
func TestNodeBehindErasesNothingAfterARestart(t *testing.T) {
	g, v, d := opened(t)
	missing := func(d *state, from, to uint64) {
		for height := from; height <= to; height++ {
			d.polled(View{Height: height, Keys: []Key{{Scope: g.of}}})
		}
	}
	d.polled(View{Height: 1_000})
	d.shares[g.of] = []*Share{{Epoch: 3, Place: 2, Secret: g.share}}
	if err := v.save(d); err != nil {
		t.Fatal(err)
	}
	d, err := v.load()
	if err != nil {
		t.Fatal(err)
	}
	if missing(d, 1, 999); d.held(g.of, 3) == nil {
		t.Error("the share is erased for what a node says that is behind")
	}
	if missing(d, 1_000, 1_000+goneFor); d.held(g.of, 3) != nil {
		t.Error("the share of a key that is gone is kept")
	}
}
