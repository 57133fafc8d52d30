package suite

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
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
	File     string              `json:"file"`
	Class    string              `json:"class,omitempty"`
	Seed     uint64              `json:"seed"`
	Runs     int                 `json:"runs"`
	Calls    int                 `json:"calls"`
	Faults   int                 `json:"faults"`
	Handlers []string            `json:"handlers"`
	Tally    sequence.Tally      `json:"tally"`              // successes by handler
	Findings []*scenario.Finding `json:"findings,omitempty"` // of a story
	Broken   []*pytest.Finding   `json:"broken,omitempty"`   // of a class
	Saved    []string            `json:"saved,omitempty"`    // files
	Mistake  string              `json:"mistake,omitempty"`  // why nothing could be tried, or that nothing that was called succeeded
}

// ID names what was fuzzed.
func (f *Fuzzed) ID() string {
	if f.Class == "" {
		return f.File
	}
	return f.File + "/" + f.Class
}

// Failed tells whether something was found, or nothing could be tried.
func (f *Fuzzed) Failed() bool { return f.Mistake != "" || len(f.Findings)+len(f.Broken) > 0 }

// Save writes what was found as tests beside the file it was found by, from where cowboy test runs them: one for each invariant, named after it. What was
// found before for the same invariant is replaced.
func (f *Fuzzed) Save() error {
	dir, file := filepath.Split(f.File)
	name := strings.TrimSuffix(file, filepath.Ext(file))
	keep := func(path, text string) error {
		f.Saved = append(f.Saved, path)
		return os.WriteFile(path, []byte(text), 0o644)
	}
	for _, x := range f.Findings {
		if err := keep(fmt.Sprintf("%s%s_found_%d.txtar", dir, name, x.Line), x.Story); err != nil {
			return err
		}
	}
	for _, x := range f.Broken {
		path := fmt.Sprintf("%stest_found_%s_%s.py", dir, strings.ToLower(f.Class), strings.TrimPrefix(x.Invariant, "invariant_"))
		if err := keep(path, fmt.Sprintf("from %s import %s\n\n\n%s", name, f.Class, x.Test)); err != nil {
			return err
		}
	}
	return nil
}

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
		had := len(list)
		list = slices.DeleteFunc(list, func(f fuzzer) bool { return !o.Pick.MatchString(f.id) })
		if had > 0 && len(list) == 0 {
			return 0, fmt.Errorf("%w: %s", ErrPicked, o.Pick)
		}
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
				File: file, Class: class, Runs: x.Runs, Calls: x.Calls, Faults: x.Faults, Handlers: x.Handlers, Tally: x.Tally,
				Broken: x.Found, Mistake: x.Failure,
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
	out := Fuzzed{File: file, Runs: x.Runs, Calls: x.Calls, Faults: x.Faults, Handlers: x.Handlers, Tally: x.Tally, Findings: x.Found}
	if barren := x.Tally.Barren(); barren != "" {
		out.Mistake = file + ": " + barren +
			"\n  say what its payload is: fuzz ACTOR HANDLER {\"amount\": $number}, or name the handlers to call, a fuzz command each"
	}
	return out, nil
}
