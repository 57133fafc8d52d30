package recent

import "testing"

// TestBound: a table holds so many keys, the newest; what is taken is gone, and does not count against what comes.
func TestBound(t *testing.T) {
	const most = 10
	var x Table[int, int]
	if _, ok := x.Find(1); ok {
		t.Error("found in an empty table")
	}
	if _, ok := x.Take(1); ok {
		t.Error("taken from an empty table")
	}
	for n := range 3*most + 4 {
		x.Put(n, -n, most)
	}
	if x.kept.Len() != most {
		t.Errorf("%d kept", x.kept.Len())
	}
	for n := range 3*most + 4 {
		if v, ok := x.Find(n); ok != (n >= 2*most+4) || ok && v != -n {
			t.Errorf("%d: %d %v", n, v, ok)
		}
	}
	const last = 3*most + 3
	if x.Put(last, 7, most); x.kept.Len() != most {
		t.Errorf("%d kept with a known key", x.kept.Len())
	}
	if v, ok := x.Take(last); !ok || v != 7 {
		t.Errorf("took %d %v", v, ok)
	}
	if _, ok := x.Take(last); ok {
		t.Error("taken twice")
	}
	for n := range most { // a key that was taken and comes again is one key, as old as it came last
		if x.Put(last, n, most); n < most-1 {
			x.Put(100+n, 0, most)
		}
	}
	if v, ok := x.Find(last); !ok || v != most-1 {
		t.Errorf("after being put again and again: %d %v", v, ok)
	}
}
