package params

import (
	"bytes"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// The whitepaper's list, written out a second time.
// Spec: WP §5.1a, §12.1, §13, §13.1, §17; ENT §9.11.
func TestGenesisIsTheWhitepapers(t *testing.T) {
	p := Genesis()
	if err := p.Validate(); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name      string
		got, want uint64
	}{
		{"T_c", uint64(p.Basefee.CycleTarget), 20_000_000},
		{"T_b", uint64(p.Basefee.CellTarget), 4_000_000},
		{"basefee_alpha", p.Basefee.Alpha, 96},
		{"basefee_max_change", p.Basefee.ChangeDenominator, 96},
		{"MIN_BASEFEE", MinBasefee, 10_000},
		{"memory_per_call", MemoryPerCallBytes, 10_485_760},
		{"storage_quota_per_actor", p.Limits.BaseQuotaBytes, 1_048_576},
		{"reentrancy_depth", ReentrancyDepth, 32},
		{"fanout_per_tx", FanoutPerTx, 1024},
		{"mailbox_capacity_bytes", MailboxBytes, 1_000_000},
		{"dedup_window", DedupWindowBlocks, 10_000},
		{"max_tx_size", p.Limits.MaxTxBytes, 131_072},
		{"max_message_depth_per_tx", uint64(p.Limits.MaxMessageDepth), 32},
		{"per_actor_per_block_cycles", uint64(p.Limits.PerActorPerBlockCycles), 1_000_000},
		{"epoch", EpochBlocks, 3600},
		{"unbonding", UnbondingBlocks, 7 * 24 * 3600},
		{"jail", JailBlocks, 24 * 3600},
		{"challenge window", ChallengeWindowBlocks, 15 * 60},
		{"max_timers_per_actor", uint64(p.Timer.MaxTimersPerActor), 1024},
		{"max_cycles_per_fire", uint64(p.Timer.MaxCyclesPerFire), 550_000},
		{"max_cells_per_fire", uint64(p.Timer.MaxCellsPerFire), 550_000},
		{"max_ttl_blocks", p.Timer.MaxTTLBlocks, 2_592_000},
		{"gc_cycles_per_block", uint64(p.Timer.GCCyclesPerBlock), 5_000_000},
		{"rent_rate, base units per byte and year", uint64(p.Rent.RatePerByteYear), 1_000_000},
		{"rent_epoch_length", p.Rent.EpochBlocks, 86_400},
		{"grace_threshold", p.Rent.GraceBytes, 10_240},
		{"eviction_threshold_epochs", uint64(p.Rent.EvictionEpochs), 10},
		{"rent_catchup_bps", uint64(p.Rent.CatchupBPS), 1_000},
		{"reserve_multiplier, bps", uint64(p.Rent.ReserveBPS), 1_000},
		{"runner payout", uint64(p.Settlement.RunnerBPS), 8_900},
		{"runner_fee_burn", uint64(p.Settlement.BurnBPS), 1_000},
		{"job_fee_to_treasury", uint64(p.Settlement.TreasuryBPS), 100},
		{"slash burn_bps", uint64(p.SlashDistribution.BurnBPS), 10_000},
		{"reputation_half_life_blocks", p.Reputation.HalfLifeBlocks, 1_209_600},
		{"aggregator percentile", uint64(p.Reputation.AggregatorPercentile), 50},
		{"aggregator_bonus_bps", uint64(p.Aggregator.BonusBPS), 150},
		{"non_reveal_slash_bps", uint64(p.NonReveal.SlashBPS), 2_500},
		{"M", uint64(p.Committee.Members), 5},
		{"N", uint64(p.Committee.Threshold), 3},
		{"DEPRECATION_WINDOW", p.Entitlements.WindowBlocks, 604_800},
		{"supply", uint64(GenesisSupply), 1_000_000_000_000_000_000},
		{"lane multiplier", uint64(p.Lanes.User), 1_000_000},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.got != c.want {
				t.Errorf("%s is %d, want %d", c.name, c.got, c.want)
			}
		})
	}
}

