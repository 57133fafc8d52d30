package govern_test

import (
	"maps"
	"math/big"
	"slices"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/govern"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/stake"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// weights are everybody's stake and whether the validator is active, copied whole.
type weights map[account.Address]stake.Weight

// mProposal is a proposal of the model: every vote is kept, nothing is counted before a phase ends.
type mProposal struct {
	by       account.Address
	tier     uint8
	payload  govern.Payload
	deposit  unit.Amount
	status   govern.Status
	over     bool
	deadline unit.Height
	extended int
	from     weights
	votes    map[account.Address]govern.Choice
	at, till unit.Height // of execution
	stakeBPS int64
	voteBPS  int64
	hours    [2]unit.Height // of vote and timelock
}

// model is governance written down from the document, with maps and fractions.
type model struct {
	c         params.GovernanceConfig
	height    unit.Height
	before    weights // after the block before
	now       weights
	balance   map[account.Address]unit.Amount
	burned    unit.Amount
	proposals []*mProposal
	pauses    map[account.Address]*mPause
	cancels   []unit.Height
	nonce     uint64
	warnings  uint32
	closed    bool
}

type mPause struct {
	until    unit.Height
	extended uint32
	by       *mProposal
}

func (m *model) escrow() (sum unit.Amount) {
	for _, p := range m.proposals {
		if !p.over {
			sum += p.deposit
		}
	}
	return sum
}

// of is a share of a whole above, at or below a number of basis points: 1, 0, −1.
func of(part, whole unit.Amount, bps int64) int {
	if whole == 0 {
		return -1
	}
	return big.NewRat(int64(part), int64(whole)).Cmp(big.NewRat(bps, 10_000))
}

// count adds up a phase: stake and validators by choice, and all that could have voted.
func (p *mProposal) count() (stakes, heads [3]unit.Amount, all, active unit.Amount) {
	for who, c := range p.votes {
		stakes[c] += p.from[who].Stake
		if p.from[who].Active {
			heads[c]++
		}
	}
	for _, w := range p.from {
		all += w.Stake
		if w.Active {
			active++
		}
	}
	return stakes, heads, all, active
}

func (m *model) leave(p *mProposal, with govern.Status, back bool) {
	p.status, p.over = with, true
	switch {
	case p.deposit == 0:
	case back:
		m.balance[p.by] += p.deposit
	default:
		m.burned += p.deposit
	}
}

func (m *model) enter(p *mProposal, status govern.Status, last unit.Height) {
	p.status, p.deadline, p.from, p.votes = status, last, m.before, map[account.Address]govern.Choice{}
}

// auto opens a proposal of 0x09.
func (m *model) auto(tier uint8, payload govern.Payload, last unit.Height) *mProposal {
	t := m.c.Tiers[tier]
	p := &mProposal{by: nine, tier: tier, payload: payload, stakeBPS: int64(t.StakeBPS), voteBPS: int64(t.ValidatorBPS)}
	m.proposals = append(m.proposals, p)
	m.enter(p, govern.Voting, last)
	return p
}

func (m *model) submit(by account.Address, tier uint8, payload govern.Payload, fast bool) error {
	t := m.c.Tiers[tier]
	least := uint8(4)
	switch x := payload.(type) {
	case *govern.ParamUpdate:
		if least = 0; x.Key == keyThree {
			least = 3
		}
	case *govern.Disbursement:
		least = 2
	case *govern.Circuit:
		if x.Action != govern.Permanent {
			least = 3
		}
	}
	switch {
	case tier < least:
		return govern.ErrTier
	case fast && (tier != 3 || least != 3):
		return govern.ErrFast
	case !m.valid(payload):
		return govern.ErrPayload
	}
	p := &mProposal{
		by: by, tier: tier, payload: payload, deposit: t.Deposit, stakeBPS: int64(t.StakeBPS), voteBPS: int64(t.ValidatorBPS),
		hours: [2]unit.Height{unit.Height(t.VoteHours), unit.Height(t.TimelockHours)},
	}
	m.balance[by] -= t.Deposit
	m.proposals = append(m.proposals, p)
	if fast {
		m.nonce++
		p.stakeBPS, p.voteBPS, p.hours = 6_600, 6_600, [2]unit.Height{unit.Height(m.c.FastVoteHours), unit.Height(m.c.FastTimelockHours)}
		m.enter(p, govern.Voting, m.height+p.hours[0])
		return nil
	}
	m.enter(p, govern.TempCheck, m.height+unit.Height(t.CheckHours))
	return nil
}

func (m *model) valid(payload govern.Payload) bool {
	c, circuit := payload.(*govern.Circuit)
	if !circuit {
		_, param := payload.(*govern.ParamUpdate)
		return !param || !m.closed
	}
	p := m.pauses[c.Target]
	switch paused := p != nil && m.height < p.until; {
	case c.Action == govern.Permanent:
		return !paused || p.until != govern.Forever
	case !paused:
		return false
	case c.Action == govern.RatifyExtend:
		return p.until != govern.Forever && p.extended < m.c.PauseExtensions
	}
	return true
}

func (m *model) vote(by account.Address, p *mProposal, c govern.Choice) error {
	was, again := p.votes[by]
	switch {
	case p.over || p.status != govern.TempCheck && p.status != govern.Voting:
		return govern.ErrStatus
	case again && was == c:
		return govern.ErrSame
	case again && m.height > p.deadline-1: // an hour, which is a block
		return govern.ErrLate
	case p.from[by] == stake.Weight{}:
		return govern.ErrWeight
	}
	p.votes[by] = c
	return nil
}

func (m *model) execute(p *mProposal) error {
	switch {
	case p.over || p.status != govern.Queued && p.status != govern.ExecutionFailed:
		return govern.ErrStatus
	case m.height < p.at || m.height > p.till:
		return govern.ErrTimelock
	}
	if m.apply(p) {
		m.leave(p, govern.Executed, true)
	} else {
		p.status = govern.ExecutionFailed
	}
	return nil
}

func (m *model) apply(p *mProposal) bool {
	if !m.valid(p.payload) {
		return false
	}
	switch x := p.payload.(type) {
	case *govern.Disbursement:
		if m.balance[treasury] < x.Amount {
			return false
		}
		m.balance[treasury] -= x.Amount
		m.balance[x.Recipient] += x.Amount
	case *govern.Circuit:
		switch x.Action {
		case govern.RatifyExtend:
			m.pauses[x.Target].until += unit.Height(m.c.RatifyHours)
			m.pauses[x.Target].extended++
		case govern.End:
			delete(m.pauses, x.Target)
		case govern.Permanent:
			m.pauses[x.Target] = &mPause{until: govern.Forever}
		}
	case *govern.ReviewCouncil:
		m.warnings++
	}
	return true
}

func (m *model) withdraw(by account.Address, p *mProposal) error {
	switch {
	case by != p.by:
		return govern.ErrProposer
	case p.over || p.status == govern.ExecutionFailed:
		return govern.ErrStatus
	}
	m.leave(p, govern.Withdrawn, false)
	return nil
}

func (m *model) cancel(p *mProposal) error {
	switch {
	case p.over || p.status != govern.Queued:
		return govern.ErrStatus
	case p.tier == 4:
		return govern.ErrTier
	}
	m.nonce++
	m.leave(p, govern.Cancelled, true)
	m.cancels = append(m.cancels, m.height)
	m.cancels = slices.DeleteFunc(m.cancels, func(h unit.Height) bool { return h+unit.Height(m.c.ReviewHours) < m.height })
	if len(m.cancels) == int(m.c.ReviewCancels) {
		m.cancels = nil
		m.auto(4, &govern.ReviewCouncil{}, m.height+unit.Height(m.c.Tiers[4].VoteHours))
	}
	return nil
}

func (m *model) pause(target account.Address) error {
	if p := m.pauses[target]; p != nil && m.height < p.until {
		return govern.ErrTarget
	}
	m.nonce++
	until := m.height + unit.Height(m.c.PauseHours)
	p := m.auto(3, &govern.Circuit{Target: target}, min(until-1, m.height+unit.Height(m.c.Tiers[3].VoteHours)))
	m.pauses[target] = &mPause{until: until, by: p}
	return nil
}

// end ends the block: all proposals are looked at.
func (m *model) end() {
	for _, p := range m.proposals {
		switch {
		case p.over:
		case p.status == govern.TempCheck && p.deadline == m.height:
			s, _, all, _ := p.count()
			if of(s[0]+s[1]+s[2], all, 100) >= 0 && of(s[0], s[0]+s[1], 3_300) >= 0 {
				m.enter(p, govern.Voting, m.height+p.hours[0])
			} else {
				m.leave(p, govern.Rejected, false)
			}
		case p.status == govern.Voting && p.deadline == m.height:
			m.decide(p)
		case p.status == govern.Queued || p.status == govern.ExecutionFailed:
			if m.height == p.till {
				m.leave(p, govern.ExecutionFailed, true)
			}
		}
	}
	m.height++
	m.before = maps.Clone(m.now)
}

func (m *model) decide(p *mProposal) {
	s, heads, all, active := p.count()
	var ratified *mPause
	if c, ok := p.payload.(*govern.Circuit); ok && p.by == nine {
		if q := m.pauses[c.Target]; q != nil && q.by == p && m.height < q.until {
			ratified = q
		}
	}
	quorum := new(big.Rat).Mul(big.NewRat(int64(all), 1), big.NewRat(int64(m.c.Tiers[p.tier].QuorumBPS), 10_000))
	turnout := big.NewRat(int64(s[0]+s[1]+s[2]), 1)
	thin := 100*(heads[0]+heads[1]+heads[2]) < 60*active || turnout.Cmp(new(big.Rat).Mul(quorum, big.NewRat(60, 100))) < 0
	later := m.height + unit.Height(m.c.ExtendHours)
	if thin && p.extended < int(m.c.Extensions) && (ratified == nil || later < ratified.until) {
		p.extended++
		p.deadline = later
		return
	}
	switch {
	case turnout.Cmp(quorum) < 0 || of(s[0], s[0]+s[1], p.stakeBPS) <= 0 || of(heads[0], active, p.voteBPS) <= 0:
		m.leave(p, govern.Rejected, true)
	case p.by != nine:
		p.status, p.at = govern.Queued, m.height+p.hours[1]
		p.till = p.at + unit.Height(m.c.RetryHours)
	default:
		_, circuit := p.payload.(*govern.Circuit)
		if circuit && ratified == nil || !m.apply(p) {
			m.leave(p, govern.ExecutionFailed, true)
		} else {
			m.leave(p, govern.Executed, true)
		}
	}
}
