package main

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"sync"
	"time"

	"github.com/cowboyinc/cowboy-go/testkit/faulty"
	"github.com/cowboyinc/cowboy-go/testkit/sim"
)

// search plays many seeds: a number of them, or as many as there is time for.
func (o *options) search() (ok bool, err error) {
	t := &tally{verbose: o.verbose}
	var seeds []sim.Seed
	if o.span > 0 {
		if o.real || o.epochs || o.depth > 0 {
			return false, errors.New("-for keeps seeds, which say nothing of -real, -epochs and -pct")
		}
		if seeds, err = readSeeds(o.file); err != nil {
			return false, err
		}
	}
	list := make(chan uint64)
	failed := make(chan error, o.workers)
	var group sync.WaitGroup
	begin := time.Now()
	for range o.workers {
		group.Go(func() {
			for seed := range list {
				p := o.draw(seed)
				o.change(&p)
				if err := t.run(p); err != nil {
					failed <- fmt.Errorf("%v: %w", p, err)
					return
				}
			}
		})
	}
	played := uint64(0)
	for err == nil && (o.span > 0 && time.Since(begin) < o.span || o.span == 0 && played < o.seeds) {
		select {
		case list <- o.first + played:
			played++
		case err = <-failed:
		}
	}
	close(list)
	group.Wait()
	if err != nil {
		return false, err
	}
	ok = t.report(played, time.Since(begin))
	if o.span > 0 {
		err = keepSeeds(o.file, seeds, t.bad)
	}
	return ok, err
}

func readSeeds(name string) ([]sim.Seed, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return sim.ParseSeeds(f)
}

// keepSeeds adds seeds that failed to the file, unless they are in it.
func keepSeeds(name string, known, found []sim.Seed) error {
	f, err := os.OpenFile(name, os.O_APPEND|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	for _, s := range found {
		if slices.ContainsFunc(known, func(k sim.Seed) bool { return k.Seed == s.Seed }) {
			continue
		}
		if _, err := fmt.Fprintln(f, s); err != nil {
			return err
		}
	}
	return f.Close()
}

// count adds a run's offenders up.
func (t *tally) count(p sim.Plan, r *sim.Result) {
	if t.offenders == nil {
		t.offenders, t.convicted = map[string]int{}, map[string]int{}
	}
	for _, kind := range p.Faulty {
		if slices.Contains(faulty.Invalid(), kind) {
			t.offenders[kind]++
		}
	}
	for _, kind := range r.Convicted {
		t.convicted[kind]++
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
	bad     []sim.Seed
	digest  uint64
	// by kind of offender: how many there were, and how many were convicted
	offenders, convicted map[string]int
}

func (t *tally) run(p sim.Plan) error {
	r, err := sim.Run(p)
	if err != nil {
		return err
	}
	again := r
	if t.verbose {
		if again, err = sim.Run(p); err != nil {
			return err
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
	t.count(p, r)
	if t.verbose || len(r.Wrong) > 0 {
		fmt.Println(r)
		if b := r.Bound; b != nil {
			fmt.Printf("  an order of %d pairs of commands, among the first %d of a machine of %d subsystems, is found with a chance of %.2g\n",
				b.Depth, b.Steps, b.Subsystems, b.Chance)
		}
	}
	for _, v := range r.Wrong {
		fmt.Println("  " + v)
	}
	switch {
	case again.Trace != r.Trace:
		fmt.Printf("  played again: trace %016x\n", again.Trace)
		t.bad = append(t.bad, sim.Seed{Seed: p.Seed, What: "its trace differs when it is played again"})
	case len(r.Wrong) > 0:
		t.bad = append(t.bad, sim.Seed{Seed: p.Seed, What: sim.Rule(r.Wrong[0])})
	}
	return nil
}

func (t *tally) report(seeds uint64, took time.Duration) (ok bool) {
	slices.SortFunc(t.bad, func(a, b sim.Seed) int {
		if a.Seed < b.Seed {
			return -1
		}
		return 1
	})
	fmt.Printf("%d seeds, %d events (%.0f a second), %d blocks, %d crashes, %d panics; %v of virtual time in %v (%.0f times real time); traces %016x\n",
		seeds, t.events, float64(t.events)/took.Seconds(), t.blocks, t.crashes, t.panics, t.virtual.Round(time.Second), took.Round(time.Millisecond),
		t.virtual.Seconds()/took.Seconds(), t.digest)
	for _, kind := range faulty.Invalid() {
		if n := t.offenders[kind]; n > 0 {
			fmt.Printf("%-22s %3d offenders, %3d convicted\n", kind, n, t.convicted[kind])
		}
	}
	for _, s := range t.bad {
		fmt.Printf("violation: seed %v\n", s)
	}
	return len(t.bad) == 0
}