// Spec: WP §4.3, §17.9.
func TestLanesSumToTheCap(t *testing.T) {
	var sum unit.Cycles
	for l := range LaneCount {
		sum += l.Budget()
	}
	if sum != BlockCycles {
		t.Errorf("lanes sum to %d", sum)
	}
	if BlockCycles != 4*Genesis().Basefee.CycleTarget {
		t.Error("the cap is not four times the target")
	}
	if LaneCount.Budget() != 0 || LaneCount.String() != "unknown" {
		t.Error("a lane too many")
	}
}

// Spec: WP §8.2.
func TestInflationSchedule(t *testing.T) {
	for year, want := range []uint64{0, 800, 600, 400, 300, 200, 200} {
		if got := InflationBPS(uint64(year)); got != want {
			t.Errorf("year %d: %d", year, got)
		}
	}
	if InflationBPS(1<<63) != 200 {
		t.Error("the floor ends")
	}
}

// Spec: WP §6.3, §17.9 (lane_basefee = global_basefee × lane_fee_multiplier).
func TestScale(t *testing.T) {
	m := LaneMultipliers{System: 1_000_000, Timer: 500_000, Runner: 1_500_000, User: 1}
	for i, c := range []struct {
		lane     Lane
		fee      uint64
		want     uint64
		overflow bool
	}{
		{LaneSystem, 10_000, 10_000, false}, {LaneSystem, 1<<64 - 1, 1<<64 - 1, false},
		{LaneTimer, 10_001, 5_001, false}, {LaneRunner, 10_000, 15_000, false}, {LaneUser, 10_000, 1, false},
		{LaneUser, 0, 0, false}, {LaneRunner, 1<<64 - 1, 0, true},
	} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			got, err := m.Scale(Basefees{c.fee, c.fee}, c.lane)
			if errors.Is(err, unit.ErrOverflow) != c.overflow || !c.overflow && (got != Basefees{c.want, c.want}) {
				t.Errorf("%v of %d: %+v, %v", c.lane, c.fee, got, err)
			}
		})
	}
}

// newState is an empty state.
func newState() *state.Overlay {
	return state.New(state.Config{}, state.NewMemory(state.Config{})).Overlay()
}

// broken is a state whose every read fails.
type broken struct {
	state.Reader
	fail error
}

func (b broken) Lookup([]byte) ([]byte, bool, error) { return nil, false, b.fail }

// Spec: WP §13.1.
func TestSaveAndLoad(t *testing.T) {
	store := newState()
	if p, err := Load(store); err != nil || !reflect.DeepEqual(p, Genesis()) {
		t.Errorf("empty store: %+v, %v", p, err)
	}
	p := Genesis()
	p.Basefee.Alpha = 48
	p.Lanes.Timer = 2_000_000
	p.Timer.MaxTTLBlocks = 5
	p.Hybrid.ActivationHeight = 77
	p.Rent.TargetStateBytes = 100
	p.Limits.MaxTxBytes = 2_000
	p.Stake.MinimumValidatorStake = 9
	p.Settlement = Split{1, 2, 9_997}
	p.SlashDistribution = SlashSplit{0, 5_000, 5_000}
	p.Reputation.HalfLifeBlocks = 1
	p.Aggregator.BonusBPS = 0
	p.NonReveal.SlashBPS = 10_000
	p.Committee = CommitteeConfig{9, 6}
	p.SimilarityModel = "other"
	p.Administrators = []account.Address{{1}, {2}}
	p.Entitlements = EntitlementConfig{9, true, []Deprecation{{"a", 3, 1 << 40}, {"b", 0, 0}}}
	p.Governance.HourBlocks, p.Governance.Tiers[4].TimelockHours, p.Governance.ReviewHours = 2, 1, 9
	p.Save(store)
	if got, err := Load(store); err != nil || !reflect.DeepEqual(got, p) {
		t.Errorf("%+v, %v", got, err)
	}
	for _, g := range p.Groups() {
		key := StateKey(g.Key)
		if _, addr, suffix, ok := account.SplitKey(key); !ok || addr != account.System(9) || string(suffix) != g.Key {
			t.Errorf("%s lives at %x", g.Key, key)
		}
		good, _, _ := store.Lookup(key)
		store.Set(key, append(bytes.Clone(good), 0))
		if _, err := Load(store); !errors.Is(err, ErrInvalid) || !errors.Is(err, codec.ErrTrailing) {
			t.Errorf("%s with a byte too many: %v", g.Key, err)
		}
		store.Set(key, good)
	}
	failure := errors.New("disk on fire")
	if _, err := Load(broken{fail: failure}); !errors.Is(err, failure) || errors.Is(err, ErrInvalid) {
		t.Errorf("a failing source: %v", err)
	}
	if err := p.Replace("system:no_such_thing", nil); !errors.Is(err, ErrInvalid) {
		t.Errorf("unknown group: %v", err)
	}
}

