package sim

import (
	"testing"
	"time"

	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// One validator of four votes and proposes never, or at the last moment. The others wait a leader deadline for it once, then the patience, but for the few
// views in which they differ, so the chain stands still for nearly a deadline a handful of times in all.
//
// Spec: WP §6.1; commonware §3.2.
func TestTardyLeader(t *testing.T) {
	const span = 30 * time.Second
	blocks := map[string]unit.Height{}
	for _, kind := range []string{"", "lazy", "dawdler"} {
		for seed := uint64(1); seed <= 3; seed++ {
			p := calm(4)
			p.Seed, p.Chaos, p.Interval = seed, 0, 100*time.Millisecond
			if kind != "" {
				p.Faulty[uint32(seed)] = kind
			}
			s := tell(t, p)
			s.reach(3)
			height := s.chain.Height()
			_, stops := s.stops(span, millis(p.Timeouts.Leader)*3/4)
			if stops > 4 {
				t.Errorf("%q, seed %d: the chain stood still %d times", kind, seed, stops)
			}
			blocks[kind] += s.chain.Height() - height
		}
	}
	t.Logf("blocks in three times %v: %d, with a lazy validator %d, with a dawdler %d", span, blocks[""], blocks["lazy"], blocks["dawdler"])
	for _, kind := range []string{"lazy", "dawdler"} {
		// Three of four views take their time, the fourth the patience, three and a half times as long.
		if got := float64(blocks[kind]) / float64(blocks[""]); got < 0.4 {
			t.Errorf("%s: %.2f of the blocks", kind, got)
		}
	}
}
