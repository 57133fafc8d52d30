package verifier

import (
	"slices"
	"strings"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/job"
	"github.com/cowboyinc/cowboy-go/chain/market"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/runner"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/chain/verify"
)

// books are balances to compare with later ones.
type books struct {
	w        *world
	of       map[account.Address]unit.Amount
	burned   unit.Amount
	treasury unit.Amount
}

func (w *world) books(who []account.Address) *books {
	b := &books{w, map[account.Address]unit.Amount{submitter: w.balance(submitter)}, w.Burned, w.balance(account.System(account.Treasury))}
	for _, a := range who {
		b.of[a] = w.balance(a)
	}
	return b
}

// grew holds what an account has more than in the books to an amount.
func (b *books) grew(who account.Address, by unit.Amount) {
	b.w.t.Helper()
	if got := b.w.balance(who) - b.of[who]; got != by {
		b.w.t.Errorf("%v has %d more, want %d", who, got, by)
	}
}

func (b *books) went(burned, treasury unit.Amount) {
	b.w.t.Helper()
	if got := b.w.Burned - b.burned; got != burned {
		b.w.t.Errorf("burned %d, want %d", got, burned)
	}
	if got := b.w.balance(account.System(account.Treasury)) - b.treasury; got != treasury {
		b.w.t.Errorf("the treasury has %d more, want %d", got, treasury)
	}
}

// settled ends blocks until the job is at its end.
func (w *world) settled(id digest.Hash) *market.Job {
	w.t.Helper()
	for n := 0; !w.job(id).Status.Ended() && n < 2_000; n++ {
		w.end()
	}
	return w.job(id)
}

// committee of three asked for by the job itself.
func three(s *job.Spec) { s.Verification.Runners, s.Verification.Threshold = 3, 2 }

const cby = unit.CBY

// A job of 10 CBY and a tip of 1; 100 tokens cost 1 CBY. Of 1 CBY 0.1 is burned, 0.01 the treasury's, 0.89 the runners': one of them has all, 0.875 in shares
// and 0.015 as the bonus of the aggregator. The rest, 9 CBY, goes back.
// Spec: WP §5.3, §8.4; runner-marketplace §5, §5.2, §8.
func TestOneRunnerIsPaid(t *testing.T) {
	for name, mode := range map[string]job.Mode{"none": job.ModeNone, "economic_bond": job.ModeEconomicBond} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, 3)
			id, who := w.assigned(ask(mode))
			b := w.books(who)
			w.answers(id, who, gave("because", 100))
			w.end()
			at := w.Height - 1
			w.is(id, market.Challengeable)
			w.until(at + 75)
			w.is(id, market.Challengeable)
			w.end()
			w.is(id, market.Completed)
			b.grew(who[0], 890_000_000+cby)
			b.grew(submitter, 9*cby)
			b.went(100_000_000, 10_000_000)
			if got := w.runner(who[0]).Reputation; got <= runner.ReputationOf(50) {
				t.Errorf("its reputation is %d", got)
			}
			if v, err := market.LoadResult(w.overlay, id); err != nil || string(v.Data) != "because" || v.Count != 1 || v.Total != 1 || v.Price != cby {
				t.Errorf("%+v %v", v, err)
			}
		})
	}
}

// Each mode of a committee of three of which two must agree: who is paid, who is not, and what of it is burned.
// Spec: WP §5.3, §5.4, §8.4; runner-marketplace §2.4, §5, §5.2, §8, §8.1.
func TestCommittees(t *testing.T) {
	vote := func(s *job.Spec) { s.Verification.Checks = []job.Check{{Kind: job.CheckMajorityVote, Field: "a"}} }
	match := func(s *job.Spec) {
		s.Verification.Checks = []job.Check{{Kind: job.CheckStructuredMatch, Fields: []string{"a"}}}
	}
	plain := func(*job.Spec) {}
	yes, also, no := `{"a":1}`, `{"a":1.0,"b":2}`, `{"a":2}`
	for mode, c := range map[job.Mode]struct {
		edit        func(*job.Spec)
		yes, also   string
		no, another string
	}{
		job.ModeMajorityVote:    {vote, yes, also, no, `{"a":3}`},
		job.ModeStructuredMatch: {match, yes, also, no, `{"a":3}`},
		job.ModeDeterministic:   {plain, yes, yes, also, no},
	} {
		t.Run(mode.String(), func(t *testing.T) {
			for name, one := range map[string]struct {
				said   []string // "" is silent
				agreed []int    // nobody: another attempt, or the end
			}{
				"all agree":      {[]string{c.yes, c.also, c.also}, []int{0, 1, 2}},
				"one dissents":   {[]string{c.no, c.yes, c.also}, []int{1, 2}},
				"one is silent":  {[]string{c.yes, "", c.also}, []int{0, 2}},
				"nobody agrees":  {[]string{c.yes, c.no, c.another}, nil},
				"two are silent": {[]string{"", "", c.yes}, nil},
				"all are silent": {[]string{"", "", ""}, nil},
			} {
				t.Run(name, func(t *testing.T) { committee(t, ask(mode, three, once, c.edit), one.said, one.agreed) })
			}
		})
	}
}

