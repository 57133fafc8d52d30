package sim

import (
	"testing"
	"time"

	"github.com/cowboyinc/cowboy-go/chain/simplex"
)

// A network of one validator becomes one of two, through crashes that lose what was not synced: the founder hands the key on, the joiner makes its share
// out of what it kept, and neither signs anything twice.
//
// Spec: WP "Validator Set"; commonware §3.5, §4.3.
func TestOneBecomesTwo(t *testing.T) {
	for seed := uint64(1); seed <= 2; seed++ {
		p := quiet(1, 1, 0, nil)
		p.Seed, p.Interval = seed, 100*time.Millisecond
		p.Chaos, p.Crash, p.Power = 12*time.Second, 1500*time.Millisecond, true
		s := tell(t, p)
		s.RunUntil(p.Chaos, nil)
		s.heal()
		s.until("a set of two", func() bool { return len(s.set(s.present()).Members) == 2 })
		s.reach(s.chain.Height() + 45)
		for _, m := range s.machines {
			if m.life == nil || m.life.node.Replica.Status().Rank == simplex.Observer {
				t.Errorf("seed %d: %s does not vote", seed, m.name)
			}
		}
		for _, v := range s.chain.Wrong {
			t.Errorf("seed %d: %s", seed, v)
		}
		t.Logf("%v", s.result())
	}
}
