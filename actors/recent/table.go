// Package recent remembers the newest of what was put into it, so much and no more.
package recent

import "sync"

// Table remembers values by key. The zero value is empty. It may be used by several goroutines.
type Table[K comparable, V any] struct {
	mu    sync.Mutex
	kept  map[K]V
	order []K // of the keys put, a ring once it is full
	next  int // the oldest
}

// Put keeps a value; where there would be more than most keys, which is the same number each time, the oldest makes room. A known key becomes no younger.
func (t *Table[K, V]) Put(key K, value V, most int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.kept == nil {
		t.kept = map[K]V{}
	}
	if _, known := t.kept[key]; !known {
		if len(t.order) < most {
			t.order = append(t.order, key)
		} else {
			delete(t.kept, t.order[t.next])
			t.order[t.next] = key
			t.next = (t.next + 1) % most
		}
	}
	t.kept[key] = value
}

// Find gives a value.
func (t *Table[K, V]) Find(key K) (V, bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	value, ok := t.kept[key]
	return value, ok
}

// Take gives a value and forgets it. Its place in the order is kept until it is the oldest.
func (t *Table[K, V]) Take(key K) (V, bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	value, ok := t.kept[key]
	delete(t.kept, key)
	return value, ok
}
