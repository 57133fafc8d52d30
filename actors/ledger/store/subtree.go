package store

import (
	"sync"

	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/state"
)

// subtreeSize is the memory of one cached subtree, in bytes.
const subtreeSize = (2*state.ChunkBits - 1) * digest.Size

// subtreeCache bounds the memory of the subtrees that proofs read, oldest out
// first. A subtree hangs at its place, so reading one takes no lock.
type subtreeCache struct {
	mu    sync.Mutex
	limit int // subtrees
	queue []*place
	head  int
}

func (c *subtreeCache) add(p *place, t *state.Subtree) {
	if c.limit == 0 {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if p.subtree.Swap(t) != nil {
		return // another reader was faster
	}
	if len(c.queue) < c.limit {
		c.queue = append(c.queue, p)
		return
	}
	c.queue[c.head].subtree.Store(nil)
	c.queue[c.head] = p
	c.head = (c.head + 1) % len(c.queue)
}

// size is the memory in use, in bytes.
func (c *subtreeCache) size() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.queue) * subtreeSize
}
