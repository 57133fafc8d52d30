// Command sim runs seeded networks of whole nodes and prints the results.
//
//	go run ./testkit/cmd/sim -first 1 -seeds 2000        many seeds; violations are printed, and the seeds at the end
//	go run ./testkit/cmd/sim -first 1041 -seeds 1 -v     one seed, played twice: the trace hashes must be equal
//	go run ./testkit/cmd/sim -for 1h -first 5000         seeds for an hour; those that fail join the seed file
//	go run ./testkit/cmd/sim -proposers -seeds 500       proposers of invalid blocks of each kind, who must be jailed
//	go run ./testkit/cmd/sim -tell 1041                  everything that happens in a run, one line each
//	go run ./testkit/cmd/sim -record 1041 > x.plan       the run with every fault and every choice named, which replays to the same hash
//	go run ./testkit/cmd/sim -shrink 1041 > small.plan   the shortest plan that breaks the same rule
//	go run ./testkit/cmd/sim -play small.plan            a plan, played twice
//
// Wherever a seed is asked for, the name of a file with a plan does as well. The exit status is 1 if a rule was broken.
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"time"

	"github.com/cowboyinc/cowboy-go/testkit/sim"
)

// options are the flags.
type options struct {
	first, seeds uint64
	span         time.Duration
	file         string
	real         bool
	epochs       bool
	proposers    bool
	verbose      bool
	workers      int
	depth        int
	tries        int
}

func main() {
	var o options
	flag.Uint64Var(&o.first, "first", 1, "first seed")
	flag.Uint64Var(&o.seeds, "seeds", 200, "number of seeds")
	flag.DurationVar(&o.span, "for", 0, "look for failing seeds for so long, from -first on, and keep them in -file")
	flag.StringVar(&o.file, "file", filepath.FromSlash("testkit/sim/testdata/seeds.txt"), "seed file")
	flag.BoolVar(&o.real, "real", false, "sign with BLS12-381 instead of hashes")
	flag.BoolVar(&o.epochs, "epochs", false, "networks that live through short epochs, with validators that join and leave")
	flag.BoolVar(&o.proposers, "proposers", false, "networks with proposers of blocks that are invalid in each way, signed with BLS12-381; "+
		"all of them must be jailed and nobody else")
	flag.BoolVar(&o.verbose, "v", false, "print every run, and play each twice")
	flag.IntVar(&o.workers, "workers", runtime.NumCPU(), "runs at the same time")
	flag.IntVar(&o.depth, "pct", 0, "search for orders of so many pairs of commands: random priorities, with one change less")
	flag.IntVar(&o.tries, "tries", 10_000, "most runs that -shrink makes")
	tell := flag.String("tell", "", "print everything that happens in the run of a `seed`")
	record := flag.String("record", "", "print the run of a `seed` as a plan with every choice")
	shrink := flag.String("shrink", "", "reduce the failing run of a `seed`")
	play := flag.String("play", "", "play a plan of a `file` twice")
	flag.Parse()
	var ok bool
	var err error
	switch {
	case *tell != "":
		ok, err = o.tellRun(*tell)
	case *record != "":
		ok, err = o.recordRun(*record)
	case *shrink != "":
		ok, err = o.shrinkRun(*shrink)
	case *play != "":
		o.verbose = true
		ok, err = o.playPlan(*play)
	default:
		ok, err = o.search()
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "sim:", err)
		os.Exit(2)
	}
	if !ok {
		os.Exit(1)
	}
}

// pctSteps is over how many of a machine's steps the changes of priority are spread: most of what a machine does in a run.
const pctSteps = 2_000

// planOf gives the plan of a seed, or of a file.
func (o *options) planOf(name string) (p sim.Plan, err error) {
	if seed, bad := strconv.ParseUint(name, 10, 64); bad == nil {
		p = o.draw(seed)
	} else {
		f, err := os.Open(name)
		if err != nil {
			return p, err
		}
		defer f.Close()
		if p, err = sim.ParsePlan(f); err != nil {
			return p, err
		}
	}
	o.change(&p)
	return p, nil
}

// draw gives the plan of a seed.
func (o *options) draw(seed uint64) sim.Plan {
	if o.proposers {
		return sim.ProposerPlanOf(seed)
	}
	if o.epochs {
		return sim.EpochPlanOf(seed)
	}
	return sim.PlanOf(seed)
}

// change applies the flags that concern every plan.
func (o *options) change(p *sim.Plan) {
	p.Real = p.Real || o.real
	if o.depth > 0 {
		p.Schedule = sim.Schedule{Order: sim.PCT, Depth: o.depth, Steps: pctSteps}
	}
}
