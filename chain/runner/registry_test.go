package runner

import (
	"fmt"
	"strings"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/tee"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// The stake is at least 10,000 CBY and one and a half times the largest job value, to the base unit.
//
// Spec: WP §5.2, §13 (runner_stake_floor), §17.7; runner-marketplace §2.5.
func TestStakeFloor(t *testing.T) {
	for _, c := range []struct {
		name         string
		value, least unit.Amount // base units; a CBY has 10^9
	}{
		{"no job value", 0, 10_000_000_000_000},
		{"two thirds of the floor", 6_666_666_666_666, 10_000_000_000_000},
		{"a base unit more is rounded up", 6_666_666_666_667, 10_000_000_000_001},
		{"odd", 10_000_000_000_001, 15_000_000_000_002},
		{"a million CBY", 1_000_000_000_000_000, 1_500_000_000_000_000},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld(t)
			w.refused(w.register(1, plain(1, c.least-1, c.value)), ErrStake)
			w.must(w.register(1, plain(1, c.least, c.value)))
			if got := w.runner(1); got.Stake != c.least || w.balance(Home()) != c.least {
				t.Errorf("stake %d, the registry holds %d", got.Stake, w.balance(Home()))
			}
		})
	}
}

// Spec: runner-marketplace §2.5, §3 (2), §8.
func TestRegister(t *testing.T) {
	const floor = params.RunnerStakeFloor
	w := newWorld(t)
	w.must(w.register(1, plain(1, floor, 0)))
	r := w.runner(1)
	if r.Status != Active || r.Registered != 1_000 || r.Heard != 1_000 || r.Reputation.Milli() != 50_000 || r.ActiveJobs != 0 {
		t.Errorf("%+v", r)
	}
	if r.Health(1_100) != Healthy || r.Health(1_101) != Unhealthy { // 100 blocks after the last word of it, and one more
		t.Error("health does not end after 100 blocks")
	}
	w.said(TopicRegistered + " 80c0caf384a302") // 10^13 as a varint
	w.refused(w.register(2, plain(1, floor, 0)), ErrKey)
	odd := plain(3, floor, 0)
	odd.Key[0] = 4
	w.refused(w.register(3, odd), ErrKey)

	// Who is registered declares itself anew and adds to its stake.
	again := plain(1, 7, 0)
	again.Endpoint = "quic://runner.example:7000"
	w.must(w.register(1, again))
	d, err := LoadDeclaration(w.overlay, keyOf(1).Address())
	if err != nil || d.Endpoint != again.Endpoint || w.runner(1).Stake != floor+7 || w.balance(Home()) != floor+7 {
		t.Errorf("%+v %v", d, err)
	}
	other := plain(1, 0, 0)
	other.Key = keyOf(2).Compressed()
	w.refused(w.register(1, other), ErrKey)
	w.refused(w.register(1, plain(1, 0, 10)), ErrCooldown) // another card
}

