package timer

import (
	"errors"
	"fmt"
	"math/big"
	"math/rand"
	"slices"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/fee"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// A hint multiplies the priority that the default policy offers in the block the timer is due in, rounded down and at most what 64 bits hold; it is
// nothing beside a bid, and no other name is one.
//
// Spec: WP §5.1b (0.8×, 1.0×, 1.5×, 2.5×); scheduler-timers §9.5.
func TestTier(t *testing.T) {
	market := Market{Basefee: 10_000, Tip: 1_001}
	for name, want := range map[string]uint64{"economy": 800, "standard": 1_001, "fast": 1_501, "urgent": 2_502} {
		t.Run(name, func(t *testing.T) {
			tier, ok := ParseTier(name)
			if !ok || tier.String() != name {
				t.Fatalf("%s: %v", name, tier)
			}
			timer := Timer{Tier: tier}
			if most, priority := market.Bid(&timer); most != 20_000 || priority != want {
				t.Errorf("%s: %d, %d", name, most, priority)
			}
			timer.MaxPriority = &market.Tip
			if _, priority := market.Bid(&timer); priority != 1_001 {
				t.Errorf("%s beside a bid: %d", name, priority)
			}
			if back, err := Decode(ID{}, timer.Encode()); err != nil || back.Tier != tier {
				t.Errorf("%s: %v, %v", name, back.Tier, err)
			}
		})
	}
	for _, name := range []string{"", "Fast", "slow", "fast "} {
		if _, ok := ParseTier(name); ok {
			t.Errorf("%q is a tier", name)
		}
	}
	if got := Urgent.Scale(^uint64(0)); got != ^uint64(0) {
		t.Errorf("urgent at the end of 64 bits: %d", got)
	}
	if got := Urgent.Scale((^uint64(0)) / 5 * 2); got != ^uint64(0) {
		t.Errorf("the last that fits: %d", got)
	}
	timer := Timer{}
	data := timer.Encode()
	data[len(data)-1] = byte(tierCount)
	if _, err := Decode(ID{}, data); err == nil {
		t.Error("a fifth tier decodes")
	}
}

// Target half the lane, one eighth per block: idle ×0.875, half ×1, full ×1.125; at 56.25 % and more already ×1.125.
//
// Spec: WP §5.1b; scheduler-timers §9.1, §12.
func TestMarketNext(t *testing.T) {
	const lane = uint64(params.LaneTimerCycles)
	for i, c := range []struct{ basefee, used, want uint64 }{
		{800_000, 0, 700_000},
		{800_000, lane / 2, 800_000},
		{800_000, lane, 900_000},
		{800_000, lane*5_625/10_000 + 1, 900_000},
		{800_000, lane/2 + lane/32, 849_999}, // half of the way, a hair under 1/16
		{10_000, 0, 10_000},
		{10_001, 0, 10_000},
	} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			m, err := Market{Basefee: c.basefee}.Next(unit.Cycles(c.used), nil)
			if err != nil || m.Basefee != c.want {
				t.Errorf("%d at %d: %d, want %d (%v)", c.basefee, c.used, m.Basefee, c.want, err)
			}
			if m.Burned != unit.Amount(c.used*c.basefee) {
				t.Errorf("burned %d", m.Burned)
			}
		})
	}
	m, _ := Market{Basefee: 10_000}.Next(0, []uint64{9, 1, 5, 7})
	if m.Tip != 5 {
		t.Errorf("median tip %d", m.Tip)
	}
	s := newStore(t)
	if m, err := LoadMarket(s); err != nil || m.Basefee != params.MinBasefee {
		t.Errorf("before the phase %+v %v", m, err)
	}
	m.Save(s)
	if back, err := LoadMarket(s); err != nil || back != m {
		t.Errorf("round trip %+v %v", back, err)
	}
}

// Spec: WP §5.1b; scheduler-timers §9.2, §9.5.
func TestMarketBids(t *testing.T) {
	m := Market{Basefee: 100, Tip: 7}
	bid := func(most, priority uint64) *Timer { return &Timer{MaxFee: &most, MaxPriority: &priority} }
	for name, c := range map[string]struct {
		t        *Timer
		priority uint64
		ok       bool
	}{
		"default policy":       {&Timer{}, 7, true},
		"whole priority":       {bid(150, 20), 20, true},
		"what the maximum has": {bid(110, 20), 10, true},
		"at the basefee":       {bid(100, 20), 0, true},
		"below it":             {bid(99, 20), 0, false},
	} {
		t.Run(name, func(t *testing.T) {
			if p, ok := m.Priority(c.t); p != c.priority || ok != c.ok {
				t.Errorf("%s: %d %v", name, p, ok)
			}
		})
	}
	price, err := m.Price(fee.Rates{Cycle: 1_000, Cell: 9}, 5)
	if err != nil || price.Base != (fee.Rates{Cycle: 1_100, Cell: 9}) || price.Max != (fee.Rates{Cycle: 1_105, Cell: 9}) || price.Tip.Cycle != 5 {
		t.Errorf("%+v %v", price, err)
	}
	low, most, much := uint64(99), uint64(130), uint64(50)
	if _, _, err := m.Clamp(&low, nil); !errors.Is(err, ErrBelowBasefee) {
		t.Error("below the basefee")
	}
	if cut, clamped, err := m.Clamp(&most, &much); err != nil || !clamped || *cut != 30 {
		t.Error("not clamped")
	}
	if cut, clamped, _ := m.Clamp(nil, &much); clamped || cut != &much {
		t.Error("clamped without a maximum")
	}
}

