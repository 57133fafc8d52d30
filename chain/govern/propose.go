package govern

import (
	"fmt"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/stake"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// protocolTier is the tier of upgrades, the only one that can be fast-tracked.
const protocolTier = 3

// registryTier is the tier of what concerns registries.
const registryTier = 1

// Submission is what somebody submits.
type Submission struct {
	Tier       uint8
	Title      digest.Hash
	Payload    []byte
	Deposit    unit.Amount     // has been moved to 0x09 already
	Signatures []sig.Signature // of the council, for a fast-track
	Blocks     uint64          // the vote lasts at least so many, if that is longer than the tier says
}

// Submit opens a proposal and gives its number. Rejects: ErrPayload, ErrTier, ErrFast, ErrNoCouncil, ErrSignatures, ErrDeposit, ErrOpen.
// Spec: governance-staking B3, B4, B6.
func (h *Registry) Submit(by account.Address, m Submission) (uint64, error) {
	payload, err := DecodePayload(m.Payload)
	if err != nil {
		return 0, err
	}
	least, err := h.leastTier(payload)
	if err != nil {
		return 0, err
	}
	if m.Tier >= params.GovernanceTiers || m.Tier < least {
		return 0, fmt.Errorf("%w: %s takes tier %d at least, %d is given", ErrTier, payload.Name(), least, m.Tier)
	}
	p := &Proposal{Proposer: by, Tier: m.Tier, Title: m.Title, Payload: m.Payload, Deposit: m.Deposit, Rules: h.Config.Tiers[m.Tier]}
	if len(m.Signatures) > 0 {
		if m.Tier != protocolTier || least != protocolTier {
			return 0, ErrFast
		}
		if err := h.authorize(FastTrack(by, m.Title, m.Payload), m.Signatures); err != nil {
			return 0, err
		}
		p.Fast = true
		p.Rules.VoteHours, p.Rules.TimelockHours = h.Config.FastVoteHours, h.Config.FastTimelockHours
		p.Rules.StakeBPS, p.Rules.ValidatorBPS = h.Config.FastApprovalBPS, h.Config.FastApprovalBPS
	}
	if hours := (m.Blocks + h.Config.HourBlocks - 1) / h.Config.HourBlocks; hours > uint64(p.Rules.VoteHours) {
		p.Rules.VoteHours = uint32(hours) // at most a million blocks
	}
	if m.Deposit != p.Rules.Deposit {
		return 0, fmt.Errorf("%w: tier %d takes %d base units, %d are given", ErrDeposit, m.Tier, p.Rules.Deposit, m.Deposit)
	}
	if err := h.valid(payload); err != nil {
		return 0, err
	}
	open, err := number(h.State, keyOpen)
	if err != nil {
		return 0, err
	}
	if open >= params.MaxOpenProposals {
		return 0, ErrOpen
	}
	setNumber(h.State, keyOpen, open+1)
	if err := h.take(m.Deposit); err != nil {
		return 0, err
	}
	if err := h.enroll(p); err != nil {
		return 0, err
	}
	if p.Fast {
		return p.ID, h.phase(p, Voting, h.Height+h.Config.Blocks(p.Rules.VoteHours))
	}
	return p.ID, h.phase(p, TempCheck, h.Height+h.Config.Blocks(p.Rules.CheckHours))
}

// open opens a proposal of 0x09 itself, without deposit and check, and gives it.
// Spec: governance-staking B7.
func (h *Registry) open(tier uint8, payload Payload, last unit.Height) (*Proposal, error) {
	p := &Proposal{Proposer: home(), Tier: tier, Payload: EncodePayload(payload), Rules: h.Config.Tiers[tier]}
	if err := h.enroll(p); err != nil {
		return nil, err
	}
	return p, h.phase(p, Voting, last)
}

// CastVote counts a vote with the voter's weight at the snapshot of the present phase, in the place of the one before. Rejects: ErrChoice, ErrNoProposal,
// ErrStatus, ErrClosed, ErrWeight, ErrSame, ErrLate.
// Spec: governance-staking B5 (votes can change until the last epoch of the window; an epoch is an hour).
func (h *Registry) CastVote(by account.Address, id uint64, choice Choice) error {
	if choice >= choices {
		return ErrChoice
	}
	p, err := Load(h.State, id)
	if err != nil {
		return err
	}
	tally, snapshot := &p.Vote, p.VoteSnapshot
	switch p.Status {
	case Voting:
	case TempCheck:
		tally, snapshot = &p.Check, p.CheckSnapshot
	default:
		return ErrStatus
	}
	if h.Height > p.Deadline {
		return ErrClosed
	}
	before, again, err := VoteOf(h.State, id, p.Status, by)
	if err != nil {
		return err
	}
	v := Vote{Choice: choice, Stake: before.Stake, Active: before.Active, Height: h.Height}
	switch {
	case again && before.Choice == choice:
		return ErrSame
	case again && h.Height+unit.Height(h.Config.HourBlocks) > p.Deadline:
		return ErrLate
	case again:
		tally.remove(before)
	default:
		w, err := stake.WeightAt(h.State, by, snapshot.Height)
		if err != nil {
			return err
		}
		if v.Stake, v.Active = w.Stake, w.Active; v.Stake == 0 && !v.Active {
			return ErrWeight
		}
	}
	tally.add(v)
	h.State.Set(voteKey(id, p.Status, by), v.Encode())
	h.save(p)
	h.emit(TopicVoted, voted(id, by, v))
	return nil
}

// Withdraw ends a proposal that its proposer does not want any more, before it is executed or rejected. Its deposit is burned. Rejects: ErrNoProposal,
// ErrProposer, ErrStatus.
// Spec: governance-staking B4 (deposit).
func (h *Registry) Withdraw(by account.Address, id uint64) error {
	p, err := Load(h.State, id)
	switch {
	case err != nil:
		return err
	case by != p.Proposer:
		return ErrProposer
	case p.Status != TempCheck && p.Status != Voting && p.Status != Queued:
		return ErrStatus
	}
	return h.finish(p, Withdrawn, false)
}