// What may be declared, at each bound.
//
// Spec: runner-marketplace §2.5.
func TestBoundsOfADeclaration(t *testing.T) {
	names := func(n int) (list []Name) {
		for i := range n {
			list = append(list, Name{string([]byte{'a' + byte(i/26/26), 'a' + byte(i/26%26), 'a' + byte(i%26)})})
		}
		return list
	}
	models := func(n int) (list []Model) {
		for i := range n {
			list = append(list, Model{digest.Hash{byte(i)}})
		}
		return list
	}
	for _, c := range []struct {
		name string
		edit func(t *Terms)
		ok   bool
	}{
		{"plain", func(*Terms) {}, true},
		{"no job types", func(t *Terms) { t.Capabilities.JobTypes = nil }, false},
		{"most job types", func(t *Terms) { t.Capabilities.JobTypes = names(MaxJobTypes) }, true},
		{"more job types", func(t *Terms) { t.Capabilities.JobTypes = names(MaxJobTypes + 1) }, false},
		{"most domains", func(t *Terms) { t.Capabilities.HTTPDomains = names(MaxDomains) }, true},
		{"more domains", func(t *Terms) { t.Capabilities.HTTPDomains = names(MaxDomains + 1) }, false},
		{"most regions", func(t *Terms) { t.Capabilities.Regions = names(MaxRegions) }, true},
		{"more regions", func(t *Terms) { t.Capabilities.Regions = names(MaxRegions + 1) }, false},
		{"most servers", func(t *Terms) { t.Card.SupportedMCPServers = names(MaxServers) }, true},
		{"more servers", func(t *Terms) { t.Card.SupportedMCPServers = names(MaxServers + 1) }, false},
		{"most models", func(t *Terms) { t.Card.SupportedModels = models(MaxModels) }, true},
		{"more models", func(t *Terms) { t.Card.SupportedModels = models(MaxModels + 1) }, false},
		{"a model twice", func(t *Terms) { t.Card.SupportedModels = make([]Model, 2) }, false},
		{"a type twice", func(t *Terms) { t.Capabilities.JobTypes = []Name{{"http"}, {"http"}} }, false},
		{"out of order", func(t *Terms) { t.Capabilities.JobTypes = []Name{{"llm"}, {"http"}} }, false},
		{"an empty name", func(t *Terms) { t.Capabilities.JobTypes = []Name{{""}} }, false},
		{"the longest name", func(t *Terms) { t.Capabilities.JobTypes = []Name{{strings.Repeat("x", 256)}} }, true},
		{"a longer name", func(t *Terms) { t.Capabilities.JobTypes = []Name{{strings.Repeat("x", 257)}} }, false},
		{"a name with a space", func(t *Terms) { t.Capabilities.JobTypes = []Name{{"l m"}} }, false},
		{"no jobs at once", func(t *Terms) { t.Capabilities.MaxConcurrentJobs = 0 }, false},
		{"most jobs at once", func(t *Terms) { t.Capabilities.MaxConcurrentJobs = MaxConcurrent }, true},
		{"more jobs at once", func(t *Terms) { t.Capabilities.MaxConcurrentJobs = MaxConcurrent + 1 }, false},
		{"least above most", func(t *Terms) { t.Card.MinJobValue = 1 }, false},
		{"more than all coins", func(t *Terms) { t.Card.MaxJobValue = params.GenesisSupply + 1 }, false},
		{"a cooldown of a year", func(t *Terms) { t.Card.CooldownBlocks = params.BlocksPerYear }, true},
		{"a longer cooldown", func(t *Terms) { t.Card.CooldownBlocks = params.BlocksPerYear + 1 }, false},
		{"the longest endpoint", func(t *Terms) { t.Endpoint = strings.Repeat("x", 256) }, true},
		{"a longer endpoint", func(t *Terms) { t.Endpoint = strings.Repeat("x", 257) }, false},
		{"a long word for its hardware", func(t *Terms) { t.Capabilities.TEESupport = strings.Repeat("x", 257) }, false},
		{"too long in all", func(t *Terms) {
			for i := range 64 {
				t.Capabilities.HTTPDomains = append(t.Capabilities.HTTPDomains, Name{strings.Repeat(string(rune('!'+i)), 256)})
			}
		}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld(t)
			terms := plain(1, params.GenesisSupply, 0)
			c.edit(&terms)
			err := w.register(1, terms)
			if c.ok {
				w.must(err)
				return
			}
			w.refused(err, ErrDeclaration)
		})
	}
}

// A card may be changed once in 3,600 blocks, or as its own cooldown says where that is longer.
//
// Spec: runner-marketplace §2.5; WP-January (one change per epoch); WP-January "Price Discovery: Posted Prices with Priority Tips".
func TestCooldown(t *testing.T) {
	w := newWorld(t)
	addr := keyOf(1).Address()
	w.must(w.register(1, plain(1, 2*params.RunnerStakeFloor, 0)))
	card := RateCard{LLMOutputToken: 4, CooldownBlocks: 5_000, MaxJobValue: 10_000 * unit.CBY}
	w.Height = 4_599
	w.refused(w.UpdateCard(addr, card), ErrCooldown)
	w.Height = 4_600
	w.refused(w.UpdateCard(addr, RateCard{MinJobValue: 1}), ErrDeclaration)
	w.refused(w.UpdateCard(addr, RateCard{MaxJobValue: 20_000 * unit.CBY}), ErrStake)
	w.refused(w.UpdateCard(keyOf(2).Address(), card), ErrUnknown)
	w.events = nil
	w.must(w.UpdateCard(addr, card))
	w.said(TopicCard + " 80c0caf384a302")
	w.Height = 9_599
	w.refused(w.UpdateCard(addr, card), ErrCooldown)
	w.Height = 9_600
	w.must(w.UpdateCard(addr, card))

	// Registering again with the same card is no change of it; with another one it is.
	same := plain(1, 0, 0)
	same.Card = card
	w.must(w.register(1, same))
	if d, err := LoadDeclaration(w.overlay, addr); err != nil || d.CardChanged != 9_600 {
		t.Errorf("%+v %v", d, err)
	}
	same.Card.MemoryMB = 1
	w.refused(w.register(1, same), ErrCooldown)
	w.Height = 14_600
	w.must(w.register(1, same))
}

