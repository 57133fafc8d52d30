package store

import (
	"fmt"
	"sync"

	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/state"
)

// archivePlaces is how many chunks' places are kept in memory after they were read,
// at most: 5 MiB.
const archivePlaces = 4_096

// archive reads what only the checkpoint file holds any more: where the operations
// of the past are, and the nodes over them. Memory so stays in proportion to the
// state, however long its history is. Any goroutine may use it.
type archive struct {
	image *image

	mu         sync.Mutex
	young, old map[uint64]*place // what is read moves to young; a full young becomes old
}

// place gives where the operations of a complete chunk are.
func (s *archive) place(chunk uint64) (*place, error) {
	s.mu.Lock()
	p := s.young[chunk]
	if p == nil {
		if p = s.old[chunk]; p != nil {
			s.keep(chunk, p)
		}
	}
	s.mu.Unlock()
	if p != nil {
		return p, nil
	}
	ok, err := s.image.view(bucketPlaces, be8(chunk), func(v []byte) (err error) {
		if len(v) != placeSize {
			return s.image.broken("place of operations has a wrong size", nil)
		}
		p, err = s.image.place(v)
		return err
	})
	if err != nil {
		return nil, err
	}
	if !ok {
		return nil, fmt.Errorf("operations of chunk %d: %w", chunk, ErrPruned)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.keep(chunk, p)
	return p, nil
}

func (s *archive) keep(chunk uint64, p *place) {
	if s.young == nil || len(s.young) == archivePlaces/2 {
		s.young, s.old = make(map[uint64]*place), s.young
	}
	s.young[chunk] = p
}

// node gives a node over operations of the past.
func (s *archive) node(level int, index uint64) (h digest.Hash, err error) {
	ok := false
	if s.image != nil {
		ok, err = s.image.view(bucketNodes, nodeKey(level, index), func(v []byte) error {
			if len(v) != digest.Size {
				return s.image.broken("node has a wrong size", nil)
			}
			h = digest.Hash(v)
			return nil
		})
	}
	if err == nil && !ok {
		err = fmt.Errorf("node %d of level %d: %w", index, level, ErrPruned)
	}
	return h, err
}

func nodeKey(level int, index uint64) []byte { return append([]byte{byte(level)}, be8(index)...) }

// nodes writes the nodes that were completed since the log had length operations,
// and removes those below the boundary that nothing is computed from any more.
//
// Spec: commonware §5.7.
func (w *imageWriter) nodes(c *state.Commit, length, boundary uint64) {
	c.Nodes(length, func(level int, index uint64, node *digest.Hash) {
		w.put(bucketNodes, nodeKey(level, index), append(make([]byte, 0, digest.Size+4), node[:]...))
	})
	for level := 0; boundary/state.ChunkBits>>level != 0; level++ {
		w.trim(bucketNodes, nodeKey(level, 0), nodeKey(level, boundary/state.ChunkBits>>level&^1))
	}
}
