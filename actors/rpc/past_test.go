package rpc

import (
	"errors"
	"fmt"
	"math"
	"net/http"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// TestPast: recent states are free, one old state is read at a time, as are recent ones behind full blocks, and what lies too far back is refused.
//
// Spec: node-rpc-cli §1.
func TestPast(t *testing.T) {
	const tip = 1_000_000
	var p past
	for i, c := range []struct {
		height  unit.Height
		changes uint64
		status  int
	}{
		{tip, 0, 0}, {tip - 256, 1 << 18, 0}, {tip - 257, 0, 0}, {tip - 100_000, 0, 0}, {tip - 100_001, 0, http.StatusGone}, {0, 0, http.StatusGone},
		{math.MaxUint64, 0, 0}, {tip - 1, 1 << 40, 0}, {tip - 257, 1 << 22, 0}, {tip - 257, 1<<22 + 1, http.StatusGone},
	} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			done, err := p.admit(tip, c.height, c.changes)
			if got := statusOf(err); got != c.status {
				t.Errorf("block %d: %d", c.height, got)
			}
			if err == nil {
				done()
			}
		})
	}
	done, err := p.admit(tip, tip-1_000, 9)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := p.admit(tip, tip-2_000, 9); statusOf(err) != http.StatusTooManyRequests {
		t.Errorf("a second old state: %v", err)
	}
	if _, err := p.admit(tip, tip-200, 9); err != nil {
		t.Errorf("a recent state meanwhile: %v", err)
	}
	if _, err := p.admit(tip, tip-200, 1<<18+1); statusOf(err) != http.StatusTooManyRequests {
		t.Errorf("a recent state meanwhile, behind full blocks: %v", err)
	}
	done()
	if done, err = p.admit(tip, tip-2_000, 9); err != nil {
		t.Errorf("after the first: %v", err)
	}
	done()
	if _, err := p.admit(10, 0, 9); err != nil {
		t.Errorf("the genesis of a young chain: %v", err)
	}
}

func statusOf(err error) int {
	var r *Refusal
	if errors.As(err, &r) {
		return r.Status
	}
	return 0
}
