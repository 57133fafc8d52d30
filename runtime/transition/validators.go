package transition

import (
	"encoding/binary"
	"errors"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/fee"
	"github.com/cowboyinc/cowboy-go/chain/stake"
	"github.com/cowboyinc/cowboy-go/runtime/system"
)

// admitProposer ends a block whose proposer is jailed or no validator of its epoch, or whose votes for the parent are another set's. A state without a
// validator registry knows no such rules.
//
// Spec: WP "Slashing"; governance-staking part E (a jailed validator does not propose).
func (s *State) admitProposer() (err error) {
	if s.seat = s.parent.Known.Seat; s.seat == nil {
		if ok, err := stake.Exists(s.overlay); err != nil || !ok {
			return err
		}
	}
	g := system.Registry(s.block, s.overlay)
	if s.seat == nil || s.seat.Epoch != s.header.Epoch || s.seat.Rank != s.header.ProposerIndex {
		s.seat, err = g.Seat(s.header.ProposerIndex)
	}
	if err == nil {
		err = s.seat.Bar(s.header.Height)
	}
	if err == nil {
		err = g.CheckVotes(&s.header)
	}
	if errors.Is(err, stake.ErrBarred) || errors.Is(err, stake.ErrProposer) || errors.Is(err, stake.ErrVotes) {
		return invalid(err)
	}
	return err
}

// registryDomain separates the identities of the registry's receipts.
const registryDomain = "cowboy-validator-registry:"

// validators does the registry's part of a block's end and burns what it slashed. supply holds the block's inflation and burns. What the registry
// announces goes into a receipt of its own.
//
// Spec: WP "Staking and Rewards", "Slashing", §8.4; governance-staking part A.
func (s *State) validators(supply fee.Supply) (fee.Supply, error) {
	supply.Save(s.overlay) // the registry reads what was minted
	g := system.Registry(s.block, s.overlay)
	burned, err := g.EndBlock(&s.header)
	if err != nil {
		return supply, err
	}
	if len(g.Events) > 0 {
		id := digest.Keccak256([]byte(registryDomain), binary.BigEndian.AppendUint64(nil, uint64(s.header.Height)))
		s.record(&block.Receipt{
			Kind: block.System, ID: id, Target: account.System(account.Governance), Events: g.Events,
		})
	}
	return supply.Burn(burned)
}
