package verifier

import (
	"cmp"
	"errors"
	"slices"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/job"
	"github.com/cowboyinc/cowboy-go/chain/market"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/tee"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/chain/verify"
)

// The rejects of a challenge, besides market.ErrUnknown.
//
// Spec: runner-marketplace §7, §12.
var (
	// ErrClaim reports a claim that no node can decide, or that is not about a result that was agreed on.
	ErrClaim = errors.New("verifier: not a claim about a runner whose result was agreed on")
	// ErrBond reports a challenge without its bond.
	ErrBond = errors.New("verifier: a challenge comes with a bond of 100 CBY")
	// ErrWindow reports a challenge before there is a result, or 900 blocks after it.
	ErrWindow = errors.New("verifier: the result cannot be challenged now")
	// ErrUpheld reports a challenge of what a challenge has proved already.
	ErrUpheld = errors.New("verifier: a challenge against the runner was right already")
)

// Claim is what a challenge says of a runner.
//
// Spec: runner-marketplace §7.
type Claim uint8

// The claims a node decides by itself.
const (
	Mismatch     Claim = iota // what is stored is not what was committed
	Usage                     // it states a use beyond the job's bounds, which no run within them can have had
	Unreproduced              // of a deterministic job: other runners that do it again have another output
	WrongModel                // of a job that names its model: a trusted environment signed that another one ran
	claims
)

// Names are the claims as clients write them.
func Names() []string { return []string{"reveal_mismatch", "usage", "not_reproduced", "wrong_model"} }

// Challenge is a challenge of a result.
//
// Spec: runner-marketplace §7 (challenge message).
type Challenge struct {
	Job    digest.Hash
	Runner account.Address
	Claim  Claim
	Model  *tee.ModelEvidence // of WrongModel alone
	From   account.Address
	Bond   unit.Amount // lies under 0x03 already, with max_price and tip of a second run
}

// Decision is what becomes of a challenge.
type Decision struct {
	Right  bool
	Burned unit.Amount  // of the bond, where it is wrong
	Rerun  *market.Task // the second run that decides it later; nil where it is decided
}

// Decide decides a challenge: a bond that was right goes back, and the runner loses 30 % of its stake; one that was wrong is burned. That an output cannot be
// reproduced is decided by a second run of the job, which whoever challenges pays beside the bond. Rejects: ErrClaim, ErrBond, ErrWindow, ErrUpheld,
// market.ErrUnknown, of a second run those of market.Repeat, of a wrong model tee.ErrKey, tee.ErrRevoked and tee.ErrSignature.
//
// Spec: WP §5.3, §13; runner-marketplace §5, §6.3, §7; tee §8 (3); WP-January "Dispute Resolution".
func (v *Verifier) Decide(m *market.Market, c *Challenge) (d Decision, err error) {
	t, err := m.Open(c.Job)
	if err != nil {
		return d, err
	}
	result, err := market.LoadResult(m.State, c.Job)
	if err != nil {
		return d, err
	}
	price := unit.Amount(params.ChallengeBond)
	if c.Claim == Unreproduced {
		price += t.Spec.MaxPrice + t.Spec.Tip // each is at most all coins there are
	}
	switch {
	case c.Bond != price:
		return d, ErrBond
	case result == nil || t.Job.Status != market.Challengeable && m.Height > result.Height+params.ChallengeWindowBlocks:
		return d, ErrWindow
	case c.Claim >= claims || !slices.Contains(result.Agreed, c.Runner):
		return d, ErrClaim
	case slices.Contains(result.Slash, c.Runner):
		return d, ErrUpheld
	case c.Claim == Unreproduced:
		d.Rerun, err = v.repeat(m, t, result, c)
		return d, err
	}
	if d.Right, err = proved(m, t, c); err != nil {
		return d, err
	}
	if !d.Right {
		d.Burned, err = c.Bond, v.dismiss(m, c.Job, c.Runner, c.Claim, c.Bond)
		return d, err
	}
	if err := account.Move(m.State, Home(), c.From, c.Bond); err != nil {
		return d, err
	}
	return d, v.uphold(m, t, result, c.Runner, c.Claim)
}

// dismiss takes the bond of a challenge that is wrong; what burns it is the caller's.
func (v *Verifier) dismiss(m *market.Market, id digest.Hash, who account.Address, claim Claim, bond unit.Amount) error {
	if err := account.Debit(m.State, Home(), bond); err != nil {
		return err
	}
	v.emit(TopicDismissed, id, who, uint64(claim), uint64(bond))
	return nil
}

// uphold slashes a runner for what a challenge has proved.
func (v *Verifier) uphold(m *market.Market, t *market.Task, result *market.Result, who account.Address, claim Claim) error {
	lost, err := slash(m, who, params.MisconductSlashBPS, ^unit.Amount(0), t.Job.Submitter)
	if err != nil {
		return err
	}
	v.emit(TopicUpheld, t.ID, who, uint64(claim), uint64(lost))
	return m.Upheld(t, result, who)
}

// proved decides a claim. Rejects: ErrClaim, and of evidence that nobody signed those of package tee.
func proved(m *market.Market, t *market.Task, c *Challenge) (bool, error) {
	if c.Claim == WrongModel {
		if c.Model == nil || t.Spec.LLM == nil || t.Spec.LLM.Model.IsZero() {
			return false, ErrClaim
		}
		return c.Model.Model != t.Spec.LLM.Model, c.Model.Check(m.State, c.Job, c.Runner)
	}
	reveal, err := market.LoadReveal(m.State, c.Job, c.Runner)
	if err != nil || reveal == nil {
		return false, cmp.Or(err, ErrClaim)
	}
	if c.Claim == Mismatch {
		commitment, err := market.LoadCommitment(m.State, c.Job, c.Runner)
		if err != nil || commitment == nil {
			return false, cmp.Or(err, ErrClaim)
		}
		return verify.Commitment(reveal.Output, reveal.Salt) != commitment.Hash, nil
	}
	out, err := verify.DecodeOutput(reveal.Output)
	if err != nil {
		return false, err
	}
	return beyond(out.Usage, &t.Spec.Bounds), nil
}

// beyond says whether a use is more than the bounds of a job allow. A bound of zero is none.
func beyond(u verify.Usage, b *job.ResourceBounds) bool {
	over := func(used, bound uint64) bool { return bound > 0 && used > bound }
	return over(uint64(u.InputTokens), uint64(b.MaxInputTokens)) || over(uint64(u.OutputTokens), uint64(b.MaxOutputTokens)) ||
		over(u.WallTimeSeconds, b.MaxWallTimeSeconds) || over(uint64(u.MemoryMB), uint64(b.MaxMemoryMB))
}
