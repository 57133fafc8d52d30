package verify

import (
	"cmp"
	"slices"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/job"
)

// The modes of a snapshot, as a job's specification numbers them.
const (
	firstValid = iota
	median
	majority
	latest
)

// snapshot is the job's, nil for none.
func (c *judgement) snapshot() *job.Snapshot {
	if c.Spec.Kind != job.HTTP {
		return nil
	}
	return c.Spec.HTTP.Snapshot
}

// byMedian says that a median stands for the vote: results need not be equal then, and a minority cannot move it beyond what honest ones say.
//
// Spec: WP "External Data and Oracle Semantics" (time-series data); WP-January "Snapshot Modes".
func (c *judgement) byMedian() bool {
	s := c.snapshot()
	return s != nil && s.Mode == median && c.Spec.Verification.Mode == job.ModeMajorityVote
}

// valueField is the field a snapshot compares: that of the first vote or tolerance among the checks; the whole data without one.
func (c *judgement) valueField() string {
	for _, k := range c.Spec.Verification.Checks {
		if k.Kind == job.CheckMajorityVote || k.Kind == job.CheckNumericTolerance {
			return k.Field
		}
	}
	return ""
}

// choose completes a verdict: whose data it is, and what is to be looked at. Without a snapshot the data are those of the lowest address, which agrees with
// all others in what was compared.
//
// Spec: runner-marketplace §2.4, §6.2.
func (c *judgement) choose(v *Verdict) {
	chosen := c.pool[0]
	if s := c.snapshot(); s != nil {
		if chosen = c.snapshotOf(s.Mode, v); chosen == nil {
			return
		}
	}
	if v.Data, v.From = chosen.Output.Data, chosen.Runner; c.fixed != nil {
		v.Data, v.From = c.fixed, account.Address{}
	}
	c.order() // of a cluster, its center is the first
	for _, one := range c.pool {
		v.Accepted = append(v.Accepted, one.Runner)
		used, expected := one.Output.Usage.WallTimeSeconds, c.Spec.Schema.ExpectedExecutionMs
		if expected > 0 && used > expected/500 { // used × 1,000 > 2 × expected
			v.Review = append(v.Review, one.Runner)
		}
	}
}

// snapshotOf chooses one of the results by a snapshot's mode; nil, with the verdict's reason, where fewer than a threshold have what the mode compares.
func (c *judgement) snapshotOf(mode uint8, v *Verdict) *candidate {
	switch mode {
	case median:
		return c.median(v)
	case majority:
		all := c.pool
		c.agree(func(one *candidate) (string, bool) { return one.fieldKey(c.valueField()) })
		if len(c.pool) == 0 {
			v.Reason = ErrField
			return nil
		}
		chosen := c.pool[0]
		c.pool = all
		return chosen
	case latest:
		return slices.MaxFunc(c.pool, func(a, b *candidate) int {
			x, _ := c.fetched(a)
			y, _ := c.fetched(b)
			return cmp.Or(cmp.Compare(x, y), b.Runner.Compare(a.Runner))
		})
	}
	return slices.MinFunc(c.pool, func(a, b *candidate) int {
		return cmp.Or(cmp.Compare(a.Height, b.Height), cmp.Compare(a.Index, b.Index), a.Runner.Compare(b.Runner))
	})
}

// median is the result with the lower median of the numbers, of equal ones that of the lowest address. Who has no number is not accepted.
func (c *judgement) median(v *Verdict) *candidate {
	field := c.valueField()
	c.only(func(one *candidate) bool { _, ok := one.number(field); return ok })
	if v.Reason = c.enough(ErrField); v.Reason != nil {
		return nil
	}
	sorted := slices.Clone(c.pool)
	slices.SortStableFunc(sorted, func(a, b *candidate) int {
		x, _ := a.number(field)
		y, _ := b.number(field)
		return x.Cmp(y)
	})
	chosen := sorted[(len(sorted)-1)/2]
	middle, _ := chosen.number(field)
	for _, one := range sorted {
		if n, _ := one.number(field); n.Cmp(middle) == 0 {
			chosen = one
			break
		}
	}
	if limit := c.snapshot().OutlierThreshold; limit != nil {
		allowed := middle.Abs().Mul(NumberOf(*limit))
		for _, one := range c.pool {
			if n, _ := one.number(field); n.Sub(middle).Abs().Cmp(allowed) > 0 {
				v.Outliers = append(v.Outliers, one.Runner)
			}
		}
	}
	return chosen
}
