package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/cowboyinc/cowboy-go/cmd/cowboy/suite"
)

// watchEvery is how often watched files are looked at.
const watchEvery = 300 * time.Millisecond

// errTests ends `test` after the failures were printed.
var errTests = errors.New("tests failed")

type testOptions struct {
	run, junit, lcov   string
	update, cover, gas bool
	watch, verbose     bool
	parallel           int
	path               []string
	fuzz               fuzzOptions
	profiled           bool // the profile is printed
	files              profileFiles
}

// testCommand runs a project's tests on a chain of its own. Spec: sdk §21.
func (a *app) testCommand() *cobra.Command {
	o := &testOptions{}
	c := &cobra.Command{
		Use: "test [FILE or DIR]...", Short: "Run a project's tests: stories (.txtar) and Python tests",
		Long: "Run the tests of a project on the node's own machine, meter and scheduler, without a node.\n\n" +
			"Stories are *.txtar: actors, commands and the output they must have, which --update rewrites.\n" +
			"Python tests are test_*.py and *_test.py, written against cowboy_sdk.testing.\n\n" +
			"Stories that say `fuzz` and `invariant`, and classes Fuzz* of Python tests, are fuzzed with --fuzz: calls are drawn from a seed, what\n" +
			"breaks an invariant is shortened, printed, and saved as a test beside, one for each invariant. A handler none of whose calls succeeds fails the " +
			"search.\nWith --fuzz-runs the result depends on the seed alone.\n\n" +
			"Exits 0 when all pass, 1 when one fails, 2 for wrong usage.",
		Example: "  cowboy test\n  cowboy test tests --run transfer --cover\n  cowboy test --gas-report\n  cowboy test --fuzz --fuzz-time 1m --seed 7\n" +
			"  cowboy test --watch",
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				args = []string{"."}
			}
			if o.fuzz.on {
				return a.fuzzTests(cmd.Context(), args, o)
			}
			if o.watch {
				return a.watchTests(cmd.Context(), args, o)
			}
			return a.runTests(cmd.Context(), args, o)
		},
	}
	flags := c.Flags()
	flags.StringVar(&o.run, "run", "", "only tests whose file/name matches this regular expression")
	flags.BoolVar(&o.update, "update", false, "rewrite the expected output of stories, and gas.json with --gas-report")
	flags.BoolVar(&o.cover, "cover", false, "print which lines of actors the tests ran, and how many outcomes of conditions were met")
	flags.StringVar(&o.lcov, "lcov", "", "write the coverage of lines and branches to this file, in LCOV's form")
	flags.BoolVar(&o.gas, "gas-report", false, "print cycles and cells of every test, and what changed since gas.json")
	flags.BoolVar(&o.watch, "watch", false, "run again whenever a file changes")
	flags.BoolVarP(&o.verbose, "verbose", "v", false, "print every test and its output")
	flags.IntVar(&o.parallel, "parallel", runtime.NumCPU(), "files run at a time")
	flags.StringVar(&o.files.pprof, "profile", "", "write where the cycles of actors went to this file, in pprof's form; `cowboy profile` prints it")
	flags.StringVar(&o.junit, "junit", "", "write a JUnit report to this file")
	flags.StringSliceVar(&o.path, "path", nil, "more directories whose files Python tests can import")
	o.fuzz.flags(flags)
	return c
}

