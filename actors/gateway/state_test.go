package gateway

import (
	"testing"
	"time"

	"github.com/cowboyinc/cowboy-go/chain/account"
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
