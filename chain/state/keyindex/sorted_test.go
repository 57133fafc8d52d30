package keyindex

import (
	"fmt"
	"testing"
)

// An index made of sorted entries holds what one filled entry by entry holds, and
// can be edited as well.
func TestSorted(t *testing.T) {
	for _, n := range []int{0, 1, leafFill, leafFill + 1, 10 * leafFill, leafFill*nodeFill + 3, 20_000} {
		key := func(i int) string { return fmt.Sprintf("key %06d", 2*i) }
		x := Sorted(n, func(i int) (string, uint64) { return key(i), uint64(3 * i) })
		if x.Len() != n {
			t.Fatalf("%d entries, want %d", x.Len(), n)
		}
		i := 0
		for c := x.First(); c.Valid(); c.Next() {
			if string(c.AppendKey(nil)) != key(i) || c.Location() != uint64(3*i) {
				t.Fatalf("entry %d of %d is %q at %d", i, n, c.AppendKey(nil), c.Location())
			}
			i++
		}
		if i != n {
			t.Fatalf("%d entries were passed, want %d", i, n)
		}
		e := x.Edit(1)
		for i := range n {
			e.Put([]byte(fmt.Sprintf("key %06d", 2*i+1)), 7)
			if at, ok := e.Remove([]byte(key(i))); !ok || at != uint64(3*i) {
				t.Fatalf("entry %d of %d is at %d, %v", i, n, at, ok)
			}
		}
		if e.Index().Len() != n {
			t.Fatalf("%d entries after edits, want %d", e.Index().Len(), n)
		}
	}
}

// Entries that do not ascend are a bug.
func TestSortedOrder(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("taken")
		}
	}()
	Sorted(2, func(int) (string, uint64) { return "same", 1 })
}
