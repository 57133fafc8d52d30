package transition

import (
	"errors"

	"github.com/cowboyinc/cowboy-go/chain/stake"
	"github.com/cowboyinc/cowboy-go/runtime/system/staking"
)

// admitProposer ends a block whose proposer is jailed or no validator of its epoch, or whose votes for the parent are another set's. A state without a
// validator registry knows no such rules.
//
// Spec: WP "Slashing"; governance-staking part E (a jailed validator does not propose).
func (s *State) admitProposer() (err error) {
	if s.proposer = s.parent.Known.Proposer; s.proposer == nil {
		if ok, err := stake.Exists(s.overlay); err != nil || !ok {
			return err
		}
	}
	g := staking.Registry(s.block, s.overlay)
	if s.proposer == nil || s.proposer.Epoch != s.header.Epoch || s.proposer.Rank != s.header.ProposerIndex {
		s.proposer, err = g.Proposer(s.header.ProposerIndex)
	}
	if err == nil {
		err = s.proposer.Check(s.header.Height)
	}
	if err == nil {
		err = g.CheckVotes(&s.header)
	}
	if errors.Is(err, stake.ErrProposerJailed) || errors.Is(err, stake.ErrProposer) || errors.Is(err, stake.ErrVotes) {
		return invalid(err)
	}
	return err
}
