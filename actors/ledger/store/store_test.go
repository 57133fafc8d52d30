package store

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand"
	"os"
	"path/filepath"
	"testing"

	"github.com/cowboyinc/cowboy-go/actors/ledger/store/disk"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

var testIdentity = Identity{ChainID: 1, Genesis: digest.Blake3([]byte("genesis"))}

func testOptions() Options {
	return Options{Identity: testIdentity, Window: WindowMin, SegmentSize: 8 << 10, unsafeImage: true}
}

// chain is a random chain whose blocks are remembered, to compare a store with.
type chain struct {
	t      testing.TB
	r      *rand.Rand
	blocks []expected
	now    map[string]string
}

// expected is what a store must answer for a block.
type expected struct {
	record Record
	root   digest.Hash
	values map[string]string
}

func newChain(t testing.TB, seed int64) *chain {
	return &chain{t: t, r: rand.New(rand.NewSource(seed)), now: map[string]string{}}
}

// grow makes the next block on top of a state and appends it.
func (c *chain) grow(s *Store) error {
	r := c.next(s.Head().State())
	if err := s.Append(&r); err != nil {
		return err
	}
	c.accept(r)
	return nil
}

// next makes the block that follows a state.
func (c *chain) next(base *state.Commit) Record {
	c.t.Helper()
	height := uint64(len(c.blocks))
	o := base.Overlay()
	for range c.r.Intn(12) {
		k := fmt.Sprintf("key %d", c.r.Intn(80))
		if c.r.Intn(4) == 0 {
			o.Delete([]byte(k))
		} else {
			o.Set([]byte(k), bytes.Repeat([]byte{byte(height), byte(c.r.Intn(256))}, c.r.Intn(30)))
		}
	}
	commit, err := o.Commit(unit.Height(height))
	if err != nil {
		c.t.Fatal(err)
	}
	text := binary.BigEndian.AppendUint64(nil, height)
	r := Record{Commit: commit, Hash: digest.Blake3(text), Block: bytes.Repeat(text, c.r.Intn(20)), Receipts: bytes.Repeat(text[4:], c.r.Intn(20))}
	for i := range c.r.Intn(4) {
		r.Transactions = append(r.Transactions, digest.Blake3(text, []byte{byte(i)}))
	}
	return r
}

func (c *chain) accept(r Record) {
	values := map[string]string{}
	if err := r.Commit.Scan(nil, nil, 0, func(k, v []byte) bool {
		values[string(k)] = string(v)
		return true
	}); err != nil {
		c.t.Fatal(err)
	}
	c.blocks = append(c.blocks, expected{r, r.Commit.Root(), values})
}

// check compares a store with the first n blocks of the chain.
func (c *chain) check(s *Store, n int) {
	c.t.Helper()
	v := s.Head()
	if v.Blocks() != uint64(n) {
		c.t.Fatalf("store has %d blocks, want %d", v.Blocks(), n)
	}
	for i := max(0, n-20); i < n; i++ {
		c.checkBlock(v, i)
	}
	if n > 20 {
		c.checkBlock(v, c.r.Intn(n))
	}
	if n > 0 {
		c.checkState(v.State(), n-1)
	}
	if _, err := v.Block(unit.Height(n)); !errors.Is(err, ErrUnknown) {
		c.t.Fatalf("block %d: %v", n, err)
	}
}

func (c *chain) checkBlock(v *Snapshot, i int) {
	c.t.Helper()
	want, height := c.blocks[i], unit.Height(i)
	block, err := v.Block(height)
	if err != nil || !bytes.Equal(block, want.record.Block) {
		c.t.Fatalf("block %d: %x %v", i, block, err)
	}
	receipts, err := v.Receipts(height)
	if err != nil || !bytes.Equal(receipts, want.record.Receipts) {
		c.t.Fatalf("receipts %d: %x %v", i, receipts, err)
	}
	if at, err := v.Find(want.record.Hash); err != nil || at != height {
		c.t.Fatalf("hash of block %d: %d %v", i, at, err)
	}
	if root, err := v.Root(height); err != nil || root != want.root {
		c.t.Fatalf("root of block %d: %v %v", i, root, err)
	}
	for k, h := range want.record.Transactions {
		if p, err := v.Transaction(h); err != nil || p != (Place{height, uint32(k)}) {
			c.t.Fatalf("transaction %d of block %d: %v %v", k, i, p, err)
		}
	}
}

