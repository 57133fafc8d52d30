package verify

import (
	"cmp"
	"slices"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/job"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// Result is an output that a runner of the committee has revealed.
//
// Spec: runner-marketplace §2.6.
type Result struct {
	Runner    account.Address
	Output    *Output
	Committed uint64      // when it was committed: seconds since 1970, of the block
	Height    unit.Height // of the block that has the reveal
	Index     uint32      // of the reveal in that block
}

// Word is how the actor of a Custom check decides.
type Word uint8

// The words. An actor that is not there or is dormant, raises, uses up its budget, answers nothing a ruling can be read from, or is not heard of in time has
// not ruled: what to check with is part of the job, so that the fault is the submitter's.
const (
	Rejected Word = iota // of all results
	Accepted
	Faulted
	words
)

// Words is how many words there are.
const Words = uint8(words)

// Ruling is what the actor of a Custom check says.
//
// Spec: WP-January "SDK Verifier Functions"; runner-marketplace §2.3.
type Ruling struct {
	Word      Word
	Canonical []byte // canonical_output; nil for none
}

// Terms are what results are judged by.
type Terms struct {
	Spec      *job.Spec
	Threshold int    // N
	Submitted uint64 // when the job was submitted: seconds since 1970, of the block
	// Custom gives what the actor of a check says about results, which are in the order of their runners; place is the check's among all of the job. An error
	// ends the judgement.
	Custom func(place int, results []Result) (Ruling, error)
}

// Verdict is what becomes of an attempt's results (VerifiedResult).
//
// Spec: runner-marketplace §2.6, §5, §5.2.
type Verdict struct {
	// Reason is nil where the committee agrees: on data (Success), or on why there are none. Else it is one of the reasons of §12, and the attempt failed.
	Reason   error
	Outcome  Outcome
	Data     []byte
	From     account.Address   // whose data it is; zero where an actor of a check gave it
	Accepted []account.Address // who agreed, ascending
	Failed   []account.Address // whose output failed an objective check, ascending
	Done     uint64            // of an outcome that is no success: the progress the committee vouches for
	Total    uint64
	Outliers []account.Address // of the accepted: further from the median than the job's threshold
	Review   []account.Address // of the accepted: used more than twice the time that was expected
}

// candidate is a result on its way through the checks.
type candidate struct {
	Result
	value Value
	json  bool // value is the data
}

// judgement is what is known of the results of an attempt while they are judged.
type judgement struct {
	*Terms
	pool   []*candidate // who is left, by address
	failed []account.Address
	fixed  []byte // what an actor of a check gave as the output
	fault  bool   // an actor of a check has not ruled
}

// Judge decides what becomes of the results of an attempt, at most one of each runner, in any order. An error is that of Custom.
//
// Spec: WP §5.3, §5.4, "LLM Result Verification"; runner-marketplace §2.3, §2.4, §5, §6; CIP-2 §9.
func Judge(t *Terms, results []Result) (*Verdict, error) {
	sorted := slices.Clone(results)
	slices.SortFunc(sorted, func(a, b Result) int { return a.Runner.Compare(b.Runner) })
	c := &judgement{Terms: t}
	var reports []Result
	for _, r := range sorted {
		if r.Output.Outcome != Success {
			reports = append(reports, r)
			continue
		}
		one := &candidate{Result: r}
		if len(r.Output.Data) <= int(t.Spec.Schema.MaxReturnBytes) {
			v, err := ParseJSON(r.Output.Data)
			one.value, one.json = v, err == nil
		}
		c.pool = append(c.pool, one)
	}
	v, err := c.success()
	if err != nil {
		return nil, err
	}
	if v.Reason != nil {
		if agreed := t.agreedFault(reports); agreed != nil {
			agreed.Failed = v.Failed
			return agreed, nil
		}
	}
	return v, nil
}

// agreedFault is the verdict where a threshold of runners report one fault. The progress is the largest that so many of them vouch for.
//
// Spec: runner-marketplace §5.2 (pro rata; agreement of the committee threshold); WP-January "Payment and Failure Handling".
func (t *Terms) agreedFault(reports []Result) *Verdict {
	for _, fault := range [...]Outcome{Impossible, ActorFault, External} {
		v := &Verdict{Outcome: fault}
		var progress []Result
		for _, r := range reports {
			if r.Output.Outcome == fault {
				v.Accepted = append(v.Accepted, r.Runner)
				progress = append(progress, r)
			}
		}
		if len(v.Accepted) < t.Threshold {
			continue
		}
		slices.SortStableFunc(progress, func(a, b Result) int {
			return -compareShares(a.Output.Done, a.Output.Total, b.Output.Done, b.Output.Total)
		})
		at := progress[t.Threshold-1].Output
		v.Done, v.Total = at.Done, at.Total
		return v
	}
	return nil
}

// success judges the results that are data.
func (c *judgement) success() (*Verdict, error) {
	mode := c.Spec.Verification.Mode
	c.keep(c.objective())
	c.only(c.fresh)
	reason := ErrInsufficient
	if len(c.pool) >= c.Threshold {
		reason = nil
		if mode != job.ModeNone {
			var err error
			if reason, err = c.checks(); err != nil {
				return nil, err
			}
		}
		if reason == nil && !c.fault {
			reason = c.mode()
		}
	}
	slices.SortFunc(c.failed, account.Address.Compare)
	v := &Verdict{Reason: reason, Failed: c.failed}
	switch {
	case c.fault:
		v.Outcome = ActorFault
		for _, one := range c.pool {
			v.Accepted = append(v.Accepted, one.Runner)
		}
	case reason == nil:
		c.choose(v)
	}
	return v, nil
}

// mode makes the agreement the mode asks for, among those who are left.
//
// Spec: runner-marketplace §2.4; CIP-2 §9.
func (c *judgement) mode() error {
	switch c.Spec.Verification.Mode {
	case job.ModeMajorityVote:
		if c.byMedian() || c.has(job.CheckMajorityVote) {
			break // the vote is one of the checks, or the median stands for it
		}
		c.agree(func(one *candidate) (string, bool) { return string(one.whole()), true })
		return c.enough(ErrNoConsensus)
	case job.ModeDeterministic:
		c.agree(func(one *candidate) (string, bool) { return string(one.Output.Data), true })
		return c.enough(ErrNonDeterministic)
	case job.ModeSemanticSimilarity:
		if c.has(job.CheckSimilarity) {
			break // the cluster is one of the checks
		}
		c.cluster(job.Similarity())
		return c.enough(ErrNoConsensus)
	}
	return c.enough(ErrThreshold)
}

// has says that a check of a kind is one of the job's.
func (c *judgement) has(kind job.CheckKind) bool {
	return slices.ContainsFunc(c.Spec.Verification.Checks, func(k job.Check) bool { return k.Kind == kind })
}

// enough is nil where a threshold of results is left.
func (c *judgement) enough(reason error) error {
	if len(c.pool) < c.Threshold {
		return reason
	}
	return nil
}

// keep takes those out of the pool that fail on their own, which is their failure.
func (c *judgement) keep(good func(one *candidate) bool) {
	var left []*candidate
	for _, one := range c.pool {
		if good(one) {
			left = append(left, one)
		} else {
			c.failed = append(c.failed, one.Runner)
		}
	}
	c.pool = left
}

// only takes those out of the pool that are not as the job wants them, which is nobody's failure.
func (c *judgement) only(good func(one *candidate) bool) {
	c.pool = slices.DeleteFunc(c.pool, func(one *candidate) bool { return !good(one) })
}

// byKeccak orders keys by their hashes, the lower first.
func byKeccak(a, b string) int {
	x, y := digest.Keccak256([]byte(a)), digest.Keccak256([]byte(b))
	return slices.Compare(x[:], y[:])
}

// agree leaves the most results that have one key; of as many, those of the lowest keccak256 of the key. Who has no key agrees with nobody.
func (c *judgement) agree(key func(one *candidate) (string, bool)) {
	type group struct {
		key     string
		members []*candidate
	}
	var groups []*group
	for _, one := range c.pool {
		k, ok := key(one)
		if !ok {
			continue
		}
		at := slices.IndexFunc(groups, func(g *group) bool { return g.key == k })
		if at < 0 {
			at = len(groups)
			groups = append(groups, &group{key: k})
		}
		groups[at].members = append(groups[at].members, one)
	}
	c.pool = nil
	if len(groups) > 0 {
		c.pool = slices.MinFunc(groups, func(a, b *group) int {
			return cmp.Or(cmp.Compare(len(b.members), len(a.members)), byKeccak(a.key, b.key))
		}).members
	}
}

// whole is what two equal data have in common: as JSON if they are, else as bytes. The two never meet.
func (one *candidate) whole() []byte {
	if one.json {
		return one.value.canonical([]byte{'j'})
	}
	return append([]byte{'b'}, one.Output.Data...)
}

// field finds a field of the data; the empty path is all of it.
func (one *candidate) field(path string) (*Value, bool) {
	steps, ok := parsePath(path)
	if !ok || !one.json {
		return nil, false
	}
	return one.value.at(steps)
}

// fieldKey is what two equal fields have in common.
func (one *candidate) fieldKey(path string) (string, bool) {
	if path == "" {
		return string(one.whole()), true
	}
	v, ok := one.field(path)
	if !ok {
		return "", false
	}
	return string(v.canonical(nil)), true
}
