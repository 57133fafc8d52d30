package store

import (
	"errors"
	"math"
	"path/filepath"
	"sync"
	"testing"

	"github.com/cowboyinc/cowboy-go/actors/boltfile"
	"github.com/cowboyinc/cowboy-go/actors/ledger/store/disk"
)

// The file of checkpoints is made anew beside a writer, readers and checkpoints; the store and one that is opened again answer as before.
func TestCompactImage(t *testing.T) {
	d, path := disk.NewMemory(), filepath.Join(t.TempDir(), "image")
	s, err := OpenDisk(d, path, testOptions())
	if err != nil {
		t.Fatal(err)
	}
	c := newChain(t, 7)
	for range 120 {
		if err := c.grow(s); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Checkpoint(); err != nil {
		t.Fatal(err)
	}
	if err := s.CompactImage(0); !errors.Is(err, boltfile.ErrSpace) {
		t.Errorf("without room: %v", err)
	}
	before, err := s.ImageSpace()
	if err != nil || before.Bytes == 0 {
		t.Fatalf("%+v, %v", before, err)
	}
	stop := make(chan struct{})
	var work sync.WaitGroup
	for range 2 {
		work.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
				}
				if _, err := s.Head().Find(c.blocks[3].record.Hash); err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	work.Go(func() {
		for range 3 {
			if err := errors.Join(s.CompactImage(math.MaxInt64), s.Checkpoint()); err != nil {
				t.Error(err)
			}
		}
		close(stop)
	})
	for range 60 {
		if err := c.grow(s); err != nil {
			t.Fatal(err)
		}
	}
	work.Wait()
	c.check(s, len(c.blocks))
	if err := errors.Join(s.Checkpoint(), s.CompactImage(math.MaxInt64), s.Close()); err != nil {
		t.Fatal(err)
	}
	s, err = OpenDisk(d, path, testOptions())
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if why := s.Rebuilt(); why != nil {
		t.Errorf("it was not taken: %v", why)
	}
	c.check(s, len(c.blocks))
}
