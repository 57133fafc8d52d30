package sequence

import "math/rand/v2"

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

// Search tries sequences until one breaks a rule. run makes the calls of one from the start and gives nil if everything holds, or if the chain refuses
// the sequence. It returns how many sequences were tried, and a nil Finding if nothing broke.
func Search(s *Space, o Options, run func(calls []Call) *Broken) (runs int, found *Finding) {
	if o.Calls == 0 {
		o.Calls = defaultCalls
	}
	for runs = 1; o.Runs == 0 || runs <= o.Runs; runs++ {
		r := rand.New(rand.NewPCG(o.Seed, uint64(runs)))
		calls := make([]Call, 1+r.IntN(o.Calls))
		for i := range calls {
			calls[i] = s.Draw(r)
		}
		calls[len(calls)-1].Blocks = max(calls[len(calls)-1].Blocks, 1)
		if b := run(calls); b != nil {
			calls, b = shrink(s, calls[:b.After], b, run)
			return runs, &Finding{runs, calls, *b}
		}
		if o.Until != nil && o.Until() {
			return runs, nil
		}
	}
	return runs - 1, nil
}
