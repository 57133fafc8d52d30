package relay

import "testing"

// What is asked for at a time begins with mendFirst bytes, doubles while chunks come quickly, never passes mendBytes, and falls back to mendFirst when they do
// not.
func TestFlow(t *testing.T) {
	const each = 5 << 20
	var f flow
	fill := func(taken int64) int64 { // takes what is left
		for f.room.TryAcquire(each) {
			taken++
		}
		return taken
	}
	if err := f.take(t.Context(), each); err != nil {
		t.Fatal(err)
	}
	if first := fill(1); first != mendFirst/each {
		t.Fatalf("%d at the beginning, want %d", first, mendFirst/each)
	}
	count := int64(mendFirst / each)
	then := func(quick bool, want int64) {
		t.Helper()
		for range count {
			f.give(each, quick)
		}
		if count = fill(0); count != want {
			t.Errorf("%d at a time after quick %v, want %d", count, quick, want)
		}
	}
	then(true, 8)
	then(true, 12)
	then(true, 12)
	then(false, 4)
	then(false, 4)
	then(true, 8)
}
