package verify

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

func launch() params.Split {
	return params.Split{RunnerBPS: 8_900, BurnBPS: 1_000, TreasuryBPS: 100}
}

// By hand: of 1,000 the burn is 100, the treasury's 10, the runners' 890; of it 15 are the aggregator's bonus, and 875 are shared.
// Spec: WP §8.4, "Runner Resource Accounting"; runner-marketplace §5.2.
func TestAnEscrowIsDividedToTheLastUnit(t *testing.T) {
	pay := func(n byte, share, bonus, tip unit.Amount) Payment {
		return Payment{Runner: at(n), Share: share, Bonus: bonus, Tip: tip}
	}
	for name, c := range map[string]struct {
		bill Bill
		want Shares
	}{
		"one runner": {
			Bill{MaxPrice: 1_500, Tip: 7, Gross: 1_000, Succeeded: true, Runners: runners(1), Aggregator: at(1), BonusBPS: 150},
			Shares{[]Payment{pay(1, 875, 15, 7)}, 100, 10, 500},
		},
		"three, the aggregator has the remainders": {
			Bill{MaxPrice: 1_000, Tip: 8, Gross: 1_000, Succeeded: true, Runners: runners(1, 2, 3), Aggregator: at(2), BonusBPS: 150},
			Shares{[]Payment{pay(1, 291, 0, 2), pay(2, 293, 15, 4), pay(3, 291, 0, 2)}, 100, 10, 0},
		},
		"the aggregator is not among them": {
			Bill{MaxPrice: 1_000, Tip: 8, Gross: 1_000, Succeeded: true, Runners: runners(1, 3, 4), Aggregator: at(2), BonusBPS: 150},
			Shares{[]Payment{pay(1, 298, 0, 4), pay(3, 296, 0, 2), pay(4, 296, 0, 2)}, 100, 10, 0},
		},
		"no success: no tip, no bonus": {
			Bill{MaxPrice: 1_000, Tip: 8, Gross: 400, Runners: runners(1, 2), Aggregator: at(2), BonusBPS: 150},
			Shares{[]Payment{pay(1, 178, 0, 0), pay(2, 178, 0, 0)}, 40, 4, 608},
		},
		"nobody": {Bill{MaxPrice: 1_000, Tip: 8, Gross: 400, Succeeded: true, BonusBPS: 150}, Shares{Refund: 1_008}},
		"burn and treasury are rounded down": {
			Bill{MaxPrice: 9, Gross: 9, Succeeded: true, Runners: runners(1), BonusBPS: 150}, Shares{[]Payment{pay(1, 9, 0, 0)}, 0, 0, 0},
		},
		"one unit of each": {
			Bill{MaxPrice: 199, Gross: 199, Succeeded: true, Runners: runners(1), Aggregator: at(1), BonusBPS: 150},
			Shares{[]Payment{pay(1, 177, 2, 0)}, 19, 1, 0},
		},
		"no more bonus than there is": {
			Bill{MaxPrice: 1_000, Gross: 1_000, Succeeded: true, Runners: runners(1, 2), Aggregator: at(1), BonusBPS: 10_000},
			Shares{[]Payment{pay(1, 0, 890, 0), pay(2, 0, 0, 0)}, 100, 10, 0},
		},
	} {
		t.Run(name, func(t *testing.T) {
			c.bill.Split = launch()
			if got := c.bill.Divide(); fmt.Sprint(*got) != fmt.Sprint(c.want) {
				t.Errorf("%+v\nwant %+v", *got, c.want)
			}
		})
	}
}

// Spec: runner-marketplace §5.2 (actor fault: minimum fee, rest back).
func TestAFaultOfTheActorCostsWhatTheChainTook(t *testing.T) {
	bill := &Bill{MaxPrice: 1_000, Tip: 50, Gross: 101, Runners: runners(1, 2), Aggregator: at(2), Split: launch(), BonusBPS: 150}
	s := bill.Recover()
	if s.Payments[0].Sum() != 50 || s.Payments[1].Sum() != 51 || s.Burned != 0 || s.Treasury != 0 || s.Refund != 949 {
		t.Errorf("%+v", s)
	}
}

// Spec: WP "Runner Resource Accounting"; runner-marketplace §5.2.
func TestThePriceOfACommitteeIsTheLowerMedian(t *testing.T) {
	for name, c := range map[string]struct {
		charges []unit.Amount
		want    unit.Amount
	}{
		"one": {[]unit.Amount{70}, 70}, "one above": {[]unit.Amount{101}, 100}, "one at": {[]unit.Amount{100}, 100}, "one below": {[]unit.Amount{99}, 99},
		"two": {[]unit.Amount{80, 60}, 60}, "three": {[]unit.Amount{90, 10, 50}, 50}, "a greedy one": {[]unit.Amount{1 << 60, 20, 30}, 30},
		"two greedy of four": {[]unit.Amount{1 << 60, 20, 1 << 60, 30}, 30},
	} {
		t.Run(name, func(t *testing.T) {
			if got := Actual(c.charges, 100); got != c.want {
				t.Errorf("%d, want %d", got, c.want)
			}
		})
	}
}

