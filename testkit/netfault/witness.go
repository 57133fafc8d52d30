package netfault

import (
	"context"
	"fmt"
	"sync"
	"time"
)

const lookEvery = 100 * time.Millisecond

// witness holds the nodes to what they called finalized.
type witness struct {
	nodes []*node

	mu        sync.Mutex
	hashes    map[uint64]string
	reached   []uint64 // by node: highest height it told
	checked   []uint64 // by node: blocks up to here were compared
	height    uint64
	moved     time.Time // when height last grew, or the chain could last not move
	quorum    bool      // it can move
	longest   time.Duration
	longestAt uint64
	txs       uint64
	violation error
}

func newWitness(nodes []*node) *witness {
	return &witness{nodes: nodes, hashes: map[uint64]string{}, reached: make([]uint64, len(nodes)), checked: make([]uint64, len(nodes))}
}

// watch looks until ctx ends.
func (w *witness) watch(ctx context.Context) {
	var all sync.WaitGroup
	for i := range w.nodes {
		all.Go(func() {
			tick := time.NewTicker(lookEvery)
			defer tick.Stop()
			for {
				select {
				case <-ctx.Done():
					return
				case <-tick.C:
					w.look(i)
				}
			}
		})
	}
	all.Wait()
}

// look asks one node for its height and for the blocks it was not asked for yet, at most some at a time.
func (w *witness) look(i int) {
	n := w.nodes[i]
	height, err := n.height()
	if err != nil {
		return
	}
	w.rose(i, height, time.Now())
	w.mu.Lock()
	from := w.checked[i] + 1
	w.mu.Unlock()
	const most = 20
	for h := from; h <= height && h < from+most; h++ {
		b, err := n.block(h)
		if err != nil {
			return
		}
		w.hold(i, h, b.Hash, b.TxCount)
	}
}

// rose takes a node's finalized height.
func (w *witness) rose(i int, height uint64, now time.Time) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if height < w.reached[i] && !w.nodes[i].wiped {
		w.fail(fmt.Errorf("%s had finalized block %d and is at block %d", w.nodes[i].name, w.reached[i], height))
	}
	w.reached[i] = height
	if height > w.height {
		w.rest(now)
		w.height, w.moved = height, now
	}
}

// rest ends a stretch without a new block. The lock is held.
func (w *witness) rest(now time.Time) {
	if w.quorum && !w.moved.IsZero() && now.Sub(w.moved) > w.longest {
		w.longest, w.longestAt = now.Sub(w.moved), w.height
	}
}

// able says whether the chain can move from now on.
func (w *witness) able(quorum bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	now := time.Now()
	w.rest(now)
	w.quorum, w.moved = quorum, now
}

// hold compares a block with what others said of its height.
func (w *witness) hold(i int, height uint64, hash string, txs uint64) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if want, ok := w.hashes[height]; ok && want != hash {
		w.fail(fmt.Errorf("%s has block %d as %s, others as %s", w.nodes[i].name, height, hash, want))
	} else if !ok {
		w.hashes[height] = hash
		w.txs += txs
	}
	w.checked[i] = max(w.checked[i], height)
}

func (w *witness) fail(err error) {
	if w.violation == nil {
		w.violation = err
	}
}

// err is the first broken promise, or nil.
func (w *witness) err() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.violation
}

func (w *witness) top() uint64 {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.height
}

// forget asks a node for everything again.
func (w *witness) forget(i int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.checked[i], w.reached[i] = 0, 0
}
