package verifier

import (
	"errors"
	"slices"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/job"
	"github.com/cowboyinc/cowboy-go/chain/market"
	"github.com/cowboyinc/cowboy-go/chain/params"
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
	Mismatch Claim = iota // what is stored is not what was committed
	Usage                 // it states a use beyond the job's bounds, which no run within them can have had
	claims
)

// Names are the claims as clients write them.
func Names() []string { return []string{"reveal_mismatch", "usage"} }

// Challenge is a challenge of a result.
//
// Spec: runner-marketplace §7 (challenge message).
type Challenge struct {
	Job    digest.Hash
	Runner account.Address
	Claim  Claim
	From   account.Address
	Bond   unit.Amount // lies under 0x03 already
}

// Decide decides a challenge: a bond that was right goes back, and the runner loses 30 % of its stake; one that was wrong is burned. It says whether it was
// right, and what was burned of the bond. Rejects: ErrClaim, ErrBond, ErrWindow, ErrUpheld, market.ErrUnknown.
//
// Spec: WP §5.3, §13; runner-marketplace §5, §6.3, §7.
func (v *Verifier) Decide(m *market.Market, c *Challenge) (right bool, burned unit.Amount, err error) {
	if c.Bond != params.ChallengeBond {
		return false, 0, ErrBond
	}
	t, err := m.Open(c.Job)
	if err != nil {
		return false, 0, err
	}
	result, err := market.LoadResult(m.State, c.Job)
	if err != nil {
		return false, 0, err
	}
	switch {
	case result == nil || t.Job.Status != market.Challengeable && m.Height > result.Height+params.ChallengeWindowBlocks:
		return false, 0, ErrWindow
	case c.Claim >= claims || !slices.Contains(result.Agreed, c.Runner):
		return false, 0, ErrClaim
	case slices.Contains(result.Slash, c.Runner):
		return false, 0, ErrUpheld
	}
	if right, err = proved(m, t, c); err != nil {
		return false, 0, err
	}
	if !right {
		if err := account.Debit(m.State, Home(), c.Bond); err != nil {
			return false, 0, err
		}
		v.emit(TopicDismissed, c.Job, c.Runner, uint64(c.Claim), uint64(c.Bond))
		return false, c.Bond, nil
	}
	if err := account.Move(m.State, Home(), c.From, c.Bond); err != nil {
		return false, 0, err
	}
	lost, err := slash(m, c.Runner, params.MisconductSlashBPS, ^unit.Amount(0), t.Job.Submitter)
	if err != nil {
		return false, 0, err
	}
	v.emit(TopicUpheld, c.Job, c.Runner, uint64(c.Claim), uint64(lost))
	return true, 0, m.Upheld(t, result, c.Runner)
}

// proved decides a claim.
func proved(m *market.Market, t *market.Task, c *Challenge) (bool, error) {
	reveal, err := market.LoadReveal(m.State, c.Job, c.Runner)
	if err != nil || reveal == nil {
		return false, either(err, ErrClaim)
	}
	if c.Claim == Mismatch {
		commitment, err := market.LoadCommitment(m.State, c.Job, c.Runner)
		if err != nil || commitment == nil {
			return false, either(err, ErrClaim)
		}
		return verify.Commitment(reveal.Output, reveal.Salt) != commitment.Hash, nil
	}
	out, err := verify.DecodeOutput(reveal.Output)
	if err != nil {
		return false, err
	}
	return beyond(out.Usage, &t.Spec.Bounds), nil
}

func either(failure, reject error) error {
	if failure != nil {
		return failure
	}
	return reject
}

// beyond says whether a use is more than the bounds of a job allow. A bound of zero is none.
func beyond(u verify.Usage, b *job.ResourceBounds) bool {
	over := func(used, bound uint64) bool { return bound > 0 && used > bound }
	return over(uint64(u.InputTokens), uint64(b.MaxInputTokens)) || over(uint64(u.OutputTokens), uint64(b.MaxOutputTokens)) ||
		over(u.WallTimeSeconds, b.MaxWallTimeSeconds) || over(uint64(u.MemoryMB), uint64(b.MaxMemoryMB))
}
