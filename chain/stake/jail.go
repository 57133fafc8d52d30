package stake

import (
	"cmp"
	"errors"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/sig/bls"
	"github.com/cowboyinc/cowboy-go/chain/simplex"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// slashOf is what an offence costs, in basis points of stake, besides jail. A double vote by the round's leader is proposer equivocation and costs
// the same. What a header proves against its proposer is an invalid proposal.
// Spec: WP "Slashing"; governance-staking A3.
func slashOf(o simplex.Offence) uint32 {
	switch o {
	case simplex.DoubleNotarize, simplex.DoubleFinalize, simplex.NullifyFinalize:
		return params.DoubleSignSlashBPS
	}
	return 0
}

// keyring verifies single signatures of a set; certificates are not evidence.
type keyring struct {
	simplex.Scheme
	members []Member
}

// Verify implements simplex.Scheme.
func (k keyring) Verify(signer uint32, preimage []byte, s sig.BLSSignature) error {
	if int(signer) >= len(k.members) {
		return bls.ErrValidator
	}
	key, err := bls.ParsePublicKey(k.members[signer].Key)
	if err != nil {
		return err
	}
	return bls.Verify(key, preimage, s)
}

// Hold implements simplex.Scheme.
func (k keyring) Hold(claims []simplex.Claim) bool {
	for _, c := range claims {
		keys := make([]*bls.PublicKey, len(c.Signers))
		for i, rank := range c.Signers {
			if int(rank) >= len(k.members) {
				return false
			}
			var err error
			if keys[i], err = bls.ParsePublicKey(k.members[rank].Key); err != nil {
				return false
			}
		}
		if bls.VerifyAggregate(keys, c.Preimage, c.Signature) != nil {
			return false
		}
	}
	return true
}

// Accusers is how many validators' words an encoded simplex.Evidence rests on besides the guilty one's own: the keys that are decoded to verify it.
func Accusers(data []byte) int {
	e, err := simplex.DecodeEvidence(data)
	if err != nil || e.Found == nil {
		return 0
	}
	return e.Found.Signers.Size()
}

// Misbehave punishes the validator that an encoded simplex.Evidence convicts, and gives its account. Rejects: ErrEvidence, ErrPunished.
// Spec: WP "Slashing"; governance-staking A3 (evidence for the unbonding period; one penalty per validator and round).
func (g *Registry) Misbehave(submitter account.Address, data []byte) (account.Address, error) {
	if len(data) > params.MaxEvidenceBytes {
		return account.Address{}, ErrEvidence
	}
	e, err := simplex.DecodeEvidence(data)
	if err != nil {
		return account.Address{}, ErrEvidence
	}
	round := e.First.Subject.Round
	if round.Epoch > g.epoch() || g.Params.Calendar.Last(round.Epoch)+params.UnbondingBlocks < g.Height {
		return account.Address{}, ErrEvidence
	}
	rec, err := loadEpoch(g.State, round.Epoch)
	if err != nil {
		return account.Address{}, err
	}
	members, err := loadMembers(g.State, rec.Set)
	if err != nil {
		return account.Address{}, err
	}
	verifier := simplex.EvidenceVerifier{
		Namespace: g.Chain, Epoch: round.Epoch, Validators: len(members), Anchor: rec.Anchor,
		LastHeight: uint64(g.Params.Calendar.Last(round.Epoch)), Scheme: keyring{members: members}, Inspect: simplex.InspectBlock,
	}
	if verifier.Verify(e) != nil {
		return account.Address{}, ErrEvidence
	}
	guilty := members[e.Signer].Address
	return guilty, g.punish(guilty, round, slashOf(e.Offence), submitter)
}

// Settled reports whether a state leaves nothing to do about evidence: its validator was punished for the round as much as it can be, or the offence is
// out of reach at a height. That the evidence holds is not looked at. An error is a failing source.
// Spec: governance-staking A3 (evidence for the unbonding period; one penalty per validator and round).
func Settled(r state.Reader, e *simplex.Evidence, height unit.Height) (bool, error) {
	calendar, err := params.LoadCalendar(r)
	if err != nil {
		return false, err
	}
	round := e.First.Subject.Round
	if calendar.Last(round.Epoch)+params.UnbondingBlocks < height {
		return true, nil
	}
	members, err := current(r, round.Epoch)
	if errors.Is(err, ErrNoEpoch) {
		return true, nil
	}
	if err != nil || int(e.Signer) >= len(members) {
		return err == nil, err
	}
	given, punished, err := r.Lookup(offenceKey(round, members[e.Signer].Address))
	return punished && (slashOf(e.Offence) == 0 || given[0] == 1), err
}

// punish jails for an offence in a round and notes its slash. A second proof about the same round adds at most the slash the first one did not have.
func (g *Registry) punish(addr account.Address, round sig.Round, bps uint32, submitter account.Address) error {
	given, again, err := g.State.Lookup(offenceKey(round, addr))
	if err != nil {
		return err
	}
	if again && (bps == 0 || given[0] == 1) {
		return ErrPunished
	}
	v, err := g.load(addr)
	if err != nil {
		return cmp.Or(err, ErrEvidence)
	}
	mark := byte(0)
	if bps > 0 {
		mark = 1
		if len(v.Penalties) < maxPenalties {
			v.Penalties = append(v.Penalties, Penalty{bps, submitter})
		}
	}
	g.State.Set(offenceKey(round, addr), []byte{mark})
	if !again {
		if err := g.jail(addr, v); err != nil {
			return err
		}
	}
	return g.save(addr, v)
}

// jail takes a validator out of rewards and proposals at once. The n-th time lasts 2^(n−1) jail periods.
// Spec: WP "Slashing", §13 (jail_period); governance-staking A1, A3.
func (g *Registry) jail(addr account.Address, v *Validator) error {
	if err := g.stopEarning(v); err != nil {
		return err
	}
	until := g.Height + params.JailBlocks<<min(v.Jailings, params.MaxJailDoublings)
	v.JailedUntil = max(v.JailedUntil, until)
	v.Jailings++
	if v.Status == Pending || v.Status == Active {
		v.Status = Jailed
	}
	g.emit(TopicJailed, addr, uint64(v.JailedUntil))
	return nil
}

// slash takes what is pending out of a validator's stake and of what is unbonding, and shares it out: burned, unless governance gives a part to
// whoever brought the evidence or to the treasury. It gives the burned part. Each part of the stake is rounded down.
// Spec: WP "Slashing", §8.4, §13.1 (slash_distribution); governance-staking A3.
func (g *Registry) slash(addr account.Address, v *Validator) (burned unit.Amount, err error) {
	for _, p := range v.Penalties {
		lost, err := v.lose(p.BPS)
		if err != nil {
			return 0, err
		}
		split := g.Params.SlashDistribution
		reward, err := lost.MulDiv(uint64(split.SubmitterBPS), params.BasisPoints)
		if err != nil {
			return 0, err
		}
		treasury, err := lost.MulDiv(uint64(split.TreasuryBPS), params.BasisPoints)
		if err != nil {
			return 0, err
		}
		if err := g.reward(p.Submitter, reward); err != nil {
			return 0, err
		}
		if err := g.reward(account.System(account.Treasury), treasury); err != nil {
			return 0, err
		}
		if err := account.Debit(g.State, home(), lost-reward-treasury); err != nil {
			return 0, err
		}
		burned += lost - reward - treasury
		g.emit(TopicSlashed, addr, uint64(lost))
	}
	v.Penalties = nil
	return burned, nil
}

// reward gives somebody a part of a slashed stake; a part of nothing writes nothing.
func (g *Registry) reward(to account.Address, amount unit.Amount) error {
	if amount == 0 {
		return nil
	}
	return account.Move(g.State, home(), to, amount)
}

// lose takes a share of the bonded stake and of every release. What the validator asked to take out goes down with the stake.
func (v *Validator) lose(bps uint32) (unit.Amount, error) {
	lost, err := v.Stake.MulDiv(uint64(bps), params.BasisPoints)
	if err != nil {
		return 0, err
	}
	v.Stake -= lost
	v.Leaving = min(v.Leaving, v.Stake+v.Joining)
	for i := range v.Releases {
		part, err := v.Releases[i].Amount.MulDiv(uint64(bps), params.BasisPoints)
		if err != nil {
			return 0, err
		}
		v.Releases[i].Amount -= part
		lost += part
	}
	return lost, nil
}
