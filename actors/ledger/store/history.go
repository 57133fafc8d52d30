package store

import (
	"fmt"
	"slices"
	"sync"

	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

const (
	// pastStates is the most rewound states that are kept, and passedStates that of those the chain went through: within a stride of the last 98,304 blocks.
	pastStates, passedStates = 16, 12

	// pastBytes bounds what each of the two kinds takes, in bytes. The state used last is kept in any case.
	pastBytes = 64 << 20

	// strideBlocks is how far apart states are kept that the chain goes through, and on the way to an old one. None is kept on a way whose stride has more
	// operations than strideMost: computing them would cost as much as the way itself.
	strideBlocks = 1 << 13
	strideMost   = 1 << 18
)

// past keeps the states that were asked for last, some on the way to them, and some that the chain went through.
type past struct {
	mu     sync.Mutex
	asked  kept // the latest use last
	passed kept // ascending
}

// kept are states with what each holds on its own, in bytes.
type kept struct {
	states []*state.Commit
	sizes  []uint64
}

// share estimates what a state holds that another does not. An operation changes an entry of the index, whose path is copied: some 100 bytes among many keys,
// and never more than the index, which takes some 65 bytes for a key.
func share(a, b *state.Commit) uint64 {
	return min(100*(max(a.Length(), b.Length())-min(a.Length(), b.Length())), 65*uint64(max(a.Len(), b.Len())))
}

// nearest gives the kept state that is closest above or at height, or nil.
func (p *past) nearest(height unit.Height) (best *state.Commit) {
	p.mu.Lock()
	defer p.mu.Unlock()
	at := -1
	for i, c := range p.asked.states {
		if c.Height() >= height && (best == nil || c.Height() < best.Height()) {
			best, at = c, i
		}
	}
	for _, c := range p.passed.states {
		if c.Height() >= height && (best == nil || c.Height() < best.Height()) {
			return c
		}
	}
	if best != nil {
		size := p.asked.sizes[at]
		p.asked.drop(at)
		p.asked.put(best, size, pastStates)
	}
	return best
}

// add keeps a state that was made from another one.
func (p *past) add(c, from *state.Commit) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.asked.put(c, share(c, from), pastStates)
}

// pass keeps a state that the chain goes through, if it is a stride behind the last one.
func (p *past) pass(c *state.Commit) {
	if uint64(c.Height())%strideBlocks != 0 {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	size := uint64(0)
	if n := len(p.passed.states); n > 0 {
		size = share(c, p.passed.states[n-1])
	}
	p.passed.put(c, size, passedStates)
}

func (k *kept) drop(i int) {
	k.states, k.sizes = slices.Delete(k.states, i, i+1), slices.Delete(k.sizes, i, i+1)
}

// put adds a state and drops the first ones until no more than most states and pastBytes are left.
func (k *kept) put(c *state.Commit, size uint64, most int) {
	k.states, k.sizes = append(k.states, c), append(k.sizes, size)
	all := uint64(0)
	for _, n := range k.sizes {
		all += n
	}
	for len(k.states) > most || all > pastBytes && len(k.states) > 1 {
		all -= k.sizes[0]
		k.drop(0)
	}
}

// At gives the state after the block at a height: to read, scan and prove
// everything in it as of that block. It answers ErrUnknown above the last block
// and ErrPruned below the window. Its cost is that of the blocks in between,
// unless a state that is kept is closer.
//
// Spec: commonware §5.10 (historical proofs).
func (v *Snapshot) At(height unit.Height) (*state.Commit, error) {
	e, err := v.entry(height)
	if err != nil {
		return nil, err
	}
	if uint64(height)+1 == v.blocks {
		return v.state, nil
	}
	s := v.store
	if !s.keeps(height, e, v.blocks) {
		return nil, fmt.Errorf("state of block %d: %w", height, ErrPruned)
	}
	from := v.state
	if c := s.past.nearest(height); c != nil && c.Height() < from.Height() {
		from = c
	}
	if from.Height() == height {
		return from, nil
	}
	way := backwards{Store: s}
	for {
		next := max(height, from.Height()-min(from.Height(), strideBlocks))
		if mid, err := s.entry(next); err != nil || from.Length()-mid.Length > strideMost {
			next = height // too much lies between for states on the way
		}
		c, err := way.rewind(from, next)
		if err != nil {
			return nil, err
		}
		if s.past.add(c, from); next == height {
			return c, nil
		}
		from = c
	}
}

// Back is how many operations At would take back for the state after the block at a height: 0 where it has that state, or would refuse.
func (v *Snapshot) Back(height unit.Height) uint64 {
	e, err := v.entry(height)
	if err != nil {
		return 0
	}
	from := v.state.Length()
	if c := v.store.past.nearest(height); c != nil {
		from = min(from, c.Length())
	}
	return from - min(from, e.Length)
}

// keeps reports whether the state after a block is within the window and its
// operations are still there.
func (s *Store) keeps(height unit.Height, e *blockEntry, blocks uint64) bool {
	inWindow := s.options.Window == Archive || blocks-1-uint64(height) <= s.options.Window
	return inWindow && e.Floor >= s.source.Boundary()
}
