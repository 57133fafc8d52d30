package fee

import (
	"errors"
	"fmt"
	"math/big"
	"math/bits"
	"math/rand/v2"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

var (
	cycles = Adjustment{Target: 20_000_000, Alpha: 96, Change: 96, Floor: 10_000}
	cells  = Adjustment{Target: 4_000_000, Alpha: 96, Change: 96, Floor: 10_000}
)

func rates(cycle, cell uint64) Rates { return Rates{Cycle: cycle, Cell: cell} }

// Spec: WP §4.2, §4.3, §17.8; CIP-3 §2.4.
func TestNext(t *testing.T) {
	for _, c := range []struct {
		name          string
		rule          Adjustment
		basefee, used uint64
		want          uint64
	}{
		{"at target it stands still", cycles, 96_000, 20_000_000, 96_000},
		{"twice the target is the largest rise, 1/96", cycles, 96_000, 40_000_000, 97_000},
		{"a full block rises no faster", cycles, 96_000, 80_000_000, 97_000},
		{"an empty block falls by 1/96", cycles, 96_000, 0, 95_000},
		{"half over target rises half as much", cycles, 96_000, 30_000_000, 96_500},
		{"a quarter under target falls a quarter", cycles, 96_000, 15_000_000, 95_750},
		{"the change rounds toward nothing, up", cycles, 10_001, 40_000_000, 10_105},
		{"the change rounds toward nothing, down", cycles, 10_199, 0, 10_093},
		{"one cycle over target is below the resolution", cycles, 96_000, 20_000_001, 96_000},
		{"the floor holds", cycles, 10_000, 0, 10_000},
		{"the floor holds from just above", cycles, 10_050, 0, 10_000},
		{"a value below the floor is lifted", cycles, 5, 20_000_000, 10_000},
		{"cells have their own target", cells, 96_000, 8_000_000, 97_000},
		{"the largest basefee stays", cycles, ^uint64(0), 40_000_000, ^uint64(0)},
		{"CIP-3's example: 12M of 10M, alpha 8: +2.5 %", Adjustment{10_000_000, 8, 8, 0}, 1_000_000, 12_000_000, 1_025_000},
		{"December numbers clamp at 12.5 %", Adjustment{10_000_000, 8, 8, 0}, 1_000_000, 90_000_000, 1_125_000},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := c.rule.Next(c.basefee, c.used); got != c.want {
				t.Errorf("%s: %d, want %d", c.name, got, c.want)
			}
		})
	}
}

// Twelve full blocks in a row raise the basefee by about 13 %: (1 + 1/96)^12 = 1.132416….
// Spec: WP §4.2.
func TestTwelveFullBlocks(t *testing.T) {
	fee := uint64(1_000_000_000)
	for range 12 {
		fee = cycles.Next(fee, 80_000_000)
	}
	if fee < 1_132_416_000 || fee > 1_132_417_000 {
		t.Fatalf("after twelve blocks %d", fee)
	}
}

// Spec: WP §2.3; CIP-3 §2.4 (effective tip).
func TestBidAt(t *testing.T) {
	base := Rates{Cycle: 10_000, Cell: 12_000}
	for _, c := range []struct {
		name string
		bid  Bid
		want Rates // tip
		err  string
	}{
		{"whole tip", Bid{Max: rates(10_500, 12_500), Tip: rates(500, 400)}, rates(500, 400), ""},
		{"tip limited by the maximum", Bid{Max: rates(10_100, 12_000), Tip: rates(500, 400)}, rates(100, 0), ""},
		{"no tip", Bid{Max: rates(10_000, 12_000)}, Rates{}, ""},
		{"cycle fee too low", Bid{Max: rates(9_999, 12_000)}, Rates{}, "cycle"},
		{"cell fee too low", Bid{Max: rates(10_000, 11_999)}, Rates{}, "cell"},
	} {
		t.Run(c.name, func(t *testing.T) {
			price, err := c.bid.At(base)
			var below *BelowBasefee
			if errors.As(err, &below) != (c.err != "") || (below != nil && below.Meter != c.err) {
				t.Errorf("%s: error %v", c.name, err)
				return
			}
			if err == nil && (price.Tip != c.want || price.Base != base) {
				t.Errorf("%s: %+v", c.name, price)
			}
		})
	}
}

// Gas bought at 10,100 and 10,000 runs at no more than that, whatever the block asks.
// Spec: scheduler-timers §10.
func TestBidCarried(t *testing.T) {
	bid := Bid{Max: rates(10_100, 10_000), Tip: Rates{Cycle: 40}}
	for i, c := range []struct{ base, wantBase, wantTip Rates }{
		{rates(10_000, 10_000), rates(10_000, 10_000), Rates{Cycle: 40}},
		{rates(10_090, 10_000), rates(10_090, 10_000), Rates{Cycle: 10}},
		{rates(99_000, 99_000), rates(10_100, 10_000), Rates{}},
	} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			price := bid.Carried(c.base)
			if price.Base != c.wantBase || price.Tip != c.wantTip {
				t.Errorf("at %+v: %+v", c.base, price)
			}
		})
	}
}