func (c *chain) checkState(got *state.Commit, i int) {
	c.t.Helper()
	want := c.blocks[i]
	if got.Root() != want.root || got.Height() != unit.Height(i) {
		c.t.Fatalf("state of block %d: root %v, want %v", i, got.Root(), want.root)
	}
	n := 0
	if err := got.Scan(nil, nil, 0, func(k, v []byte) bool {
		if want.values[string(k)] != string(v) {
			c.t.Fatalf("block %d: %q is %x", i, k, v)
		}
		n++
		return true
	}); err != nil || n != len(want.values) {
		c.t.Fatalf("block %d: %d of %d values: %v", i, n, len(want.values), err)
	}
}

// checkHistory reads and proves every state of the window.
func (c *chain) checkHistory(s *Store) {
	c.t.Helper()
	v := s.Head()
	for back := range int(v.Blocks()) {
		i := int(v.Blocks()) - 1 - back
		past, err := v.At(unit.Height(i))
		if uint64(back) > s.options.Window {
			if !errors.Is(err, ErrPruned) {
				c.t.Fatalf("state of block %d beyond the window: %v", i, err)
			}
			continue
		}
		if err != nil {
			c.t.Fatalf("state of block %d: %v", i, err)
		}
		c.checkState(past, i)
		key := []byte(fmt.Sprintf("key %d", c.r.Intn(80)))
		if value, ok := c.blocks[i].values[string(key)]; ok {
			p, err := past.ProveKey(key)
			if err != nil || (state.Config{}).VerifyKey(c.blocks[i].root, key, []byte(value), &p) != nil {
				c.t.Fatalf("proof of %q in block %d: %v", key, i, err)
			}
		} else {
			p, err := past.ProveAbsent(key)
			if err != nil || (state.Config{}).VerifyAbsent(c.blocks[i].root, key, &p) != nil {
				c.t.Fatalf("absence of %q in block %d: %v", key, i, err)
			}
		}
	}
}

