package recent

import (
	"math"
	"sync"

	"github.com/hashicorp/golang-lru/v2/simplelru"
)

// Sized remembers values by key, as many as have room together by the sizes that they are said to have. The value that was kept or read longest ago makes
// room; one that is larger than all the room is not kept. It may be used by several goroutines.
type Sized[K comparable, V any] struct {
	most int

	mu   sync.Mutex
	used int
	kept *simplelru.LRU[K, sized[V]]
}

type sized[V any] struct {
	value V
	size  int
}

// NewSized has so much room.
func NewSized[K comparable, V any](most int) *Sized[K, V] {
	s := &Sized[K, V]{most: most}
	s.kept, _ = simplelru.NewLRU(math.MaxInt, func(_ K, one sized[V]) { s.used -= one.size }) // fails for no size alone
	return s
}

// Find gives a value.
func (s *Sized[K, V]) Find(key K) (V, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	one, ok := s.kept.Get(key)
	return one.value, ok
}

// Put keeps a value of a size, in the place of the key's one before.
func (s *Sized[K, V]) Put(key K, value V, size int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.kept.Remove(key)
	if size > s.most {
		return
	}
	s.kept.Add(key, sized[V]{value, size})
	for s.used += size; s.used > s.most; {
		s.kept.RemoveOldest()
	}
}

// Forget forgets a key.
func (s *Sized[K, V]) Forget(key K) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.kept.Remove(key)
}
