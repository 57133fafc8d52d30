package sim

import (
	"testing"
	"time"

	"github.com/cowboyinc/cowboy-go/actors/replica"
)

// One validator of four has a clock that is an hour off. What its node is told by the others' blocks is that hour; a clock that is ahead is seen by the others
// as well, and by all of them at one validator. One that is behind proposes right after its parent, so nobody else can see it.
//
// Spec: commonware §3.3 (timestamps of proposals).
func TestWrongClock(t *testing.T) {
	const off, within = time.Hour, 2 * time.Second
	near := func(got, want time.Duration) bool { return got <= want && got > want-within }
	for line, by := range map[string]time.Duration{"skew node-1 at 0s for 1h": off, "skew node-1 at 0s for -1h": -off, "skew node-1 at 0s for 0s": 0} {
		t.Run(line, func(t *testing.T) {
			p := calm(4)
			p.Chaos = 0
			s := tell(t, p)
			s.strikeSkew(s.machines[1], by)
			height := s.chain.Height()
			s.reach(height + 40)
			for i, m := range s.machines {
				clocks := m.life.node.Replica.Status().Clocks
				if i == 1 && len(clocks) != 3 || len(clocks) < 2 {
					t.Errorf("%s: %s heard of %v", line, m.name, clocks)
				}
				for _, c := range clocks {
					want := time.Duration(0)
					switch {
					case i == 1:
						want = -by
					case c.Rank == 1 && by > 0:
						want = by
					}
					if !near(c.Ahead, want) || int(c.Rank) == i {
						t.Errorf("%s: %s finds validator %d %v ahead, not %v", line, m.name, c.Rank, c.Ahead, want)
					}
					if drifts := c.Ahead > replica.ClockDrift; drifts != (want > 0) {
						t.Errorf("%s: %s has proposals of validator %d wait: %v", line, m.name, c.Rank, drifts)
					}
				}
			}
			for _, v := range s.chain.Wrong {
				t.Error(v)
			}
		})
	}
}
