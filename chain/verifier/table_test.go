package verifier

import (
	"fmt"
	"os"
	"slices"
	"strconv"
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

// What a member of a committee does in an attempt, beside giving an output.
const (
	silent  = ""  // it does not commit itself
	hides   = "!" // it commits itself and does not reveal
	breaks  = "~" // it commits itself and says in time that it crashed
	tooLate = "-" // it says so when the window for reveals is over
)

// scenario is one way a job goes: what each does. What comes of it is in testdata/outcomes.txt.
type scenario struct {
	name    string
	said    []string // by the members, in the order of addresses; of one runner the first alone
	retried []string // by those of the second attempt; nil: there is none
	cancel  bool
	accused int    // the member that is challenged for its use, plus one
	claims  uint32 // tokens that it claims
	paid    bool   // it is challenged after the payment
}

// scenarios are those of committees of three with a threshold of two, and those of one runner.
func scenarios(alone bool) []scenario {
	if alone {
		return []scenario{
			{name: "success", said: []string{"a"}}, {name: "non-reveal", said: []string{hides}}, {name: "crash in time", said: []string{breaks}},
			{name: "crash out of time", said: []string{tooLate}}, {name: "timeout", said: []string{silent}},
			{name: "timeout, then success", said: []string{silent}, retried: []string{"a"}},
			{name: "impossible", said: []string{"cannot 1/4"}}, {name: "impossible, all but done", said: []string{"cannot 99/100"}},
			{name: "outside fault", said: []string{"outside 1/4"}}, {name: "submitter's fault", said: []string{"yours"}},
			{name: "challenge won", said: []string{"a"}, accused: 1, claims: 101},
			{name: "challenge won, paid", said: []string{"a"}, accused: 1, claims: 101, paid: true},
			{name: "challenge lost", said: []string{"a"}, accused: 1, claims: 100},
		}
	}
	all := func(word string) []string { return []string{word, word, word} }
	return []scenario{
		{name: "success", said: all("a")}, {name: "a dissenter", said: []string{"a", "b", "a"}}, {name: "disagreement", said: []string{"a", "b", "c"}},
		{name: "disagreement, then success", said: []string{"a", "b", "c"}, retried: all("a")},
		{name: "non-reveal", said: []string{"a", hides, "a"}}, {name: "two do not reveal", said: []string{hides, hides, "a"}},
		{name: "crash in time", said: []string{"a", breaks, "a"}}, {name: "crash out of time", said: []string{"a", tooLate, "a"}},
		{name: "one is silent", said: []string{silent, "a", "a"}}, {name: "timeout", said: all(silent)},
		{name: "timeout, then success", said: all(silent), retried: all("a")}, {name: "cancellation", cancel: true},
		{name: "impossible", said: all("cannot 1/4")}, {name: "impossible, all but done", said: all("cannot 99/100")},
		{name: "outside fault", said: all("outside 1/4")}, {name: "submitter's fault", said: all("yours")},
		{name: "challenge won", said: all("a"), accused: 2, claims: 101}, {name: "challenge won, paid", said: all("a"), accused: 2, claims: 101, paid: true},
		{name: "challenge lost", said: all("a"), accused: 2, claims: 100},
	}
}

// outcome is a line of testdata/outcomes.txt.
type outcome struct {
	status                             string
	paid, lost                         []unit.Amount // by member
	cost, burned, treasury, challenger unit.Amount
}

// outcomes are the lines by mode, name and who aggregates.
func outcomes(t *testing.T) map[string]*outcome {
	t.Helper()
	text, err := os.ReadFile("testdata/outcomes.txt")
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]*outcome{}
	for line := range strings.Lines(string(text)) {
		columns := strings.Split(strings.TrimSpace(line), "\t")
		var numbers []unit.Amount
		for _, c := range columns[4:] {
			n, err := strconv.ParseUint(c, 10, 64)
			if err != nil {
				t.Fatal(err)
			}
			numbers = append(numbers, unit.Amount(n))
		}
		members := (len(numbers) - 4) / 2
		rest := numbers[2*members:]
		all[strings.Join(columns[:3], "\t")] = &outcome{columns[3], numbers[:members], numbers[members : 2*members], rest[0], rest[1], rest[2], rest[3]}
	}
	return all
}