func committee(t *testing.T, spec *job.Spec, said []string, agreed []int) {
	w := newWorld(t, 6)
	id, who := w.assigned(spec)
	b := w.books(who)
	outputs := make([]*verify.Output, len(said))
	for i, s := range said {
		if s != "" {
			outputs[i] = gave(s, 100)
		}
	}
	w.answers(id, who, outputs...)
	aggregator := w.selection(id).Aggregator
	j := w.settled(id)
	if agreed == nil {
		if j.Status != market.Failed {
			t.Fatalf("%+v", j)
		}
		b.grew(submitter, 11*cby)
		b.went(0, 0)
	}
	n, bonus := unit.Amount(len(agreed)), unit.Amount(0)
	for _, i := range agreed {
		if who[i] == aggregator {
			bonus = 15_000_000
		}
	}
	var paid unit.Amount
	for i, a := range who {
		got := w.balance(a) - b.of[a]
		paid += got
		switch {
		case !slices.Contains(agreed, i):
			if got != 0 {
				t.Errorf("%d, who did not agree, has %d", i, got)
			}
		case bonus > 0 && a == aggregator:
			if least := bonus + (890_000_000-bonus)/n + cby/n; got < least || got >= least+2*n {
				t.Errorf("the aggregator has %d, want %d and remainders", got, least)
			}
		default:
			if least := (890_000_000-bonus)/n + cby/n; got < least || got >= least+2*n {
				t.Errorf("%d has %d, want %d", i, got, least)
			}
		}
		if lost := stake - w.runner(a).Stake; lost != 0 {
			t.Errorf("%d lost %d of its stake", i, lost)
		}
		rises, falls := w.runner(a).Reputation > runner.ReputationOf(50), w.runner(a).Reputation < runner.ReputationOf(50)
		if rises != slices.Contains(agreed, i) || falls != (said[i] == "") {
			t.Errorf("%d has a reputation of %d", i, w.runner(a).Reputation.Milli())
		}
	}
	if agreed != nil {
		if paid != 890_000_000+cby {
			t.Errorf("the runners have %d", paid)
		}
		b.grew(submitter, 9*cby)
		b.went(100_000_000, 10_000_000)
	}
}

// A runner that committed itself and does not reveal loses a quarter of its stake and all reputation; the others are paid when the window is over, not before.
// Spec: WP §5.3, §13; runner-marketplace §5 (wait for windows), §8.1.
func TestNotToRevealCostsAQuarterOfTheStake(t *testing.T) {
	w := newWorld(t, 6)
	id, who := w.assigned(ask(job.ModeMajorityVote, three))
	for _, a := range who {
		w.commits(id, a, gave("x", 100))
	}
	began := w.Height
	w.reveals(id, who[0], gave("x", 100))
	w.reveals(id, who[1], gave("x", 100))
	burned := w.Burned
	w.until(began + 60)
	w.is(id, market.Revealing)
	w.end()
	w.is(id, market.Challengeable)
	if got := w.runner(who[2]); got.Stake != 15_000*cby || got.Reputation != 0 || w.Burned-burned != 5_000*cby {
		t.Errorf("%+v, burned %d", got, w.Burned-burned)
	}
	if j := w.settled(id); j.Status != market.Completed {
		t.Errorf("%+v", j)
	}
}

