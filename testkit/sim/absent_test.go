package sim

import (
	"testing"
	"time"

	"github.com/cowboyinc/cowboy-go/chain/simplex"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// A validator goes and is drawn to lead again and again: the others wait for its proposal once, however long it stays away, and the chain never stands
// still for longer than the view it goes in and one view it leads. Back, it leads again. The skip time is so long that it does not matter here.
//
// Spec: WP §6.1; commonware §3.2 (skip timeout).
func TestAbsentLeader(t *testing.T) {
	for seed := uint64(1); seed <= 4; seed++ {
		p := calm(4)
		p.Seed, p.Chaos, p.Timeouts.Skip, p.Interval = seed, 0, 600_000, 100*time.Millisecond
		s := tell(t, p)
		gone := s.machines[seed%4]
		s.reach(unit.Height(5 + seed))
		gone.parked = true
		gone.life.end(nil)
		longest, stops := s.stops(20*time.Second, millis(p.Timeouts.Leader))
		// Besides the two deadlines: what four validators may need in a row for a block when all goes well.
		if most := millis(p.Timeouts.Certification+p.Timeouts.Leader) + time.Second; longest > most || stops > 2 {
			t.Errorf("seed %d: the chain stood still for %v, and %d times for a leader", seed, longest, stops)
		}
		height := s.chain.Height()
		gone.parked = false
		gone.boot()
		s.reach(height + 10)
		if _, stops := s.stops(4*time.Second, millis(p.Timeouts.Leader)); stops > 0 || gone.durable+2 < s.chain.Height() {
			t.Errorf("seed %d: after its return the chain stood still %d times", seed, stops)
		}
	}
}

func millis(m simplex.Millis) time.Duration { return time.Duration(m) * time.Millisecond }

// stops watches for a while: how long the chain stood still at most, and how many times for at least some length.
func (s *story) stops(span, length time.Duration) (longest time.Duration, times int) {
	height, since, end := s.chain.Height(), s.now, s.since()+span
	s.RunUntil(end, func() bool {
		if s.chain.Height() > height {
			still := s.now.Sub(since)
			longest = max(longest, still)
			if still >= length {
				times++
			}
			height, since = s.chain.Height(), s.now
		}
		return false
	})
	for _, v := range s.chain.Wrong {
		s.t.Error(v)
	}
	return max(longest, s.now.Sub(since)), times
}
