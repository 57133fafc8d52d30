package link

import (
	"slices"
	"testing"
)

// A peer has its own share of what may wait, from connecting to leaving.
func TestQuota(t *testing.T) {
	q := NewQuota(2)
	a, b := Peer{1}, Peer{2}
	if q.Take(a) {
		t.Error("a peer that is not connected was heard")
	}
	q.Up(b)
	q.Up(a)
	if got := []bool{q.Take(a), q.Take(a), q.Take(a), q.Take(b)}; !slices.Equal(got, []bool{true, true, false, true}) {
		t.Error(got)
	}
	q.Up(a) // once more: what waits still does
	if q.Take(a) {
		t.Error("connecting again forgot what waits")
	}
	q.Release(a)
	if !q.Take(a) || q.Take(a) {
		t.Error("one release is room for one frame")
	}
	if got := q.Connected(); !slices.Equal(got, []Peer{a, b}) {
		t.Error(got)
	}
	q.Down(a)
	if q.Release(a); q.Take(a) || len(q.Connected()) != 1 {
		t.Error("a peer that left was heard")
	}
}
