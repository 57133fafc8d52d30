package suite

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"regexp"
	"slices"
	"sort"
	"strings"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/cowboyinc/cowboy-go/runtime/pvm"
	"github.com/cowboyinc/cowboy-go/testkit/coverage"
	"github.com/cowboyinc/cowboy-go/testkit/pytest"
	"github.com/cowboyinc/cowboy-go/testkit/scenario"
)

// maxFiles bounds what is looked at, so that a wrong directory is noticed.
const maxFiles = 10_000

// ErrNone says that there is nothing to run.
var ErrNone = errors.New("no tests found: stories are *.txtar, Python tests are test_*.py or *_test.py")

// ErrPicked is a filter that no test's name matches.
var ErrPicked = errors.New("no test matches")

// Options say what runs and how.
type Options struct {
	Run      *regexp.Regexp // picks tests by "file/name"; nil runs all
	Update   bool           // rewrite the expected output of stories
	Cover    bool
	Profile  bool
	Parallel int
	Path     []string // where Python tests find modules, besides their own directory
}

// Outcome is what became of one test.
type Outcome struct {
	File    string        `json:"file"`
	Name    string        `json:"name,omitempty"` // of a Python test
	OK      bool          `json:"ok"`
	Failure string        `json:"failure,omitempty"`
	Output  string        `json:"output,omitempty"`
	Cycles  uint64        `json:"cycles"`
	Cells   uint64        `json:"cells"`
	Took    time.Duration `json:"took_ns"`
	Updated bool          `json:"updated,omitempty"`
}

// ID names a test: its file, and its name in it.
func (o *Outcome) ID() string {
	if o.Name == "" {
		return o.File
	}
	return o.File + "/" + o.Name
}

// Coverage is the lines of one actor's source that ran, of those that can.
type Coverage struct {
	File   string `json:"file"`
	Ran    int    `json:"ran"`
	Of     int    `json:"of"`
	Missed []int  `json:"missed,omitempty"`
	// Branches counts the outcomes of conditions, Taken those that were met.
	Branches int `json:"branches"`
	Taken    int `json:"branches_taken"`

	Lines    map[int]bool `json:"-"` // that ran
	Outcomes []Outcomes   `json:"-"`
}

// Outcomes is one outcome of the condition on a line.
type Outcomes struct {
	Line int
	Met  bool
}

// Report is what became of all tests, in the order of their files.
type Report struct {
	Tests    []Outcome  `json:"tests"`
	Coverage []Coverage `json:"coverage,omitempty"`
	// Profile says where the cycles of actors went, with Options.Profile.
	Profile pvm.Stacks `json:"-"`
}

// Failed counts the tests that failed.
func (r *Report) Failed() (n int) {
	for i := range r.Tests {
		if !r.Tests[i].OK {
			n++
		}
	}
	return n
}

// Find lists the test files at paths, which are files or directories, in order.
func Find(paths []string) ([]string, error) {
	seen := map[string]bool{}
	var files []string
	looked := 0
	for _, root := range paths {
		err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			if looked++; looked > maxFiles {
				return fmt.Errorf("%s holds more than %d files; name the directory of the tests", root, maxFiles)
			}
			name := d.Name()
			if d.IsDir() {
				if path != root && (strings.HasPrefix(name, ".") || name == "node_modules" || name == "__pycache__") {
					return fs.SkipDir
				}
				return nil
			}
			if (isTest(name) || path == root) && !seen[path] {
				seen[path] = true
				files = append(files, path)
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	if len(files) == 0 {
		return nil, ErrNone
	}
	sort.Strings(files)
	return files, nil
}

func isTest(name string) bool {
	return strings.HasSuffix(name, ".txtar") || pytest.IsTest(name)
}

// Run runs files. The order of the report does not depend on what ended first; done is told of each file as it ends, never of two at a time.
func Run(ctx context.Context, files []string, o Options, done func([]Outcome)) (*Report, error) {
	outcomes, profiles := make([][]Outcome, len(files)), make([]pvm.Stacks, len(files))
	covered := newCover()
	var mu sync.Mutex
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(max(o.Parallel, 1))
	for i, file := range files {
		g.Go(func() error {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			list, profile, err := one(file, o, covered)
			if err != nil {
				return err
			}
			mu.Lock()
			defer mu.Unlock()
			outcomes[i], profiles[i] = list, profile
			done(list)
			return nil
		})
	}
	if err := g.Wait(); err != nil {
		return nil, err
	}
	if o.Run != nil && !slices.ContainsFunc(outcomes, func(list []Outcome) bool { return len(list) > 0 }) {
		return nil, fmt.Errorf("%w: %s", ErrPicked, o.Run)
	}
	r := &Report{Tests: []Outcome{}, Coverage: covered.report(), Profile: slices.Concat(profiles...).Renamed(shown).Merged()}
	for _, list := range outcomes {
		r.Tests = append(r.Tests, list...)
	}
	return r, nil
}

// shown is the name of a file in a profile: an actor whose source a test wrote itself has none but the hash of its code.
func shown(file string) string {
	if raw, err := hex.DecodeString(file); err == nil && len(raw) == 32 {
		return "<text " + file[:8] + ">"
	}
	return file
}

func one(file string, o Options, covered *cover) ([]Outcome, pvm.Stacks, error) {
	if strings.HasSuffix(file, ".py") {
		return python(file, o, covered)
	}
	if o.Run != nil && !o.Run.MatchString(file) {
		return nil, nil, nil
	}
	began := time.Now()
	options := scenario.Options{Update: o.Update, Profile: o.Profile}
	if o.Cover {
		options.Cover = coverage.New()
	}
	r, err := scenario.RunFile(file, options)
	if c := options.Cover; c != nil {
		lines, outcomes := c.Taken()
		covered.add(lines)
		covered.met(outcomes)
		covered.can(c.Executable)
		covered.conditions(c.Branches)
	}
	out := Outcome{File: file, OK: err == nil && r.OK(), Took: time.Since(began)}
	var mistake *scenario.Error
	var profile pvm.Stacks
	switch {
	case errors.As(err, &mistake):
		out.Failure = mistake.Error()
	case err != nil:
		return nil, nil, err
	default:
		profile = r.Profile
		out.Cycles, out.Cells, out.Updated = r.Cycles, r.Cells, r.Updated
		var b strings.Builder
		for _, d := range r.Differences {
			b.WriteString(file + " " + d.String())
		}
		out.Failure = b.String()
	}
	return []Outcome{out}, profile, nil
}

func python(file string, o Options, covered *cover) ([]Outcome, pvm.Stacks, error) {
	options := pytest.Options{Cover: o.Cover, Path: o.Path, Profile: o.Profile}
	if o.Run != nil {
		options.Filter = func(name string) bool { return o.Run.MatchString(file + "/" + name) }
	}
	began := time.Now()
	r, err := pytest.Run(file, options)
	if errors.Is(err, pytest.ErrLoad) {
		return []Outcome{{File: file, Failure: err.Error(), Took: time.Since(began)}}, nil, nil
	}
	if err != nil {
		return nil, nil, err
	}
	each := time.Since(began) / time.Duration(max(len(r.Results), 1))
	list := make([]Outcome, len(r.Results))
	for i, x := range r.Results {
		list[i] = Outcome{File: file, Name: x.Name, OK: x.OK, Failure: x.Failure, Output: x.Output, Cycles: x.Cycles, Cells: x.Cells, Took: each}
		covered.add(x.Lines)
		covered.met(x.Branches)
	}
	covered.can(r.Executable)
	covered.conditions(r.Branches)
	return list, r.Profile, nil
}