// Spec: WP §13.1.
func TestValidateRefusals(t *testing.T) {
	for name, edit := range map[string]func(*Params){
		"zero alpha":               func(p *Params) { p.Basefee.Alpha = 0 },
		"zero delta":               func(p *Params) { p.Basefee.ChangeDenominator = 0 },
		"zero cycle target":        func(p *Params) { p.Basefee.CycleTarget = 0 },
		"unreachable cycle target": func(p *Params) { p.Basefee.CycleTarget = BlockCycles + 1 },
		"zero cell target":         func(p *Params) { p.Basefee.CellTarget = 0 },
		"zero multiplier":          func(p *Params) { p.Lanes.Runner = 0 },
		"huge multiplier":          func(p *Params) { p.Lanes.User = 1_000*MultiplierOne + 1 },
		"no time to live":          func(p *Params) { p.Timer.MaxTTLBlocks = 0 },
		"a fire above the lane":    func(p *Params) { p.Timer.MaxCyclesPerFire = LaneTimerCycles + 1 },
		"no cells per fire":        func(p *Params) { p.Timer.MaxCellsPerFire = 0 },
		"no timers":                func(p *Params) { p.Timer.MaxTimersPerActor = 0 },
		"cleanup below one":        func(p *Params) { p.Timer.GCCyclesPerBlock = TimerGCCyclesPerRemoval - 1 },
		"hybrid fire":              func(p *Params) { p.Hybrid.MaxCyclesPerFire = 0 },
		"rent epoch":               func(p *Params) { p.Rent.EpochBlocks = 0 },
		"eviction at once":         func(p *Params) { p.Rent.EvictionEpochs = 0 },
		"catch-up":                 func(p *Params) { p.Rent.CatchupBPS = 10_001 },
		"reserve":                  func(p *Params) { p.Rent.ReserveBPS = 10_001 },
		"tx size above the cap":    func(p *Params) { p.Limits.MaxTxBytes = MaxTxBytes + 1 },
		"tx size unusable":         func(p *Params) { p.Limits.MaxTxBytes = 100 },
		"depth":                    func(p *Params) { p.Limits.MaxMessageDepth = 33 },
		"actor cycles":             func(p *Params) { p.Limits.PerActorPerBlockCycles = 0 },
		"quota":                    func(p *Params) { p.Limits.BaseQuotaBytes = MaxQuotaBytes + 1 },
		"stake":                    func(p *Params) { p.Stake.MinimumValidatorStake = 0 },
		"split":                    func(p *Params) { p.Settlement.BurnBPS++ },
		"split wraps":              func(p *Params) { p.Settlement = Split{1<<32 - 1, 10_001, 0} },
		"slash split":              func(p *Params) { p.SlashDistribution.BurnBPS-- },
		"half-life":                func(p *Params) { p.Reputation.HalfLifeBlocks = 0 },
		"percentile":               func(p *Params) { p.Reputation.AggregatorPercentile = 101 },
		"bonus":                    func(p *Params) { p.Aggregator.BonusBPS = 10_001 },
		"non-reveal":               func(p *Params) { p.NonReveal.SlashBPS = 10_001 },
		"committee of two":         func(p *Params) { p.Committee = CommitteeConfig{2, 2} },
		"committee of ten":         func(p *Params) { p.Committee = CommitteeConfig{10, 7} },
		"no majority":              func(p *Params) { p.Committee = CommitteeConfig{6, 3} },
		"threshold above":          func(p *Params) { p.Committee = CommitteeConfig{5, 6} },
		"entitlements, order": func(p *Params) {
			p.Entitlements.Deprecated = []Deprecation{{ID: "b", Until: 1}, {ID: "a", Until: 1}}
		},
		"entitlements, twice":     func(p *Params) { p.Entitlements.Deprecated = []Deprecation{{ID: "a"}, {ID: "a"}} },
		"entitlements, no id":     func(p *Params) { p.Entitlements.Deprecated = []Deprecation{{Until: 1}} },
		"entitlements, backwards": func(p *Params) { p.Entitlements.Deprecated = []Deprecation{{ID: "a", From: 2, Until: 1}} },
		"entitlements, no end":    func(p *Params) { p.Entitlements.Deprecated = []Deprecation{{ID: "a", Until: 1<<64 - 1}} },
		"entitlements, no window": func(p *Params) { p.Entitlements.WindowBlocks = 0 },
		"entitlements, too many":  func(p *Params) { p.Entitlements.Deprecated = make([]Deprecation, MaxDeprecations+1) },
		"administrators":          func(p *Params) { p.Administrators = []account.Address{{2}, {1}} },
		"too many administrators": func(p *Params) {
			for i := range MaxAdministrators + 1 {
				p.Administrators = append(p.Administrators, account.Address{byte(i)})
			}
		},
		"governance, no hour":      func(p *Params) { p.Governance.HourBlocks = 0 },
		"governance, a long hour":  func(p *Params) { p.Governance.HourBlocks = BlocksPerHour + 1 },
		"governance, no vote":      func(p *Params) { p.Governance.Tiers[2].VoteHours = 0 },
		"governance, no timelock":  func(p *Params) { p.Governance.Tiers[2].TimelockHours = 0 },
		"governance, a long check": func(p *Params) { p.Governance.Tiers[3].CheckHours = 2_161 },
		"governance, a long vote":  func(p *Params) { p.Governance.Tiers[3].VoteHours = 2_161 - 72 },
		"governance, everybody":    func(p *Params) { p.Governance.Tiers[4].StakeBPS = 10_000 },
		"governance, validators":   func(p *Params) { p.Governance.Tiers[4].ValidatorBPS = 10_000 },
		"governance, quorum":       func(p *Params) { p.Governance.Tiers[4].QuorumBPS = 10_001 },
		"governance, deposit":      func(p *Params) { p.Governance.Tiers[0].Deposit = GenesisSupply + 1 },
		"governance, fast":         func(p *Params) { p.Governance.FastApprovalBPS = 10_000 },
		"governance, turnout":      func(p *Params) { p.Governance.CheckTurnoutBPS = 10_001 },
		"governance, extensions":   func(p *Params) { p.Governance.Extensions = 17 },
		"governance, short pause":  func(p *Params) { p.Governance.PauseHours = 1 },
		"governance, no pause":     func(p *Params) { p.Governance.RatifyHours = 0 },
		"governance, no review":    func(p *Params) { p.Governance.ReviewCancels = 0 },
		"governance, reviews":      func(p *Params) { p.Governance.ReviewCancels = 17 },
		"model name":               func(p *Params) { p.SimilarityModel = string(make([]byte, MaxModelNameBytes+1)) },
	} {
		t.Run(name, func(t *testing.T) {
			p := Genesis()
			edit(p)
			if err := p.Validate(); !errors.Is(err, ErrInvalid) {
				t.Errorf("%s: %v", name, err)
			}
		})
	}
}

