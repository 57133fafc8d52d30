package sim

import (
	"testing"
	"time"
)

// A validator passes the others' blocks on before their leaders' word arrives, with a signature of a transaction spoilt, and answers questions for blocks in
// the same way. It is found out, and nobody else is: the right bytes are fetched and the blocks become final.
//
// Spec: WP §6.1, "Network Layer" (blocks are relayed); commonware §2.6.
func TestSpoiledBlocks(t *testing.T) {
	for seed := uint64(1); seed <= 6; seed++ {
		p := calm(4)
		p.Seed, p.Chaos, p.Interval = seed, 0, 100*time.Millisecond
		spoiler := uint32(seed % 4)
		p.Faulty[spoiler] = "spoiler"
		p.Delay = [2]time.Duration{5 * time.Millisecond, 60 * time.Millisecond} // it overtakes leaders
		s := tell(t, p)
		s.reach(3)
		height := s.chain.Height()
		_, stops := s.stops(10*time.Second, millis(p.Timeouts.Leader))
		if blocks := s.chain.Height() - height; stops > 0 || blocks < 30 {
			t.Errorf("seed %d: %d blocks in ten seconds, %d stops", seed, blocks, stops)
		}
	}
}
