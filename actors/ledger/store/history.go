package store

import (
	"fmt"
	"sync"

	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// pastStates is the number of rewound states that are kept.
const pastStates = 8

// past keeps the states that were asked for last.
type past struct {
	mu     sync.Mutex
	states []*state.Commit // the latest use last
}

// nearest gives the kept state that is closest above or at height, or nil.
func (p *past) nearest(height unit.Height) (best *state.Commit) {
	p.mu.Lock()
	defer p.mu.Unlock()
	at := -1
	for i, c := range p.states {
		if c.Height() >= height && (best == nil || c.Height() < best.Height()) {
			best, at = c, i
		}
	}
	if best != nil {
		copy(p.states[at:], p.states[at+1:])
		p.states[len(p.states)-1] = best
	}
	return best
}

func (p *past) add(c *state.Commit) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.states) == pastStates {
		p.states = append(p.states[:0], p.states[1:]...)
	}
	p.states = append(p.states, c)
}

// At gives the state after the block at a height: to read, scan and prove
// everything in it as of that block. It answers ErrUnknown above the last block
// and ErrPruned below the window. Its cost is that of the blocks in between,
// unless a state asked for before is closer.
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
	c, err := from.Rewind(int(from.Height()-height), func(i int) (state.Block, error) {
		return s.operations(from.Height() - unit.Height(i))
	})
	if err != nil {
		return nil, err
	}
	if c.Root() != e.Root {
		return nil, s.source.corrupt(e.Offset, fmt.Sprintf("blocks taken back to %d give root %v, want %v", height, c.Root(), e.Root), nil)
	}
	s.past.add(c)
	return c, nil
}

// keeps reports whether the state after a block is within the window and its
// operations are still there.
func (s *Store) keeps(height unit.Height, e *blockEntry, blocks uint64) bool {
	inWindow := s.options.Window == Archive || blocks-1-uint64(height) <= s.options.Window
	return inWindow && e.Floor >= s.source.Boundary()
}

// operations reads the operations of a block and what they replaced.
func (s *Store) operations(height unit.Height) (b state.Block, err error) {
	e, err := s.entry(height)
	if err != nil {
		return b, err
	}
	h, err := s.header(e)
	if err != nil {
		return b, err
	}
	if b.Operations, err = s.source.section(e.Offset, h, sectionOperations); err != nil {
		return b, err
	}
	previous, err := s.source.section(e.Offset, h, sectionPrevious)
	b.Previous = decodePrevious(previous)
	return b, err
}
