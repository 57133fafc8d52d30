package cli

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"time"

	"github.com/spf13/pflag"

	"github.com/cowboyinc/cowboy-go/cmd/cowboy/suite"
)

type fuzzOptions struct {
	on   bool
	time time.Duration
	runs int
	seed uint64
	save bool
}

func (o *fuzzOptions) flags(flags *pflag.FlagSet) {
	flags.BoolVar(&o.on, "fuzz", false, "look for calls that break the invariants that stories and Fuzz classes declare")
	flags.DurationVar(&o.time, "fuzz-time", 10*time.Second, "how long to look, without --fuzz-runs")
	flags.IntVar(&o.runs, "fuzz-runs", 0, "sequences to try for each story or class")
	flags.Uint64Var(&o.seed, "seed", 1, "what --fuzz draws from")
	flags.BoolVar(&o.save, "fuzz-save", true, "write what --fuzz finds as tests beside the file, one for each invariant, so that `cowboy test` runs them again")
}

// fuzzTests fuzzes the stories and Fuzz classes of a project.
func (a *app) fuzzTests(ctx context.Context, paths []string, o *testOptions) error {
	options := suite.FuzzOptions{Seed: o.fuzz.seed, Time: o.fuzz.time, Runs: o.fuzz.runs, Path: o.path}
	if o.fuzz.runs > 0 {
		options.Time = 0
	}
	if o.run != "" {
		var err error
		if options.Pick, err = regexp.Compile(o.run); err != nil {
			return usageError{fmt.Errorf("--run: %w", err)}
		}
	}
	files, err := suite.Find(paths)
	if errors.Is(err, suite.ErrNone) {
		return usageError{err}
	}
	if err != nil {
		return err
	}
	list := []suite.Fuzzed{}
	var unsaved error
	found, err := suite.Fuzz(ctx, files, options, func(f suite.Fuzzed) {
		if o.fuzz.save {
			unsaved = errors.Join(unsaved, f.Save())
		}
		list = append(list, f)
		if !a.asJSON {
			a.printFuzzed(f)
		}
	})
	if errors.Is(err, suite.ErrNoFuzz) || errors.Is(err, suite.ErrPicked) {
		return usageError{err}
	}
	if err == nil && a.asJSON {
		err = a.showJSON(list)
	}
	err = errors.Join(err, unsaved)
	if err == nil && found > 0 {
		err = silent{errTests}
	}
	return err
}

func (a *app) printFuzzed(f suite.Fuzzed) {
	again := func(run string) string {
		return fmt.Sprintf("again: cowboy test %s --fuzz%s --seed %d --fuzz-runs ", f.File, run, f.Seed)
	}
	if !f.Failed() {
		fmt.Fprintf(a.out, "ok    %s  %d sequences, %d calls of which %d failed, seed %d; successes: %s\n", f.ID(), f.Runs, f.Calls, f.Faults, f.Seed, f.Tally)
		return
	}
	for _, x := range f.Broken {
		fmt.Fprintf(a.out, "FAIL  %s: %s\n%s", f.ID(), x.Invariant, indent(x.Failure))
		fmt.Fprintf(a.out, "  sequence %d of seed %d, shortened to %d; %s%d\n  as a test:\n%s",
			x.Run, f.Seed, x.Calls, again(" --run "+f.Class), x.Run, indent(x.Test))
	}
	for _, x := range f.Findings {
		fmt.Fprintf(a.out, "FAIL  %s:%d: invariant %s\n", f.File, x.Line, x.Invariant)
		for _, text := range x.Want {
			fmt.Fprintf(a.out, "    - %s\n", text)
		}
		for _, text := range x.Got {
			fmt.Fprintf(a.out, "    + %s\n", text)
		}
		fmt.Fprintf(a.out, "  sequence %d of seed %d, shortened to %d; %s%d\n  as a story:\n%s", x.Run, f.Seed, x.Steps, again(""), x.Run, indent(x.Story))
	}
	if len(f.Tally) > 0 {
		fmt.Fprintf(a.out, "  %s: successes: %s\n", f.ID(), f.Tally)
	}
	for _, path := range f.Saved {
		fmt.Fprintf(a.out, "  saved as %s, which fails until the actor is mended\n", path)
	}
	if f.Mistake != "" {
		fmt.Fprintf(a.out, "FAIL  %s\n", f.Mistake)
	}
}
