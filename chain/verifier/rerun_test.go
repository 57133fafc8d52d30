package verifier

import (
	"slices"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/job"
	"github.com/cowboyinc/cowboy-go/chain/market"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/chain/verify"
)

// again challenges a deterministic job of 11 CBY, and gives the second run with its committee.
func (w *world) again(id digest.Hash, who account.Address) (digest.Hash, []account.Address) {
	w.t.Helper()
	_, err := w.challenges(Challenge{Job: id, Runner: who, Claim: Unreproduced, Bond: params.ChallengeBond + 11*cby})
	w.must(err)
	r, err := market.LoadRerun(w.overlay, id)
	w.must(err)
	for n := 0; w.job(r.Job).Status == market.AwaitingSeed && n < 10; n++ {
		w.end()
	}
	return r.Job, w.committee(r.Job)
}

// Three runners of 20,000 CBY agree on an output, and one who challenges pays for a second run: a bond of 100 CBY and the 11 of the job. It costs as any job:
// the three runners of the second run have 0.89 + 1 CBY, 0.1 is burned and 0.01 the treasury's, and 9 CBY come back.
//
//	the same output:      the bond of 100 is burned; the first job is paid for, 1.89 to its runners, 0.1 burned, 0.01 to the treasury, 9 back
//	another output:       100 come back; each of the three loses 30 %, 6,000 CBY, burned; of the first job all 11 go back, or it stays paid for
//	no result:            100 come back, and 11; the first job is paid for
//
// Spec: WP §5.4, "LLM Result Verification" (deterministic); runner-marketplace §2.4, §5, §6.3, §7.
func TestASecondRunDecides(t *testing.T) {
	for name, c := range map[string]struct {
		said       []string // by the second committee; "" is silent
		paid       bool     // the first job was, before the challenge
		says       market.Reproduction
		challenger unit.Amount // what the challenger has of 1,000 CBY
		slashed    unit.Amount // of each of three
		burned     unit.Amount // in all, with the first job
		submitter  unit.Amount // has back of 11
	}{
		"the same":             {[]string{"x", "x", "x"}, false, market.Same, 898 * cby, 0, 100*cby + 2*cby/10, 9 * cby},
		"the same, of two":     {[]string{"x", "", "x"}, false, market.Same, 898 * cby, 0, 100*cby + 2*cby/10, 9 * cby},
		"the same, paid":       {[]string{"x", "x", "x"}, true, market.Same, 898 * cby, 0, 100*cby + 2*cby/10, 9 * cby},
		"another":              {[]string{"y", "y", "x"}, false, market.Differs, 998 * cby, 6_000 * cby, 18_000*cby + cby/10, 11 * cby},
		"another, paid":        {[]string{"y", "y", "y"}, true, market.Differs, 998 * cby, 6_000 * cby, 18_000*cby + 2*cby/10, 9 * cby},
		"they do not agree":    {[]string{"y", "z", "x"}, false, market.Undecided, 1_000 * cby, 0, cby / 10, 9 * cby},
		"nobody answers":       {[]string{"", "", ""}, false, market.Undecided, 1_000 * cby, 0, cby / 10, 9 * cby},
		"one answers":          {[]string{"y", "", ""}, false, market.Undecided, 1_000 * cby, 0, cby / 10, 9 * cby},
		"nobody answers, paid": {[]string{"", "", ""}, true, market.Undecided, 1_000 * cby, 0, cby / 10, 9 * cby},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, 9)
			w.fund(challenger, 1_000*cby)
			had, burned := w.balance(submitter), w.Burned
			id, who := w.assigned(ask(job.ModeDeterministic, three, once))
			w.answers(id, who, gave("x", 100), gave("x", 100), gave("x", 100))
			w.end()
			if w.is(id, market.Challengeable); c.paid {
				w.settled(id)
				w.is(id, market.Completed)
			}
			second, others := w.again(id, who[1])
			for _, a := range others {
				if slices.Contains(who, a) || a == challenger {
					t.Errorf("%v does the job again", a)
				}
			}
			outputs := make([]*verify.Output, len(others))
			for i, s := range c.said {
				if s != "" {
					outputs[i] = gave(s, 100)
				}
			}
			w.answers(second, others, outputs...)
			if w.job(id).Due != 0 && !c.paid {
				t.Error("the first job does not wait")
			}
			w.settled(second)
			w.settled(id)
			w.end()
			r, err := market.LoadRerun(w.overlay, id)
			w.must(err)
			if r.Says != c.says {
				t.Errorf("it says %d", r.Says)
			}
			for _, a := range who {
				if lost := stake - w.runner(a).Stake; lost != c.slashed {
					t.Errorf("lost %d, want %d", lost, c.slashed)
				}
			}
			if got := w.balance(challenger); got != c.challenger {
				t.Errorf("the challenger has %d, want %d", got, c.challenger)
			}
			if got := w.Burned - burned; got != c.burned {
				t.Errorf("burned %d, want %d", got, c.burned)
			}
			if got := had - w.balance(submitter); got != 11*cby-c.submitter {
				t.Errorf("the job cost %d", got)
			}
			if got := w.balance(Home()); got != 0 {
				t.Errorf("0x03 has %d", got)
			}
			_, err = w.challenges(Challenge{Job: id, Runner: who[0], Claim: Unreproduced, Bond: params.ChallengeBond + 11*cby})
			if want := market.ErrRerun; c.says == market.Differs {
				w.refused(err, ErrUpheld)
			} else {
				w.refused(err, want)
			}
		})
	}
}

