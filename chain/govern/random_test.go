package govern_test

import (
	"errors"
	"flag"
	"maps"
	"math/rand/v2"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/govern"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/stake"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

var operations = flag.Int("operations", 10_000, "random operations against the model")

// pair is the rules and the model side by side.
type pair struct {
	*world
	m *model
	r *rand.Rand
}

func newPair(t *testing.T) *pair {
	w := newWorld(t, 300, 250, 200, 100, 80, 40, 20, 10)
	c := &w.config
	for i := range c.Tiers {
		c.Tiers[i].Deposit = unit.Amount(10 * (i + 1))
		c.Tiers[i].CheckHours, c.Tiers[i].VoteHours, c.Tiers[i].TimelockHours = 2+uint32(i), 3+uint32(i), 2
	}
	c.ExtendHours, c.RetryHours, c.FastVoteHours, c.FastTimelockHours, c.PauseHours, c.RatifyHours, c.ReviewHours = 2, 3, 2, 1, 5, 6, 60
	m := &model{c: *c, height: 1, now: weights{}, balance: map[account.Address]unit.Amount{treasury: held}, pauses: map[account.Address]*mPause{}}
	for i, s := range []unit.Amount{300, 250, 200, 100, 80, 40, 20, 10} {
		m.now[addr(byte(i+1))] = stake.Weight{Stake: s, Active: true}
	}
	m.before = maps.Clone(m.now)
	for n := byte(1); n <= 30; n++ {
		m.balance[addr(n)] = purse
	}
	return &pair{w, m, rand.New(rand.NewPCG(3, 5))}
}

func (p *pair) any() (uint64, *mProposal) {
	if len(p.m.proposals) == 0 {
		return 0, nil
	}
	n := p.r.IntN(min(8, len(p.m.proposals)))
	id := len(p.m.proposals) - n
	return uint64(id), p.m.proposals[id-1]
}

func (p *pair) payload() govern.Payload {
	targets := []account.Address{bank, treasury}
	switch p.r.IntN(6) {
	case 0:
		return three(byte(p.r.IntN(256)))
	case 1:
		return &govern.Disbursement{Recipient: addr(byte(20 + p.r.IntN(4))), Amount: held/20 + unit.Amount(p.r.IntN(9))}
	case 2, 3:
		return &govern.Circuit{Target: targets[p.r.IntN(2)], Action: govern.Action(p.r.IntN(3))}
	case 4:
		return &govern.ReviewCouncil{}
	}
	return zero(byte(p.r.IntN(256)))
}

// op does one thing on both sides and gives both answers.
func (p *pair) op() (got, want error) {
	id, at := p.any()
	who := addr(byte(1 + p.r.IntN(10)))
	switch n := p.r.IntN(100); {
	case n < 8:
		tier, payload, fast := uint8(p.r.IntN(5)), p.payload(), p.r.IntN(6) == 0
		if p.r.IntN(2) == 0 {
			tier = max(tier, 3)
		}
		m := p.submission(tier, payload)
		if fast {
			_, m.Signatures = p.sign(govern.FastTrack(who, m.Title, m.Payload), seven()...)
		}
		_, got = p.submit(who, m)
		want = p.m.submit(who, tier, payload, fast)
	case n < 12:
		p.closed, p.m.closed = n == 8, n == 8
	case n < 16:
		p.stakes(who)
	case n < 34 || at == nil:
		p.next()
		p.m.end()
	case n < 50: // most agree
		for i := range byte(5) {
			if got, want = p.vote(i+1, id, govern.Yes), p.m.vote(addr(i+1), at, govern.Yes); !errors.Is(got, want) {
				return got, want
			}
		}
	case n < 82:
		c := govern.Choice(max(0, p.r.IntN(7)-4)) // mostly yes
		got, want = p.vote(who[19], id, c), p.m.vote(who, at, c)
	case n < 92:
		got, want = p.execute(id), p.m.execute(at)
	case n < 94:
		if p.r.IntN(2) == 0 {
			who = at.by
		}
		got, want = p.withdraw(who, id), p.m.withdraw(who, at)
	case n < 97:
		got, want = p.cancel(id, seven()...), p.m.cancel(at)
	default:
		target := []account.Address{bank, treasury}[p.r.IntN(2)]
		got, want = p.pause(target, seven()...), p.m.pause(target)
	}
	return got, want
}

// stakes changes somebody's stake on both sides.
func (p *pair) stakes(who account.Address) {
	g := &stake.Registry{State: p.overlay, Params: params.Genesis(), Height: p.height, Chain: sig.Namespace("x")}
	w := p.m.now[who]
	if p.r.IntN(9) == 0 && who[19] > 5 {
		if g.Exit(who, nil) == nil {
			p.m.now[who] = stake.Weight{Stake: w.Stake}
		}
		return
	}
	amount := unit.Amount(1 + p.r.IntN(90))
	if g.AddStake(who, amount) == nil {
		w.Stake += amount
		p.m.now[who] = w
	}
}

func (p *pair) compare(step int) {
	p.t.Helper()
	for _, target := range []account.Address{bank, treasury} {
		until, paused, err := govern.Paused(p.overlay, target, p.height)
		p.must(err)
		want := p.m.pauses[target]
		if paused != (want != nil && p.height < want.until) || paused && until != want.until {
			p.t.Fatalf("step %d: %v paused %v until %d, want %+v", step, target, paused, until, want)
		}
	}
	c, _, err := govern.LoadCouncil(p.overlay)
	p.must(err)
	if c.Nonce != p.m.nonce || c.Warnings != p.m.warnings {
		p.t.Fatalf("step %d: %+v, want nonce %d and %d warnings", step, c, p.m.nonce, p.m.warnings)
	}
	first := max(0, len(p.m.proposals)-40)
	for i, want := range p.m.proposals[first:] {
		got := p.load(uint64(first + i + 1))
		if got.Status != want.status || got.Open() == want.over || got.Proposer != want.by || got.Tier != want.tier ||
			got.Extensions != uint32(want.extended) ||
			!want.over && (got.Deadline != want.deadline || got.ExecutableAt != want.at || got.RetryUntil != want.till) {
			p.t.Fatalf("step %d, height %d: %+v, want %+v", step, p.height, got, want)
		}
	}
	if p.escrow() != p.m.escrow() || p.burned != p.m.burned {
		p.t.Fatalf("step %d: escrow %d, burned %d; the model has %d and %d", step, p.escrow(), p.burned, p.m.escrow(), p.m.burned)
	}
	for who, want := range p.m.balance {
		if got := p.balance(who); got != want {
			p.t.Fatalf("step %d: %v has %d, want %d", step, who, got, want)
		}
	}
}

// Governance does what a model does that keeps every vote, copies every stake at a snapshot, looks at every proposal in every block and reckons with
// fractions: the same answers, statuses, deadlines, pauses, and coins to the base unit.
//
// Spec: governance-staking B2, B3, B4, B5, B6, B7.
func TestModel(t *testing.T) {
	p := newPair(t)
	seen := map[govern.Status]int{}
	for step := range *operations {
		got, want := p.op()
		if !errors.Is(got, want) || want == nil && got != nil {
			t.Fatalf("step %d, height %d: %v, want %v", step, p.height, got, want)
		}
		p.compare(step)
	}
	for _, x := range p.m.proposals {
		if x.over {
			seen[x.status]++
		}
	}
	for _, s := range []govern.Status{govern.Executed, govern.ExecutionFailed, govern.Rejected, govern.Cancelled, govern.Withdrawn} {
		if seen[s] < 5 && *operations >= 10_000 {
			t.Errorf("%v ended %d proposals: the operations miss it", s, seen[s])
		}
	}
}
