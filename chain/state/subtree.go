package state

import (
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/state/mmr"
)

// ChunkBits is the number of locations one chunk of the activity bitmap covers;
// ChunkHeight the height of the subtree over them.
//
// Spec: commonware §5.5.
const (
	ChunkBits   = 256
	ChunkHeight = 8
)

// A subtree is kept in groups of groupLeaves leaves and the nodes over them, so
// that a block which adds a few operations to the open chunk copies a few groups.
const (
	groupHeight = 4
	groupLeaves = 1 << groupHeight
	groups      = ChunkBits / groupLeaves
)

type group [2*groupLeaves - 1]digest.Hash // level by level from the leaves

// Subtree holds the digests of the nodes over one chunk of operations. A subtree
// over the growing end of the log is filled from the left; the groups it is not
// filled with yet are nil, and the filled ones are shared between versions.
type Subtree struct {
	groups [groups]*group
	top    [groups - 1]digest.Hash // above the groups, level by level
}

// Node is the digest of node i of the given height inside the chunk.
func (s *Subtree) Node(height uint8, i uint64) *digest.Hash {
	if height > groupHeight {
		return &s.top[2*groups-2*groups>>(height-groupHeight)-groups+i]
	}
	in := groupHeight - height
	return &s.groups[i>>in][2*groupLeaves-2*groupLeaves>>height+i&(1<<in-1)]
}

// Root is the digest over the whole chunk.
func (s *Subtree) Root() *digest.Hash { return s.Node(ChunkHeight, 0) }

// extended gives a subtree that shares the first from leaves with s, which may be
// nil when from is 0, and has room for the leaves up to to.
func (s *Subtree) extended(from, to uint64) *Subtree {
	e := new(Subtree)
	if from > 0 {
		*e = *s
	}
	first := from / groupLeaves
	fresh := make([]group, (to+groupLeaves-1)/groupLeaves-first)
	for i := range fresh {
		e.groups[first+uint64(i)] = &fresh[i]
	}
	if from%groupLeaves != 0 {
		fresh[0] = *s.groups[first]
	}
	return e
}

func (s *Subtree) setLeaf(h *mmr.Hasher, chunk, i uint64, op []byte) {
	*s.Node(0, i) = h.Leaf(mmr.LeafPosition(chunk*ChunkBits+i), op)
}

// grow computes the inner nodes that became complete when the leaves [from, to)
// were set after the first from leaves.
func (s *Subtree) grow(h *mmr.Hasher, chunk, from, to uint64) {
	for height := uint8(1); height <= ChunkHeight; height++ {
		for i := from >> height; i < to>>height; i++ {
			pos := mmr.Node{Start: chunk*ChunkBits + i<<height, Height: height}.Position()
			*s.Node(height, i) = h.Node(pos, s.Node(height-1, 2*i), s.Node(height-1, 2*i+1))
		}
	}
}