// A hand-worked transaction: limits 50,000 cycles and 1,000 cells at maximum 12,000 and 11,000, tips 500 and 2,000, basefees 10,000 and
// 10,000; used 30,000 and 600.
//
//	pre-charge 50,000×12,000 + 1,000×11,000        = 611,000,000
//	burned     30,000×10,000 + 600×10,000          = 306,000,000
//	tipped     30,000×500 + 600×min(2,000, 1,000)  =  15,600,000
//	refund     the rest                            = 289,400,000
//	         = 20,000×12,000 + 400×11,000 (unused) + 30,000×1,500 (used, not asked for)
//
// Spec: WP §2.3, §8.4.
func TestSettle(t *testing.T) {
	bid := Bid{Max: rates(12_000, 11_000), Tip: rates(500, 2_000)}
	price, err := bid.At(rates(10_000, 10_000))
	if err != nil {
		t.Fatal(err)
	}
	limit, used := Use{50_000, 1_000}, Use{30_000, 600}
	charge, err := price.Precharge(limit)
	if err != nil || charge != 611_000_000 {
		t.Fatalf("pre-charge %d, %v", charge, err)
	}
	got, err := price.Settle(limit, used)
	if err != nil || got != (Settlement{306_000_000, 15_600_000, 289_400_000, 300_000_000}) {
		t.Fatalf("%+v, %v", got, err)
	}
	if got.Refund != 20_000*12_000+400*11_000+30_000*1_500 {
		t.Fatal("refund by parts differs")
	}
	if _, err := price.Settle(limit, Use{50_001, 0}); !errors.Is(err, ErrUsedOverLimit) {
		t.Fatalf("over the limit: %v", err)
	}
	huge := Price{Max: Rates{Cycle: 1 << 40}}
	if _, err := huge.Precharge(Use{Cycles: 1 << 24}); !errors.Is(err, unit.ErrOverflow) {
		t.Fatalf("overflow: %v", err)
	}
}

func FuzzSettle(f *testing.F) {
	f.Add(uint32(50_000), uint32(30_000), uint32(1_000), uint32(600), uint32(12_000), uint32(11_000), uint32(500), uint32(10_000))
	f.Fuzz(func(t *testing.T, cyc, usedCyc, cel, usedCel, maxCyc, maxCel, tip, base uint32) {
		bid := Bid{Max: rates(uint64(maxCyc), uint64(maxCel)), Tip: rates(uint64(tip), uint64(tip))}
		limit := Use{unit.Cycles(cyc), unit.Cells(cel)}
		used := Use{unit.Cycles(min(usedCyc, cyc)), unit.Cells(min(usedCel, cel))}
		price := bid.Carried(rates(uint64(base), uint64(base)))
		charge, err := price.Precharge(limit)
		if err != nil {
			t.Skip()
		}
		s, err := price.Settle(limit, used)
		if err != nil || s.Burned+s.Tipped+s.Refund != charge {
			t.Fatalf("%+v of %d: %v", s, charge, err)
		}
	})
}

// Spec: WP §8.1, §8.2.
func TestInflation(t *testing.T) {
	supply := Supply{Genesis: 1_000_000_000 * unit.CBY}
	if amount, _, _ := Inflation(supply, 0); amount != 0 {
		t.Fatal("genesis mints")
	}
	// Year 1: 8 % of 10^18 = 8×10^16 over 31,536,000 blocks: 2,536,783,358.7… a block.
	first, s, err := Inflation(supply, 1)
	if err != nil || first != 2_536_783_358 || s.YearBase != 1_000_000_000*unit.CBY {
		t.Fatalf("first block %d, %v", first, err)
	}
	second, s, err := Inflation(s, 2)
	if err != nil || first+second != 5_073_566_717 { // floor(2 × 8×10^16 / 31,536,000)
		t.Fatalf("second block %d, %v", second, err)
	}
	if s.Minted != first+second {
		t.Fatal("record does not add up")
	}
}

// A supply that cannot take a block's share within 64 bits gets none, and the chain goes on.
//
// Spec: WP §8.2.
func TestInflationEndsAtTheBound(t *testing.T) {
	full := Supply{Genesis: 1<<64 - 3, YearBase: 1_000_000_000 * unit.CBY}
	if amount, after, err := Inflation(full, 2); err != nil || amount != 0 || after != full {
		t.Errorf("%d, %+v, %v", amount, after, err)
	}
}

