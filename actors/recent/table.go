package recent

import (
	"sync"

	"github.com/hashicorp/golang-lru/v2/simplelru"
)

// Table remembers values by key. The zero value is empty. It may be used by several goroutines.
type Table[K comparable, V any] struct {
	mu   sync.Mutex
	kept *simplelru.LRU[K, V] // nil before the first Put
}

// Put keeps a value as the youngest; where there would be more than most keys, which is the same positive number each time, the oldest makes room.
func (t *Table[K, V]) Put(key K, value V, most int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.kept == nil {
		kept, err := simplelru.NewLRU[K, V](most, nil)
		if err != nil {
			panic(err) // most is not positive: a caller's bug
		}
		t.kept = kept
	}
	t.kept.Add(key, value)
}

// Find gives a value.
func (t *Table[K, V]) Find(key K) (value V, ok bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.kept == nil {
		return value, false
	}
	return t.kept.Peek(key)
}

// Take gives a value and forgets it.
func (t *Table[K, V]) Take(key K) (value V, ok bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.kept == nil {
		return value, false
	}
	value, ok = t.kept.Peek(key)
	t.kept.Remove(key)
	return value, ok
}
