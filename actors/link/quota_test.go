package link

import (
	"slices"
	"testing"

	"github.com/cowboyinc/cowboy-go/actors/budget"
)

// A peer has its own share of what may wait, from connecting to leaving.
func TestQuota(t *testing.T) {
	q := NewQuota(2)
	a, b := Peer{1}, Peer{2}
	if q.Take(a, 1) {
		t.Error("a peer that is not connected was heard")
	}
	q.Up(b)
	q.Up(a)
	if got := []bool{q.Take(a, 1), q.Take(a, 1), q.Take(a, 1), q.Take(b, 1)}; !slices.Equal(got, []bool{true, true, false, true}) {
		t.Error(got)
	}
	q.Up(a) // once more: what waits still does
	if q.Take(a, 1) {
		t.Error("connecting again forgot what waits")
	}
	q.Release(a, 1)
	if !q.Take(a, 1) || q.Take(a, 1) {
		t.Error("one release is room for one frame")
	}
	if got := q.Connected(); !slices.Equal(got, []Peer{a, b}) {
		t.Error(got)
	}
	q.Down(a)
	if q.Release(a, 1); q.Take(a, 1) || len(q.Connected()) != 1 {
		t.Error("a peer that left was heard")
	}
}

// Peers that flood divide the bytes among them and leave as much for the next one; what waits of a peer that left counts until it is released.
func TestQuotaOfBytes(t *testing.T) {
	account := budget.NewAccount(96)
	q := NewQuota(1000)
	q.Share(account)
	fill := func(p Peer) (n int) {
		q.Up(p)
		for q.Take(p, 1) {
			n++
		}
		return n
	}
	// Each may have what is left for the others: 96 = 48 + 48, then half of what is left each time.
	for i, want := range []int{48, 24, 12, 6, 3} {
		if got := fill(Peer{byte(i)}); got != want {
			t.Errorf("peer %d has %d bytes waiting, want %d", i, got, want)
		}
	}
	if got := account.Used(); got != 93 {
		t.Errorf("%d bytes are taken, want 93", got)
	}
	q.Down(Peer{0})
	if account.Used() != 93 {
		t.Error("what waits of a peer that left is not counted")
	}
	q.Up(Peer{0})
	q.Release(Peer{0}, 48)
	if got := account.Used(); got != 45 {
		t.Errorf("%d bytes are taken after a release, want 45", got)
	}
	if other := NewQuota(1); other.Take(Peer{9}, 1) {
		t.Error("a peer that is not connected was heard")
	}
}