// Spec: runner-marketplace §2.5 (health), §3 (4), §11.
func TestHeartbeat(t *testing.T) {
	w := newWorld(t)
	addr := keyOf(1).Address()
	w.refused(w.Heartbeat(addr, true), ErrUnknown)
	w.must(w.register(1, plain(1, params.RunnerStakeFloor, 0)))
	w.events = nil
	w.Height = 1_090
	w.must(w.Heartbeat(addr, true))
	w.said()
	if r := w.runner(1); r.Health(1_190) != Healthy || r.Health(1_191) != Unhealthy {
		t.Errorf("%+v", r)
	}
	w.must(w.Heartbeat(addr, false))
	w.said(TopicHealth + " 00")
	if r := w.runner(1); r.Health(1_090) != Inactive || r.Health(1_090).String() != "Paused" {
		t.Errorf("%+v", r)
	}
	w.must(w.Heartbeat(addr, true))
	w.said(TopicHealth + " 01")
}

// A runner that leaves is paid out after 7,200 blocks, to the base unit; a job that is open, and a challenge that may come, keep the stake. With the stake goes
// what it is bound to.
//
// Spec: runner-marketplace §3 (5), §7; tee §2.3.
func TestLeaving(t *testing.T) {
	w := newWorld(t)
	addr := keyOf(1).Address()
	w.must(w.register(1, plain(1, params.RunnerStakeFloor+5, 0)))
	w.refused(w.Deregister(keyOf(2).Address()), ErrUnknown)
	w.events = nil
	w.must(w.Deregister(addr))
	w.said(TopicLeaving + " 8840") // 8,200
	w.refused(w.Deregister(addr), ErrLeaving)
	w.refused(w.Heartbeat(addr, true), ErrLeaving)
	w.refused(w.UpdateCard(addr, RateCard{}), ErrLeaving)
	w.refused(w.register(1, plain(1, params.RunnerStakeFloor, 0)), ErrLeaving)
	if w.runner(1).Health(1_000) != Deregistered {
		t.Error("it is not gone")
	}
	w.Height = 8_199
	w.must(w.Release())
	w.said()

	r := w.runner(1)
	r.ActiveJobs = 1
	w.save(addr, r)
	tee.Ask(w.overlay, addr, []byte{1}, 8_150)
	w.Height = 8_200
	w.must(w.Release())
	r = w.runner(1)
	if a, err := tee.LoadAsked(w.overlay, addr); r.Leaves != 8_300 || a == nil || err != nil {
		t.Errorf("with a job open it leaves in block %d, bound by %v, %v", r.Leaves, a, err)
	}
	r.ActiveJobs, r.LockedUntil = 0, 9_000
	w.save(addr, r)
	w.Height = 8_300
	w.must(w.Release())
	if r = w.runner(1); r.Leaves != 9_001 {
		t.Errorf("while a challenge may come it leaves in block %d", r.Leaves)
	}
	w.Height = 9_001
	w.must(w.Release())
	w.said(TopicReleased + " 85c0caf384a302")
	if _, ok, err := Load(w.overlay, addr); ok || err != nil || w.balance(addr) != params.RunnerStakeFloor+5 || w.balance(Home()) != 0 {
		t.Errorf("%v %v: it has %d, the registry %d", ok, err, w.balance(addr), w.balance(Home()))
	}
	if _, err := LoadDeclaration(w.overlay, addr); err == nil {
		t.Error("its declaration is still there")
	}
	if a, err := tee.LoadAsked(w.overlay, addr); a != nil || err != nil {
		t.Errorf("what it is bound to is still there: %v, %v", a, err)
	}
	w.must(w.register(1, plain(1, params.RunnerStakeFloor, 0))) // and may come back
}

// Many leave in one block: the end of a block pays out 32 of them.
//
// Spec: runner-marketplace §7.
func TestReleaseIsBounded(t *testing.T) {
	w := newWorld(t)
	for n := range byte(releasesPerBlock + 3) {
		w.must(w.register(n, plain(n, params.RunnerStakeFloor, 0)))
		w.must(w.Deregister(keyOf(n).Address()))
	}
	w.Height += params.RunnerUnbondingBlocks
	for _, left := range []int{3, 0} {
		w.must(w.Release())
		if list, err := List(w.overlay, nil, 0); err != nil || len(list) != left {
			t.Errorf("%d are left (%v), want %d", len(list), err, left)
		}
	}
}

