package state

import (
	"errors"
	"fmt"
	"math/rand"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/state/keyindex"
)

// block gives a commit's block as a ledger would keep it.
func block(c *Commit) Block {
	data, _ := c.Delta().Bytes()
	return Block{Operations: data, Previous: c.Delta().Previous}
}

// Operations that do not follow a state are not replayed: a floor that goes back or lies behind the tip, a commit that is not the last operation, and
// numbers that are longer than they need be.
//
// Spec: commonware §5.2, §5.3.
func TestReplayRefuses(t *testing.T) {
	w := newWorld(t, 1, 20)
	for range 5 {
		w.step(w.batch(0), false)
	}
	base := w.head
	commit := func(floor uint64) []byte {
		return base.config.AppendOperation(nil, &Operation{Kind: CommitFloor, Metadata: be8(1), Floor: floor})
	}
	tip := base.length
	for name, x := range map[string]struct {
		data []byte
		ok   bool
	}{
		"at the floor": {commit(base.floor), true}, "at the tip": {commit(tip), true}, "behind the tip": {commit(tip + 1), false},
		"below the floor": {commit(base.floor - 1), false}, "and something": {append(commit(tip), commit(tip)...), false}, "nothing": {nil, false},
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := base.Replay(7, x.data); (err == nil) != x.ok || err != nil && !errors.Is(err, ErrOperation) {
				t.Errorf("%s: %v", name, err)
			}
		})
	}
	for _, c := range []struct {
		data string
		ok   bool
	}{{"\x05", true}, {"\x85\x01", true}, {"\x85\x02", true}, {"\x85\x00", false}, {"\x85\x80\x00", false}, {"\x85", false}, {"", false}} {
		t.Run(fmt.Sprintf("number %x", c.data), func(t *testing.T) {
			p := parser{rest: []byte(c.data)}
			if p.uint(); p.bad == c.ok {
				t.Errorf("%x is taken: %v", c.data, !p.bad)
			}
		})
	}
}

// Replaying a block gives what committing it gave; taking blocks back gives every
// earlier state again, which then proves and reads as it did.
//
// Spec: commonware §5.7, §5.10.
func TestReplayAndRewind(t *testing.T) {
	for seed := range int64(4) {
		w := newWorld(t, 100+seed, []int{4, 40, 150, 300}[seed])
		states := []*Commit{w.head}
		for i := range 40 {
			base := w.head
			w.step(w.batch([]int{0, 0, 0, 1, 0, -1, 0, -2}[i%8]), false)
			again, err := base.Replay(7, block(w.head).Operations)
			if err != nil || again.Root() != w.head.Root() || again.Floor() != w.head.Floor() {
				t.Fatalf("replay: %v", err)
			}
			for j, p := range w.head.Delta().Previous {
				if again.Delta().Previous[j] != p {
					t.Fatalf("operation %d took the place of %d, replayed %d", j, p, again.Delta().Previous[j])
				}
			}
			if err := w.memory.Add(w.head.Delta()); i == 0 {
				if err == nil {
					t.Fatal("a gap in the log was accepted")
				}
				if err := w.memory.Add(base.Delta()); err != nil {
					t.Fatal(err)
				}
				if err := w.memory.Add(w.head.Delta()); err != nil {
					t.Fatal(err)
				}
			} else if err != nil {
				t.Fatal(err)
			}
			states = append(states, w.head)
		}
		tip := w.head.Settled(w.memory)
		for n := range states {
			past, err := tip.Rewind(n, func(i int) (Block, error) { return block(states[len(states)-1-i]), nil })
			if err != nil {
				t.Fatal(err)
			}
			want := states[len(states)-1-n]
			if past.Roots() != want.Roots() || past.Length() != want.Length() || past.Len() != want.Len() {
				t.Fatalf("%d blocks back: %v, want %v", n, past.Roots(), want.Roots())
			}
			sameState(t, past, want)
		}
	}
}

// sameState compares what two states hold, prove, and become.
func sameState(t *testing.T, got, want *Commit) {
	t.Helper()
	var keys, values []string
	if err := want.Scan(nil, nil, 0, func(k, v []byte) bool {
		keys, values = append(keys, string(k)), append(values, string(v))
		return true
	}); err != nil {
		t.Fatal(err)
	}
	i := 0
	if err := got.Scan(nil, nil, 0, func(k, v []byte) bool {
		if i == len(keys) || keys[i] != string(k) || values[i] != string(v) {
			t.Fatalf("entry %d is %q=%q", i, k, v)
		}
		i++
		return true
	}); err != nil || i != len(keys) {
		t.Fatalf("%d of %d entries: %v", i, len(keys), err)
	}
	for i, k := range keys {
		if i%7 != 0 {
			continue
		}
		p, err := got.ProveKey([]byte(k))
		if err != nil || (Config{}).VerifyKey(want.Root(), []byte(k), []byte(values[i]), &p) != nil {
			t.Fatalf("proof of %q: %v", k, err)
		}
	}
	p, err := got.ProveAbsent([]byte("none of the keys"))
	if err != nil || (Config{}).VerifyAbsent(want.Root(), []byte("none of the keys"), &p) != nil {
		t.Fatalf("proof of absence: %v", err)
	}
	a, b := next(t, got, "fork", "1", "\x00", "2"), next(t, want, "fork", "1", "\x00", "2")
	if a.Roots() != b.Roots() {
		t.Fatal("the next block has another root")
	}
}

