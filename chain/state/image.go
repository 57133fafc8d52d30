package state

import (
	"fmt"

	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/state/keyindex"
	"github.com/cowboyinc/cowboy-go/chain/state/mmr"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// Image is what must be kept of a state, beside the operations in its Source, to
// have it again without replaying the log.
type Image struct {
	Height   unit.Height
	Length   uint64
	Floor    uint64
	Boundary uint64 // lowest location the image covers, a multiple of 256
	Index    keyindex.Index

	// Pinned are the roots of the largest subtrees below the boundary that are
	// made of whole chunks, from the lowest height up.
	Pinned []digest.Hash

	// Bits gives the activity bits, Nodes the plain height-8 node of a chunk.
	Bits, Nodes func(chunk uint64) digest.Hash
}

// PageValues is the number of values in a page of the bitmap or of nodes.
const PageValues = columnPage

// Pinned gives the digests an Image of this state with the given boundary pins.
//
// Spec: commonware §5.7.
func (c *Commit) Pinned(boundary uint64) (pinned []digest.Hash) {
	b := boundary / ChunkBits
	for k := 0; b>>k != 0; k++ {
		if b>>k&1 == 1 {
			pinned = append(pinned, *c.ops[k].at(b>>k - 1))
		}
	}
	return pinned
}

// BitPages calls fn with every page of the bitmap that changed after the state
// with the given stamp: page i holds the bits of the PageValues chunks from
// PageValues × i on.
func (c *Commit) BitPages(since uint64, fn func(i uint64, values *[PageValues]digest.Hash)) {
	c.bits.changed(since, fn)
}

// Nodes calls fn with the plain nodes of height 8 and above that the log was
// completed by since it had length operations, level by level from height 8 on. A
// node never changes once it is complete. Nodes the state has forgotten are left
// out.
//
// Spec: commonware §5.7.
func (c *Commit) Nodes(length uint64, fn func(level int, index uint64, node *digest.Hash)) {
	before, now := length/ChunkBits, c.length/ChunkBits
	for k := range c.ops {
		for i := max(before>>k, c.ops[k].start()); i < min(now>>k, c.ops[k].len); i++ {
			fn(k, i, c.ops[k].at(i))
		}
	}
}

func (c *column) changed(since uint64, fn func(i uint64, values *[PageValues]digest.Hash)) {
	for i, p := range c.pages {
		if p.stamp > since {
			fn(c.first+uint64(i), &p.values)
		}
	}
}

// Restore makes a state from its image. The roots are computed again from what
// the image and the Source hold; whether they are right is for the caller to
// compare. An error means that the image cannot be one or that the Source
// failed.
func Restore(config Config, source Source, m Image) (*Commit, error) {
	first, complete := m.Boundary/ChunkBits, m.Length/ChunkBits
	if m.Length == 0 || m.Length > LocationMax || m.Floor > m.Length || m.Boundary > m.Floor || m.Boundary%ChunkBits != 0 {
		return nil, fmt.Errorf("%w: image of length %d, floor %d, boundary %d", ErrSource, m.Length, m.Floor, m.Boundary)
	}
	c := &Commit{
		config: config.withDefaults(),
		source: source,
		stamp:  1,
		height: m.Height,
		length: m.Length,
		floor:  m.Floor,
		index:  m.Index,
	}
	bits := column{}.edit(c.stamp)
	ops, graft := editLevels(nil, c.stamp), editLevels(nil, c.stamp)
	pinned := m.Pinned
	for k := 0; first>>k != 0; k++ {
		if first>>k&1 == 0 {
			continue
		}
		if len(pinned) == 0 {
			return nil, fmt.Errorf("%w: image pins too little", ErrSource)
		}
		ops.set(k, first>>k-1, pinned[0])
		graft.set(k, first>>k-1, pinned[0])
		pinned = pinned[1:]
	}
	h := mmr.NewHasher(c.config.Hash)
	for i := first; i <= complete; i++ {
		chunk := m.Bits(i)
		bits.set(i, chunk)
		if i == complete {
			break
		}
		node := m.Nodes(i)
		ops.set(0, i, node)
		graft.set(0, i, graftLeaf(h, &chunk, &node))
	}
	for k := 1; complete>>k > 0; k++ {
		for i := first >> k; i < complete>>k; i++ {
			ops.set(k, i, parent(h, &ops, k, i))
			graft.set(k, i, parent(h, &graft, k, i))
		}
	}
	c.bits, c.ops, c.graft = bits.column, ops.done(), graft.done()
	c.open = (*Subtree)(nil).extended(0, m.Length%ChunkBits)
	for i := complete * ChunkBits; i < m.Length; i++ {
		op, err := source.Operation(i)
		if err != nil {
			return nil, err
		}
		c.open.setLeaf(h, complete, i%ChunkBits, op)
	}
	c.open.grow(h, complete, 0, m.Length%ChunkBits)
	c.computeRoots(h, new(Commit))
	return c, nil
}
