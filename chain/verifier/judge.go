package verifier

import (
	"errors"
	"slices"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/job"
	"github.com/cowboyinc/cowboy-go/chain/market"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/runner"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/chain/verify"
)

// Verifier is the Result Verifier during one turn, or at the end of one block. It is the Verifier of a Market.
type Verifier struct {
	Recover sig.Recoverer
	// CycleFee is the basefee of a cycle in the block, which runners are given back where the submitter is at fault.
	CycleFee uint64
	Emit     func(topic string, data []byte)
	// Charge takes cycles of the turn that reveals; nil where nobody pays.
	Charge func(cycles unit.Cycles) error
}

// Topics of the events of 0x03. The data of each begins with the job's identity and the runner's address; numbers are UInt.
const (
	TopicUnrevealed = "verifier.unrevealed" // 1 it was excused, 0 it was not ‖ amount taken
	TopicRejected   = "verifier.rejected"   // its output failed an objective check
	TopicReview     = "verifier.review"     // reason, of Review…
	TopicCrashed    = "verifier.crashed"    // crash_signal
	TopicPaid       = "verifier.paid"       // share ‖ bonus ‖ tip
	TopicUpheld     = "verifier.upheld"     // claim ‖ amount taken: a challenge was right
	TopicRuled      = "verifier.ruled"      // place of the check ‖ word of verify.Word; in the place of the runner's address the actor's
	TopicRerun      = "verifier.rerun"      // claim: a second run decides it
	TopicUndecided  = "verifier.undecided"  // claim: the second run has no result
	TopicDismissed  = "verifier.dismissed"  // claim ‖ amount burned: it was not
)

// Reasons a runner is to be looked at by people for.
//
// Spec: WP "Runner Resource Accounting"; runner-marketplace §5.2, §6.2, §7, §8.1.
const (
	ReviewUsage   = 0 // more than twice the time that was expected
	ReviewOutlier = 1 // further from the median than the job allows
	ReviewCrashes = 2 // more than 5 crashes in 1,000 blocks
	ReviewNorm    = 3 // a use of more than 3 standard deviations above what is usual for the kind of job
)

func (v *Verifier) emit(topic string, id digest.Hash, who account.Address, numbers ...uint64) {
	data := append(append([]byte(nil), id[:]...), who[:]...)
	for _, n := range numbers {
		data = codec.AppendUint(data, n)
	}
	v.Emit(topic, data)
}

// Supports tells whether results of a job can be verified on this network. An error is of verify.ErrConfig.
//
// Spec: runner-marketplace §2.3, §2.4, §6.1, §14 (12).
func Supports(p *params.Params, s *job.Spec) error {
	model := p.SimilarityModel
	return verify.Check(s, verify.Network{Similarity: model != params.Genesis().SimilarityModel && model != "", Model: model})
}

// Reveal opens a reveal and has the market keep it. Rejects: those of market.Reveal, verify.ErrSignature, verify.ErrOutput, and where the job
// requires a trusted environment those of package tee.
//
// Spec: WP §5.3; runner-marketplace §2.6, §5.
func (v *Verifier) Reveal(m *market.Market, id digest.Hash, r *verify.Reveal) error {
	t, err := m.Reveal(id, &market.Reveal{Runner: r.Runner, Output: r.Output, Salt: r.Salt, Proof: r.Proof})
	if err != nil {
		return err
	}
	out, err := r.Open(v.Recover, t.ID, verify.Commitment(r.Output, r.Salt))
	if err != nil {
		return err
	}
	return v.attested(m, t, r.Runner, out)
}

// score moves a runner's reputation. One that is gone has none.
func score(m *market.Market, who account.Address, points uint64) error {
	if err := m.Registry.Score(who, points); !errors.Is(err, runner.ErrUnknown) {
		return err
	}
	return nil
}

// Judge is package market's question: what becomes of the reveals of an attempt.
//
// Spec: WP §5.3, §5.4; runner-marketplace §2.4, §5, §6, §8.
func (v *Verifier) Judge(m *market.Market, t *market.Task, reveals []*market.Reveal) (*market.Result, string, error) {
	results := make([]verify.Result, len(reveals))
	for i, r := range reveals {
		out, err := verify.DecodeOutput(r.Output)
		if err != nil {
			return nil, "", err
		}
		c, err := market.LoadCommitment(m.State, t.ID, r.Runner)
		if err != nil {
			return nil, "", err
		}
		results[i] = verify.Result{Runner: r.Runner, Output: out, Committed: c.Time, Height: r.Height, Index: r.Place}
	}
	custom, err := asks(m, t)
	if err != nil {
		return nil, "", err
	}
	terms := &verify.Terms{Spec: t.Spec, Threshold: int(t.Job.Threshold), Submitted: t.Job.Time, Custom: custom}
	verdict, err := verify.Judge(terms, results)
	if err != nil {
		return nil, "", err
	}
	for _, who := range verdict.Failed {
		v.emit(TopicRejected, t.ID, who)
		if err := score(m, who, runner.ScoreTimeout); err != nil {
			return nil, "", err
		}
	}
	if verdict.Reason != nil {
		return nil, verdict.Reason.Error(), nil
	}
	if err := v.reward(m, t, verdict); err != nil {
		return nil, "", err
	}
	if verdict.Outcome == verify.Success {
		if err := v.usual(m, t, verdict.Accepted, results); err != nil {
			return nil, "", err
		}
	}
	price, err := v.price(m, t, verdict, results)
	return &market.Result{
		Data: verdict.Data, Count: uint32(len(verdict.Accepted)), Total: uint32(len(reveals)), Mode: t.Spec.Verification.Mode, Agreed: verdict.Accepted,
		Outcome: verdict.Outcome, Price: price,
	}, "", err
}

