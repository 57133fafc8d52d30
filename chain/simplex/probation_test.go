package simplex_test

import (
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/simplex"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// TestTardyLeader has the validator that leads nine views of ten vote always and propose never, or at the last moment. The others wait for one leader
// deadline, then for the patience only; without patience they wait for a deadline each time.
// Spec: WP §6.1; commonware §3.2.
func TestTardyLeader(t *testing.T) {
	const span = 60_000
	for _, kind := range []string{"lazy", "dawdler"} {
		for seed := uint64(1); seed <= 4; seed++ {
			p := plan{
				seed: seed, n: 4, stakes: []unit.Amount{1, 1, 1, 27}, pace: 20, delay: [2]simplex.Millis{5, 10}, chaos: 1 << 40,
				faulty: map[uint32]string{3: kind}, patience: 200,
			}
			w := newWorld(p)
			w.run(span, nil)
			// The first view it leads may take the leader deadline, the others the patience; building, checking and messages take what they take.
			views := simplex.Millis(w.nodes[0].state.Round().View)
			if most := quick.Certification + views*(p.patience+20+20+6*10); w.waits > 1 || span > most || w.lowest() == 0 {
				t.Errorf("%s, seed %d: %d waits, %d views and %d blocks in %d ms, want one and at most %d ms", kind, seed, w.waits, views, w.lowest(), span,
					most)
			}
			for _, v := range w.wrong {
				t.Errorf("%s, seed %d: %s", kind, seed, v)
			}
			p.patience = 0
			without := newWorld(p)
			without.run(span, nil)
			if 2*without.lowest() > w.lowest() {
				t.Errorf("%s, seed %d: %d blocks with patience, %d without", kind, seed, w.lowest(), without.lowest())
			}
			if seed == 1 {
				t.Logf("%s: %d blocks with patience, %d without", kind, w.lowest(), without.lowest())
			}
		}
	}
}

// TestProbation begins with every honest validator on probation with all others, while f are lazy: nobody is passed over then, probations end, and the blocks
// of honest leaders get through.
// Spec: WP §6.1; commonware §3.2.
func TestProbation(t *testing.T) {
	for seed := uint64(1); seed <= 8; seed++ {
		p := plan{
			seed: seed, n: 4 + 3*int(seed%2), faulty: map[uint32]string{}, pace: 20, delay: [2]simplex.Millis{5, 10}, chaos: 1 << 40, patience: 200,
		}
		f := (p.n - 1) / 3
		for rank := range uint32(f) {
			p.faulty[rank] = "lazy"
		}
		w := newWorld(p)
		w.run(500, nil)
		for i := range w.nodes {
			for j := range uint32(p.n) {
				if int(j) != i && (seed%4 < 2 || j%2 == 0) {
					w.nodes[i].state.PutOnProbation(j)
				}
			}
		}
		from := w.lowest()
		w.run(w.now+60_000, nil)
		led := map[uint32]int{}
		for height := from + 1; height <= w.lowest(); height++ {
			if b, err := decodeBlok(w.blocks[w.final[height]]); err == nil {
				led[b.proposer]++
			}
		}
		for rank := f; rank < p.n; rank++ {
			if led[uint32(rank)] < 10 {
				t.Errorf("seed %d (n=%d): validator %d led %d blocks of %d", seed, p.n, rank, led[uint32(rank)], w.lowest()-from)
			}
		}
		for _, v := range w.wrong {
			t.Errorf("seed %d: %s", seed, v)
		}
	}
}
