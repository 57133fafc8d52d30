package govern

import (
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// Status is where a proposal is in its life. Spec: governance-staking B5.
type Status uint8

// The statuses.
const (
	TempCheck Status = iota
	Voting
	Queued
	Executed
	ExecutionFailed // tried again until it is closed
	Rejected
	Cancelled // by the council
	Withdrawn // by who proposed it
	statuses
)

// String names the status as the document does.
func (s Status) String() string {
	if s >= statuses {
		return "unknown"
	}
	return [...]string{"TempCheck", "Voting", "Queued", "Executed", "ExecutionFailed", "Rejected", "Cancelled", "Withdrawn"}[s]
}

// Choice is a vote.
type Choice uint8

// The choices.
const (
	Yes Choice = iota
	No
	Abstain
	choices
)

// String names the choice.
func (c Choice) String() string {
	if c >= choices {
		return "unknown"
	}
	return [...]string{"yes", "no", "abstain"}[c]
}

// Tally counts a phase's votes by choice: stake in base units, and active validators.
type Tally struct {
	Stake      [choices]unit.Amount
	Validators [choices]uint64
}

// Snapshot is what all could vote with: the sums after the block at a height, whose weights votes count with.
type Snapshot struct {
	Height     unit.Height
	Stake      unit.Amount
	Validators uint64
}

// Proposal is a proposal's record. Its rules are those of its tier, or of the fast-track, when it was submitted.
// Spec: governance-staking B4.
type Proposal struct {
	ID          uint64
	Proposer    account.Address // 0x09 for one that the circuit breaker opened
	Tier        uint8
	Fast        bool
	Title       digest.Hash // of title and description
	Payload     []byte
	Deposit     unit.Amount // base units, in escrow until ClosedAt
	Status      Status
	SubmittedAt unit.Height
	Deadline    unit.Height // last block of the present phase
	Extensions  uint32      // used
	Rules       params.GovernanceTier

	CheckSnapshot, VoteSnapshot Snapshot
	Check, Vote                 Tally

	ExecutableAt, RetryUntil unit.Height // first and last block of execution
	ClosedAt                 unit.Height // zero while it is open
	Reason                   Reason      // why it was not executed, when it was tried last
}

// Reason is why a proposal was not executed.
type Reason uint8

// The reasons.
const (
	NoReason  Reason = iota
	Refused          // its payload is not valid any more
	Short            // the treasury has not the coins
	Late             // nobody executed it in time
	PauseOver        // what it was to ratify is over
	reasons
)

// String says it in words.
func (r Reason) String() string {
	if r >= reasons {
		return "unknown"
	}
	return [...]string{"", "the payload is not valid any more", "the treasury has not the coins", "nobody executed it in time", "the pause is over"}[r]
}

// Open reports whether the proposal is not over.
func (p *Proposal) Open() bool { return p.ClosedAt == 0 }

// people reports whether a person proposed it.
func (p *Proposal) people() bool { return p.Proposer != home() }

// Encode is the canonical encoding: the fields in their order.
// Spec: WP §2.5.
func (p *Proposal) Encode() []byte {
	dst := codec.AppendFixed(codec.AppendUint(nil, p.ID), p.Proposer[:])
	dst = codec.AppendBool(codec.AppendU8(dst, p.Tier), p.Fast)
	dst = codec.AppendBytes(codec.AppendFixed(dst, p.Title[:]), p.Payload)
	dst = codec.AppendU8(codec.AppendUint(dst, uint64(p.Deposit)), uint8(p.Status))
	t := p.Rules
	for _, n := range [...]uint64{
		uint64(p.SubmittedAt), uint64(p.Deadline), uint64(p.Extensions), uint64(t.Deposit), uint64(t.CheckHours), uint64(t.VoteHours), uint64(t.QuorumBPS),
		uint64(t.StakeBPS), uint64(t.ValidatorBPS), uint64(t.TimelockHours),
	} {
		dst = codec.AppendUint(dst, n)
	}
	for _, s := range [...]Snapshot{p.CheckSnapshot, p.VoteSnapshot} {
		dst = codec.AppendUint(codec.AppendUint(codec.AppendUint(dst, uint64(s.Height)), uint64(s.Stake)), s.Validators)
	}
	for _, t := range [...]*Tally{&p.Check, &p.Vote} {
		for c := range choices {
			dst = codec.AppendUint(codec.AppendUint(dst, uint64(t.Stake[c])), t.Validators[c])
		}
	}
	for _, n := range [...]unit.Height{p.ExecutableAt, p.RetryUntil, p.ClosedAt} {
		dst = codec.AppendUint(dst, uint64(n))
	}
	return codec.AppendU8(dst, uint8(p.Reason))
}

// DecodeProposal reads what Encode wrote, or gives a *codec.Error.
func DecodeProposal(data []byte) (*Proposal, error) {
	r, p := codec.NewReader(data), new(Proposal)
	p.ID = r.Uint()
	r.Into(p.Proposer[:])
	p.Tier, p.Fast = r.Tag(params.GovernanceTiers), r.Bool()
	r.Into(p.Title[:])
	p.Payload = r.Bytes(params.MaxProposalPayloadBytes)
	p.Deposit, p.Status = unit.Amount(r.Uint()), Status(r.Tag(uint8(statuses)))
	p.SubmittedAt, p.Deadline, p.Extensions = unit.Height(r.Uint()), unit.Height(r.Uint()), r.Uint32()
	p.Rules = params.GovernanceTier{
		Deposit: unit.Amount(r.Uint()), CheckHours: r.Uint32(), VoteHours: r.Uint32(), QuorumBPS: r.Uint32(), StakeBPS: r.Uint32(),
		ValidatorBPS: r.Uint32(), TimelockHours: r.Uint32(),
	}
	for _, s := range [...]*Snapshot{&p.CheckSnapshot, &p.VoteSnapshot} {
		*s = Snapshot{unit.Height(r.Uint()), unit.Amount(r.Uint()), r.Uint()}
	}
	for _, t := range [...]*Tally{&p.Check, &p.Vote} {
		for c := range choices {
			t.Stake[c], t.Validators[c] = unit.Amount(r.Uint()), r.Uint()
		}
	}
	p.ExecutableAt, p.RetryUntil, p.ClosedAt = unit.Height(r.Uint()), unit.Height(r.Uint()), unit.Height(r.Uint())
	p.Reason = Reason(r.Tag(uint8(reasons)))
	return p, r.Finish()
}

// Load reads a proposal, or gives ErrNoProposal.
func Load(r state.Reader, id uint64) (*Proposal, error) {
	raw, ok, err := r.Lookup(proposalKey(id))
	if err != nil {
		return nil, err
	}
	if !ok {
		return nil, ErrNoProposal
	}
	return DecodeProposal(raw)
}

// All are up to limit proposals, the newest first, those with a number below before (0: all). An error is a failing source or a record that is not canonical.
func All(r state.Reader, before uint64, limit int) (list []*Proposal, err error) {
	count, err := number(r, keyCount)
	if err != nil {
		return nil, err
	}
	if before == 0 || before > count {
		before = count + 1
	}
	for id := before; id > 1 && len(list) < limit; id-- {
		p, err := Load(r, id-1)
		if err != nil {
			return nil, err
		}
		list = append(list, p)
	}
	return list, nil
}

// Vote is a vote that was cast.
type Vote struct {
	Choice Choice
	Stake  unit.Amount // base units
	Active bool        // it counts in the house of validators
	Height unit.Height // of the block it was cast in
}

// Encode is the canonical encoding: the fields in their order.
func (v Vote) Encode() []byte {
	return codec.AppendUint(codec.AppendBool(codec.AppendUint([]byte{byte(v.Choice)}, uint64(v.Stake)), v.Active), uint64(v.Height))
}

// VoteOf is what an account voted on a proposal in a phase, TempCheck or Voting; ok is false if it did not.
func VoteOf(r state.Reader, id uint64, phase Status, voter account.Address) (v Vote, ok bool, err error) {
	raw, ok, err := r.Lookup(voteKey(id, phase, voter))
	if err != nil || !ok {
		return v, false, err
	}
	c := codec.NewReader(raw)
	v = Vote{Choice(c.Tag(uint8(choices))), unit.Amount(c.Uint()), c.Bool(), unit.Height(c.Uint())}
	return v, true, c.Finish()
}
