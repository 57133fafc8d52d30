package simplex_test

import (
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/simplex"
)

// sever cuts the link between two nodes for good.
func (w *world) sever(a, b int) {
	w.severed[[2]int{a, b}], w.severed[[2]int{b, a}] = true, true
}

// TestSeveredLink takes one validator of four away, so that each vote of the others is needed, and the link between two of them. What one of the two
// proposes reaches the other through the third, and certificates go round; so a view waits for no deadline but that for asking.
// Spec: WP §6.1, "Network Layer" (blocks are relayed).
func TestSeveredLink(t *testing.T) {
	const span = 30_000
	for _, conduct := range []string{"silent", "lazy"} {
		for seed := uint64(1); seed <= 4; seed++ {
			p := plan{
				seed: seed, n: 4, pace: 20, delay: [2]simplex.Millis{5, 10}, chaos: 1 << 40, patience: 300, relay: 100, tell: 100,
				faulty: map[uint32]string{3: conduct},
			}
			w := newWorld(p)
			w.sever(1, 2)
			w.run(15_000, nil) // two windows of the skip time: who is gone is known
			from, view, since, waits := w.lowestOf(3), w.nodes[0].state.Round().View, w.now, w.waits
			w.run(w.now+span, nil)
			views := simplex.Millis(w.nodes[0].state.Round().View - view)
			blocks := w.lowestOf(3) - from
			// Building, checking, messages; of a view led by one of the two a question and its answer before; of a lazy leader the patience.
			most := views * (100 + 20 + 20 + 8*10)
			if conduct == "lazy" {
				most += views * 300
			}
			if took := w.now - since; took > most || w.waits > waits+1 || blocks < 50 {
				t.Errorf("%s, seed %d: %d blocks and %d views in %d ms, %d waits; want at least 50, in %d", conduct, seed, blocks, views, took, w.waits-waits,
					most)
			}
			if seed == 1 {
				t.Logf("%s: %d blocks and %d views in %d ms", conduct, blocks, views, w.now-since)
			}
			for _, v := range w.wrong {
				t.Errorf("%s, seed %d: %s", conduct, seed, v)
			}
		}
	}
}

// TestSparseClusters runs the seeded clusters with links between honest validators that never carry anything, one of each validator at most, so that every
// two have an honest neighbour in common. Whatever the faulty ones do, there is progress.
// Spec: WP §6.1, "Network Layer" (blocks are relayed).
func TestSparseClusters(t *testing.T) {
	links := 0
	for i := range uint64(*seeds) {
		p := planOf(*first + i)
		if p.relay == 0 {
			p.relay = 200
		}
		w := newWorld(p)
		var honest []int
		for _, n := range w.nodes {
			if n.honest() && n.rank != simplex.Observer {
				honest = append(honest, n.index)
			}
		}
		w.rnd.Shuffle(len(honest), func(i, j int) { honest[i], honest[j] = honest[j], honest[i] })
		for ; len(honest) >= 3; honest = honest[2:] {
			a, b := honest[0], honest[1]
			w.lost[[2]int{a, b}], w.lost[[2]int{b, a}] = true, true
			links++
		}
		progressOf(t, w)
	}
	if links < int(*seeds) {
		t.Errorf("%d links lost", links)
	}
}

// TestSlowMessages has every message take longer than the deadlines of a view. Deadlines stretch while no view gets its block certified, so that blocks
// become final all the same.
// Spec: commonware §3.2.
func TestSlowMessages(t *testing.T) {
	for seed := uint64(1); seed <= 4; seed++ {
		for _, delay := range []simplex.Millis{800, 1_600, 2_500} {
			p := plan{seed: seed, n: 4, pace: 20, delay: [2]simplex.Millis{delay / 2, delay}, chaos: 1 << 40, patience: 300, relay: 100, tell: 125}
			if seed%2 == 0 {
				p.faulty = map[uint32]string{3: "silent"}
			}
			w := newWorld(p)
			w.run(600_000, nil)
			if w.lowestOf(3) < 10 {
				t.Errorf("seed %d: messages of up to %d ms: %d blocks in ten minutes", seed, delay, w.lowestOf(3))
			}
			for _, v := range w.wrong {
				t.Errorf("seed %d: %s", seed, v)
			}
		}
	}
}
