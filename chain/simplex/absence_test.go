package simplex_test

import (
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/simplex"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// cutOff severs one node from the others, both ways or outward only.
func (w *world) cutOff(node int, both bool) {
	for i := range w.nodes {
		if i != node {
			w.severed[[2]int{node, i}] = true
			w.severed[[2]int{i, node}] = both
		}
	}
}

// TestAbsentLeader takes away the validator that leads nine views of ten. Between its death and its return the others wait for one leader deadline,
// however often it is drawn; when it is back it leads again.
// Spec: WP §6.1; commonware §3.2 (skip timeout).
func TestAbsentLeader(t *testing.T) {
	for seed := uint64(1); seed <= 30; seed++ {
		w := newWorld(plan{
			seed: seed, n: 4, stakes: []unit.Amount{1, 1, 1, 27}, pace: 20, delay: [2]simplex.Millis{5, 10}, chaos: 1 << 40,
		})
		w.run(1_000+50*simplex.Millis(seed), nil)
		w.cutOff(3, seed%2 == 0)
		waits, from, since, view := w.waits, w.lowestOf(3), w.now, w.nodes[0].state.Round().View
		// The view it went away in may last until the certification deadline, one it leads until the leader deadline, the others as long as
		// their messages take: building, checking, and at most six times from one to another.
		if !w.run(w.now+60_000, func() bool { return w.lowestOf(3) >= from+10 }) {
			t.Fatalf("seed %d: no ten blocks without the leader: %v", seed, w.wrong)
		}
		views := simplex.Millis(w.nodes[0].state.Round().View - view)
		most := quick.Certification + quick.Leader + views*(20+20+6*10)
		if took := w.now - since; w.waits > waits+2 || took > most {
			t.Errorf("seed %d: %d waits and %d ms for %d views, want at most 2 and %d", seed, w.waits-waits, took, views, most)
		}
		clear(w.severed)
		for i := range w.nodes {
			if i != 3 {
				w.nodes[i].step(simplex.Met{Peer: 3})
				w.nodes[3].step(simplex.Met{Peer: uint32(i)})
			}
		}
		w.run(w.now+3_000, nil)
		led, from := 0, w.lowest()
		w.run(w.now+3_000, nil)
		for height := from + 1; height <= w.lowest(); height++ {
			if b, err := decodeBlok(w.blocks[w.final[height]]); err == nil && b.proposer == 3 {
				led++
			}
		}
		if blocks := int(w.lowest() - from); led*10 < blocks*7 || blocks < 20 {
			t.Errorf("seed %d: back, it led %d of %d blocks", seed, led, blocks)
		}
		for _, v := range w.wrong {
			t.Errorf("seed %d: %s", seed, v)
		}
	}
}

// lowestOf is the lowest final height of all nodes but one.
func (w *world) lowestOf(without int) uint64 {
	low := ^uint64(0)
	for i, n := range w.nodes {
		if i != without {
			low = min(low, n.finalHeight)
		}
	}
	return low
}

// TestDoubts begins with every honest validator holding f honest ones for absent, a different choice each, while f are silent. Nobody is nullified by a
// quorum each time it leads, so proposals get through and the doubts end; from then on no honest leader is passed over.
// Spec: WP §6.1; commonware §3.2 (skip timeout).
func TestDoubts(t *testing.T) {
	for seed := uint64(1); seed <= 40; seed++ {
		p := plan{seed: seed, n: 4 + 3*int(seed%2), faulty: map[uint32]string{}, pace: 20, delay: [2]simplex.Millis{5, 10}, chaos: 1 << 40}
		f := (p.n - 1) / 3
		for rank := range uint32(f) {
			p.faulty[rank] = "silent"
		}
		w := newWorld(p)
		w.run(1_000, nil)
		honest := p.n - f
		for i := range honest {
			for j := range f {
				w.nodes[f+i].state.Doubt(uint32(f + (i+1+j)%honest))
			}
		}
		lowest := func() uint64 { // of the honest
			low := ^uint64(0)
			for _, n := range w.nodes[f:] {
				low = min(low, n.finalHeight)
			}
			return low
		}
		from := lowest()
		if !w.run(w.now+60_000, func() bool { return lowest() >= from+5 }) {
			t.Errorf("seed %d (n=%d): no five blocks within a minute: %v", seed, p.n, w.wrong)
		}
	}
}
