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

// Subtree holds the digests of the nodes over one chunk of operations. A subtree
// over the growing end of the log is filled from the left.
type Subtree struct {
	nodes [2*ChunkBits - 1]digest.Hash // level by level from the leaves
}

// Node is the digest of node i of the given height inside the chunk.
func (s *Subtree) Node(height uint8, i uint64) *digest.Hash {
	return &s.nodes[2*ChunkBits-2*ChunkBits>>height+i]
}

// Root is the digest over the whole chunk.
func (s *Subtree) Root() *digest.Hash { return s.Node(ChunkHeight, 0) }

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
