package simplex_test

import (
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/simplex"
)

// quietBlocks runs four healthy validators for some blocks and gives the messages of one.
func quietBlocks(t *testing.T, p plan) float64 {
	t.Helper()
	p.seed, p.n, p.pace, p.delay, p.trusting = 1, 4, 1, [2]simplex.Millis{1, 3}, true
	w := newWorld(p)
	finality(t, w, 10)
	from, messages := w.lowest(), w.messages
	finality(t, w, 200)
	return float64(w.messages-messages) / float64(w.lowest()-from)
}

// Blocks in which nothing ran cost a proposal and three votes to everybody, and one certificate. Where something runs in every second block, that one's commits
// and the certificates of both kinds are told as well, by one validator in the most; where nothing is left to others and nobody waits, everybody tells both.
// Spec: WP §6.1; commonware §3.8.
func TestIdleBlocks(t *testing.T) {
	for _, c := range []struct {
		name        string
		plan        plan
		least, most float64
	}{
		// Now and then a finalization is told, by two validators of four.
		{"all idle", plan{settle: 25, leave: 25, tell: 125, busy: 1 << 40}, 15, 16},
		{"every second", plan{settle: 25, leave: 25, tell: 125, busy: 2}, 15 + 12/2, 15 + (12+6)/2},
		{"none idle", plan{settle: 25, leave: 25, tell: 125}, 15 + 12, 15 + 12 + 6},
		{"all told", plan{}, 40, 4*12 + 2}, // some finalizations come with a later one
	} {
		t.Run(c.name, func(t *testing.T) {
			if each := quietBlocks(t, c.plan); each < c.least || each > c.most {
				t.Errorf("%s: %.1f messages a block, want %.0f to %.0f", c.name, each, c.least, c.most)
			}
		})
	}
}