// Spec: WP §13 (bond); runner-marketplace §7, §12.
func TestSecondRunsThatAreRefused(t *testing.T) {
	bond := params.ChallengeBond + 11*cby
	for name, c := range map[string]struct {
		runners int
		mode    job.Mode
		change  func(c *Challenge)
		want    error
	}{
		"one":                          {9, job.ModeDeterministic, func(*Challenge) {}, nil},
		"without the price":            {9, job.ModeDeterministic, func(c *Challenge) { c.Bond = params.ChallengeBond }, ErrBond},
		"n-1":                          {9, job.ModeDeterministic, func(c *Challenge) { c.Bond-- }, ErrBond},
		"n+1":                          {9, job.ModeDeterministic, func(c *Challenge) { c.Bond++ }, ErrBond},
		"a stranger":                   {9, job.ModeDeterministic, func(c *Challenge) { c.Runner = account.Address{1} }, ErrClaim},
		"a job by vote":                {9, job.ModeMajorityVote, func(*Challenge) {}, ErrClaim},
		"two others are a committee":   {5, job.ModeDeterministic, func(*Challenge) {}, nil},
		"one other is none":            {4, job.ModeDeterministic, func(*Challenge) {}, market.ErrNoRunners},
		"whoever challenges is no one": {5, job.ModeDeterministic, func(c *Challenge) { c.From = account.Address{2} }, market.ErrNoRunners},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, c.runners)
			id, who := w.assigned(ask(c.mode, three, once))
			w.answers(id, who, gave("x", 100), gave("x", 100), gave("x", 100))
			w.end()
			one := Challenge{Job: id, Runner: who[0], Claim: Unreproduced, Bond: bond, From: challenger}
			c.change(&one)
			if one.From != challenger { // a runner that was not chosen
				for a := range w.keys {
					if !slices.Contains(who, a) {
						one.From = a
					}
				}
			}
			w.fund(Home(), one.Bond)
			mark, held := w.overlay.Mark(), w.Held
			_, err := w.v.Decide(w.Market, &one)
			if w.refused(err, c.want); err != nil {
				w.overlay.Revert(mark)
				w.Held = held
			}
		})
	}
}

// Spec: WP §5.4; runner-marketplace §2.4, §7.
func TestWhatCanBeReproduced(t *testing.T) {
	for name, c := range map[string]struct {
		change func(s *job.Spec)
		want   bool
	}{
		"a model's answer":   {func(*job.Spec) {}, true},
		"an executor's":      {func(s *job.Spec) { s.Kind = job.Custom }, true},
		"a container's":      {func(s *job.Spec) { s.Kind = job.Container }, true},
		"a page":             {func(s *job.Spec) { s.Kind = job.HTTP }, false},
		"a tool's":           {func(s *job.Spec) { s.Kind = job.MCP }, false},
		"an actor's":         {func(s *job.Spec) { s.Verification.Checks = []job.Check{{Kind: job.CheckCustom}} }, false},
		"with another check": {func(s *job.Spec) { s.Verification.Checks = []job.Check{{Kind: job.CheckMajorityVote}} }, true},
		"of another mode":    {func(s *job.Spec) { s.Verification.Mode = job.ModeStructuredMatch }, false},
	} {
		t.Run(name, func(t *testing.T) {
			s := ask(job.ModeDeterministic)
			c.change(s)
			if got := reproducible(s); got != c.want {
				t.Errorf("%v", got)
			}
		})
	}
}

// A second run is not challenged by a third, nobody cancels it, and stakes stay for it: whoever agreed on the first output and leaves is slashed all the same.
// What another challenge does meanwhile is done once.
//
// Spec: runner-marketplace §3 (8), §7.
func TestASecondRunIsWaitedFor(t *testing.T) {
	w := newWorld(t, 9)
	w.fund(challenger, 1_000*cby)
	id, who := w.assigned(ask(job.ModeDeterministic, three, once, func(s *job.Spec) { s.TimeoutBlocks = 9_000 }))
	w.answers(id, who, gave("x", 101), gave("x", 100), gave("x", 100))
	w.end()
	w.must(w.Registry.Deregister(who[1]))
	_, err := w.challenges(Challenge{Job: id, Runner: who[1], Claim: Unreproduced, Bond: params.ChallengeBond + 11*cby})
	w.must(err)
	r, err := market.LoadRerun(w.overlay, id)
	w.must(err)
	w.refused(w.Cancel(r.Job, challenger), market.ErrStatus)
	if right, err := w.challenges(Challenge{Job: id, Runner: who[0], Claim: Usage, Bond: params.ChallengeBond}); err != nil || !right {
		t.Fatalf("%v %v", right, err)
	}
	w.is(id, market.Failed)
	w.until(w.Height + 8_000) // longer than a stake is locked, and than the records of a job are kept
	if _, err := market.LoadResult(w.overlay, id); err != nil {
		t.Fatal(err)
	}
	others := w.committee(r.Job)
	w.answers(r.Job, others, gave("y", 100), gave("y", 100), gave("y", 100))
	w.end()
	_, err = w.challenges(Challenge{Job: r.Job, Runner: others[0], Claim: Unreproduced, Bond: params.ChallengeBond + 11*cby})
	w.refused(err, market.ErrRerun)
	for i, a := range who {
		if lost := stake - w.runner(a).Stake; lost != 6_000*cby {
			t.Errorf("%d lost %d", i, lost)
		}
	}
	w.settled(r.Job)
	w.until(w.Height + 1_000)
	if r, err := market.LoadRerun(w.overlay, id); err != nil || r != nil {
		t.Errorf("it is kept: %+v %v", r, err)
	}
}
