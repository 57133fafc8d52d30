package link

import (
	"testing"

	"github.com/cowboyinc/cowboy-go/supervision"
)

// A subsystem hears of peers in order, and of each no more frames than its quota, until it gives places back.
func TestIntake(t *testing.T) {
	inbox := supervision.NewInbox("test", 5) // two comings and three frames
	i := NewIntake(inbox, 2)
	a, b := Peer{1}, Peer{2}
	deliver := func(from Peer, want supervision.Delivery) {
		t.Helper()
		if got := i.Deliver(from, []byte("frame")); got != want {
			t.Errorf("%v, want %v", got, want)
		}
	}
	deliver(a, supervision.Shed)
	i.Up(a)
	i.Up(b)
	deliver(a, supervision.Accepted)
	deliver(a, supervision.Accepted)
	deliver(a, supervision.Shed) // its quota
	i.Handled(Delivered{a, []byte("frame")})
	deliver(a, supervision.Accepted)
	deliver(b, supervision.Shed) // the inbox is full
	i.Handled(Delivered{a, []byte("frame")})
	i.Handled(Delivered{a, []byte("frame")})
	deliver(b, supervision.Shed)
	i.Down(a)
	deliver(a, supervision.Shed)
	if list := i.Connected(); len(list) != 1 || list[0] != b {
		t.Error(list)
	}
}
