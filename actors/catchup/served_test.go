package catchup

import (
	"testing"
	"time"
)

// A peer is served its budget at once and no more than the rate after it.
func TestBudget(t *testing.T) {
	b, at := &served{}, time.Unix(1_000, 0)
	if !b.spend(budgetBurst, at) || b.spend(1, at) {
		t.Error("the burst is not the burst")
	}
	if b.spend(1, at.Add(0)) {
		t.Error("served without time passing")
	}
	if at = at.Add(time.Second); !b.spend(budgetRate, at) || b.spend(1, at) {
		t.Error("the rate is not the rate")
	}
}
