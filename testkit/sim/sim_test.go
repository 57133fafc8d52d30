package sim

import (
	"flag"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/cowboyinc/cowboy-go/testkit/faulty"
)

var (
	seeds = flag.Int("seeds", 100, "how many seeded networks to run")
	first = flag.Uint64("first", 1, "the first seed")
)

// TestNetworks runs seeded networks of whole nodes with mixed faults, up to f validators of them Byzantine.
//
// Spec: WP §6.1; commonware §3.3, §3.5, §3.8, §7.
func TestNetworks(t *testing.T) {
	list := make(chan uint64, *seeds)
	for i := range uint64(*seeds) {
		list <- *first + i
	}
	close(list)
	var group sync.WaitGroup
	for range runtime.GOMAXPROCS(0) { // each run has one goroutine; how many run at the same time decides nothing
		group.Go(func() {
			for seed := range list {
				play(t, PlanOf(seed))
			}
		})
	}
	group.Wait()
}

// play runs a plan and reports what is wrong.
func play(t *testing.T, p Plan) {
	r, err := Run(p)
	if err != nil {
		t.Errorf("%v: %v", p, err)
		return
	}
	for _, v := range r.Wrong {
		t.Errorf("%v: %s", r.Plan, v)
	}
	if testing.Verbose() {
		t.Logf("%v", r)
	}
}

// TestNetworksRepeat plays plans twice: the same plan is the same run, event for event.
//
// Spec: commonware §7 (determinism).
func TestNetworksRepeat(t *testing.T) {
	for seed := uint64(1); seed <= 8; seed++ {
		a, err := Run(PlanOf(seed))
		if err != nil {
			t.Fatal(err)
		}
		b, err := Run(PlanOf(seed))
		if err != nil {
			t.Fatal(err)
		}
		if a.Trace != b.Trace || a.Events != b.Events || a.Blocks != b.Blocks {
			t.Errorf("seed %d: traces %016x and %016x, %d and %d events", seed, a.Trace, b.Trace, a.Events, b.Events)
		}
	}
}

// TestRealKeys plays a few plans over BLS12-381.
//
// Spec: WP §3.4, §6.1; commonware §3.7.
func TestRealKeys(t *testing.T) {
	for seed := uint64(1); seed <= 3; seed++ {
		p := PlanOf(seed)
		p.Real = true
		play(t, p)
	}
}

// TestTooManyFaulty shows that the checkers can fail: with f+1 faulty validators, two honest ones that hear different machines of the same keys
// finalize different blocks.
//
// Spec: commonware §3.8 (any two quorums share an honest validator, for at most f faulty).
func TestTooManyFaulty(t *testing.T) {
	p := PlanOf(1)
	p.Validators, p.Observers, p.Faulty = 4, 0, map[uint32]string{2: faulty.Twin, 3: faulty.Twin}
	p.Loss, p.Dup, p.Split, p.Crash, p.Panics, p.DiskFull, p.DiskFail = 0, 0, 0, 0, 0, false, false
	p.Chaos = time.Minute
	w, err := NewWorld(p)
	if err != nil {
		t.Fatal(err)
	}
	side := []int{0, 1, 0, 1, 0, 1} // machines: 0, 1, 2, its twin, 3, its twin
	for i := range side {
		for j := range side {
			w.severed[[2]int{i, j}] = (side[i] + side[j]) % 2
		}
	}
	w.RunUntil(p.Chaos, nil)
	if len(w.chain.Wrong) == 0 {
		t.Fatalf("two of four faulty, and no violation was found: %s", w.standings())
	}
	if !strings.Contains(w.chain.Wrong[0], "two final blocks") {
		t.Errorf("found %q", w.chain.Wrong[0])
	}
	t.Log(w.chain.Wrong[0])
}

// TestEveryKind runs each kind of faulty validator in a network that is otherwise well.
//
// Spec: commonware §7 (Byzantine mocks).
func TestEveryKind(t *testing.T) {
	for i, kind := range faulty.Kinds() {
		p := PlanOf(uint64(i + 1))
		p.Validators, p.Faulty = 4, map[uint32]string{uint32(i % 4): kind}
		p.Loss, p.Dup, p.Split, p.Crash, p.Panics, p.DiskFull, p.DiskFail = 0, 0, 0, 0, 0, false, false
		play(t, p)
	}
}
