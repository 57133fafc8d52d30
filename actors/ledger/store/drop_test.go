package store

import (
	"errors"
	"testing"

	"github.com/cowboyinc/cowboy-go/actors/ledger/store/disk"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// A node that keeps a window of blocks drops segments behind it: the disk stays as
// large as the window, what was dropped is refused by name, and what is kept is
// whole, opened again and at every instant of the dropping.
//
// Spec: WP "Storage and State Persistence" (full nodes).
func TestDropBlocks(t *testing.T) {
	dir := t.TempDir()
	o := testOptions()
	o.Window, o.Blocks = 20, 60
	c := newChain(t, 13)
	s := open(t, dir, o)
	var sizes []int64
	for i := range 900 {
		if err := c.grow(s); err != nil {
			t.Fatal(err)
		}
		if i%40 != 39 {
			continue
		}
		if err := s.Checkpoint(); err != nil {
			t.Fatal(err)
		}
		sizes = append(sizes, used(t, dir))
		if i%120 == 119 {
			_ = s.Close()
			s = open(t, dir, o)
		}
		checkWindow(t, c, s, o)
	}
	defer s.Close()
	if s.First() < 700 {
		t.Errorf("blocks from %d on are kept", s.First())
	}
	early, late := sizes[7], sizes[len(sizes)-1]
	if late > 2*early {
		t.Errorf("the log grew from %d to %d bytes", early, late)
	}
}

// used is the size of a directory's log.
func used(t *testing.T, dir string) (total int64) {
	t.Helper()
	d, err := disk.NewDirectory(dir)
	if err != nil {
		t.Fatal(err)
	}
	list, err := openSegments(d)
	if err != nil {
		t.Fatal(err)
	}
	for _, g := range list {
		total += int64(g.end - g.start)
		_ = g.file.Close()
	}
	return total
}

func checkWindow(t *testing.T, c *chain, s *Store, o Options) {
	t.Helper()
	n, first := len(c.blocks), int(s.First())
	if n-1-first < min(int(o.Blocks), n-1) {
		t.Fatalf("%d blocks, the first kept is %d", n, first)
	}
	v := s.Head()
	for i := first; i < n; i++ {
		c.checkBlock(v, i)
	}
	c.checkState(v.State(), n-1)
	if first == 0 {
		return
	}
	var pruned *PrunedError
	if _, err := v.Block(unit.Height(first - 1)); !errors.As(err, &pruned) || pruned.First != unit.Height(first) {
		t.Fatalf("block %d: %v", first-1, err)
	}
	gone := c.blocks[first-1]
	if _, err := v.Find(gone.record.Hash); !errors.Is(err, ErrUnknown) {
		t.Errorf("hash of block %d: %v", first-1, err)
	}
	for _, id := range gone.record.Transactions {
		if _, err := v.Transaction(id); !errors.Is(err, ErrUnknown) {
			t.Errorf("transaction of block %d: %v", first-1, err)
		}
	}
	past, err := v.At(unit.Height(n - 15))
	if err != nil {
		t.Fatal(err)
	}
	c.checkState(past, n-15)
}

// A process that stops between the checkpoint that forgets blocks and the removal
// of their files finishes the removal when it opens.
func TestDropInterrupted(t *testing.T) {
	dir := t.TempDir()
	o := testOptions()
	o.Window, o.Blocks = 20, 40
	c := newChain(t, 17)
	s := open(t, dir, o)
	for range 200 {
		if err := c.grow(s); err != nil {
			t.Fatal(err)
		}
	}
	d, err := disk.NewDirectory(dir)
	if err != nil {
		t.Fatal(err)
	}
	before := map[string][]byte{}
	names, _ := d.List()
	for _, name := range names {
		f, err := d.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		size, _ := f.Size()
		before[name] = make([]byte, size)
		if _, err := f.ReadAt(before[name], 0); err != nil && size > 0 {
			t.Fatal(err)
		}
		_ = f.Close()
	}
	if err := s.Checkpoint(); err != nil {
		t.Fatal(err)
	}
	first := s.First()
	_ = s.Close()
	back := 0
	for name, data := range before {
		t.Run(name, func(t *testing.T) {
			if _, err := d.Open(name); err == nil || len(data) < segmentHeader {
				return
			}
			f, err := d.Create(name)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := f.WriteAt(data, 0); err != nil {
				t.Fatal(err)
			}
			_ = f.Close()
			back++
		})
	}
	if back == 0 || first == 0 {
		t.Fatalf("%d segments were dropped, the first block is %d", back, first)
	}
	s = open(t, dir, o)
	defer s.Close()
	checkWindow(t, c, s, o)
	after, _ := d.List()
	if len(after) > len(names)+1-back {
		t.Errorf("%d files, %d before %d were dropped", len(after), len(names), back)
	}
}