// Spec: runner-marketplace §8.1 (at most 100,000 CBY), §7 (slash distribution).
func TestASlashHasALimitAndIsSharedOut(t *testing.T) {
	for name, c := range map[string]struct{ stake, lost unit.Amount }{
		"n-1": {399_999 * cby, 99_999*cby + cby*3/4}, "n": {400_000 * cby, 100_000 * cby}, "n+1": {400_001 * cby, 100_000 * cby},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, 3)
			w.Params.SlashDistribution = params.SlashSplit{BurnBPS: 5_000, SubmitterBPS: 3_000, TreasuryBPS: 2_000}
			id, who := w.assigned(ask(job.ModeNone, once))
			billed := 0
			w.Bill = func(account.Address) error { billed++; return nil }
			w.fund(runner.Home(), c.stake-stake)
			w.must(w.Registry.Register(who[0], runner.Terms{
				Key: w.keys[who[0]].Compressed(), Stake: c.stake - stake, Card: runner.RateCard{LLMOutputToken: unit.CBY / 100, MaxJobValue: 100 * unit.CBY},
				Capabilities: runner.Capabilities{JobTypes: []runner.Name{{Name: "llm"}}, MaxConcurrentJobs: 3},
			}))
			b := w.books(who)
			w.commits(id, who[0], gave("x", 1))
			w.settled(id)
			if got := c.stake - w.runner(who[0]).Stake; got != c.lost {
				t.Errorf("lost %d, want %d", got, c.lost)
			}
			b.grew(submitter, 11*cby+c.lost*3/10)
			b.went(c.lost-c.lost*3/10-c.lost/5, c.lost/5)
			if billed == 0 {
				t.Error("nobody was billed")
			}
		})
	}
}

// Spec: runner-marketplace §5 (rec), §8.1.
func TestACrashInTimeExcuses(t *testing.T) {
	for name, c := range map[string]struct {
		after   unit.Height // the window for reveals began
		excused bool
		want    error
	}{
		"before the window": {0, true, nil}, "n-1": {59, true, nil}, "n": {60, true, nil}, "n+1": {61, false, market.ErrStatus},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, 6)
			id, who := w.assigned(ask(job.ModeMajorityVote, three))
			for _, a := range who[:2] {
				w.commits(id, a, gave("x", 100))
			}
			w.commits(id, who[2], gave("x", 100))
			began := w.Height
			w.reveals(id, who[0], gave("x", 100))
			w.reveals(id, who[1], gave("x", 100))
			w.until(began + c.after)
			w.refused(w.v.Crash(w.Market, id, who[2], verify.OutOfMemory), c.want)
			w.settled(id)
			got := w.runner(who[2])
			if (got.Stake == stake) != c.excused || got.Reputation == 0 != !c.excused || got.Reputation >= runner.ReputationOf(50) {
				t.Errorf("%+v", got)
			}
		})
	}
}

// Spec: runner-marketplace §8.1, §12.
func TestCrashesThatAreNone(t *testing.T) {
	w := newWorld(t, 6)
	id, who := w.assigned(ask(job.ModeMajorityVote, three))
	stranger := account.Address{1}
	w.refused(w.v.Crash(w.Market, id, who[0], 0), market.ErrStatus)
	w.commits(id, who[0], gave("x", 1))
	w.refused(w.v.Crash(w.Market, digest.Hash{1}, who[0], 0), market.ErrUnknown)
	w.refused(w.v.Crash(w.Market, id, stranger, 0), market.ErrSelected)
	w.refused(w.v.Crash(w.Market, id, who[1], 0), market.ErrUncommitted)
	w.must(w.v.Crash(w.Market, id, who[0], 0))
	w.refused(w.v.Crash(w.Market, id, who[0], 0), market.ErrCrashed)
	w.commits(id, who[1], gave("x", 1))
	w.commits(id, who[2], gave("x", 1))
	w.reveals(id, who[1], gave("x", 1))
	w.refused(w.v.Crash(w.Market, id, who[1], 0), market.ErrRevealed)
	w.reveals(id, who[0], gave("x", 1)) // it came back
	w.reveals(id, who[2], gave("x", 1))
	w.settled(id)
	w.refused(w.v.Crash(w.Market, id, who[0], 0), market.ErrStatus)
	if w.is(id, market.Completed); w.runner(who[0]).Reputation <= runner.ReputationOf(50) {
		t.Error("who came back is not paid as the others")
	}
}

