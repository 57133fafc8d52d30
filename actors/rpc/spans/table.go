package spans

import "github.com/cowboyinc/cowboy-go/chain/digest"

// table remembers something of the newest tableMax identities. The zero value is empty.
type table[T any] struct {
	entries map[digest.Hash]T
	order   []digest.Hash // a ring, once it is full
	next    int
}

// put keeps a value; the oldest identity makes room for a new one.
func (t *table[T]) put(id digest.Hash, value T) {
	if t.entries == nil {
		t.entries = map[digest.Hash]T{}
	}
	if _, known := t.entries[id]; !known {
		if len(t.order) < tableMax {
			t.order = append(t.order, id)
		} else {
			delete(t.entries, t.order[t.next])
			t.order[t.next] = id
			t.next = (t.next + 1) % tableMax
		}
	}
	t.entries[id] = value
}

// take gives a value and forgets it.
func (t *table[T]) take(id digest.Hash) (value T, ok bool) {
	if value, ok = t.entries[id]; ok {
		delete(t.entries, id)
	}
	return value, ok
}