// A divisor beyond 64 bits divides as math/big does.
func TestDivide128(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	wide := func() uint64 { return r.Uint64() >> r.IntN(64) }
	word := func(x uint64) *big.Int { return new(big.Int).SetUint64(x) }
	join := func(hi, lo uint64) *big.Int { return new(big.Int).Or(new(big.Int).Lsh(word(hi), 64), word(lo)) }
	for range 20_000 {
		hi, lo, dhi, dlo := wide(), wide(), max(wide(), 1), wide()
		if r.IntN(4) == 0 { // a multiple, where a unit too much taken off shows
			q := r.Uint64() >> bits.Len64(dhi)
			high, low := bits.Mul64(dlo, q)
			hi, lo = dhi*q+high, low
		}
		if got, want := divide128(hi, lo, dhi, dlo), new(big.Int).Quo(join(hi, lo), join(dhi, dlo)); !want.IsUint64() || got != want.Uint64() {
			t.Fatalf("%x%016x / %x%016x = %d, want %v", hi, lo, dhi, dlo, got, want)
		}
	}
}

// The blocks of a year add up to the year's amount exactly; sampled, the telescoping sum is checked at its ends.
// Spec: WP §8.2.
func TestInflationYears(t *testing.T) {
	want := map[uint64]uint64{1: 800, 2: 600, 3: 400, 4: 300, 5: 200, 6: 200, 40: 200}
	for year, bps := range want {
		t.Run(fmt.Sprint(year), func(t *testing.T) {
			if got := params.InflationBPS(Year(unit.Height((year-1)*params.BlocksPerYear + 1))); got != bps {
				t.Errorf("year %d: %d", year, got)
			}
			if got := Year(unit.Height(year * params.BlocksPerYear)); got != year {
				t.Errorf("last block of year %d is in year %d", year, got)
			}
		})
	}
	s := Supply{Genesis: 100, YearBase: 315_360_000} // annual 8 % = 25,228,800 = 0.8 per block
	var total unit.Amount
	for h := unit.Height(2); h <= 11; h++ {
		amount, next, err := Inflation(s, h)
		if err != nil {
			t.Fatal(err)
		}
		total, s = total+amount, next
	}
	if total != 8 {
		t.Fatalf("ten blocks minted %d, want 8", total)
	}
}

func TestSupply(t *testing.T) {
	if s, err := LoadSupply(state.New(state.Config{}, state.NewMemory(state.Config{})).Overlay()); err != nil || s != (Supply{}) {
		t.Errorf("a chain without a record: %+v, %v", s, err)
	}
	s := Supply{Genesis: 100}
	s, err := s.Mint(20)
	if err != nil {
		t.Fatal(err)
	}
	if s, err = s.Burn(70); err != nil {
		t.Fatal(err)
	}
	if total, err := s.Total(); err != nil || total != 50 {
		t.Fatalf("total %d, %v", total, err)
	}
	if _, err := s.Burn(51); !errors.Is(err, ErrBurn) {
		t.Fatalf("burn beyond the supply: %v", err)
	}
	if _, err := s.Mint(^unit.Amount(0)); !errors.Is(err, unit.ErrOverflow) {
		t.Fatalf("mint beyond 64 bits: %v", err)
	}
	back, err := DecodeSupply(s.Encode())
	if err != nil || back != s {
		t.Fatalf("round trip %+v, %v", back, err)
	}
	if _, err := DecodeSupply(append(s.Encode(), 0)); err == nil {
		t.Fatal("trailing byte accepted")
	}
}

// A balance that the cycles take to the last unit buys cells that cost nothing, and no others; one unit less buys none. A cost that does not fit is none.
//
// Spec: WP §2.3.
func TestAffordableAtTheEdge(t *testing.T) {
	free, priced := Price{Max: Rates{Cycle: 3}}, Price{Max: Rates{Cycle: 3, Cell: 2}}
	for i, c := range []struct {
		price   Price
		balance unit.Amount
		want    unit.Cells
	}{{free, 30, ^unit.Cells(0)}, {free, 29, 0}, {priced, 30, 0}, {priced, 31, 0}, {priced, 32, 1}} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			if got := c.price.Affordable(c.balance, 10); got != c.want {
				t.Errorf("%d for 10 cycles and cells at %d: %d cells, want %d", c.balance, c.price.Max.Cell, got, c.want)
			}
		})
	}
	for _, u := range []Use{{Cycles: 1 << 63}, {Cells: 1 << 63}, {Cycles: 1 << 62, Cells: 1 << 62}} {
		if got, err := u.Cost(Rates{Cycle: 2, Cell: 2}); got != 0 || err == nil {
			t.Errorf("%+v costs %d, %v", u, got, err)
		}
	}
}