// Spec: runner-marketplace §8.1 (more than 5 exemptions in 1,000 blocks).
func TestManyCrashesAreLookedAt(t *testing.T) {
	w := newWorld(t, 1)
	var who []account.Address
	for n := range 7 {
		var id digest.Hash
		id, who = w.assigned(ask(job.ModeNone, once))
		w.commits(id, who[0], gave("x", 1))
		w.events = nil
		w.must(w.v.Crash(w.Market, id, who[0], verify.HardwareFault))
		looked := slices.ContainsFunc(w.events, func(e string) bool { return strings.HasPrefix(e, TopicReview) })
		if looked != (n >= 5) {
			t.Errorf("crash %d: %v", n+1, w.events)
		}
		w.settled(id)
		r := w.runner(who[0])
		if r.Reputation < runner.ReputationOf(50) { // give it another chance
			w.must(w.Registry.Score(who[0], 200))
			w.at(w.Height + 100)
			w.must(w.Registry.Heartbeat(who[0], true))
			if w.runner(who[0]).Reputation < runner.ReputationOf(50) {
				return
			}
		}
	}
}

// The objective failure of one of three: a score of 0, no pay, no slash.
// Spec: WP "LLM Result Verification"; runner-marketplace §6.3, §8.
func TestAnObjectiveFailureCostsReputation(t *testing.T) {
	w := newWorld(t, 6)
	id, who := w.assigned(ask(job.ModeMajorityVote, three, func(s *job.Spec) { s.Schema.DataFormat = `{"type":"integer"}` }))
	b := w.books(who)
	w.answers(id, who, gave(`1`, 100), gave(`"x"`, 100), gave(`1`, 100))
	w.settled(id)
	w.is(id, market.Completed)
	b.grew(who[1], 0)
	if got := w.runner(who[1]); got.Reputation >= runner.ReputationOf(50) || got.Stake != stake {
		t.Errorf("%+v", got)
	}
}

// An attempt nobody answers, then one that is answered: the silent ones are not asked again.
// Spec: runner-marketplace §5.1; CIP-2 §6.
func TestASecondAttemptIsPaid(t *testing.T) {
	w := newWorld(t, 8)
	id, first := w.assigned(ask(job.ModeMajorityVote, three))
	for w.job(id).Attempt == 0 {
		w.end()
	}
	second := w.committee(id)
	for _, a := range second {
		if slices.Contains(first, a) {
			t.Errorf("%v was silent and is asked again", a)
		}
	}
	b := w.books(second)
	w.answers(id, second, gave("1", 100), gave("1", 100), gave("1", 100))
	w.settled(id)
	w.is(id, market.Completed)
	b.grew(submitter, 9*cby)
}

// A disagreement is followed by another attempt as well, three at most; all goes back in the end.
// Spec: runner-marketplace §5, §5.1.
func TestDisagreementIsTriedAgain(t *testing.T) {
	w := newWorld(t, 9)
	id, _ := w.assigned(ask(job.ModeMajorityVote, three))
	b := w.books(nil)
	for attempt := range 4 {
		if got := w.is(id, market.Assigned).Attempt; got != uint32(attempt) {
			t.Fatalf("attempt %d, want %d", got, attempt)
		}
		who := w.committee(id)
		w.answers(id, who, gave("1", 100), gave("2", 100), gave("3", 100))
		w.end()
	}
	if j := w.is(id, market.Failed); j.Reason != "NoConsensus" {
		t.Errorf("%+v", j)
	}
	b.grew(submitter, 11*cby)
}

