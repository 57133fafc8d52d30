package sequence

import (
	"math/rand/v2"
	"slices"
)

// Options bound a search. What is found depends on Seed, Runs and Calls alone; Until ends a search early.
type Options struct {
	Seed  uint64
	Runs  int         // sequences to try; 0 is no bound
	Calls int         // of one sequence; 0 is 30
	Until func() bool // asked between sequences; nil: never
}

const (
	defaultCalls = 30
	// maxShrink bounds the sequences tried to shorten a finding.
	maxShrink = 3_000
)

// Broken says what does not hold after a sequence.
type Broken struct {
	After int      // calls that were made
	Rule  int      // which of what must hold, from 0
	Got   []string // what it said
}

// Finding is the shortest sequence found that breaks a rule.
type Finding struct {
	Run   int // of the search, from 1
	Calls []Call
	Broken
}

// Shortening is the rule that is known while a finding is shortened, and at no other time: what is run then is not worth counting.
const Shortening = -1

// Run makes the calls of a sequence from the start. It gives the first rule that breaks, besides those that are known to, and nil if all hold or the chain
// refuses the sequence.
type Run func(calls []Call, known func(rule int) bool) *Broken

// Search tries sequences until every rule was broken, and gives the shortest found for each that was, in the order they were found, with how many
// sequences were tried.
func Search(s *Space, o Options, run Run) (runs int, found []*Finding) {
	if o.Calls == 0 {
		o.Calls = defaultCalls
	}
	known := func(rule int) bool {
		return slices.ContainsFunc(found, func(f *Finding) bool { return f.Rule == rule })
	}
	for runs = 1; o.Runs == 0 || runs <= o.Runs; runs++ {
		r := rand.New(rand.NewPCG(o.Seed, uint64(runs)))
		calls := make([]Call, 1+r.IntN(o.Calls))
		for i := range calls {
			calls[i] = s.Draw(r)
		}
		calls[len(calls)-1].Blocks = max(calls[len(calls)-1].Blocks, 1)
		if b := run(calls, known); b != nil {
			calls, b = shrink(s, calls[:b.After], b, func(calls []Call) *Broken {
				return run(calls, func(rule int) bool { return rule != b.Rule })
			})
			if found = append(found, &Finding{runs, calls, *b}); len(found) == s.Rules {
				return runs, found
			}
		}
		if o.Until != nil && o.Until() {
			return runs, found
		}
	}
	return runs - 1, found
}
