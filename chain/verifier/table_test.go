package verifier

import (
	"slices"
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

// What a member of a committee does in an attempt, beside giving an output.
const (
	silent  = ""  // it does not commit itself
	hides   = "!" // it commits itself and does not reveal
	breaks  = "~" // it commits itself and says in time that it crashed
	tooLate = "-" // it says so when the window for reveals is over
)

// scenario is one row: what each does, and what comes of it.
type scenario struct {
	name    string
	said    []string // by the members, in the order of addresses; of one runner the first alone
	retried []string // by those of the second attempt; nil: there is none
	cancel  bool
	accused int    // the member that is challenged for its use, plus one
	claims  uint32 // tokens that it claims
	paid    bool   // it is challenged after the payment
	agreed  []int  // of the last attempt, who is paid
	slashed map[int]unit.Amount
	bond    unit.Amount // burned of the challenger's
	dearer  unit.Amount // hundredths of a CBY that the price is above one: of each 8,900,000 are the runner's, 1,000,000 burned, 100,000 the treasury's
}

// shares are what the runners have of a price of 1 CBY and a tip of 1, when so many agreed: 890,000,000 base units of the price and all of the tip.
//
//	one:   890,000,000 + 1,000,000,000
//	two:   without the aggregator 445,000,000 + 500,000,000 each; with it 15,000,000 are its bonus, and 437,500,000 + 500,000,000 each's
//	three: 15,000,000 are the aggregator's; 875,000,000 are 3 × 291,666,666 and 2, 1,000,000,000 are 3 × 333,333,333 and 1, and what is left over is its too
func shares(agreed int, aggregator, among bool) unit.Amount {
	switch {
	case agreed == 1:
		return 1_890_000_000
	case agreed == 2 && !among:
		return 945_000_000
	case agreed == 2 && aggregator:
		return 952_500_000
	case agreed == 2:
		return 937_500_000
	case aggregator:
		return 640_000_002
	}
	return 624_999_999
}

// scenarios are those of committees of three with a threshold of two, and those of one runner.
func scenarios(alone bool) []scenario {
	quarter, misconduct := unit.Amount(5_000*cby), unit.Amount(6_000*cby) // of 20,000: 25 % and 30 %
	if alone {
		return []scenario{
			{name: "success", said: []string{"a"}, agreed: []int{0}},
			{name: "non-reveal", said: []string{hides}, slashed: map[int]unit.Amount{0: quarter}},
			{name: "crash in time", said: []string{breaks}},
			{name: "crash out of time", said: []string{tooLate}, slashed: map[int]unit.Amount{0: quarter}},
			{name: "timeout", said: []string{silent}},
			{name: "timeout, then success", said: []string{silent}, retried: []string{"a"}, agreed: []int{0}},
			{name: "challenge won", said: []string{"a"}, accused: 1, claims: 101, slashed: map[int]unit.Amount{0: misconduct}},
			{name: "challenge won, paid", said: []string{"a"}, accused: 1, claims: 101, paid: true, agreed: []int{0}, dearer: 1,
				slashed: map[int]unit.Amount{0: misconduct}},
			{name: "challenge lost", said: []string{"a"}, accused: 1, claims: 100, agreed: []int{0}, bond: 100 * cby},
		}
	}
	return []scenario{
		{name: "success", said: []string{"a", "a", "a"}, agreed: []int{0, 1, 2}},
		{name: "a dissenter", said: []string{"a", "b", "a"}, agreed: []int{0, 2}},
		{name: "disagreement", said: []string{"a", "b", "c"}},
		{name: "disagreement, then success", said: []string{"a", "b", "c"}, retried: []string{"a", "a", "a"}, agreed: []int{0, 1, 2}},
		{name: "non-reveal", said: []string{"a", hides, "a"}, agreed: []int{0, 2}, slashed: map[int]unit.Amount{1: quarter}},
		{name: "two do not reveal", said: []string{hides, hides, "a"}, slashed: map[int]unit.Amount{0: quarter, 1: quarter}},
		{name: "crash in time", said: []string{"a", breaks, "a"}, agreed: []int{0, 2}},
		{name: "crash out of time", said: []string{"a", tooLate, "a"}, agreed: []int{0, 2}, slashed: map[int]unit.Amount{1: quarter}},
		{name: "one is silent", said: []string{silent, "a", "a"}, agreed: []int{1, 2}},
		{name: "timeout", said: []string{silent, silent, silent}},
		{name: "timeout, then success", said: []string{silent, silent, silent}, retried: []string{"a", "a", "a"}, agreed: []int{0, 1, 2}},
		{name: "cancellation", cancel: true},
		{name: "challenge won", said: []string{"a", "a", "a"}, accused: 2, claims: 101, slashed: map[int]unit.Amount{1: misconduct}},
		{name: "challenge won, paid", said: []string{"a", "a", "a"}, accused: 2, claims: 101, paid: true, agreed: []int{0, 1, 2},
			slashed: map[int]unit.Amount{1: misconduct}},
		{name: "challenge lost", said: []string{"a", "a", "a"}, accused: 2, claims: 100, agreed: []int{0, 1, 2}, bond: 100 * cby},
	}
}

// outputs makes of what members say what they commit themselves to.
func (c *scenario) outputs(mode job.Mode, said []string) (list []*verify.Output) {
	for i, s := range said {
		if s == silent {
			list = append(list, nil)
			continue
		}
		o := gave(`"`+s+`"`, 100)
		if c.accused == i+1 {
			o.Usage.OutputTokens = c.claims
		}
		if mode == job.ModeSemanticSimilarity { // texts of other letters stand at right angles
			o.Embedding = &verify.Embedding{Values: make([]int16, 256)}
			o.Embedding.Values[s[0]] = 9
		}
		list = append(list, o)
	}
	return list
}

// plays one attempt of a scenario to the end of the block that judges it.
func (w *world) plays(c *scenario, mode job.Mode, id digest.Hash, said []string) []account.Address {
	who, attempt := w.committee(id), w.job(id).Attempt
	outputs := c.outputs(mode, said)
	for i, o := range outputs {
		if o != nil {
			w.commits(id, who[i], o)
		}
	}
	for j := w.job(id); (j.Status == market.Assigned || j.Status == market.Executing) && j.Attempt == attempt; j = w.job(id) {
		w.end()
	}
	if w.job(id).Status != market.Revealing {
		return who
	}
	for i, o := range outputs {
		switch said[i] {
		case silent, hides, tooLate:
		case breaks:
			w.must(w.v.Crash(w.Market, id, who[i], verify.NetworkPartition))
		default:
			w.reveals(id, who[i], o)
		}
	}
	for j := w.job(id); j.Status == market.Revealing && j.Attempt == attempt; j = w.job(id) {
		w.end()
	}
	for i := range said {
		if said[i] == tooLate {
			w.refused(w.v.Crash(w.Market, id, who[i], verify.NetworkPartition), market.ErrStatus)
		}
	}
	return who
}

// Every mode with every way a job goes, in base units: who is paid how much, who loses how much of its stake, what is burned and what goes back; after each
// block all coins there are add up (world.end). A job of 10 CBY and a tip of 1, whose 100 tokens cost 1 CBY: where it is paid for, 0.1 CBY is burned, 0.01 the
// treasury's, and 9 go back; else 11 go back.
//
// Spec: WP §5.3, §5.4, §8.4, §13, "Runner Resource Accounting"; CIP-2 §6, §9; runner-marketplace §2.4, §5, §5.1, §5.2, §6.3, §7, §8,
// §8.1; WP-January "Payment and Failure Handling".
func TestEveryOutcomeOfEveryMode(t *testing.T) {
	for mode := job.ModeNone; mode <= job.ModeSemanticSimilarity; mode++ {
		t.Run(mode.String(), func(t *testing.T) {
			for _, c := range scenarios(mode <= job.ModeEconomicBond) {
				t.Run(c.name, func(t *testing.T) { c.play(t, mode) })
			}
		})
	}
}

func (c *scenario) play(t *testing.T, mode job.Mode) {
	w := newWorld(t, 9)
	w.Params.SimilarityModel = "cowboy/words-1"
	w.fund(challenger, 1_000*cby)
	spec := ask(mode, func(s *job.Spec) {
		if mode > job.ModeEconomicBond {
			three(s)
		}
		if mode == job.ModeStructuredMatch {
			s.Verification.Checks = []job.Check{{Kind: job.CheckStructuredMatch, Fields: []string{""}}}
		}
		if s.Bounds.MaxRetries = 0; c.retried != nil {
			s.Bounds.MaxRetries = 1
		}
	})
	before := w.books(nil)
	if c.cancel {
		s, err := w.Submit(digest.Hash{9}, spec, submitter, nil, 0)
		w.must(err)
		w.must(w.Cancel(s.ID, submitter))
		w.end()
		w.is(s.ID, market.Cancelled)
		before.grew(submitter, 0)
		before.went(0, 0)
		return
	}
	id, who := w.assigned(spec)
	w.plays(c, mode, id, c.said)
	if c.retried != nil {
		w.is(id, market.Assigned)
		who = w.plays(c, mode, id, c.retried)
	}
	if c.accused > 0 {
		if w.is(id, market.Challengeable); c.paid {
			w.settled(id)
		}
		right, err := w.challenges(Challenge{Job: id, Runner: who[c.accused-1], Claim: Usage, Bond: params.ChallengeBond})
		if w.must(err); right != (c.bond == 0) {
			t.Fatalf("the challenge is right: %v", right)
		}
	}
	s := w.selection(id)
	among := slices.ContainsFunc(c.agreed, func(i int) bool { return who[i] == s.Aggregator })
	w.settled(id)
	lost := unit.Amount(0)
	for i, a := range who {
		want := unit.Amount(0)
		if slices.Contains(c.agreed, i) {
			want = shares(len(c.agreed), a == s.Aggregator, among) + c.dearer*8_900_000
		}
		if got := w.balance(a); got != want {
			t.Errorf("member %d has %d, want %d", i, got, want)
		}
		if got := stake - w.runner(a).Stake; got != c.slashed[i] {
			t.Errorf("member %d lost %d, want %d", i, got, c.slashed[i])
		}
		if _, hit := c.slashed[i]; hit && w.runner(a).Reputation > runner.ReputationOf(1) {
			t.Errorf("member %d has a reputation of %d", i, w.runner(a).Reputation.Milli())
		}
		lost += c.slashed[i]
	}
	if got := w.balance(challenger); got != 1_000*cby-c.bond {
		t.Errorf("the challenger has %d", got)
	}
	if c.agreed == nil {
		w.is(id, market.Failed)
		before.grew(submitter, 0)
		before.went(lost+c.bond, 0)
		return
	}
	w.is(id, market.Completed)
	if got := before.of[submitter] - w.balance(submitter); got != 2*cby+c.dearer*10_000_000 {
		t.Errorf("the job cost %d", got)
	}
	before.went(lost+c.bond+100_000_000+c.dearer*1_000_000, 10_000_000+c.dearer*100_000)
}
