package suite

import (
	"context"
	"errors"
	"os"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/cowboyinc/cowboy-go/testkit/pytest"
	"github.com/cowboyinc/cowboy-go/testkit/scenario"
	"github.com/cowboyinc/cowboy-go/testkit/sequence"
)

// ErrNoFuzz says that neither a story nor a Python test declares what may be called and what must hold.
var ErrNoFuzz = errors.New("nothing to fuzz: no story says `fuzz ACTOR` and `invariant COMMAND`, no test file has a class Fuzz* with a method invariant_*")

// Fuzzed is what became of the fuzzing of one story, or one Fuzz class of a test file.
type Fuzzed struct {
	File     string            `json:"file"`
	Class    string            `json:"class,omitempty"`
	Seed     uint64            `json:"seed"`
	Runs     int               `json:"runs"`
	Calls    int               `json:"calls"`
	Faults   int               `json:"faults"`
	Handlers []string          `json:"handlers"`
	Finding  *scenario.Finding `json:"finding,omitempty"` // of a story
	Broken   *pytest.Finding   `json:"broken,omitempty"`  // of a class
	Mistake  string            `json:"mistake,omitempty"` // why nothing could be tried
}

// ID names what was fuzzed.
func (f *Fuzzed) ID() string {
	if f.Class == "" {
		return f.File
	}
	return f.File + "/" + f.Class
}

// Story is what to keep of what was found: a story or a Python test, nothing if nothing was.
func (f *Fuzzed) Story() string {
	switch {
	case f.Finding != nil:
		return f.Finding.Story
	case f.Broken != nil:
		return f.Broken.Test
	}
	return ""
}

// Failed tells whether something was found, or nothing could be tried.
func (f *Fuzzed) Failed() bool { return f.Mistake != "" || f.Story() != "" }

// FuzzOptions bound a fuzzing. With Runs the result depends on Seed and Runs alone.
type FuzzOptions struct {
	Seed uint64
	Time time.Duration // all together share it; 0 with Runs is no bound
	Runs int           // of each; 0 is no bound
	Pick *regexp.Regexp
	Path []string // where Python tests find modules, besides their own directory
}

// fuzzer is one thing to fuzz.
type fuzzer struct {
	id   string
	fuzz func(sequence.Options) (Fuzzed, error)
}

// Fuzz fuzzes the stories and Fuzz classes among files, one after the other, and gives ErrNoFuzz when there is none.
func Fuzz(ctx context.Context, files []string, o FuzzOptions, done func(Fuzzed)) (found int, err error) {
	var list []fuzzer
	for _, file := range files {
		some, err := fuzzers(file, o.Path)
		if err != nil {
			return 0, err
		}
		list = append(list, some...)
	}
	if o.Pick != nil {
		list = slices.DeleteFunc(list, func(f fuzzer) bool { return !o.Pick.MatchString(f.id) })
	}
	if len(list) == 0 {
		return 0, ErrNoFuzz
	}
	for _, f := range list {
		var ends time.Time
		if o.Time > 0 {
			ends = time.Now().Add(o.Time / time.Duration(len(list)))
		}
		out, err := f.fuzz(sequence.Options{
			Seed: o.Seed, Runs: o.Runs, Until: func() bool { return ctx.Err() != nil || !ends.IsZero() && time.Now().After(ends) },
		})
		if err != nil {
			return found, err
		}
		if out.Seed = o.Seed; out.Failed() {
			found++
		}
		done(out)
		if ctx.Err() != nil {
			return found, ctx.Err()
		}
	}
	return found, nil
}

// fuzzers are what a file declares to be fuzzed.
func fuzzers(file string, path []string) ([]fuzzer, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	if strings.HasSuffix(file, ".txtar") {
		if !scenario.Fuzzes(data) {
			return nil, nil
		}
		return []fuzzer{{file, func(o sequence.Options) (Fuzzed, error) { return fuzzStory(file, data, o) }}}, nil
	}
	failed := func(err error) []fuzzer {
		return []fuzzer{{file, func(sequence.Options) (Fuzzed, error) { return Fuzzed{File: file, Mistake: err.Error()}, nil }}}
	}
	r, err := pytest.NewRunner(file, data, pytest.Options{Path: path})
	if err != nil {
		return failed(err), nil
	}
	classes, err := r.Fuzzers()
	if err != nil {
		return failed(err), nil
	}
	list := make([]fuzzer, len(classes))
	for i, class := range classes {
		list[i] = fuzzer{file + "/" + class, func(o sequence.Options) (Fuzzed, error) {
			x := r.Fuzz(class, o)
			return Fuzzed{
				File: file, Class: class, Runs: x.Runs, Calls: x.Calls, Faults: x.Faults, Handlers: x.Handlers, Broken: x.Found, Mistake: x.Failure,
			}, nil
		}}
	}
	return list, nil
}

func fuzzStory(file string, data []byte, o sequence.Options) (Fuzzed, error) {
	x, err := scenario.Fuzz(file, data, o)
	if mistake := (*scenario.Error)(nil); errors.As(err, &mistake) {
		return Fuzzed{File: file, Mistake: mistake.Error()}, nil
	}
	if errors.Is(err, scenario.ErrNothing) {
		return Fuzzed{File: file, Mistake: file + ": " + err.Error()}, nil
	}
	if err != nil {
		return Fuzzed{}, err
	}
	return Fuzzed{File: file, Runs: x.Runs, Calls: x.Calls, Faults: x.Faults, Handlers: x.Handlers, Finding: x.Found}, nil
}