// Whatever a group decodes from is what it encodes to. Spec: WP §2.5, §13.1.
func FuzzReplace(f *testing.F) {
	for i, g := range Genesis().Groups() {
		f.Add(uint8(i), g.Value)
	}
	f.Fuzz(func(t *testing.T, group uint8, data []byte) {
		p := Genesis()
		i := int(group) % len(p.Groups())
		key := p.Groups()[i].Key
		if p.Replace(key, data) == nil && !bytes.Equal(p.Groups()[i].Value, data) {
			t.Errorf("%s: %x encodes to %x", key, data, p.Groups()[i].Value)
		}
	})
}

// A list of administrators has one encoding: ascending, each once.
//
// Spec: WP §2.5, §13.1.
func TestAdministratorsAscend(t *testing.T) {
	one, two := account.Address{1}, account.Address{2}
	for name, x := range map[string]struct {
		list []account.Address
		want error
	}{
		"none": {nil, nil}, "ascending": {[]account.Address{one, two}, nil}, "descending": {[]account.Address{two, one}, codec.ErrOrder},
		"twice": {[]account.Address{one, one}, codec.ErrOrder},
	} {
		t.Run(name, func(t *testing.T) {
			r := codec.NewReader(appendAdministrators(x.list))
			got := readAdministrators(r)
			if err := r.Finish(); !errors.Is(err, x.want) || err == nil && !slices.Equal(got, x.list) {
				t.Errorf("%s: %v, %v", name, got, err)
			}
		})
	}
}