// weight is W as a rational: score over priority, unscaled.
func weight(f *Fairness, fires uint64) *big.Rat {
	hi, lo := f.Score(1_000_000, fires)
	if hi != 0 {
		panic("weight")
	}
	return big.NewRat(int64(lo), 1_000_000*int64(f.twiceMedian()))
}

// W(0) = 2, W(median) = 2, W(1.5·median) = 1.5, W(2·median) = 1 and stays there.
//
// Spec: WP §5.1b; scheduler-timers §9.3, §12.
func TestWeight(t *testing.T) {
	f := &Fairness{histogram: []bin{{4, 1}, {10, 3}, {50, 1}}} // median 10
	for fires, want := range map[uint64]*big.Rat{
		0: big.NewRat(2, 1), 5: big.NewRat(2, 1), 10: big.NewRat(2, 1), 15: big.NewRat(3, 2), 20: big.NewRat(1, 1),
		21: big.NewRat(1, 1), 1 << 40: big.NewRat(1, 1), 12: big.NewRat(9, 5),
	} {
		t.Run(fmt.Sprint(fires), func(t *testing.T) {
			if got := weight(f, fires); got.Cmp(want) != 0 {
				t.Errorf("W(%d) = %v, want %v", fires, got, want)
			}
		})
	}
	even := &Fairness{histogram: []bin{{1, 1}, {2, 1}}} // median 1.5
	if got := weight(even, 2); got.Cmp(big.NewRat(5, 3)) != 0 {
		t.Errorf("W over a half median: %v", got)
	}
	if got := weight(&Fairness{}, 0); got.Cmp(big.NewRat(2, 1)) != 0 {
		t.Errorf("W at activation: %v", got)
	}
}

// The sliding counts against a plain recount of the last 1,000 blocks.
//
// Spec: scheduler-timers §9.3.
func TestFairnessWindow(t *testing.T) {
	s := newStore(t)
	rng := rand.New(rand.NewSource(4))
	history := map[unit.Height][]Fires{}
	for h := unit.Height(1); h <= 2_300; h++ {
		var fires []Fires
		for n := byte(1); n < 6; n++ {
			if rng.Intn(40) == 0 {
				fires = append(fires, Fires{at(n), uint64(1 + rng.Intn(3))})
			}
		}
		history[h] = fires
		f, err := LoadFairness(s)
		if err != nil {
			t.Fatal(err)
		}
		if err := f.Advance(s, h, fires); err != nil {
			t.Fatal(err)
		}
		if h%50 != 0 {
			continue
		}
		sums := map[account.Address]uint64{}
		for old := unit.Height(1); old <= h; old++ {
			if uint64(h-old) < params.FairnessWindowBlocks {
				for _, x := range history[old] {
					sums[x.Owner] += x.Count
				}
			}
		}
		var all []uint64
		for n := byte(1); n < 6; n++ {
			got, err := Sum(s, at(n))
			if err != nil || got != sums[at(n)] {
				t.Fatalf("at %d owner %d: %d, want %d", h, n, got, sums[at(n)])
			}
			if got > 0 {
				all = append(all, got)
			}
		}
		slices.Sort(all)
		want := uint64(2)
		if n := len(all); n > 0 {
			want = max(2, all[(n-1)/2]+all[n/2])
		}
		if f, _ = LoadFairness(s); f.twiceMedian() != want {
			t.Fatalf("at %d twice the median %d, want %d", h, f.twiceMedian(), want)
		}
	}
	// With nothing firing any more, nothing is left in state.
	for h := unit.Height(2_301); h <= 3_301; h++ {
		f, err := LoadFairness(s)
		if err != nil {
			t.Fatal(err)
		}
		if err := f.Advance(s, h, nil); err != nil {
			t.Fatal(err)
		}
	}
	if _, ok, _ := s.Lookup(histogramKey()); ok {
		t.Error("a histogram is left")
	}
	for n := byte(1); n < 6; n++ {
		if _, ok, _ := s.Lookup(sumKey(at(n))); ok {
			t.Errorf("owner %d has a sum left", n)
		}
	}
}

// Spec: scheduler-timers §9.6.
func TestActive(t *testing.T) {
	p := params.Genesis()
	if Active(p, ^unit.Height(0)) {
		t.Error("never is a height")
	}
	p.Hybrid.ActivationHeight = 100
	if Active(p, 99) || !Active(p, 100) {
		t.Error("at the activation height")
	}
	if c := Effective(p, 99); c.MaxCyclesPerFire != 550_000 {
		t.Error("cap before")
	}
	if c := Effective(p, 100); c.MaxCyclesPerFire != 250_000 {
		t.Error("cap after")
	}
}