// Who registers ten thousand times is one runner with one stake and one place in each list: state is what the first time made it, but for coins that were
// added. Who has too little stake for one is none, however often it tries.
//
// Spec: CIP-2 §3; runner-marketplace §2.5.
func TestTenThousandRegistrations(t *testing.T) {
	w := newWorld(t)
	keys := func() (n int) {
		w.must(w.overlay.Scan(account.KeyString(account.KindRecord, Home(), ""), nil, 0, func(_, _ []byte) bool { n++; return true }))
		return n
	}
	w.must(w.register(1, plain(1, params.RunnerStakeFloor, 0)))
	first := keys()
	addr, again := keyOf(1).Address(), plain(1, 1, 0)
	w.must(account.Credit(w.overlay, Home(), 10_000))
	for range 10_000 {
		w.must(w.Register(addr, again))
	}
	stranger, poor := keyOf(2).Address(), plain(2, params.RunnerStakeFloor-1, 0)
	for range 10_000 {
		w.refused(w.Register(stranger, poor), ErrStake)
	}
	if list, err := List(w.overlay, nil, 0); err != nil || len(list) != 1 || keys() != first || w.runner(1).Stake != params.RunnerStakeFloor+10_000 {
		t.Errorf("%d runners (%v), %d keys, %d of the first time", len(list), err, keys(), first)
	}
	w.must(w.Deregister(keyOf(1).Address()))
	w.Height += params.RunnerUnbondingBlocks
	w.must(w.Release())
	if left := keys(); left != 0 || w.balance(keyOf(1).Address()) != params.RunnerStakeFloor+10_000 {
		t.Errorf("%d keys are left", left)
	}
}

// What a slash takes and who has it, by hand.
//
// Spec: WP §5.3, §8.4, §13; runner-marketplace §7, §8, §8.1.
func TestSlash(t *testing.T) {
	submitter, treasury := account.Address{9}, account.System(account.Treasury)
	const cby = unit.CBY
	for _, c := range []struct {
		name                        string
		stake                       unit.Amount
		bps                         uint32
		limit                       unit.Amount
		split                       params.SlashSplit
		lost, burned, reward, chest unit.Amount
		suspended                   bool
	}{
		{"genesis burns all", 20_000 * cby, 2_500, 100_000 * cby, params.SlashSplit{BurnBPS: 10_000}, 5_000 * cby, 5_000 * cby, 0, 0, false},
		{"below the floor", 10_000 * cby, 2_500, 100_000 * cby, params.SlashSplit{BurnBPS: 10_000}, 2_500 * cby, 2_500 * cby, 0, 0, true},
		{"at the cap", 1_000_000 * cby, 2_500, 100_000 * cby, params.SlashSplit{BurnBPS: 10_000}, 100_000 * cby, 100_000 * cby, 0, 0, false},
		{"three ways, the remainder is burned", 10_000*cby + 7, 3_000, 100_000 * cby,
			params.SlashSplit{BurnBPS: 3_333, SubmitterBPS: 3_334, TreasuryBPS: 3_333},
			3_000_000_000_002, 999_900_000_002, 1_000_200_000_000, 999_900_000_000, true},
		{"nothing", 10_000 * cby, 0, 100_000 * cby, params.SlashSplit{BurnBPS: 10_000}, 0, 0, 0, 0, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld(t)
			addr := keyOf(1).Address()
			w.must(w.register(1, plain(1, c.stake, 0)))
			p := *w.Params
			p.SlashDistribution = c.split
			w.Params = &p
			w.Height = 1_500
			lost, burned, err := w.Slash(addr, c.bps, c.limit, submitter)
			w.must(err)
			if lost != c.lost || burned != c.burned || w.balance(submitter) != c.reward || w.balance(treasury) != c.chest {
				t.Errorf("lost %d, burned %d, reward %d, treasury %d", lost, burned, w.balance(submitter), w.balance(treasury))
			}
			r := w.runner(1)
			if w.balance(Home()) != c.stake-c.lost || r.Stake != c.stake-c.lost || r.Reputation != 0 || (r.Status == Suspended) != c.suspended {
				t.Errorf("%+v, the registry holds %d", r, w.balance(Home()))
			}
			if !c.suspended {
				return
			}
			w.refused(w.Heartbeat(addr, true), ErrSuspended)
			w.refused(w.register(1, plain(1, c.lost-8, 0)), ErrStake)
			w.must(w.register(1, plain(1, c.lost, 0)))
			if r := w.runner(1); r.Status != Active || r.Reputation.Milli() != 50_000 || r.Heard != 1_500 {
				t.Errorf("back: %+v", r)
			}
		})
	}
	w := newWorld(t)
	_, _, err := w.Slash(account.Address{1}, 1, 1, submitter)
	w.refused(err, ErrUnknown)
}

// Below a reputation of 60, and for 3,600 blocks after registration, a runner is on probation.
//
// Spec: runner-marketplace §8.2.
func TestProbation(t *testing.T) {
	for _, c := range []struct {
		points uint64
		age    unit.Height
		want   bool
	}{{60, 3_600, false}, {59, 3_600, true}, {60, 3_599, true}, {200, 0, true}} {
		t.Run(fmt.Sprintf("%d points at age %d", c.points, c.age), func(t *testing.T) {
			r := Runner{Reputation: ReputationOf(c.points), Registered: 10}
			if got := r.OnProbation(10 + c.age); got != c.want {
				t.Error(got)
			}
		})
	}
}
