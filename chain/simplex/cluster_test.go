package simplex_test

import (
	"flag"
	"math/rand/v2"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/simplex"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

var (
	seeds = flag.Int("seeds", 120, "how many seeded clusters to run")
	first = flag.Uint64("first", 1, "the first seed")
)

// planOf draws a cluster of 4 to 7 machines with up to f faulty ones from a seed.
func planOf(seed uint64) plan {
	r := rand.New(rand.NewPCG(seed, 0x91a7))
	p := plan{
		seed: seed, n: 4 + r.IntN(4), faulty: map[uint32]string{}, delay: [2]simplex.Millis{5, 5 + simplex.Millis(r.IntN(300))},
		loss: r.Float64() * 0.2, dup: r.Float64() * 0.2, crash: r.Float64() * 0.02, split: simplex.Millis(1_000 + r.IntN(6_000)),
		pace: simplex.Millis(50 + r.IntN(400)), chaos: 15_000, observers: r.IntN(2),
	}
	if r.IntN(3) == 0 {
		p.split = 0
	}
	if r.IntN(4) == 0 {
		p.crash = 0
	}
	if r.IntN(5) == 0 {
		p.last = uint64(3 + r.IntN(10))
	}
	for range p.n {
		p.stakes = append(p.stakes, unit.Amount(1+r.IntN(1_000)))
	}
	if r.IntN(3) == 0 {
		p.pace, p.delay[1] = 5, 400 // proposals overtake votes
	}
	faulty := sig.Faulty(p.n)
	if r.IntN(3) == 0 {
		faulty = r.IntN(faulty + 1)
	}
	for _, rank := range r.Perm(p.n)[:faulty] {
		p.faulty[uint32(rank)] = conducts[r.IntN(len(conducts))]
	}
	p.busy = 2
	p.settle = []simplex.Millis{0, 25, 400, 1_200}[r.IntN(4)]
	p.patience = []simplex.Millis{0, 100, 300, 700}[r.IntN(4)]
	p.relay = []simplex.Millis{0, 20, 100, 500}[r.IntN(4)]
	p.tell = []simplex.Millis{0, 30, 125, 400}[r.IntN(4)]
	p.leave = []simplex.Millis{0, 25, 200, 700}[r.IntN(4)]
	return p
}

// bound is how long after the network healed the honest nodes may need for three more final blocks.
const bound = 240_000

// progress runs a cluster through its chaos and demands progress after it.
func progress(t testing.TB, p plan) *world {
	return progressOf(t, newWorld(p))
}

func progressOf(t testing.TB, w *world) *world {
	p := w.plan
	w.run(p.chaos, nil)
	from := w.lowest()
	target := from + 3
	for _, n := range w.nodes {
		if n.honest() {
			target = max(target, n.finalHeight+3)
		}
	}
	if p.last != 0 {
		target = min(target, p.last)
	}
	ok := w.run(p.chaos+bound, func() bool { return w.lowest() >= target })
	for _, v := range w.wrong {
		t.Errorf("seed %d (n=%d %v): %s", p.seed, p.n, p.faulty, v)
	}
	if !ok && len(w.wrong) == 0 {
		t.Errorf("seed %d (n=%d %v last=%d): no progress from height %d to %d by t=%d", p.seed, p.n, p.faulty, p.last, from, target, w.now)
		for _, n := range w.nodes {
			t.Logf("  node %d rank %d: round %v leader %d final %d (%v) highest %v", n.index, n.rank, n.state.Round(), n.state.Leader(),
				n.finalHeight, n.state.Finalized().Round, n.state.Highest().Round)
		}
	}
	return w
}

// TestClusters runs seeded clusters with delays, loss, duplication, reordering, partitions, crashes at every point of the journal's contract, and up
// to f faulty validators: no two final blocks at a height, nobody honest signs against its word or is blamed, progress after the heal.
// Spec: WP §6.1; commonware §3.3, §3.5, §3.8, §7.
func TestClusters(t *testing.T) {
	events, blocks, committed, together, apart := 0, 0, 0, 0, 0
	accused := map[string]int{}
	for i := range uint64(*seeds) {
		w := progress(t, planOf(*first+i))
		events += w.events
		blocks += len(w.final) - 1
		committed += w.committed
		for k, v := range w.accused {
			accused[k] += v
		}
		if keys, ok := w.keys.(thrifty); ok {
			together, apart = together+*keys.together, apart+*keys.apart
		}
	}
	t.Logf("%d seeds, %d events, %d final blocks, %d times committed before final, commits verified %d times with votes and %d times in vain, evidence %v",
		*seeds, events, blocks, committed, together, apart, accused)
	if together == 0 || *seeds >= 120 && apart == 0 {
		t.Error("commits were not verified with votes, or never in vain")
	}
}

// TestClustersRepeat runs clusters twice: the traces are equal. Spec: commonware §7 (determinism).
func TestClustersRepeat(t *testing.T) {
	for seed := uint64(1); seed <= 10; seed++ {
		a, b := progress(t, planOf(seed)), progress(t, planOf(seed))
		if a.trace.Sum64() != b.trace.Sum64() || a.events != b.events {
			t.Errorf("seed %d: traces %x and %x", seed, a.trace.Sum64(), b.trace.Sum64())
		}
	}
}

// TestTooManyFaulty shows that the checkers can fail: with f+1 faulty validators, two honest ones that hear different machines of the same keys
// finalize different blocks. Spec: commonware §3.8 (any two quorums share an honest validator, for at most f faulty).
func TestTooManyFaulty(t *testing.T) {
	p := plan{
		seed: 1, n: 4, faulty: map[uint32]string{2: "twin", 3: "twin"}, delay: [2]simplex.Millis{5, 20}, pace: 20, chaos: 1 << 40,
	}
	w := newWorld(p)
	side := func(i int) int { // nodes: 0, 1, 2, 2', 3, 3'
		return map[int]int{0: 0, 1: 1, 2: 0, 3: 1, 4: 0, 5: 1}[i]
	}
	for i := range w.nodes {
		for j := range w.nodes {
			w.severed[[2]int{i, j}] = side(i) != side(j)
		}
	}
	w.run(60_000, nil)
	if len(w.wrong) == 0 {
		t.Fatal("two of four faulty, and no violation was found")
	}
	t.Log(w.wrong[0])
}

// TestOneValidator runs a network of one: every vote is a quorum. Spec: commonware §2.1.
func TestOneValidator(t *testing.T) {
	w := progress(t, plan{seed: 1, n: 1, pace: 100, crash: 0.05, chaos: 20_000, observers: 1, delay: [2]simplex.Millis{5, 20}})
	if len(w.final) < 50 {
		t.Errorf("only %d final blocks", len(w.final)-1)
	}
}

// TestStreaming runs a healthy cluster: every view gives one final block, and votes for a child carry the commit half for its parent.
// Spec: WP §6.1; commonware §3.8 (2, 3).
func TestStreaming(t *testing.T) {
	w := progress(t, plan{seed: 1, n: 7, pace: 50, delay: [2]simplex.Millis{10, 12}})
	w.run(w.now+4_000, nil)
	n := w.nodes[0]
	if view := n.state.Round().View; n.finalHeight+2 < view {
		t.Errorf("height %d final in view %d", n.finalHeight, view)
	}
	if w.halves < 7*(len(w.final)-3) {
		t.Errorf("%d commit halves for %d blocks", w.halves, len(w.final))
	}
	if c := n.state.Committed(); c.Height < n.finalHeight {
		t.Errorf("committed %d below final %d", c.Height, n.finalHeight)
	}
}

// TestEpochEnd runs epochs of a few blocks under loss: every node ends on the same last block, proposed again where it was not final at once.
// Spec: WP "Validator Set" (epochs).
func TestEpochEnd(t *testing.T) {
	again := 0
	for seed := uint64(1); seed <= 20; seed++ {
		p := plan{seed: seed, n: 4, delay: [2]simplex.Millis{5, 200}, loss: 0.45, pace: 5, chaos: 60_000, last: 2, observers: 1}
		w := progress(t, p)
		if w.lowest() != 2 {
			t.Errorf("seed %d: lowest final height %d", seed, w.lowest())
		}
		for _, n := range w.nodes {
			raw := w.blocks[n.finalHash]
			if b, err := decodeBlok(raw); err == nil && b.round != n.state.Finalized().Round {
				again++
			}
		}
	}
	if again == 0 {
		t.Error("the last block was never proposed again")
	}
}

// TestMet cuts one validator off while another is silent, so that nothing can be agreed, and heals both within a view: those who meet again repeat
// what was lost, and no deadline passes before the next block is final. Without it they wait for the leader's deadline at least.
// Spec: commonware §3.2, §3.5.
func TestMet(t *testing.T) {
	for seed := uint64(1); seed <= 20; seed++ {
		gained := map[bool]bool{}
		for _, meet := range []bool{true, false} {
			w := newWorld(plan{seed: seed, n: 4, pace: 20, delay: [2]simplex.Millis{5, 10}, chaos: 1 << 40})
			w.run(2_000, nil)
			for i := range 4 { // 2 and 3 hear and say nothing
				for j := range 4 {
					w.severed[[2]int{i, j}] = i >= 2 || j >= 2
				}
			}
			w.run(2_500, nil)
			clear(w.severed)
			from := w.lowest()
			for i, n := range w.nodes {
				for j := range w.nodes {
					if meet && i != j {
						n.step(simplex.Met{Peer: uint32(j)})
					}
				}
			}
			gained[meet] = w.run(2_800, func() bool { return w.lowest() > from+1 })
			for _, v := range w.wrong {
				t.Errorf("seed %d: %s", seed, v)
			}
		}
		if !gained[true] || gained[false] {
			t.Errorf("seed %d: a block within 300 ms: with repetition %v, without %v", seed, gained[true], gained[false])
		}
	}
}
