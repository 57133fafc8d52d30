package sim

import (
	"testing"
	"time"

	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// One validator of four is gone, so that nothing can be agreed without all others, and two of those do not reach each other. Blocks go round by the third:
// a view led by one of the two costs the eighth of a leader deadline after which its proposal is asked for, and no view a deadline.
//
// Spec: WP §6.1, "Network Layer" (blocks are relayed).
func TestSeveredLink(t *testing.T) {
	const span = 20 * time.Second
	blocks := map[bool]unit.Height{}
	for _, severed := range []bool{false, true} {
		for seed := uint64(1); seed <= 3; seed++ {
			p := calm(4)
			p.Seed, p.Chaos, p.Interval = seed, 0, 100*time.Millisecond
			s := tell(t, p)
			s.reach(3)
			if severed {
				s.severed[[2]int{1, 2}], s.severed[[2]int{2, 1}] = 1, 1
			}
			s.machines[3].parked = true
			s.machines[3].life.end(nil)
			s.RunUntil(s.since()+2*millis(p.Timeouts.Skip)+time.Second, func() bool { return false }) // who is gone is known
			height := s.chain.Height()
			longest, stops := s.stops(span, millis(p.Timeouts.Leader))
			if stops > 0 {
				t.Errorf("severed %v, seed %d: the chain stood still %d times, for up to %v", severed, seed, stops, longest)
			}
			blocks[severed] += s.chain.Height() - height
		}
	}
	t.Logf("blocks in three times %v: %d, with the link severed %d", span, blocks[false], blocks[true])
	if got := float64(blocks[true]) / float64(blocks[false]); got < 0.4 {
		t.Errorf("%.2f of the blocks", got)
	}
}