// Spec: WP "Runner Resource Accounting"; runner-marketplace §5.2.
func TestFaultsThatAreNoRunners(t *testing.T) {
	report := func(o verify.Outcome, done, total uint64) *verify.Output {
		return &verify.Output{Outcome: o, Done: done, Total: total, Data: []byte{}}
	}
	// Expected: 100 tokens of a hundredth of a CBY, 1 CBY; a quarter of it is 0.25. With one runner at most half of max_price, 5 CBY.
	for name, c := range map[string]struct {
		spec           *job.Spec
		report         *verify.Output
		runners, burnt unit.Amount
		treasury       unit.Amount
	}{
		"impossible, one":    {ask(job.ModeNone), report(verify.Impossible, 1, 4), 222_500_000, 25_000_000, 2_500_000},
		"external, three":    {ask(job.ModeMajorityVote, three), report(verify.External, 1, 4), 222_500_000, 25_000_000, 2_500_000},
		"no progress":        {ask(job.ModeNone), report(verify.External, 0, 0), 0, 0, 0},
		"actor, one":         {ask(job.ModeNone), report(verify.ActorFault, 0, 0), 52_000 * 10_000, 0, 0},
		"actor, three":       {ask(job.ModeMajorityVote, three), report(verify.ActorFault, 0, 0), 3 * 52_000 * 10_000, 0, 0},
		"actor, small price": {ask(job.ModeNone, func(s *job.Spec) { s.MaxPrice = cby }), report(verify.ActorFault, 0, 0), 52_000 * 10_000, 0, 0},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, 6)
			held := c.spec.MaxPrice + c.spec.Tip
			id, who := w.assigned(c.spec)
			b := w.books(who)
			w.answers(id, who, slices.Repeat([]*verify.Output{c.report}, len(who))...)
			w.settled(id)
			var paid unit.Amount
			for _, a := range who {
				paid += w.balance(a) - b.of[a]
			}
			if paid != c.runners {
				t.Errorf("the runners have %d, want %d", paid, c.runners)
			}
			b.grew(submitter, held-c.runners-c.burnt-c.treasury)
			b.went(c.burnt, c.treasury)
		})
	}
}

// Spec: runner-marketplace §5.2 (at most half of max_price unverified).
func TestAnUnverifiedClaimIsCapped(t *testing.T) {
	w := newWorld(t, 3)
	id, who := w.assigned(ask(job.ModeNone, func(s *job.Spec) { s.MaxPrice = cby }))
	b := w.books(who)
	w.answers(id, who, &verify.Output{Outcome: verify.Impossible, Done: 9, Total: 10, Data: []byte{}})
	w.settled(id)
	b.grew(who[0], 445_000_000) // 89 % of a half
	b.went(50_000_000, 5_000_000)
}

// Spec: runner-marketplace §8.1, §12.
func TestRevealsThatAreRefused(t *testing.T) {
	w := newWorld(t, 6)
	id, who := w.assigned(ask(job.ModeMajorityVote, three))
	for _, a := range who {
		w.commits(id, a, gave("x", 1))
	}
	try := func(r *verify.Reveal, want error) {
		t.Helper()
		mark := w.overlay.Mark()
		w.refused(w.v.Reveal(w.Market, id, r), want)
		w.overlay.Revert(mark)
	}
	other := w.reveal(id, who[0], gave("y", 1))
	try(other, market.ErrMismatch)
	stolen := w.reveal(id, who[0], gave("x", 1))
	stolen.Runner = who[1]
	try(stolen, market.ErrMismatch)
	stranger := w.reveal(id, who[0], gave("x", 1))
	stranger.Runner = account.Address{1}
	try(stranger, market.ErrSelected)
	w.reveals(id, who[0], gave("x", 1))
	try(w.reveal(id, who[0], gave("x", 1)), market.ErrRevealed)
}

// What another committed itself to cannot be committed to under one's own name, since the salt is of the other's signature.
// Spec: runner-marketplace §5 (stops commitment copying).
func TestACopiedCommitmentCannotBeOpened(t *testing.T) {
	w := newWorld(t, 6)
	id, who := w.assigned(ask(job.ModeMajorityVote, three))
	good := w.reveal(id, who[0], gave("x", 1))
	w.commits(id, who[0], gave("x", 1))
	_, err := w.Commit(id, who[1], verify.Commitment(good.Output, good.Salt))
	w.must(err)
	w.commits(id, who[2], gave("x", 1))
	w.must(w.v.Reveal(w.Market, id, good))
	copied := *good
	copied.Runner = who[1]
	mark := w.overlay.Mark()
	w.refused(w.v.Reveal(w.Market, id, &copied), verify.ErrSignature)
	w.overlay.Revert(mark)
}
