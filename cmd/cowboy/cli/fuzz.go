package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"regexp"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"github.com/cowboyinc/cowboy-go/cmd/cowboy/suite"
)

type fuzzOptions struct {
	on   bool
	time time.Duration
	runs int
	seed uint64
	save string
}

func (o *fuzzOptions) flags(flags *pflag.FlagSet) {
	flags.BoolVar(&o.on, "fuzz", false, "look for calls that break the invariants that stories and Fuzz classes declare")
	flags.DurationVar(&o.time, "fuzz-time", 10*time.Second, "how long to look, without --fuzz-runs")
	flags.IntVar(&o.runs, "fuzz-runs", 0, "sequences to try for each story or class")
	flags.Uint64Var(&o.seed, "seed", 1, "what --fuzz draws from")
	flags.StringVar(&o.save, "fuzz-save", "", "also write the found story or test to this file")
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
	found, err := suite.Fuzz(ctx, files, options, func(f suite.Fuzzed) {
		list = append(list, f)
		if !a.asJSON {
			a.printFuzzed(f)
		}
	})
	if errors.Is(err, suite.ErrNoFuzz) {
		return usageError{err}
	}
	if err == nil && a.asJSON {
		err = a.showJSON(list)
	}
	for _, f := range list {
		if text := f.Story(); err == nil && text != "" && o.fuzz.save != "" {
			err = os.WriteFile(o.fuzz.save, []byte(text), 0o644)
		}
	}
	if err == nil && found > 0 {
		err = silent{errTests}
	}
	return err
}

func (a *app) printFuzzed(f suite.Fuzzed) {
	switch {
	case f.Mistake != "":
		fmt.Fprintf(a.out, "FAIL  %s\n", f.Mistake)
	case !f.Failed():
		fmt.Fprintf(a.out, "ok    %s  %d sequences, %d calls of which %d failed, seed %d: %s\n", f.ID(), f.Runs, f.Calls, f.Faults, f.Seed,
			strings.Join(f.Handlers, ", "))
	case f.Broken != nil:
		x := f.Broken
		fmt.Fprintf(a.out, "FAIL  %s: %s\n%s", f.ID(), x.Invariant, indent(x.Failure))
		fmt.Fprintf(a.out, "  sequence %d of seed %d, shortened to %d; again: cowboy test %s --fuzz --run %s --seed %d --fuzz-runs %d\n  as a test:\n%s", x.Run, f.Seed,
			x.Calls, f.File, f.Class, f.Seed, x.Run, indent(x.Test))
	default:
		x := f.Finding
		fmt.Fprintf(a.out, "FAIL  %s:%d: invariant %s\n", f.File, x.Line, x.Invariant)
		for _, text := range x.Want {
			fmt.Fprintf(a.out, "    - %s\n", text)
		}
		for _, text := range x.Got {
			fmt.Fprintf(a.out, "    + %s\n", text)
		}
		fmt.Fprintf(a.out, "  sequence %d of seed %d, shortened to %d; again: cowboy test %s --fuzz --seed %d --fuzz-runs %d\n  as a story:\n%s", x.Run, f.Seed,
			x.Steps, f.File, f.Seed, x.Run, indent(x.Story))
	}
}
