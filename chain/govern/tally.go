package govern

import (
	"math/bits"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/params"
)

// add counts a vote. The weights of a snapshot are coins of the registry, so that sums cannot overflow.
func (t *Tally) add(v Vote) {
	t.Stake[v.Choice] += v.Stake
	if v.Active {
		t.Validators[v.Choice]++
	}
}

func (t *Tally) remove(v Vote) {
	t.Stake[v.Choice] -= v.Stake
	if v.Active {
		t.Validators[v.Choice]--
	}
}

// turnout is the stake that took part, and the validators.
func (t *Tally) turnout() (stake, validators uint64) {
	return uint64(t.Stake[Yes] + t.Stake[No] + t.Stake[Abstain]), t.Validators[Yes] + t.Validators[No] + t.Validators[Abstain]
}

// share compares part / whole with a share in basis points: −1 below it, 0 exactly it, 1 above it. Of nothing, nothing is above any share.
func share(part, whole uint64, bps uint32) int {
	leftHigh, left := bits.Mul64(part, params.BasisPoints)
	rightHigh, right := bits.Mul64(whole, uint64(bps))
	switch {
	case leftHigh > rightHigh, leftHigh == rightHigh && left > right:
		return 1
	case leftHigh == rightHigh && left == right:
		return 0
	}
	return -1
}

// checked reports whether a temperature check is passed: enough stake took part, and enough of yes and no is yes.
// Spec: governance-staking B5.
func (p *Proposal) checked(c *params.GovernanceConfig) bool {
	turnout, _ := p.Check.turnout()
	yes, no := uint64(p.Check.Stake[Yes]), uint64(p.Check.Stake[No])
	return yes+no > 0 && share(turnout, uint64(p.CheckSnapshot.Stake), c.CheckTurnoutBPS) >= 0 && share(yes, yes+no, c.CheckApprovalBPS) >= 0
}

// passes reports whether a vote is won: turnout reaches the quorum, and in both houses strictly more than the threshold says yes, in the house of stake of
// yes and no together, in that of validators of the active ones.
// Spec: governance-staking B5.
func (p *Proposal) passes() bool {
	turnout, _ := p.Vote.turnout()
	yes, no := uint64(p.Vote.Stake[Yes]), uint64(p.Vote.Stake[No])
	return share(turnout, uint64(p.VoteSnapshot.Stake), p.Rules.QuorumBPS) >= 0 && share(yes, yes+no, p.Rules.StakeBPS) > 0 &&
		share(p.Vote.Validators[Yes], p.VoteSnapshot.Validators, p.Rules.ValidatorBPS) > 0
}

// thin reports whether too few took part in a vote for it to end: less than a share of the validators, or stake of less than that share of the quorum.
// Spec: governance-staking B5 (extension).
func (p *Proposal) thin(c *params.GovernanceConfig) bool {
	stake, validators := p.Vote.turnout()
	if share(validators, p.VoteSnapshot.Validators, c.ExtendBelowBPS) < 0 {
		return true
	}
	// stake / all < below × quorum, in basis points of basis points: stake × 10,000 / quorum against all × below.
	high, low := bits.Mul64(stake, params.BasisPoints*params.BasisPoints)
	wantHigh, want := bits.Mul64(uint64(p.VoteSnapshot.Stake), uint64(c.ExtendBelowBPS)*uint64(p.Rules.QuorumBPS))
	return high < wantHigh || high == wantHigh && low < want
}

// voted is the data of TopicVoted.
func voted(id uint64, by account.Address, v Vote) []byte {
	data := append(codec.AppendFixed(codec.AppendUint(nil, id), by[:]), byte(v.Choice))
	return codec.AppendBool(codec.AppendUint(data, uint64(v.Stake)), v.Active)
}
