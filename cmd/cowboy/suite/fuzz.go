package suite

import (
	"context"
	"errors"
	"os"
	"regexp"
	"strings"
	"time"

	"github.com/cowboyinc/cowboy-go/testkit/scenario"
	"github.com/cowboyinc/cowboy-go/testkit/sequence"
)

// ErrNoFuzz says that no story declares what may be called and what must hold.
var ErrNoFuzz = scenario.ErrNothing

// Fuzzed is what became of the fuzzing of one story.
type Fuzzed struct {
	File     string            `json:"file"`
	Seed     uint64            `json:"seed"`
	Runs     int               `json:"runs"`
	Calls    int               `json:"calls"`
	Faults   int               `json:"faults"`
	Handlers []string          `json:"handlers"`
	Finding  *scenario.Finding `json:"finding,omitempty"`
	Mistake  string            `json:"mistake,omitempty"` // in the story
}

// FuzzOptions bound a fuzzing. With Runs the result depends on Seed and Runs alone.
type FuzzOptions struct {
	Seed uint64
	Time time.Duration // all stories together share it; 0 with Runs is no bound
	Runs int           // of each story; 0 is no bound
	Pick *regexp.Regexp
}

// Fuzz fuzzes the stories among files, one after the other, and gives ErrNoFuzz when none of them declares any.
func Fuzz(ctx context.Context, files []string, o FuzzOptions, done func(Fuzzed)) (found int, err error) {
	type one struct {
		file string
		data []byte
	}
	var stories []one
	for _, file := range files {
		if !strings.HasSuffix(file, ".txtar") || o.Pick != nil && !o.Pick.MatchString(file) {
			continue
		}
		data, err := os.ReadFile(file)
		if err != nil {
			return found, err
		}
		if scenario.Fuzzes(data) {
			stories = append(stories, one{file, data})
		}
	}
	if len(stories) == 0 {
		return 0, ErrNoFuzz
	}
	for _, s := range stories {
		var ends time.Time
		if o.Time > 0 {
			ends = time.Now().Add(o.Time / time.Duration(len(stories)))
		}
		search, err := scenario.Fuzz(s.file, s.data, sequence.Options{
			Seed: o.Seed, Runs: o.Runs, Until: func() bool { return ctx.Err() != nil || !ends.IsZero() && time.Now().After(ends) },
		})
		var mistake *scenario.Error
		switch {
		case errors.As(err, &mistake):
			done(Fuzzed{File: s.file, Seed: o.Seed, Mistake: mistake.Error()})
			found++
			continue
		case err != nil:
			return found, err
		}
		if search.Found != nil {
			found++
		}
		done(Fuzzed{s.file, o.Seed, search.Runs, search.Calls, search.Faults, search.Handlers, search.Found, ""})
		if ctx.Err() != nil {
			return found, ctx.Err()
		}
	}
	return found, nil
}