func open(t testing.TB, path string, o Options) *Store {
	t.Helper()
	s, err := Open(path, o)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// A store that is closed and opened again at any time answers the same.
//
// Spec: commonware §5.7, §5.10.
func TestReopen(t *testing.T) {
	for seed := range int64(3) {
		path, o := t.TempDir(), testOptions()
		o.Window = []uint64{WindowMin, 60, Archive}[seed]
		c := newChain(t, seed)
		s := open(t, path, o)
		for i := range 250 {
			if err := c.grow(s); err != nil {
				t.Fatal(err)
			}
			if i%23 == 5 {
				if err := s.Checkpoint(); err != nil {
					t.Fatal(err)
				}
			}
			if i%17 == 3 {
				if err := s.Close(); err != nil {
					t.Fatal(err)
				}
				s = open(t, path, o)
				c.check(s, len(c.blocks))
			}
			if i%50 == 49 {
				c.checkHistory(s)
			}
		}
		for i := range c.blocks { // blocks stay, whatever the window
			c.checkBlock(s.Head(), i)
		}
		hollow := 0
		for _, g := range *s.source.segments.Load() {
			if g.hollow {
				hollow++
			}
		}
		if (hollow > 0) != (seed < 2) {
			t.Errorf("window %d: %d hollow segments", o.Window, hollow)
		}
		late := c.next(s.Head().State())
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		if err := s.Append(&late); !errors.Is(err, ErrClosed) {
			t.Errorf("append after close: %v", err)
		}
	}
}

// A speculative block may stand on one that is being finalized, and a sibling of
// a finalized block is refused.
func TestOrder(t *testing.T) {
	s := open(t, t.TempDir(), testOptions())
	defer s.Close()
	base := s.Head().State()
	commit := func(on *state.Commit, height unit.Height, value string) *state.Commit {
		o := on.Overlay()
		o.Set([]byte("k"), []byte(value))
		c, err := o.Commit(height)
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	a, b := commit(base, 0, "a"), commit(base, 0, "b")
	child := commit(a, 1, "child of a")
	grandchild := commit(child, 2, "grandchild")
	if err := s.Append(&Record{Commit: child}); !errors.Is(err, ErrOrder) {
		t.Errorf("child before parent: %v", err)
	}
	if err := s.Append(&Record{Commit: a}); err != nil {
		t.Fatal(err)
	}
	if err := s.Append(&Record{Commit: b}); !errors.Is(err, ErrOrder) {
		t.Errorf("sibling: %v", err)
	}
	for _, c := range []*state.Commit{child, grandchild, commit(grandchild, 3, "end")} {
		if err := s.Append(&Record{Commit: c}); err != nil {
			t.Fatal(err)
		}
	}
	if v, _, err := s.Head().State().Lookup([]byte("k")); err != nil || string(v) != "end" {
		t.Errorf("%q %v", v, err)
	}
	if v, _, err := base.Overlay().Base().Lookup([]byte("k")); err != nil || v != nil {
		t.Errorf("an old state changed: %q %v", v, err)
	}
}

func TestLockAndIdentity(t *testing.T) {
	path, o := t.TempDir(), testOptions()
	s := open(t, path, o)
	if _, err := Open(path, o); !errors.Is(err, disk.ErrLocked) {
		t.Errorf("second open: %v", err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	o.ChainID = 2
	var foreign *ForeignError
	if _, err := Open(path, o); !errors.As(err, &foreign) || foreign.Have != testIdentity {
		t.Errorf("other chain: %v", err)
	}
	if err := os.Remove(filepath.Join(path, segmentName(0))); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(path, o); !errors.As(err, &foreign) {
		t.Errorf("other chain by its checkpoint: %v", err)
	}
	var corrupt *CorruptError
	if _, err := Open(path, testOptions()); !errors.As(err, &corrupt) {
		t.Errorf("missing log: %v", err)
	}
}

// Readers work beside the writer and the checkpoints, and every snapshot stays
// what it was.
func TestReadersBesideWriter(t *testing.T) {
	o := testOptions()
	s := open(t, t.TempDir(), o)
	defer s.Close()
	c := newChain(t, 9)
	for range 10 {
		if err := c.grow(s); err != nil {
			t.Fatal(err)
		}
	}
	done := make(chan struct{})
	failed := make(chan error, 3)
	for worker := range 3 {
		go func() {
			r := rand.New(rand.NewSource(int64(worker)))
			for {
				select {
				case <-done:
					failed <- nil
					return
				default:
				}
				if err := readSnapshot(s, r); err != nil {
					failed <- err
					return
				}
			}
		}()
	}
	for i := range 300 {
		if err := c.grow(s); err != nil {
			t.Fatal(err)
		}
		if i%20 == 0 {
			if err := s.Checkpoint(); err != nil {
				t.Fatal(err)
			}
		}
	}
	close(done)
	for range 3 {
		if err := <-failed; err != nil {
			t.Error(err)
		}
	}
	c.check(s, len(c.blocks))
}

// readSnapshot reads what a snapshot offers and checks that it fits together.
// Only an older state may be refused, once the writer has left it behind.
func readSnapshot(s *Store, r *rand.Rand) error {
	v := s.Head()
	st := v.State()
	height, _ := v.Height()
	root, err := v.Root(height)
	if err != nil || root != st.Root() {
		return fmt.Errorf("root of %d: %v %w", height, root, err)
	}
	key := fmt.Appendf(nil, "key %d", r.Intn(80))
	value, ok, err := st.Lookup(key)
	if err != nil {
		return err
	}
	if ok {
		p, err := st.ProveKey(key)
		if err != nil {
			return err
		}
		if err := (state.Config{}).VerifyKey(root, key, value, &p); err != nil {
			return err
		}
	}
	at := unit.Height(r.Intn(int(height) + 1))
	if _, err := v.Block(at); err != nil {
		return err
	}
	hash, err := v.BlockHash(at)
	if err != nil {
		return err
	}
	found, err := v.Find(hash)
	if err != nil || found != at {
		return fmt.Errorf("block %d found at %d: %w", at, found, err)
	}
	if back := unit.Height(r.Intn(5)); back < height {
		_, err := v.At(height - back)
		if now, _ := s.Head().Height(); errors.Is(err, ErrPruned) && now >= height-back+WindowMin {
			return nil
		}
		if err != nil {
			return err
		}
	}
	return nil
}
