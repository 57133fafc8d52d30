// Command sim runs seeded networks of whole nodes and prints what came of them.
//
//	go run ./testkit/cmd/sim -first 1 -seeds 2000        many seeds; violations are printed, and the seeds at the end
//	go run ./testkit/cmd/sim -first 1041 -seeds 1 -v     one seed, played twice: the trace hashes must be equal
package main

import (
	"flag"
	"fmt"
	"os"
	"runtime"
	"slices"
	"sync"
	"time"

	"github.com/cowboyinc/cowboy-go/testkit/sim"
)

func main() {
	first := flag.Uint64("first", 1, "first seed")
	seeds := flag.Uint64("seeds", 200, "number of seeds")
	real := flag.Bool("real", false, "sign with BLS12-381 instead of hashes")
	verbose := flag.Bool("v", false, "print every run, and play each twice")
	workers := flag.Int("workers", runtime.NumCPU(), "runs at the same time")
	flag.Parse()
	t := &tally{verbose: *verbose}
	list := make(chan uint64)
	var group sync.WaitGroup
	begin := time.Now()
	for range *workers {
		group.Go(func() {
			for seed := range list {
				p := sim.PlanOf(seed)
				p.Real = *real
				t.run(p)
			}
		})
	}
	for i := range *seeds {
		list <- *first + i
	}
	close(list)
	group.Wait()
	if !t.report(*seeds, time.Since(begin)) {
		os.Exit(1)
	}
}

// tally adds runs up.
type tally struct {
	verbose bool

	mu      sync.Mutex
	events  uint64
	blocks  uint64
	virtual time.Duration
	crashes int
	panics  int
	bad     []uint64
	digest  uint64
}

func (t *tally) run(p sim.Plan) {
	r, err := sim.Run(p)
	if err != nil {
		fmt.Fprintf(os.Stderr, "%v: %v\n", p, err)
		os.Exit(1)
	}
	again := r
	if t.verbose {
		if again, err = sim.Run(p); err != nil {
			fmt.Fprintf(os.Stderr, "%v: %v\n", p, err)
			os.Exit(1)
		}
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.events += r.Events
	t.blocks += uint64(r.Blocks)
	t.virtual += r.Virtual
	t.crashes += r.Crashes
	t.panics += r.Panics
	t.digest ^= r.Trace
	if t.verbose || len(r.Wrong) > 0 {
		fmt.Println(r)
	}
	for _, v := range r.Wrong {
		fmt.Println("  " + v)
	}
	if again.Trace != r.Trace {
		fmt.Printf("  played again: trace %016x\n", again.Trace)
	}
	if len(r.Wrong) > 0 || again.Trace != r.Trace {
		t.bad = append(t.bad, p.Seed)
	}
}

func (t *tally) report(seeds uint64, took time.Duration) (ok bool) {
	slices.Sort(t.bad)
	fmt.Printf("%d seeds, %d events (%.0f a second), %d blocks, %d crashes, %d panics; %v of virtual time in %v (%.0f times real time); traces %016x\n",
		seeds, t.events, float64(t.events)/took.Seconds(), t.blocks, t.crashes, t.panics, t.virtual.Round(time.Second), took.Round(time.Millisecond),
		t.virtual.Seconds()/took.Seconds(), t.digest)
	if len(t.bad) > 0 {
		fmt.Printf("%d seeds with violations: %v\n", len(t.bad), t.bad)
	}
	return len(t.bad) == 0
}
