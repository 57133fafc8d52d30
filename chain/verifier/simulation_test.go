package verifier

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/job"
	"github.com/cowboyinc/cowboy-go/chain/market"
	"github.com/cowboyinc/cowboy-go/chain/runner"
	"github.com/cowboyinc/cowboy-go/chain/verify"
)

// What dishonest runners do with a job.
const (
	lies     = iota // all of them tell the same lie
	lonely          // each tells a lie of its own
	vanishes        // commits itself and does not reveal
	sleeps          // does nothing
	crashes         // commits itself and says that it crashed
	greedy          // tells the truth and claims a hundred times the use
	conducts        // all that there is
)

// plot is what the dishonest ones of a seed are up to.
type plot struct {
	*world
	r         *rand.Rand
	dishonest map[account.Address]bool
	how       map[account.Address]int // of this attempt
}

const truth, lie = `{"color":"blue"}`, `{"color":"red"}`

// gives is what somebody answers in the present attempt; nil for nothing.
func (p *plot) gives(who account.Address) *verify.Output {
	if !p.dishonest[who] {
		return gave(truth, 100)
	}
	how := p.r.IntN(conducts)
	p.how[who] = how
	switch how {
	case lies:
		return gave(lie, 100)
	case lonely:
		return gave(fmt.Sprintf(`{"color":"%x"}`, who[:]), 100)
	case sleeps:
		return nil
	case greedy:
		return gave(truth, 10_000)
	}
	return gave(truth, 100)
}

// attempt plays one attempt of a job to its end, and gives the members of the committee that tell one lie.
func (p *plot) attempt(id digest.Hash) (liars int) {
	number, who := p.job(id).Attempt, p.committee(id)
	p.how = map[account.Address]int{}
	outputs := map[account.Address]*verify.Output{}
	for _, a := range who {
		if outputs[a] = p.gives(a); outputs[a] != nil {
			p.commits(id, a, outputs[a])
		}
	}
	for p.job(id).Status == market.Assigned && p.job(id).Attempt == number || p.job(id).Status == market.Executing {
		p.end()
	}
	if p.job(id).Status != market.Revealing {
		return 0
	}
	for _, a := range who {
		switch {
		case outputs[a] == nil:
		case p.dishonest[a] && p.how[a] == vanishes:
		case p.dishonest[a] && p.how[a] == crashes:
			p.must(p.v.Crash(p.Market, id, a, verify.OtherCrash))
		default:
			p.reveals(id, a, outputs[a])
		}
		if p.dishonest[a] && p.how[a] == lies {
			liars++
		}
	}
	for p.job(id).Status == market.Revealing {
		p.end()
	}
	return liars
}

var seeds = flag.Uint64("seeds", 100, "markets with dishonest runners that are simulated")

// Up to a third of the stake is dishonest, in every way there is. No honest runner loses stake or coins; who vanishes loses stake; a lie is paid for only where
// a threshold of the committee tells it, which no verification can see; every coin is accounted for in every block. -seeds 1000 plays more of them.
//
// Spec: WP §5.3, §5.4, §13; runner-marketplace §2.4, §5, §5.2, §8.1.
func TestAMarketWithDishonestRunners(t *testing.T) {
	captured, paid := 0, 0
	for seed := range *seeds {
		r := rand.New(rand.NewPCG(seed, 7))
		p := &plot{world: newWorld(t, 12), r: r, dishonest: map[account.Address]bool{}}
		everybody, err := runner.List(p.overlay, nil, 0)
		p.must(err)
		for _, n := range r.Perm(len(everybody))[:r.IntN(5)] { // all have one stake: 4 of 12 are a third
			p.dishonest[everybody[n].Address] = true
		}
		mode := []job.Mode{job.ModeMajorityVote, job.ModeStructuredMatch, job.ModeDeterministic}[seed%3]
		c, ok := p.play(mode)
		if captured += c; ok {
			paid++
		}
		for _, e := range everybody {
			if got := p.runner(e.Address); !p.dishonest[e.Address] && got.Stake != stake {
				t.Fatalf("seed %d: honest %v has a stake of %d", seed, e.Address, got.Stake)
			}
		}
	}
	if paid < int(*seeds)*3/4 || captured > paid/20 {
		t.Errorf("of %d jobs %d were paid for, %d of them for a lie", *seeds, paid, captured)
	}
	t.Logf("of %d jobs %d were paid for, %d of them for a lie", *seeds, paid, captured)
}

// play has one job done, and says whether it was paid for, and whether for a lie.
func (p *plot) play(mode job.Mode) (captured int, ok bool) {
	p.t.Helper()
	spec := ask(mode, func(s *job.Spec) {
		s.Verification.Runners, s.Verification.Threshold = 5, 3
		if mode == job.ModeStructuredMatch {
			s.Verification.Checks = []job.Check{{Kind: job.CheckStructuredMatch, Fields: []string{"color"}}}
		}
	})
	id, _ := p.assigned(spec)
	liars := 0
	for p.job(id).Status == market.Assigned {
		before := map[account.Address]*runner.Runner{}
		who := p.committee(id)
		for _, a := range who {
			before[a] = p.runner(a)
		}
		liars = p.attempt(id)
		for _, a := range who {
			lost := p.runner(a).Stake < before[a].Stake
			if vanished := p.dishonest[a] && p.how[a] == vanishes; lost != vanished {
				p.t.Fatalf("%v: lost %v, vanished %v", a, lost, vanished)
			}
		}
	}
	if p.job(id).Status != market.Challengeable {
		return 0, false
	}
	v, err := market.LoadResult(p.overlay, id)
	p.must(err)
	wanted := truth
	if string(v.Data) != truth {
		if wanted = lie; string(v.Data) != lie || liars < 3 {
			p.t.Fatalf("%s of %d liars is paid for", v.Data, liars)
		}
		captured = 1
	}
	for _, a := range v.Agreed {
		reveal, err := market.LoadReveal(p.overlay, id, a)
		p.must(err)
		if o, err := verify.DecodeOutput(reveal.Output); err != nil || string(o.Data) != wanted {
			p.t.Fatalf("%v is paid for %s: %v", a, o.Data, err)
		}
	}
	greed := len(v.Agreed) - len(slices.DeleteFunc(slices.Clone(v.Agreed), func(a account.Address) bool { return p.dishonest[a] && p.how[a] == greedy }))
	if 2*greed < len(v.Agreed) && v.Price != cby {
		p.t.Fatalf("%d of %d are greedy, and it costs %d", greed, len(v.Agreed), v.Price)
	}
	b := p.books(v.Agreed)
	p.settled(id)
	for _, a := range v.Agreed {
		if p.balance(a) <= b.of[a] {
			p.t.Fatalf("%v agreed and is not paid", a)
		}
	}
	return captured, true
}