// Spec: WP "Runner Resource Accounting"; runner-marketplace §5.2 (pro rata; at most half of max_price unverified).
func TestProgressIsPaidProRata(t *testing.T) {
	for name, c := range map[string]struct {
		done, total   uint64
		expected, max unit.Amount
		agreed        bool
		want          unit.Amount
	}{
		"a quarter": {1, 4, 1_000, 1_000, true, 250}, "rounded down": {1, 3, 100, 1_000, true, 33}, "nothing of nothing": {0, 0, 100, 100, true, 0},
		"unverified, below half": {499, 1_000, 1_000, 1_000, false, 499}, "unverified, half": {500, 1_000, 1_000, 1_000, false, 500},
		"unverified, above half": {501, 1_000, 1_000, 1_000, false, 500}, "agreed, above half": {501, 1_000, 1_000, 1_000, true, 501},
		"more expected than the price": {9, 10, 2_000, 1_000, true, 1_000}, "all": {10, 10, 1_000, 1_000, true, 1_000},
		"wide": {1 << 63, 1<<64 - 1, 1 << 63, 1 << 62, true, 1 << 62},
	} {
		t.Run(name, func(t *testing.T) {
			if got := ProRata(c.done, c.total, c.expected, c.max, c.agreed); got != c.want {
				t.Errorf("%d, want %d", got, c.want)
			}
		})
	}
}

// A second model over math/big: every part by itself, from the text.
// Spec: WP §8.4; runner-marketplace §5.2, §11 (payout split, aggregator bonus).
func TestDivisionAgreesWithASecondModel(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 20_000 {
		b := Bill{MaxPrice: unit.Amount(r.Uint64N(1 << uint(1+r.IntN(60)))), Tip: unit.Amount(r.Uint64N(1 << 40)), Succeeded: r.IntN(2) == 0}
		b.Gross = unit.Amount(r.Uint64N(uint64(b.MaxPrice) + 1))
		burn := uint32(r.IntN(10_001))
		b.Split = params.Split{BurnBPS: burn, TreasuryBPS: uint32(r.IntN(int(10_001 - burn)))}
		b.Split.RunnerBPS = 10_000 - b.Split.BurnBPS - b.Split.TreasuryBPS
		b.BonusBPS = uint32(r.IntN(1_000))
		for n := byte(1); n <= 9; n++ {
			if r.IntN(2) == 0 {
				b.Runners = append(b.Runners, at(n))
			}
		}
		b.Aggregator = at(byte(1 + r.IntN(9)))
		check(t, &b)
	}
}

func check(t *testing.T, b *Bill) {
	t.Helper()
	s := b.Divide()
	sum := new(big.Int)
	for _, n := range []unit.Amount{s.Burned, s.Treasury, s.Refund} {
		sum.Add(sum, big.NewInt(int64(n)))
	}
	share := func(bps uint32) int64 {
		n := new(big.Int).Mul(big.NewInt(int64(b.Gross)), big.NewInt(int64(bps)))
		return n.Div(n, big.NewInt(10_000)).Int64()
	}
	side := int64(b.Gross) - share(b.Split.BurnBPS) - share(b.Split.TreasuryBPS)
	bonus, tip := int64(0), int64(0)
	if b.Succeeded {
		tip = int64(b.Tip)
		if slices.Contains(b.Runners, b.Aggregator) {
			bonus = min(share(b.BonusBPS), side)
		}
	}
	var total int64
	for i, p := range s.Payments {
		total += int64(p.Sum())
		if p.Runner != b.Runners[i] || p.Bonus > 0 && (p.Runner != b.Aggregator || int64(p.Bonus) != bonus) {
			t.Fatalf("%+v: %+v", b, p)
		}
		n := int64(len(b.Runners))
		if d := int64(p.Share) - (side-bonus)/n; d < 0 || d >= n {
			t.Fatalf("%+v: %+v is no equal share", b, p)
		}
		if d := int64(p.Tip) - tip/n; d < 0 || d >= n {
			t.Fatalf("%+v: %+v is no equal part of the tip", b, p)
		}
	}
	if len(b.Runners) > 0 && total != side+tip {
		t.Fatalf("%+v: the runners have %d, want %d", b, total, side+tip)
	}
	sum.Add(sum, big.NewInt(total))
	if sum.Int64() != int64(b.MaxPrice)+int64(b.Tip) {
		t.Fatalf("%+v: %s of %d", b, sum, b.MaxPrice+b.Tip)
	}
}
