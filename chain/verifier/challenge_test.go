package verifier

import (
	"slices"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/job"
	"github.com/cowboyinc/cowboy-go/chain/market"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/chain/verify"
)

var challenger = account.Address{0: 0xcc}

// challenges makes a challenge with its bond under 0x03, as the chain hands it over.
func (w *world) challenges(c Challenge) (bool, error) {
	w.t.Helper()
	c.From = challenger
	mark := w.overlay.Mark()
	w.must(account.Move(w.overlay, challenger, Home(), c.Bond))
	d, err := w.v.Decide(w.Market, &c)
	if err != nil {
		w.overlay.Revert(mark)
		return false, err
	}
	w.Burned += d.Burned
	return d.Right, nil
}

// Every bound of usage, at it and beyond it. Thirty hundredths of 20,000 CBY are 6,000.
// Spec: WP §5.3, §13; runner-marketplace §2.1 (ResourceBounds), §6.3, §7.
func TestUsageBeyondTheBoundsIsProved(t *testing.T) {
	for name, c := range map[string]struct {
		used  verify.Usage
		right bool
	}{
		"input at":      {verify.Usage{InputTokens: 50}, false},
		"input beyond":  {verify.Usage{InputTokens: 51}, true},
		"output at":     {verify.Usage{OutputTokens: 100}, false},
		"output beyond": {verify.Usage{OutputTokens: 101}, true},
		"time at":       {verify.Usage{WallTimeSeconds: 30}, false},
		"time beyond":   {verify.Usage{WallTimeSeconds: 31}, true},
		"memory":        {verify.Usage{MemoryMB: 1_000_000}, false}, // the job has no bound
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, 3)
			w.fund(challenger, 1_000*cby)
			id, who := w.assigned(ask(job.ModeNone, once, func(s *job.Spec) { s.Bounds.MaxInputTokens = 50 }))
			w.answers(id, who, &verify.Output{Data: []byte("x"), Usage: c.used})
			w.end()
			w.is(id, market.Challengeable)
			b := w.books(who)
			right, err := w.challenges(Challenge{Job: id, Runner: who[0], Claim: Usage, Bond: params.ChallengeBond})
			if err != nil || right != c.right {
				t.Fatalf("%v %v", right, err)
			}
			if !right {
				if w.balance(challenger) != 900*cby || w.runner(who[0]).Stake != stake {
					t.Errorf("%d left", w.balance(challenger))
				}
				w.end()
				return
			}
			j := w.is(id, market.Failed)
			v, err := market.LoadResult(w.overlay, id)
			if err != nil || j.Reason != market.ReasonChallenged || !slices.Equal(v.Slash, who) {
				t.Errorf("%+v %+v %v", j, v, err)
			}
			if w.balance(challenger) != 1_000*cby || w.runner(who[0]).Stake != 14_000*cby {
				t.Errorf("%d left, a stake of %d", w.balance(challenger), w.runner(who[0]).Stake)
			}
			b.grew(submitter, 11*cby)
			_, err = w.challenges(Challenge{Job: id, Runner: who[0], Claim: Usage, Bond: params.ChallengeBond})
			w.refused(err, ErrUpheld)
			w.settled(id)
			w.end()
		})
	}
}

// What is stored is what was committed, so that the claim is wrong; where state says otherwise it is right.
// Spec: WP §5.3; runner-marketplace §7 (reveal mismatch).
func TestAMismatchIsProvedByWhatIsStored(t *testing.T) {
	w := newWorld(t, 3)
	w.fund(challenger, 1_000*cby)
	id, who := w.assigned(ask(job.ModeNone, once))
	w.answers(id, who, gave("x", 1))
	w.end()
	claim := Challenge{Job: id, Runner: who[0], Claim: Mismatch, Bond: params.ChallengeBond}
	if right, err := w.challenges(claim); err != nil || right {
		t.Errorf("%v %v", right, err)
	}
	key := account.KeyString(account.KindRecord, market.Home(), "market:commitment/")
	key = append(append(key, id[:]...), who[0][:]...)
	w.overlay.Set(key, (&market.Commitment{}).Encode())
	if right, err := w.challenges(claim); err != nil || !right {
		t.Errorf("%v %v", right, err)
	}
	w.end()
}

// Spec: WP §13 (bond, window); runner-marketplace §7, §12; WP-January "Dispute Resolution".
func TestChallengesThatAreRefused(t *testing.T) {
	w := newWorld(t, 6)
	w.fund(challenger, 1_000*cby)
	id, who := w.assigned(ask(job.ModeMajorityVote, three, func(s *job.Spec) { s.Verification.DisputeBlocks = 1_000 }))
	good := Challenge{Job: id, Runner: who[0], Claim: Usage, Bond: params.ChallengeBond}
	_, err := w.challenges(good)
	w.refused(err, ErrWindow)
	w.answers(id, who, gave("1", 1_000), gave("1", 100), gave("2", 1_000))
	w.end()
	verified := w.Height - 1
	for name, c := range map[string]struct {
		change func(c *Challenge)
		want   error
	}{
		"a bond of n-1":            {func(c *Challenge) { c.Bond-- }, ErrBond},
		"a bond of n+1":            {func(c *Challenge) { c.Bond++ }, ErrBond},
		"another job":              {func(c *Challenge) { c.Job[0] ^= 1 }, market.ErrUnknown},
		"a stranger":               {func(c *Challenge) { c.Runner = account.Address{1} }, ErrClaim},
		"one whose result was not": {func(c *Challenge) { c.Runner = who[2] }, ErrClaim},
		"a claim nobody knows":     {func(c *Challenge) { c.Claim = claims }, ErrClaim},
	} {
		t.Run(name, func(t *testing.T) {
			one := good
			c.change(&one)
			_, err := w.challenges(one)
			w.refused(err, c.want)
		})
	}
	w.until(verified + params.ChallengeWindowBlocks + 50) // it is not paid for yet
	if right, err := w.challenges(good); err != nil || !right {
		t.Errorf("before it is paid for: %v %v", right, err)
	}
	if got := unit.Amount(20_000*cby) - w.runner(who[0]).Stake; got != 6_000*cby {
		t.Errorf("lost %d", got)
	}
	w.end()
}
