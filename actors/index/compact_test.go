package index

import (
	"errors"
	"math"
	"path/filepath"
	"sync"
	"testing"

	"github.com/cowboyinc/cowboy-go/actors/boltfile"
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// While the file is made anew readers find everything, and blocks are indexed before, beside and after it.
func TestCompactWhileUsed(t *testing.T) {
	path := filepath.Join(t.TempDir(), "index.db")
	f, err := openFile(path, digest.Hash{1}, nobody)
	if err != nil {
		t.Fatal(err)
	}
	h := NewHandle()
	if _, err := h.Space(); !errors.Is(err, ErrClosed) {
		t.Errorf("before it is open: %v", err)
	}
	h.file.Store(f)
	if err := f.add(5, sample(), make([]*block.Header, 3)); err != nil {
		t.Fatal(err)
	}
	if err := h.Compact(0); !errors.Is(err, boltfile.ErrSpace) {
		t.Errorf("without room: %v", err)
	}
	var work sync.WaitGroup
	work.Go(func() {
		for height := unit.Height(8); height < 40; height++ {
			if err := f.add(height, sample()[:1], make([]*block.Header, 1)); err != nil {
				t.Error(err)
			}
		}
	})
	for range 4 {
		work.Go(func() {
			for range 200 {
				if list, total, err := h.Newest(actorC, Target, 0, 10); err != nil || len(list) != 2 || total != 2 {
					t.Errorf("%v, %d, %v", list, total, err)
				}
			}
		})
	}
	for range 5 {
		if err := h.Compact(math.MaxInt64); err != nil {
			t.Error(err)
		}
	}
	work.Wait()
	if at, _, err := f.height(); err != nil || at != 39 {
		t.Errorf("indexed to %d, %v", at, err)
	}
	if err := f.close(); err != nil {
		t.Fatal(err)
	}
	found := false
	if _, err := Compact(path, digest.Hash{1}, math.MaxInt64, func(s boltfile.Space) error {
		found = s.Bytes > 0
		return nil
	}); err != nil || !found {
		t.Errorf("of a node that stands still: %v", err)
	}
	if _, err := Compact(path, digest.Hash{2}, math.MaxInt64, nil); !errors.Is(err, errOtherChain) {
		t.Errorf("of another chain: %v", err)
	}
}
