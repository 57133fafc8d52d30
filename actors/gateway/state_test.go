package gateway

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/supervision"
)

// An actor has 100 requests a second and 1,000 at a time; another actor has its own.
//
// Spec: gateway-payments-streams §B (per actor per gateway).
func TestLimitsOfActors(t *testing.T) {
	m, now := newMemory(), time.Unix(1_000, 0)
	count := func(a account.Address, at time.Time, n int, keep bool) (taken int) {
		for range n {
			if leave, ok := m.enter(a, at); ok {
				taken++
				if !keep {
					leave()
				}
			}
		}
		return taken
	}
	if got := count(page, now, 150, false); got != 100 {
		t.Errorf("%d in a moment", got)
	}
	if got := count(page, now.Add(100*time.Millisecond), 150, false); got != 10 {
		t.Errorf("%d a tenth of a second later", got)
	}
	if got := count(other, now, 100, false); got != 100 {
		t.Errorf("%d of another actor", got)
	}
	third, taken := account.Address{10}, 0
	for second := range 20 {
		taken += count(third, now.Add(time.Duration(second)*time.Second), 100, true)
	}
	if taken != 1_000 {
		t.Errorf("%d at a time", taken)
	}
}

// Strangers who ask for hosts that nobody has cost the node a bounded number of questions, and do not keep a known host from being served.
//
// Spec: gateway-payments-streams §B (404 for unknown names).
func TestLookupsAreBounded(t *testing.T) {
	w := newWorld()
	d := NewDoor(Door{Node: w, Handle: NewHandle(), Address: self, Clock: supervision.NewVirtualClock(time.Unix(1_000, 0))})
	if n, err := d.name(context.Background(), host); err != nil || n.FQDN != host {
		t.Fatal(n, err)
	}
	looked, busy := 1, 0
	for i := range 150 {
		switch _, err := d.name(context.Background(), fmt.Sprintf("nobody-%d.cow", i)); {
		case err == nil:
			looked++
		case errors.Is(err, ErrBusy):
			busy++
		default:
			t.Fatal(err)
		}
	}
	if looked != lookupsAtOnce || looked+busy != 151 {
		t.Errorf("%d lookups, %d refused", looked, busy)
	}
	d.memory.hosts.Purge() // as after a second
	if n, err := d.name(context.Background(), host); err != nil || n.FQDN != host {
		t.Errorf("a known host: %v %v", n, err)
	}
	if n, err := d.name(context.Background(), "example.org"); err != nil || n.FQDN != "" {
		t.Errorf("a host outside of the network is asked for: %v %v", n, err)
	}
}
