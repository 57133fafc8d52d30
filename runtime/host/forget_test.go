package host_test

import "testing"

// TestCallsStartAfresh: what a call changes in modules, classes and functions, its
// own and the library's, is not there in the next, which costs the same; the host
// that mines keeps its compiled programs, and the one that checks each block has
// none.
//
// Spec: sdk §3.1; CIP-3 §2.2.
func TestCallsStartAfresh(t *testing.T) {
	w := newWorld(t)
	a := w.deploy("forgets", "")
	first := w.call(2, a, "touch", []byte("p"))
	for range 9 {
		x := w.call(2, a, "touch", []byte("p"))
		if x.Fault != first.Fault || string(x.ReturnData) != string(first.ReturnData) || x.CyclesUsed != first.CyclesUsed || x.CellsUsed != first.CellsUsed {
			t.Fatalf("%d cycles, %s; at first %d, %s", x.CyclesUsed, x.ReturnData, first.CyclesUsed, first.ReturnData)
		}
	}
	const want = `[0, 0, 0, 0, 1, 0, 'Point(x: int = 0)', 'unmarked', 'unmarked', 'unmarked', 'unmarked', 'unmarked', `
	if got := string(first.ReturnData); len(got) < len(want) || got[:len(want)] != want {
		t.Errorf("%d %s %s", first.Fault.Code, first.Fault.Text, got)
	}
}