// A state restored from its image is the same state.
//
// Spec: commonware §5.7.
func TestRestore(t *testing.T) {
	for seed := range int64(4) {
		w := newWorld(t, 200+seed, []int{3, 40, 200, 500}[seed])
		for i := range 30 {
			w.step(w.batch([]int{0, 1, 0, 0, -1}[i%5]), true)
			c := w.head
			leaves := c.Index().Leaves(0)
			index, err := keyindex.Build(len(leaves), func(i int) []byte { return leaves[i].Append(nil) })
			if err != nil {
				t.Fatal(err)
			}
			bits, nodes := map[uint64][PageValues]digest.Hash{}, map[uint64]digest.Hash{}
			c.BitPages(0, func(i uint64, v *[PageValues]digest.Hash) { bits[i] = *v })
			c.Nodes(0, func(level int, i uint64, v *digest.Hash) {
				if level == 0 {
					nodes[i] = *v
				}
			})
			boundary := uint64(0)
			if _, whole := bits[0]; !whole || i%2 == 0 { // below its source's boundary a state forgets
				boundary = w.memory.Boundary()
			}
			image := Image{
				Length: c.Length(), Floor: c.Floor(), Boundary: boundary, Index: index, Pinned: c.Pinned(boundary),
				Bits:  func(i uint64) digest.Hash { return bits[i/PageValues][i%PageValues] },
				Nodes: func(i uint64) digest.Hash { return nodes[i] },
			}
			again, err := Restore(Config{}, w.memory, image)
			if err != nil {
				t.Fatal(err)
			}
			if again.Roots() != c.Roots() {
				t.Fatalf("restored %v, want %v", again.Roots(), c.Roots())
			}
			sameState(t, again, c)
			if i%10 == 9 {
				w.head = again // and go on from there
			}
		}
	}
}

// A history of operations is provable against the ops root of any block.
//
// Spec: commonware §5.6 (operations range).
func TestProveRange(t *testing.T) {
	w := newWorld(t, 5, 120)
	config := Config{}
	roots := map[uint64]digest.Hash{w.head.Length(): w.head.Roots().Ops}
	for range 30 {
		w.step(w.batch(0), false)
		roots[w.head.Length()] = w.head.Roots().Ops
	}
	r := rand.New(rand.NewSource(1))
	for length, root := range roots {
		t.Run(fmt.Sprint(length), func(t *testing.T) {
			for range 10 {
				from := uint64(r.Intn(int(length)))
				to := from + 1 + uint64(r.Intn(int(length-from)))
				p, err := w.head.ProveRange(length, from, to)
				if err != nil {
					t.Fatal(err)
				}
				var ops [][]byte
				for i := from; i < to; i++ {
					ops = append(ops, w.oracle.encode(w.oracle.ops[i]))
				}
				if err := config.VerifyRange(root, from, ops, &p); err != nil {
					t.Fatalf("[%d, %d) of %d: %v", from, to, length, err)
				}
				ops[len(ops)/2] = []byte{0xd1, 0}
				if config.VerifyRange(root, from, ops, &p) == nil {
					t.Fatalf("[%d, %d) of %d: a changed operation verifies", from, to, length)
				}
			}
		})
	}
	if _, err := w.head.ProveRange(w.head.Length()-1, 0, 1); !errors.Is(err, ErrAbsent) {
		t.Errorf("length inside a block: %v", err)
	}
	for _, empty := range [][2]uint64{{5, 5}, {6, 5}, {0, 0}} {
		if _, err := w.head.ProveRange(w.head.Length(), empty[0], empty[1]); !errors.Is(err, ErrAbsent) {
			t.Errorf("operations %v: %v", empty, err)
		}
	}
	witness := w.head.Witness()
	if err := config.VerifyWitness(w.head.Root(), w.head.Roots().Ops, &witness); err != nil {
		t.Error(err)
	}
	witness.Length++
	if config.VerifyWitness(w.head.Root(), w.head.Roots().Ops, &witness) == nil {
		t.Error("a wrong witness verifies")
	}
}