func (a *app) runTests(ctx context.Context, paths []string, o *testOptions) error {
	options := suite.Options{Update: o.update, Cover: o.cover || o.lcov != "", Parallel: o.parallel, Path: o.path}
	options.Profile = o.profiled || o.files != (profileFiles{})
	if o.run != "" {
		var err error
		if options.Run, err = regexp.Compile(o.run); err != nil {
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
	began := time.Now()
	report, err := suite.Run(ctx, files, options, func(list []suite.Outcome) {
		if !a.asJSON {
			a.printOutcomes(list, o.verbose)
		}
	})
	if errors.Is(err, suite.ErrPicked) {
		return usageError{err}
	}
	if err != nil {
		return err
	}
	if o.junit != "" {
		if err := report.WriteJUnit(o.junit); err != nil {
			return err
		}
	}
	if o.lcov != "" {
		if err := report.WriteLCOV(o.lcov); err != nil {
			return err
		}
	}
	failed := report.Failed()
	switch {
	case a.asJSON:
		if err = a.showProfile(report.Profile, o.files); err == nil {
			err = a.showJSON(report)
		}
	default:
		a.printCoverage(report.Coverage)
		if o.gas {
			err = a.printGas(home(paths[0]), report, o.update)
		}
		if err == nil && options.Profile {
			err = a.showProfile(report.Profile, o.files)
		}
		fmt.Fprintf(a.out, "%d passed, %d failed in %s\n", len(report.Tests)-failed, failed, time.Since(began).Round(time.Millisecond))
	}
	if err == nil && failed > 0 {
		err = silent{errTests}
	}
	return err
}

func (a *app) printOutcomes(list []suite.Outcome, verbose bool) {
	for i := range list {
		t := &list[i]
		switch {
		case !t.OK:
			fmt.Fprintf(a.out, "FAIL  %s\n%s", t.ID(), indent(t.Failure))
			if t.Output != "" {
				fmt.Fprintf(a.out, "  it printed:\n%s", indent(t.Output))
			}
		case verbose || t.Updated:
			note := ""
			if t.Updated {
				note = " rewritten"
			}
			fmt.Fprintf(a.out, "ok    %s  %d cycles, %d cells%s\n%s", t.ID(), t.Cycles, t.Cells, note, indent(t.Output))
		}
	}
}

// indent moves every line of a text to the right, and ends it.
func indent(text string) string {
	text = strings.TrimRight(text, "\n")
	if text == "" {
		return ""
	}
	return "    " + strings.ReplaceAll(text, "\n", "\n    ") + "\n"
}

func (a *app) printCoverage(list []suite.Coverage) {
	for _, c := range list {
		percent := 100.0
		if c.Of > 0 {
			percent = 100 * float64(c.Ran) / float64(c.Of)
		}
		fmt.Fprintf(a.out, "cover %5.1f %%  %s", percent, c.File)
		if c.Branches > 0 {
			fmt.Fprintf(a.out, "  branches %d of %d", c.Taken, c.Branches)
		}
		if len(c.Missed) > 0 {
			fmt.Fprintf(a.out, "  not run: %s", ranges(c.Missed))
		}
		fmt.Fprintln(a.out)
	}
}

// ranges writes ascending numbers briefly: 3, 5-8.
func ranges(list []int) string {
	var b strings.Builder
	for i := 0; i < len(list); {
		j := i
		for j+1 < len(list) && list[j+1] == list[j]+1 {
			j++
		}
		if i > 0 {
			b.WriteString(", ")
		}
		if fmt.Fprint(&b, list[i]); j > i {
			fmt.Fprintf(&b, "-%d", list[j])
		}
		i = j + 1
	}
	return b.String()
}

// home is the directory of a path that is one or is in one.
func home(path string) string {
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return path
	}
	return filepath.Dir(path)
}

// printGas prints what every test used and what changed since it was saved.
func (a *app) printGas(dir string, r *suite.Report, save bool) error {
	before, err := suite.LoadGas(dir)
	if err != nil {
		return err
	}
	after := r.Gas()
	changed := map[string]suite.Change{}
	for _, c := range suite.Changes(before, after) {
		changed[c.Test] = c
	}
	fmt.Fprintf(a.out, "%12s %8s  test\n", "cycles", "cells")
	for i := range r.Tests {
		t := &r.Tests[i]
		if !t.OK {
			continue
		}
		fmt.Fprintf(a.out, "%12d %8d  %s", t.Cycles, t.Cells, t.ID())
		if c, ok := changed[t.ID()]; ok && before != nil {
			if c.Before == nil {
				fmt.Fprint(a.out, "  new")
			} else {
				fmt.Fprintf(a.out, "  %+d cycles, %+d cells", int64(t.Cycles-c.Before.Cycles), int64(t.Cells-c.Before.Cells))
			}
		}
		fmt.Fprintln(a.out)
	}
	if before == nil || save {
		fmt.Fprintf(a.out, "saved to %s\n", filepath.Join(dir, suite.GasFile))
		return suite.SaveGas(dir, after)
	}
	return nil
}

// watchTests runs the tests, and again whenever a file under the paths changed.
func (a *app) watchTests(ctx context.Context, paths []string, o *testOptions) error {
	tick := time.NewTicker(watchEvery)
	defer tick.Stop()
	last := ""
	for {
		now, err := fingerprint(paths)
		if err != nil {
			return err
		}
		if now != last {
			if err := a.runTests(ctx, paths, o); err != nil && !errors.As(err, new(silent)) {
				fmt.Fprintf(a.out, "Error: %v\n", err)
			}
			fmt.Fprintln(a.out, "watching; Ctrl-C ends it")
			if last, err = fingerprint(paths); err != nil { // what a run itself rewrote is no change
				return err
			}
		}
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
		}
	}
}

// fingerprint stands for the names, sizes and times of the sources under paths.
func fingerprint(paths []string) (string, error) {
	var b strings.Builder
	for _, root := range paths {
		err := filepath.WalkDir(root, func(path string, d os.DirEntry, err error) error {
			if err != nil {
				return nil // it is being replaced
			}
			if d.IsDir() {
				if path != root && strings.HasPrefix(d.Name(), ".") {
					return filepath.SkipDir
				}
				return nil
			}
			if ext := filepath.Ext(path); ext != ".py" && ext != ".txtar" {
				return nil
			}
			if info, err := d.Info(); err == nil {
				fmt.Fprintf(&b, "%s %d %d\n", path, info.Size(), info.ModTime().UnixNano())
			}
			return nil
		})
		if err != nil {
			return "", err
		}
	}
	return b.String(), nil
}
