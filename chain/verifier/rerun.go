package verifier

import (
	"slices"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/job"
	"github.com/cowboyinc/cowboy-go/chain/market"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/chain/verify"
)

// reproducible says whether other runners that do a job again have to have its output: what was fetched from elsewhere may have changed since, and what an
// actor made of the outputs is the actor's.
//
// Spec: WP §5.4; runner-marketplace §2.4, §7.
func reproducible(s *job.Spec) bool {
	return s.Verification.Mode == job.ModeDeterministic && s.Kind != job.HTTP && s.Kind != job.MCP && !s.Verification.Asks()
}

// repeat has a deterministic job run again for a challenge. Whoever agreed on its result keeps its stake there until then.
//
// Spec: WP §5.4; runner-marketplace §7 (a fresh committee, a seed for challenges).
func (v *Verifier) repeat(m *market.Market, t *market.Task, result *market.Result, c *Challenge) (*market.Task, error) {
	if !reproducible(t.Spec) || result.Outcome != verify.Success {
		return nil, ErrClaim
	}
	again, err := m.Repeat(t, Home(), &market.Rerun{By: c.From, Runner: c.Runner, Bond: params.ChallengeBond})
	if err != nil {
		return nil, err
	}
	until := m.Height + unit.Height(t.Spec.TimeoutBlocks) + params.RerunLockBlocks
	for _, who := range result.Agreed {
		if err := m.Registry.Lock(who, until); err != nil {
			return nil, err
		}
	}
	v.emit(TopicRerun, t.ID, c.Runner, uint64(Unreproduced))
	return again, nil
}

// Reproduced is package market's word of what the second run of a deterministic job says. Another output proves that nobody who agreed on the first has it
// from the job: each is slashed, and the bond goes back. The same output shows that the challenge was wrong, and the bond is burned. A second run that has no
// result shows nothing, and the bond goes back.
//
// Spec: WP §5.4, "LLM Result Verification" (deterministic: the whole, by reproduction); runner-marketplace §2.4, §7.
func (v *Verifier) Reproduced(m *market.Market, t *market.Task, result *market.Result, r *market.Rerun) error {
	if r.Says == market.Same {
		m.Burned += r.Bond
		return v.dismiss(m, t.ID, r.Runner, Unreproduced, r.Bond)
	}
	if m.Bill != nil {
		if err := m.Bill(r.By); err != nil {
			return err
		}
	}
	if err := account.Move(m.State, Home(), r.By, r.Bond); err != nil {
		return err
	}
	if r.Says == market.Undecided {
		v.emit(TopicUndecided, t.ID, r.Runner, uint64(Unreproduced))
		return nil
	}
	for _, who := range result.Agreed {
		if slices.Contains(result.Slash, who) {
			continue
		}
		if err := v.uphold(m, t, result, who, Unreproduced); err != nil {
			return err
		}
	}
	return nil
}
