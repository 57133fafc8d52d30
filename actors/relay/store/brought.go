package store

import (
	"errors"
	"fmt"

	"github.com/cowboyinc/cowboy-go/chain/cbfs"
	"github.com/cowboyinc/cowboy-go/chain/digest"
)

// ErrKept reports a chunk that is not to be taken back: a table names it, somebody else counts on it, or it is not known who brought it.
var ErrKept = errors.New("store: the chunk is not that of one draft alone")

// broughtChunks bounds of how many chunks it is remembered who brought them. The others are collected with the orphans.
const broughtChunks = 1 << 16

// Bringer is who brings a chunk: the draft it is for, which is comparable and not nil, and the key of the connection.
type Bringer struct {
	Draft any
	Key   [32]byte
}

// bringing is a chunk that came for one draft and that nobody else counts on, once it has come.
type bringing struct {
	by   Bringer
	here bool
}

// Put keeps a chunk and gives its root; fresh is false where it was there already. It is not synced (Sync). Who brought it is remembered until somebody else
// brings it or asks about it (Asked), or a table names it (Sync). Errors: ErrChunk, ErrFull.
//
// Spec: storage-cbfs §3.3 (PutShard).
func (s *Store) Put(data []byte, by Bringer) (root digest.Hash, fresh bool, err error) {
	if len(data) == 0 || len(data) > cbfs.ChunkBytes {
		return root, false, ErrChunk
	}
	root = cbfs.ChunkRoot(data)
	first := s.begun(root, by)
	fresh, err = s.Keep(root, data)
	if first {
		s.came(root, by, fresh)
	}
	return root, fresh, err
}

// begun notes that a chunk is on its way, and reports whether nobody else is known to bring it.
func (s *Store) begun(root digest.Hash, by Bringer) bool {
	s.taking.Lock()
	defer s.taking.Unlock()
	one, there := s.brought.Peek(root)
	switch {
	case s.syncing[root] > 0: // a table names it
	case !there:
		s.brought.Add(root, bringing{by: by})
	case one.by != by:
		s.brought.Remove(root)
	}
	return !there
}

// came notes whether a chunk that was on its way is the bringer's alone: it was not here before, and nobody counted on it meanwhile.
func (s *Store) came(root digest.Hash, by Bringer, fresh bool) {
	s.taking.Lock()
	defer s.taking.Unlock()
	if one, there := s.brought.Peek(root); !there || one.by != by {
		return
	}
	if fresh {
		s.brought.Add(root, bringing{by, true})
	} else {
		s.brought.Remove(root)
	}
}

// Asked is Has of whoever counts on the chunk if it is there.
//
// Spec: storage-cbfs §3.3.
func (s *Store) Asked(root digest.Hash, by Bringer) bool {
	s.taking.Lock()
	if one, there := s.brought.Peek(root); there && one.by != by {
		s.brought.Remove(root)
	}
	s.taking.Unlock()
	return s.Has(root)
}

// relied notes that tables name chunks. Until over is called nobody takes them back, and whoever brings them is not remembered.
func (s *Store) relied(roots []digest.Hash) (over func()) {
	s.taking.Lock()
	defer s.taking.Unlock()
	for i := range roots {
		s.brought.Remove(roots[i])
		s.syncing[roots[i]]++
	}
	return func() {
		s.taking.Lock()
		defer s.taking.Unlock()
		for i := range roots {
			if s.syncing[roots[i]]--; s.syncing[roots[i]] == 0 {
				delete(s.syncing, roots[i])
			}
		}
	}
}

// TakeBack removes a chunk that came for a draft and that nobody else counts on. Errors: ErrMissing, ErrKept.
//
// Spec: storage-cbfs §3.3 (DeleteShard).
func (s *Store) TakeBack(root digest.Hash, draft any) error {
	s.taking.Lock()
	defer s.taking.Unlock()
	if _, err := s.place.size(chunkName(root)); err != nil {
		return gone(err)
	}
	one, there := s.brought.Peek(root)
	if !there || !one.here || one.by.Draft != draft {
		return fmt.Errorf("%w: %s", ErrKept, root)
	}
	s.brought.Remove(root)
	return s.remove(chunkName(root), 1)
}
