package economy_test

import (
	"math/rand/v2"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/govern"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/runtime/drain"
	"github.com/cowboyinc/cowboy-go/testkit"
)

// tier is a row of the table of tiers, a day being 24 blocks as on a development network, and the deposit in base units.
type tier struct{ deposit, check, vote, lock int64 }

// tierOf are tiers 0 and 2.
func tierOf(n uint64) tier {
	const cby, day = 1_000_000_000, 24
	return map[uint64]tier{0: {1_000 * cby, 3 * day, 5 * day, 3 * day}, 2: {5_000 * cby, 5 * day, 7 * day, 7 * day}}[n]
}

// The states of a proposal, in the order of its life.
const (
	checked = iota
	voted
	queued
	failed // once; it may be tried again
	over
)

const none = -1

// proposal is one as the documents tell its life. One validator has all the stake, so that its word is the tally.
type proposal struct {
	by, to     int
	tier       uint64
	amount     int64 // of a disbursement
	state      int
	due        int64 // the last block of the phase
	executable int64
	said       int // by the validator in this phase
	extended   int
}

// ended gives the deposit back, or burns it.
func (l *ledger) ended(p *proposal, back bool) {
	p.state = over
	if back {
		l.person[p.by] += tierOf(p.tier).deposit
	} else {
		l.burned += tierOf(p.tier).deposit
	}
}

// decides is what becomes of proposals at the end of a block.
func (l *ledger) decides() {
	for _, p := range l.proposals {
		if p.state == over || p.due != l.height {
			continue
		}
		yes := p.said == int(govern.Yes)
		switch {
		case p.state == checked && yes:
			p.state, p.said, p.due = voted, none, l.height+tierOf(p.tier).vote
		case p.state == checked:
			l.ended(p, false)
		case p.state == voted && p.said == none && p.extended < 3:
			p.extended, p.due = p.extended+1, l.height+24
		case p.state == voted && yes:
			p.state, p.executable = queued, l.height+tierOf(p.tier).lock
			p.due = p.executable + 24
		default: // lost, or nobody executed it in time
			l.ended(p, true)
		}
	}
}

func (l *ledger) proposal(number uint64) *proposal {
	if number == 0 || number > uint64(len(l.proposals)) {
		return nil
	}
	return l.proposals[number-1]
}

// motion draws a proposal: coins of the treasury, or a parameter; its tier or its deposit may be another's.
func motion(r *rand.Rand, by int, who []*testkit.Account) operation {
	p := &proposal{by: by, to: r.IntN(people), tier: 2 * uint64(r.IntN(2)), said: none}
	in := &tx.SubmitProposal{Tier: p.tier, Title: digest.Hash{1}, Deposit: unit.Amount(tierOf(p.tier).deposit)}
	wanted := p.tier
	if p.tier == 0 {
		c := params.Genesis().Reputation
		c.HalfLifeBlocks += uint64(r.IntN(9))
		in.Payload = govern.EncodePayload(&govern.ParamUpdate{Key: params.KeyReputation, Value: c.Append(nil)})
	} else {
		p.amount = 1 + r.Int64N(40_000_000_000)
		if r.IntN(3) == 0 {
			p.amount = 1 << 60 // more than there is
		}
		in.Payload = govern.EncodePayload(&govern.Disbursement{Recipient: who[p.to].Address(), Amount: unit.Amount(p.amount)})
	}
	if r.IntN(6) == 0 {
		in.Tier = 0
	}
	if r.IntN(6) == 0 {
		in.Deposit++
	}
	return operation{in, by, func(l *ledger) uint16 {
		switch {
		case in.Tier < wanted:
			return drain.FaultForbidden
		case int64(in.Deposit) != tierOf(in.Tier).deposit:
			return drain.FaultValue
		}
		p.due = l.height + tierOf(p.tier).check
		l.person[by] -= int64(in.Deposit)
		l.proposals = append(l.proposals, p)
		return 0
	}}
}

// governs draws a transaction about proposals, of which there are so many.
func governs(r *rand.Rand, who []*testkit.Account, many int) operation {
	by, number := r.IntN(people), uint64(1+r.IntN(many+1))
	switch n := r.IntN(20); {
	case n < 1:
		return motion(r, by, who)
	case n < 8:
		return operation{&tx.ExecuteProposal{Proposal: number}, by, func(l *ledger) uint16 {
			p := l.proposal(number)
			switch {
			case p == nil:
				return drain.FaultMissing
			case p.state != queued && p.state != failed, l.height < p.executable, l.height > p.due:
				return drain.FaultForbidden
			case p.tier == 2 && l.treasury < p.amount:
				p.state = failed
				return 0
			case p.tier == 2:
				l.treasury -= p.amount
				l.person[p.to] += p.amount
			default:
				l.updates++
			}
			l.ended(p, true)
			return 0
		}}
	case n < 9 && r.IntN(4) == 0:
		return operation{&tx.WithdrawProposal{Proposal: number}, by, func(l *ledger) uint16 {
			p := l.proposal(number)
			switch {
			case p == nil:
				return drain.FaultMissing
			case p.by != by:
				return drain.FaultPermission
			case p.state >= failed:
				return drain.FaultForbidden
			}
			l.ended(p, false)
			return 0
		}}
	}
	if r.IntN(5) > 0 {
		by = people // the validator
	}
	choice := int(govern.Yes)
	if r.IntN(6) == 0 {
		choice = r.IntN(3)
	}
	return operation{&tx.CastVote{Proposal: number, Choice: uint64(choice)}, by, func(l *ledger) uint16 {
		p := l.proposal(number)
		switch {
		case p == nil:
			return drain.FaultMissing
		case p.state > voted:
			return drain.FaultForbidden
		case by != people:
			return drain.FaultPermission
		case p.said == choice:
			return drain.FaultExists
		case p.said != none && l.height+1 > p.due: // an hour is a block, and the last one changes no vote
			return drain.FaultForbidden
		}
		p.said = choice
		return 0
	}}
}

// compareProposals holds the chain's proposals to the model's.
func (l *ledger) compareProposals(t *testing.T, c *testkit.Chain) {
	t.Helper()
	held := int64(0)
	for i, p := range l.proposals {
		got, err := govern.Load(c.State(), uint64(i)+1)
		if err != nil {
			t.Fatal(err)
		}
		if p.state != over {
			held += tierOf(p.tier).deposit
		}
		want := map[int]govern.Status{checked: govern.TempCheck, voted: govern.Voting, queued: govern.Queued, failed: govern.ExecutionFailed}
		if status, open := want[p.state]; got.Open() != open || open && got.Status != status {
			t.Fatalf("block %d: proposal %d is %v, the model says %+v", l.height, i+1, got.Status, p)
		}
	}
	escrow, err := govern.Escrow(c.State())
	if err != nil || int64(escrow) != held {
		t.Fatalf("block %d: deposits of %d, the model says %d; %v", l.height, escrow, held, err)
	}
	if version, err := params.Version(c.State()); err != nil || version != l.updates {
		t.Fatalf("block %d: config_version %d, the model says %d; %v", l.height, version, l.updates, err)
	}
}
