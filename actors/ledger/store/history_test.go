package store

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand"
	"os"
	"path/filepath"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// counting is a store of many small blocks, each of which writes its height under one key for all and one of fifty, and the roots it had.
func counting(t *testing.T, path string, blocks int, o Options) (*Store, []digest.Hash) {
	t.Helper()
	s := open(t, path, o)
	at, roots := s.Head().State(), []digest.Hash(nil)
	var list []*Record
	for i := range blocks {
		overlay := at.Overlay()
		overlay.Set([]byte("newest"), be8(uint64(i)))
		overlay.Set(fmt.Appendf(nil, "key %d", i%50), be8(uint64(i)))
		next, err := overlay.Commit(unit.Height(i))
		if err != nil {
			t.Fatal(err)
		}
		at, roots = next, append(roots, next.Root())
		if list = append(list, &Record{Commit: next, Block: make([]byte, i%300)}); len(list) == 256 || i == blocks-1 {
			if err := s.Append(list...); err != nil {
				t.Fatal(err)
			}
			list = nil
		}
	}
	return s, roots
}

// TestOldStates goes back over many segments of a log, while the states that the chain went through are kept, and without them. From then on
// every other state is within a stride of one that is kept, or of the newest, and each is the one that the chain had.
//
// Spec: commonware §5.7, §5.10 (historical proofs).
func TestOldStates(t *testing.T) {
	const blocks = 2*strideBlocks + 100
	path := t.TempDir()
	o := Options{Identity: testIdentity, Window: Archive, SegmentSize: 400 << 10, unsafeImage: true}
	s, roots := counting(t, path, blocks, o)
	r := rand.New(rand.NewSource(1))
	check := func(height int) {
		t.Helper()
		c, err := s.Head().At(unit.Height(height))
		if err != nil {
			t.Fatalf("block %d: %v", height, err)
		}
		value, ok, err := c.Lookup([]byte("newest"))
		if c.Root() != roots[height] || err != nil || !ok || binary.BigEndian.Uint64(value) != uint64(height) {
			t.Errorf("block %d: root %v, newest %x, %v; want root %v", height, c.Root(), value, err, roots[height])
		}
	}
	near := func(height int) {
		t.Helper()
		c := s.past.nearest(unit.Height(height))
		if blocks-1-height > strideBlocks && (c == nil || int(c.Height())-height > strideBlocks) {
			t.Errorf("the state of block %d is far from each that is kept", height)
		}
	}
	if n := len(s.past.passed.states); n != 3 {
		t.Errorf("%d states of %d blocks are kept as the chain goes", n, blocks)
	}
	for range 5 {
		height := r.Intn(2*strideBlocks + 1)
		near(height)
		check(height)
	}
	if err := errors.Join(s.Checkpoint(), s.Close()); err != nil {
		t.Fatal(err)
	}
	s = open(t, path, o)
	defer func() { _ = s.Close() }()
	s.past = past{} // opening went through the chain as well
	far := s.Head().Back(17)
	check(17)
	if c, err := s.Head().At(17); err != nil || far != s.Head().State().Length()-c.Length() || s.Head().Back(blocks-1) != 0 || s.Head().Back(blocks) != 0 {
		t.Errorf("%d operations are to be taken back: %v", far, err)
	}
	if n := s.Head().Back(17); n != 0 {
		t.Errorf("%d operations are to be taken back for a state that is kept", n)
	}
	for range 20 {
		height := 17 + r.Intn(2*strideBlocks)
		near(height)
		check(height)
	}
}

// TestKeptStatesAreBounded keeps few states that hold much, one at least, and many that hold little.
func TestKeptStatesAreBounded(t *testing.T) {
	for _, test := range []struct {
		name string
		size uint64
		want int
	}{{"small", 1, 16}, {"a quarter each", pastBytes / 4, 4}, {"more than there is", 2 * pastBytes, 1}} {
		t.Run(test.name, func(t *testing.T) {
			var k kept
			for range 40 {
				k.put(new(state.Commit), test.size, 16)
			}
			if len(k.states) != test.want || len(k.sizes) != test.want {
				t.Errorf("%d states are kept, want %d", len(k.states), test.want)
			}
		})
	}
}

// TestDamageOnTheWayBack changes a byte of a block's operations under a store that is open. The states above are there, those below are told to be damaged.
func TestDamageOnTheWayBack(t *testing.T) {
	const blocks, bad = 600, 300
	path := t.TempDir()
	s, roots := counting(t, path, blocks, Options{Identity: testIdentity, Window: Archive, unsafeImage: true})
	defer func() { _ = s.Close() }()
	e, err := s.entry(bad)
	if err != nil {
		t.Fatal(err)
	}
	h, err := s.header(e)
	if err != nil {
		t.Fatal(err)
	}
	at, length := h.section(sectionOperations)
	g := find(*s.source.segments.Load(), e.Offset)
	file, err := os.OpenFile(filepath.Join(path, g.name), os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	where, b := int64(e.Offset-g.start+at+length/2), make([]byte, 1)
	if _, err := file.ReadAt(b, where); err != nil {
		t.Fatal(err)
	}
	b[0] ^= 1
	if _, err := file.WriteAt(b, where); err != nil {
		t.Fatal(err)
	}
	if err := file.Close(); err != nil {
		t.Fatal(err)
	}
	if c, err := s.Head().At(bad); err != nil || c.Root() != roots[bad] {
		t.Errorf("the state after the damaged block: %v", err)
	}
	var corrupt *CorruptError
	if _, err := s.Head().At(bad - 1); !errors.As(err, &corrupt) {
		t.Errorf("the state before the damaged block: %v", err)
	}
}