// TestLoadReadsEveryGroup: what Load looks for is what Save writes, and nothing else is a group.
//
// Spec: WP §13.1.
func TestLoadReadsEveryGroup(t *testing.T) {
	var names []string
	for _, g := range Genesis().Groups() {
		names = append(names, g.Key)
		if !Holds(StateKey(g.Key)) {
			t.Errorf("%s is not held", g.Key)
		}
	}
	if keys := groupKeys(); !slices.Equal(names, keys[:]) {
		t.Errorf("groups %v, keys %v", names, keys)
	}
	for _, key := range [][]byte{nil, StateKey("system:other"), StateKey(KeyLimits + "x"),
		account.KeyString(account.KindStorage, account.Address{1}, KeyLimits)} {
		if Holds(key) {
			t.Errorf("%x is held", key)
		}
	}
}

// What the document gives in days is, at genesis, that many days of blocks; the largest values that Validate takes are one inside its bounds.
//
// Spec: governance-staking B3, B5, B6, B7.
func TestGenesisGovernance(t *testing.T) {
	c := Genesis().Governance
	day := unit.Height(86_400)
	for i, want := range [...]struct {
		deposit                 unit.Amount
		check, vote, timelock   unit.Height // days
		quorum, stake, validate uint32      // per cent
	}{
		{1_000, 3, 5, 3, 5, 50, 50}, {5_000, 3, 5, 5, 10, 50, 50}, {5_000, 5, 7, 7, 15, 55, 50},
		{25_000, 7, 7, 7, 15, 60, 50}, {100_000, 14, 14, 14, 20, 66, 66},
	} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			x := c.Tiers[i]
			if x.Deposit != want.deposit*unit.CBY || c.Blocks(x.CheckHours) != want.check*day || c.Blocks(x.VoteHours) != want.vote*day ||
				c.Blocks(x.TimelockHours) != want.timelock*day || x.QuorumBPS != 100*want.quorum || x.StakeBPS != 100*want.stake ||
				x.ValidatorBPS != 100*want.validate {
				t.Errorf("tier %d: %+v", i, x)
			}
		})
	}
	if c.Blocks(c.FastTimelockHours) != 21_600 || c.Blocks(c.FastVoteHours) != day || c.Blocks(c.PauseHours) != 7*day || c.Blocks(c.RatifyHours) != 30*day {
		t.Errorf("%+v", c)
	}
	p := Genesis()
	p.Governance.Tiers[3] = GovernanceTier{
		Deposit: GenesisSupply, CheckHours: 2_160, VoteHours: 2_160 - 72, QuorumBPS: 10_000, StakeBPS: 9_999, ValidatorBPS: 9_999, TimelockHours: 1,
	}
	p.Governance.PauseHours, p.Governance.ReviewCancels, p.Governance.Extensions = 2, 16, 3
	if err := p.Validate(); err != nil {
		t.Error(err)
	}
	for _, key := range groupKeys() {
		if _, ok := TierOf(key); !ok {
			t.Errorf("%s has no tier", key)
		}
	}
	if _, ok := TierOf("system:other"); ok {
		t.Error("a key that is no group has a tier")
	}
}

// The committees at the borders of what a network may have: as few and as many members as there may be, a bare majority and everybody.
//
// Spec: WP §5.3 (3 ≤ M ≤ 9, N of M).
func TestCommitteeBorders(t *testing.T) {
	for _, c := range []CommitteeConfig{{3, 2}, {3, 3}, {4, 3}, {9, 5}, {9, 9}} {
		t.Run(fmt.Sprint(c), func(t *testing.T) {
			if err := c.Validate(); err != nil {
				t.Error(err)
			}
		})
	}
}