// outputs makes of what members say what they commit themselves to.
func (c *scenario) outputs(mode job.Mode, said []string) (list []*verify.Output) {
	for i, s := range said {
		if s == silent {
			list = append(list, nil)
			continue
		}
		if o := reports(s); o != nil {
			list = append(list, o)
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

// reports is the output of a runner that says why there is no result; nil for other words.
func reports(word string) *verify.Output {
	var kind string
	o := &verify.Output{Data: []byte{}}
	if _, err := fmt.Sscanf(word, "%s %d/%d", &kind, &o.Done, &o.Total); err != nil && kind != "yours" {
		return nil
	}
	o.Outcome = map[string]verify.Outcome{"cannot": verify.Impossible, "outside": verify.External, "yours": verify.ActorFault}[kind]
	return o
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

// Every mode with every way a job goes, in base units: who is paid how much, who loses how much of its stake, what the job costs, what is burned, what is the
// treasury's and what the challenger loses, as a program made of the documents' rules says (testdata/outcomes.py); after each block all coins there are add up
// (world.end).
//
// Spec: WP §5.3, §5.4, §8.4, §13, "Runner Resource Accounting"; CIP-2 §6, §9; runner-marketplace §2.4, §5, §5.1, §5.2, §6.3, §7, §8,
// §8.1; WP-January "Payment and Failure Handling".
func TestEveryOutcomeOfEveryMode(t *testing.T) {
	rows := outcomes(t)
	played := 0
	for mode := job.ModeNone; mode <= job.ModeSemanticSimilarity; mode++ {
		t.Run(mode.String(), func(t *testing.T) {
			for _, c := range scenarios(mode <= job.ModeEconomicBond) {
				played++
				t.Run(c.name, func(t *testing.T) { c.play(t, mode, rows) })
			}
		})
	}
	if lines := 2*13 + 4*3*19; len(rows) != lines || played != 2*13+4*19 {
		t.Errorf("%d outcomes and %d scenarios", len(rows), played)
	}
}

func (c *scenario) spec(mode job.Mode) *job.Spec {
	return ask(mode, func(s *job.Spec) {
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
}

func (c *scenario) play(t *testing.T, mode job.Mode, rows map[string]*outcome) {
	w := newWorld(t, 9)
	w.Params.SimilarityModel = "cowboy/words-1"
	w.fund(challenger, 1_000*cby)
	spec := c.spec(mode)
	before := w.books(nil)
	var id digest.Hash
	var who []account.Address
	aggregator := 0
	if c.cancel {
		s, err := w.Submit(digest.Hash{9}, spec, submitter, nil, 0)
		w.must(err)
		id = s.ID
		w.must(w.Cancel(id, submitter))
		w.end()
	} else {
		id, who = w.assigned(spec)
		w.plays(c, mode, id, c.said)
		if c.retried != nil {
			w.is(id, market.Assigned)
			who = w.plays(c, mode, id, c.retried)
		}
		aggregator = max(0, slices.Index(who, w.selection(id).Aggregator))
	}
	want := rows[strings.Join([]string{mode.String(), c.name, strconv.Itoa(aggregator)}, "\t")]
	if want == nil {
		t.Fatal("the other program has no such outcome")
	}
	if c.accused > 0 {
		if w.is(id, market.Challengeable); c.paid {
			w.settled(id)
		}
		right, err := w.challenges(Challenge{Job: id, Runner: who[c.accused-1], Claim: Usage, Bond: params.ChallengeBond})
		if w.must(err); right != (want.challenger == 0) {
			t.Fatalf("the challenge is right: %v", right)
		}
	}
	w.settled(id)
	if got := w.job(id).Status.String(); got != want.status {
		t.Errorf("the job is %s, want %s", got, want.status)
	}
	for i, a := range who {
		if got := w.balance(a); got != want.paid[i] {
			t.Errorf("member %d has %d, want %d", i, got, want.paid[i])
		}
		if got := stake - w.runner(a).Stake; got != want.lost[i] {
			t.Errorf("member %d lost %d, want %d", i, got, want.lost[i])
		}
		if want.lost[i] > 0 && w.runner(a).Reputation > runner.ReputationOf(1) {
			t.Errorf("member %d has a reputation of %d", i, w.runner(a).Reputation.Milli())
		}
	}
	if got := 1_000*cby - w.balance(challenger); got != want.challenger {
		t.Errorf("the challenger lost %d, want %d", got, want.challenger)
	}
	if got := before.of[submitter] - w.balance(submitter); got != want.cost {
		t.Errorf("the job cost %d, want %d", got, want.cost)
	}
	before.went(want.burned, want.treasury)
}
