package recent

import "testing"

// TestBound: a table holds so many keys, the newest; what is taken is gone, and does not count against what comes.
func TestBound(t *testing.T) {
	const most = 10
	var x Table[int, int]
	for n := range 3*most + 4 {
		x.Put(n, -n, most)
	}
	if len(x.kept) != most || len(x.order) != most {
		t.Errorf("%d kept, %d in order", len(x.kept), len(x.order))
	}
	for n := range 3*most + 4 {
		if v, ok := x.Find(n); ok != (n >= 2*most+4) || ok && v != -n {
			t.Errorf("%d: %d %v", n, v, ok)
		}
	}
	const last = 3*most + 3
	if x.Put(last, 7, most); len(x.kept) != most {
		t.Errorf("%d kept with a known key", len(x.kept))
	}
	if v, ok := x.Take(last); !ok || v != 7 {
		t.Errorf("took %d %v", v, ok)
	}
	if _, ok := x.Take(last); ok {
		t.Error("taken twice")
	}
}
