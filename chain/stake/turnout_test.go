package stake

import (
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// TestTurnouts: who is away misses each block whose ballot has closed, 32 blocks after it, and no other; the newest vote is seen at once.
// Spec: WP "Slashing" (> 50 % of votes over 1,000 blocks).
func TestTurnouts(t *testing.T) {
	w := newWorld(t, minimum, minimum, minimum, minimum)
	w.Height = 2
	away := int(w.rank(w.epoch(), addr(2)))
	others := ranks(4)
	for i := range 4 {
		if i != away {
			others.Add(i)
		}
	}
	look := func() []Turnout {
		t.Helper()
		list, err := Turnouts(w.State, 1, w.Height-1, 4)
		w.must(err)
		return list
	}
	want := func(missed, counted, lately, recent int, last unit.Height) {
		t.Helper()
		list := look()
		if got := (Turnout{missed, counted, lately, recent, last}); list[away] != got {
			t.Errorf("after block %d: %+v, want %+v", w.Height-1, list[away], got)
		}
		for i, x := range list {
			if i != away && (x.Missed != 0 || x.Lately != 0 || x.Counted != counted || x.Recent != recent || x.Last != w.Height-2) {
				t.Errorf("after block %d: rank %d: %+v", w.Height-1, i, x)
			}
		}
	}
	for range 31 {
		w.told(others) // blocks 2 to 32: the ballot of block 1 closes with block 33
	}
	want(0, 0, 0, 0, 0)
	w.told(others)
	want(1, 1, 1, 1, 0)
	for range 9 {
		w.told(others)
	}
	want(10, 10, 10, 10, 0)
	w.told(ranks(4, 0, 1, 2, 3)) // block 43 tells of 42
	want(11, 11, 11, 11, 42)
	for range 100 {
		w.told(others)
	}
	// After block 143 the ballots up to 111 are closed: it missed all but 42. The 64 newest are 48 to 111.
	want(110, 111, 64, 64, 0)
	if list, err := Turnouts(w.State, w.Height, w.Height-1, 4); err != nil || list[away] != (Turnout{}) {
		t.Errorf("before an epoch's first block: %+v, %v", list, err)
	}
}