// reward scores those who agreed on data, and names those who are to be looked at.
//
// Spec: runner-marketplace §8; WP-January "Trust Model for Resource Reporting".
func (v *Verifier) reward(m *market.Market, t *market.Task, verdict *verify.Verdict) error {
	if verdict.Outcome == verify.Success {
		for _, who := range verdict.Accepted {
			points := uint64(runner.ScoreSuccess)
			if who == t.Selection.Aggregator {
				points = runner.ScoreAggregator
			}
			if err := score(m, who, points); err != nil {
				return err
			}
		}
	}
	for _, who := range verdict.Review {
		v.emit(TopicReview, t.ID, who, ReviewUsage)
	}
	for _, who := range verdict.Outliers {
		v.emit(TopicReview, t.ID, who, ReviewOutlier)
	}
	return nil
}

// price is what the job costs, at most max_price.
//
// Spec: WP "Runner Resource Accounting"; runner-marketplace §5.2.
func (v *Verifier) price(m *market.Market, t *market.Task, verdict *verify.Verdict, results []verify.Result) (unit.Amount, error) {
	maxPrice := t.Spec.MaxPrice
	if verdict.Outcome == verify.ActorFault {
		return min(v.recovery().Times(len(verdict.Accepted)), maxPrice), nil
	}
	bounds := t.Spec.Bounds
	most := verify.Usage{
		InputTokens: bounds.MaxInputTokens, OutputTokens: bounds.MaxOutputTokens, WallTimeSeconds: bounds.MaxWallTimeSeconds, MemoryMB: bounds.MaxMemoryMB,
	}
	var charges, expected []unit.Amount
	for _, r := range results {
		if !slices.Contains(verdict.Accepted, r.Runner) {
			continue
		}
		d, err := runner.LoadDeclaration(m.State, r.Runner)
		if errors.Is(err, runner.ErrUnknown) {
			d, err = new(runner.Declaration), nil
		}
		if err != nil {
			return 0, err
		}
		charges = append(charges, charge(t, r.Output.Usage, d))
		expected = append(expected, charge(t, most, d))
	}
	if verdict.Outcome == verify.Success {
		return verify.Actual(charges, maxPrice), nil
	}
	return verify.ProRata(verdict.Done, verdict.Total, verify.Actual(expected, maxPrice), maxPrice, t.Job.Threshold > 1), nil
}

// charge is what a runner asks for a use; what no amount holds is the greatest.
func charge(t *market.Task, u verify.Usage, d *runner.Declaration) unit.Amount {
	cost, ok := market.Cost(t.Spec, market.Usage(u), &d.Card)
	if !ok {
		return ^unit.Amount(0)
	}
	return cost
}

// fee is an amount for one runner.
type fee unit.Amount

// Times is the fee of so many runners; what no amount holds is the greatest.
func (f fee) Times(n int) unit.Amount {
	sum, err := unit.Amount(f).Mul(uint64(n))
	if err != nil {
		return ^unit.Amount(0)
	}
	return sum
}

// recovery is what the chain takes of a runner for a commitment and a reveal, at the basefee of the block: their cycles, without their bytes.
//
// Spec: WP "Runner Resource Accounting" (minimum fee: gas cost recovery); runner-marketplace §5.2.
func (v *Verifier) recovery() fee {
	cost, err := unit.Cycles(2*params.IntrinsicSystemCycles + params.CostVerifySecp256k1).Price(v.CycleFee)
	if err != nil {
		return fee(^unit.Amount(0))
	}
	return fee(cost)
}

// Reward pays a runner. What its side of the settlement earned is shared with those who delegated stake to it; the aggregator's bonus, and what the chain took
// of the runner for its results, are its own.
//
// Spec: governance-staking C4.
func (v *Verifier) Reward(m *market.Market, t *market.Task, p *verify.Payment, earned bool) error {
	give := func(to account.Address, amount unit.Amount) error { return m.Pay(t, to, amount) }
	own := p.Bonus
	if !earned {
		own = p.Sum()
	}
	if err := give(p.Runner, own); err != nil {
		return err
	}
	if earned {
		if err := m.Registry.Pay(t.ID, p.Runner, p.Share+p.Tip, give); err != nil {
			return err
		}
	}
	v.emit(TopicPaid, t.ID, p.Runner, uint64(p.Share), uint64(p.Bonus), uint64(p.Tip))
	return nil
}

// Settle says what becomes of the escrow of a job whose dispute window is over, and whose price a split shares out.
//
// Spec: WP §5.3, §8.4; runner-marketplace §5.2; governance-staking C4.
func (v *Verifier) Settle(m *market.Market, t *market.Task, result *market.Result, split params.Split) *verify.Shares {
	bill := &verify.Bill{
		MaxPrice: t.Spec.MaxPrice, Tip: t.Spec.Tip, Gross: result.Price, Succeeded: result.Outcome == verify.Success, Runners: result.Agreed,
		Aggregator: t.Selection.Aggregator, Split: split, BonusBPS: m.Params.Aggregator.BonusBPS,
	}
	if result.Outcome == verify.ActorFault {
		return bill.Recover()
	}
	return bill.Divide()
}
