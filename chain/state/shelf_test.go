package state

import (
	"errors"
	"fmt"
	"math/rand"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/state/keyindex"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// shelf is a Memory that also keeps nodes.
type shelf struct {
	*Memory
	nodes   map[[2]uint64]digest.Hash
	length  uint64 // the nodes of so many operations are kept
	shelved uint64
}

func (s *shelf) Shelved() uint64 { return max(s.shelved, s.boundary) }

func (s *shelf) Node(level int, index uint64) (digest.Hash, error) {
	n, ok := s.nodes[[2]uint64{uint64(level), index}]
	if !ok {
		return n, fmt.Errorf("node %d of level %d: %w", index, level, ErrPruned)
	}
	return n, nil
}

// save keeps the nodes of a state; what lies below a location is the shelf's then.
func (s *shelf) save(t *testing.T, c *Commit, location uint64) {
	c.Nodes(s.length, func(level int, i uint64, d *digest.Hash) {
		at := [2]uint64{uint64(level), i}
		if have, ok := s.nodes[at]; ok && have != *d {
			t.Fatalf("node %v is saved as %v and as %v", at, have, *d)
		}
		s.nodes[at] = *d
	})
	s.length = c.Length()
	s.shelved = location / ChunkBits * ChunkBits
}

// again is a state made from what is saved of it.
func (s *shelf) again(t *testing.T, c *Commit) *Commit {
	leaves := c.Index().Leaves(0)
	index, err := keyindex.Build(len(leaves), func(i int) []byte { return leaves[i].Append(nil) })
	if err != nil {
		t.Fatal(err)
	}
	image := Image{
		Height: c.Height(), Length: c.Length(), Floor: c.Floor(), Boundary: s.shelved, Index: index, Pinned: c.Pinned(s.shelved), Bits: c.chunk,
		Nodes: func(i uint64) digest.Hash { return s.nodes[[2]uint64{0, i}] },
	}
	r, err := Restore(Config{}, s, image)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// A state whose Source keeps the nodes of the past holds no more of it than its keys need, and proves and takes back all of it none the less.
//
// Spec: commonware §5.6, §5.7, §5.10 (historical proofs).
func TestShelf(t *testing.T) {
	const blocks = 600
	r := rand.New(rand.NewSource(3))
	config := Config{}
	plain, kept := NewMemory(config), &shelf{Memory: NewMemory(config), nodes: map[[2]uint64]digest.Hash{}}
	a, b := New(config, plain), New(config, kept)
	settle := func() {
		if err := errors.Join(plain.Add(a.Delta()), kept.Add(b.Delta())); err != nil {
			t.Fatal(err)
		}
	}
	settle()
	var states []*Commit
	var undo []Block
	for i := range blocks {
		x, y := a.Overlay(), b.Overlay()
		for range 20 {
			k, v := fmt.Appendf(nil, "key %d", r.Intn(100+i)), fmt.Appendf(nil, "%d", r.Int63())
			if r.Intn(5) == 0 {
				x.Delete(k)
				y.Delete(k)
				continue
			}
			x.Set(k, v)
			y.Set(k, v)
		}
		var errA, errB error
		a, errA = x.Commit(unit.Height(i))
		b, errB = y.Commit(unit.Height(i))
		if errA != nil || errB != nil || a.Roots() != b.Roots() {
			t.Fatalf("block %d: %v, %v, %v, %v", i, errA, errB, a.Roots(), b.Roots())
		}
		settle()
		undo = append(undo, block(a))
		a, b = a.Settled(plain), b.Settled(kept)
		states = append(states, a)
		if i%37 == 36 {
			kept.save(t, b, states[i-5].Floor())
		}
		if i%111 == 110 { // just saved
			b = kept.again(t, b)
		}
	}
	low := b.Floor() / ChunkBits
	if low < 4*columnPage || b.bits.start()+5*columnPage < low || b.ops[0].start()+5*columnPage < low || b.graft[1].start()*2+10*columnPage < low {
		t.Fatalf("a state with its floor in chunk %d holds from %d, %d, %d on", low, b.bits.start(), b.ops[0].start(), b.graft[1].start()*2)
	}
	for from := b; from.Height() > 1; { // one rewound state leads to the next
		height := from.Height() - unit.Height(1+r.Intn(int(min(from.Height(), 90))))
		past, err := from.Rewind(int(from.Height()-height), func(i int) (Block, error) { return undo[int(from.Height())-i], nil })
		if err != nil {
			t.Fatalf("from %d to %d: %v", from.Height(), height, err)
		}
		if want := states[height]; past.Roots() != want.Roots() {
			t.Fatalf("from %d to %d: %v, want %v", from.Height(), height, past.Roots(), want.Roots())
		} else {
			sameState(t, past, want)
		}
		if r.Intn(3) > 0 {
			from = past
		}
	}
	for range 300 {
		length := states[r.Intn(blocks)].Length()
		from := uint64(r.Intn(int(length)))
		to := from + 1 + uint64(r.Intn(int(min(length-from, 1000))))
		p, errP := a.ProveRange(length, from, to)
		q, errQ := b.ProveRange(length, from, to)
		if errP != nil || errQ != nil || string(p.Append(nil)) != string(q.Append(nil)) {
			t.Fatalf("[%d, %d) of %d: %v, %v", from, to, length, errP, errQ)
		}
	}
}
