package store

import (
	"errors"
	"flag"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/cowboyinc/cowboy-go/actors/ledger/store/disk"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

var damaged = flag.Uint64("damaged", 200, "seeds of TestCheckpointIsRebuilt")

// lookups holds that every block and transaction of a chain is found where it is.
func (c *chain) lookups(s *Store) {
	c.t.Helper()
	for i, x := range c.blocks {
		if height, err := s.Head().Find(x.record.Hash); err != nil || height != unit.Height(i) {
			c.t.Fatalf("block %d is found by its hash at %d, %v", i, height, err)
		}
		for k, id := range x.record.Transactions {
			if p, err := s.Head().Transaction(id); err != nil || p != (Place{unit.Height(i), uint32(k)}) {
				c.t.Fatalf("transaction %d of block %d is found at %+v, %v", k, i, p, err)
			}
		}
	}
	c.check(s, len(c.blocks))
}

// saved makes a store of so many blocks with a checkpoint near its end, and gives its checkpoint file.
func saved(t *testing.T, o Options, blocks int) (c *chain, d *disk.Memory, path string, image []byte) {
	t.Helper()
	path, d, c = filepath.Join(t.TempDir(), "image"), disk.NewMemory(), newChain(t, 11)
	s, err := OpenDisk(d, path, o)
	if err != nil {
		t.Fatal(err)
	}
	for i := range blocks {
		if err := c.grow(s); err != nil {
			t.Fatal(err)
		}
		if i == blocks/2 || i == blocks-3 {
			if err := s.Checkpoint(); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if image, err = os.ReadFile(path); err != nil {
		t.Fatal(err)
	}
	return c, d, path, image
}

// TestCheckpointIsRebuilt: up to two hundred bytes of the checkpoint file are not what was written. The store opens with every block, and each is found by its
// hash, and each transaction; where the file was made anew that is told, and the next opening is as if nothing had been.
//
// Spec: WP "Storage and State Persistence" (recovery to the last durable block).
func TestCheckpointIsRebuilt(t *testing.T) {
	o := testOptions()
	o.Window = Archive
	c, whole, path, image := saved(t, o, 60)
	told := 0
	for seed := range *damaged {
		random := rand.New(rand.NewPCG(seed, 5))
		spoilt := slices.Clone(image)
		for range []int{1, 20, 200}[seed%3] {
			spoilt[random.IntN(len(spoilt))] ^= byte(1 + random.IntN(255))
		}
		if err := os.WriteFile(path, spoilt, 0o644); err != nil {
			t.Fatal(err)
		}
		d := whole.Crash(nil)
		var corrupt *CorruptError
		only := o
		only.KeepImage = true
		looked, err := OpenDisk(d, path, only)
		if err == nil {
			err = looked.Close()
		} else if !errors.As(err, &corrupt) {
			t.Fatalf("seed %d: %v", seed, err)
		}
		s, again := OpenDisk(d, path, o)
		if again != nil {
			t.Fatalf("seed %d: %v", seed, again)
		}
		if (s.Rebuilt() != nil) != (err != nil) {
			t.Errorf("seed %d: who only looks finds %v, the store was made anew over %v", seed, err, s.Rebuilt())
		}
		if s.Rebuilt() != nil {
			told++
		}
		c.lookups(s)
		if err := errors.Join(s.Checkpoint(), s.Close()); err != nil {
			t.Fatal(err)
		}
		if _, err := os.Stat(path + asideSuffix); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("seed %d: the damaged file stays behind: %v", seed, err)
		}
		s, err = OpenDisk(d, path, o)
		if err != nil || s.Rebuilt() != nil {
			t.Fatalf("seed %d: opened again: %v, %v", seed, err, s.Rebuilt())
		}
		c.lookups(s)
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if told < int(*damaged)/2 {
		t.Errorf("%d of %d files were made anew", told, *damaged)
	}
	t.Logf("%d of %d files were made anew", told, *damaged)
}

// TestCheckpointThatTheLogCannotMake: where operations were given back to the file system, a damaged checkpoint is named and left as it is. And a log that is
// shorter than its checkpoint, or damaged as well, is never taken for a whole one.
func TestCheckpointThatTheLogCannotMake(t *testing.T) {
	o := testOptions()
	_, whole, path, image := saved(t, o, 60)
	spoilt := slices.Clone(image)
	for i := len(spoilt) / 2; i < len(spoilt); i++ {
		spoilt[i] ^= 0x55
	}
	if err := os.WriteFile(path, spoilt, 0o644); err != nil {
		t.Fatal(err)
	}
	var corrupt *CorruptError
	if _, err := OpenDisk(whole.Crash(nil), path, o); !errors.As(err, &corrupt) || corrupt.File != path {
		t.Errorf("a window that was given back: %v", err)
	}
	if kept, err := os.ReadFile(path); err != nil || !slices.Equal(kept, spoilt) {
		t.Errorf("the file was changed: %v", err)
	}

	o.Window = Archive
	_, whole, path, image = saved(t, o, 60)
	last := whole.Crash(nil)
	list, err := last.List()
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(list)
	name := ""
	for _, n := range list {
		if len(n) > len(segmentPrefix) && n[:len(segmentPrefix)] == segmentPrefix {
			name = n
		}
	}
	last.Edit(name, func(data []byte) []byte { return data[:len(data)-len(data)/2] })
	last.Edit(acknowledgedName, func(data []byte) []byte { return data[:3] })
	// One byte of a value: that the checkpoint covers more of the log can still be read.
	for at := range len(image) {
		spoilt = slices.Clone(image)
		spoilt[len(spoilt)-1-at] ^= 1
		if err := os.WriteFile(path, spoilt, 0o644); err != nil {
			t.Fatal(err)
		}
		if covers(path, o.Identity) == 0 {
			continue
		}
		s, err := OpenDisk(last.Crash(nil), path, o)
		if err == nil {
			t.Fatalf("byte %d: a log shorter than its checkpoint opens with %d blocks", at, s.Head().Blocks())
		}
		if at > 200 {
			break
		}
	}
}
