package sim

import (
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/cowboyinc/cowboy-go/testkit/faulty"
)

// reduce finds what matters, however it is spread, and nothing else.
func TestReduce(t *testing.T) {
	for _, matter := range [][]int{{}, {0}, {99}, {3, 4}, {0, 50, 99}, {10, 11, 12, 13, 80}} {
		var items []int
		for i := range 100 {
			items = append(items, i)
		}
		asked := 0
		got := reduce(items, func(left []int) bool {
			asked++
			for _, m := range matter {
				if !slices.Contains(left, m) {
					return false
				}
			}
			return true
		})
		if !slices.Equal(got, matter) || asked > 200 {
			t.Errorf("%v: %v after %d questions", matter, got, asked)
		}
	}
	// One of two is enough: the answer is one of them.
	got := reduce([]int{1, 2, 3, 4, 5, 6}, func(left []int) bool { return slices.Contains(left, 2) || slices.Contains(left, 5) })
	if len(got) != 1 {
		t.Errorf("%v", got)
	}
}

func TestChoose(t *testing.T) {
	tried := 0
	all := choose([]int{1, 2, 3, 4, 5}, 3, func([]int) bool { tried++; return false })
	if all || tried != 10 || combinations(5, 3) != 10 {
		t.Errorf("%d tried, %v, %v combinations", tried, all, combinations(5, 3))
	}
}

// Violations of one rule have one name, wherever and whenever it was broken.
func TestRule(t *testing.T) {
	for text, want := range map[string]string{
		"node-1: two final blocks at height 4: 0xd114021b and 0xe428eb16": "two final blocks at height and",
		"t=1.2s: no progress to height 9 within 2m0s | node-0: down":      "no progress to height within",
		"t=300ms: the book is spoiled":                                    "the book is spoiled",
	} {
		t.Run(text, func(t *testing.T) {
			if got := Rule(text); got != want {
				t.Errorf("%q: %q", text, got)
			}
		})
	}
}

// A run in which nothing is wrong cannot be shrunk.
func TestShrinkPasses(t *testing.T) {
	s := &Shrinker{Run: Play, Tries: 10}
	if _, err := s.Shrink(calm(1)); !errors.Is(err, ErrPasses) {
		t.Errorf("error %v", err)
	}
}

// TestTooManyFaultyShrinks reduces a network in which two of four validators are two machines each, the honest two never hear of each other, and frames
// are lost and machines crash besides. Both faulty validators must be left, and the cut: with one faulty validator of four, or with all links whole, there
// is nothing to find. All other faults must go. A client may stay: two halves that have nothing to put into their blocks make the same blocks.
//
// Spec: commonware §3.8 (any two quorums share an honest validator, for at most f faulty).
func TestTooManyFaultyShrinks(t *testing.T) {
	p := calm(4)
	p.Clients, p.Faulty, p.Loss, p.Chaos = 2, map[uint32]string{2: faulty.Twin, 3: faulty.Twin}, 0.02, time.Minute
	side := map[string]int{"node-0": 0, "node-2": 0, "node-3": 0, "node-1": 1, "twin-2": 1, "twin-3": 1}
	cut := Fault{Kind: Cut, For: time.Minute}
	for _, a := range []string{"node-0", "node-1", "node-2", "twin-2", "node-3", "twin-3"} {
		for _, b := range []string{"node-0", "node-1", "node-2", "twin-2", "node-3", "twin-3"} {
			if side[a] != side[b] {
				cut.Links = append(cut.Links, Direction{a, b})
			}
		}
	}
	p.Faults = append(faultsOf(t, "crash node-2 at 3s for 200ms\nskew node-1 at 0s for 20ms"), cut)
	var small *Shrunk
	for p.Seed = 1; small == nil; p.Seed++ {
		var err error
		s := &Shrinker{Run: Play, Tries: 400, Tell: t.Logf}
		if small, err = s.Shrink(p); err != nil && (!errors.Is(err, ErrPasses) || p.Seed == 20) {
			t.Fatal(err)
		}
	}
	left := small.Plan
	t.Logf("%s%v", left.Text(), small.Result.Wrong)
	if small.Rule != "two final blocks at height and" || left.Validators != 4 || fmt.Sprint(left.Faulty) != "map[2:twin 3:twin]" {
		t.Errorf("%q in %v", small.Rule, left)
	}
	if len(left.Faults) != 1 || left.Faults[0].Kind != Cut || len(left.Faults[0].Links) >= len(cut.Links) {
		t.Errorf("faults %v", left.Faults)
	}
}
