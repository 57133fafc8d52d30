package verify

import (
	"cmp"
	"math/bits"
	"slices"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// unverifiedBPS is the most of max_price that a claim of progress brings which no committee agrees on.
//
// Spec: runner-marketplace §5.2 (rec).
const unverifiedBPS = 5_000

// Actual is what a job costs: the lower median of what its runners' usage comes to by their cards, at most max_price. With one runner it is that runner's; in
// a committee less than half of it cannot raise it. There is at least one charge.
//
// Spec: WP "Runner Resource Accounting"; runner-marketplace §5.2 (actual).
func Actual(charges []unit.Amount, maxPrice unit.Amount) unit.Amount {
	sorted := slices.Clone(charges)
	slices.Sort(sorted)
	return min(sorted[(len(sorted)-1)/2], maxPrice)
}

// ProRata is what a job costs that no runner could finish: expected × done / total, rounded down and at most max_price; where a committee did not agree on the
// progress, at most half of it. No work in all is no progress. Done is at most total.
//
// Spec: WP "Runner Resource Accounting"; runner-marketplace §5.2 (pro rata); WP-January "Payment and Failure Handling".
func ProRata(done, total uint64, expected, maxPrice unit.Amount, agreed bool) unit.Amount {
	if total == 0 {
		return 0
	}
	most := maxPrice
	if !agreed {
		most = part(maxPrice, unverifiedBPS)
	}
	hi, lo := bits.Mul64(uint64(expected), done)
	quotient, _ := bits.Div64(hi, lo, total) // hi < total, since done ≤ total
	return min(unit.Amount(quotient), most)
}

// part is a share in basis points, at most all, rounded down.
func part(a unit.Amount, bps uint32) unit.Amount {
	hi, lo := bits.Mul64(uint64(a), uint64(min(bps, params.BasisPoints)))
	quotient, _ := bits.Div64(hi, lo, params.BasisPoints)
	return unit.Amount(quotient)
}

// compareShares compares a/b with c/d, where nothing of nothing is none.
func compareShares(a, b, c, d uint64) int {
	if b == 0 {
		a, b = 0, 1
	}
	if d == 0 {
		c, d = 0, 1
	}
	hi1, lo1 := bits.Mul64(a, d)
	hi2, lo2 := bits.Mul64(c, b)
	return cmp.Or(cmp.Compare(hi1, hi2), cmp.Compare(lo1, lo2))
}

// Payment is what one runner gets.
type Payment struct {
	Runner account.Address
	Share  unit.Amount // of the price
	Bonus  unit.Amount // of the aggregator
	Tip    unit.Amount
}

// Sum is all of it.
func (p *Payment) Sum() unit.Amount { return p.Share + p.Bonus + p.Tip }

// Shares are where every base unit of an escrow goes.
//
// Spec: runner-marketplace §5.2.
type Shares struct {
	Payments []Payment // in the order of the runners
	Burned   unit.Amount
	Treasury unit.Amount
	Refund   unit.Amount // to the submitter
}

// Bill is what is settled.
type Bill struct {
	MaxPrice   unit.Amount
	Tip        unit.Amount
	Gross      unit.Amount       // what the job costs, at most MaxPrice
	Succeeded  bool              // the tip is paid, and the bonus
	Runners    []account.Address // who is paid, ascending; nobody: all goes back
	Aggregator account.Address   // gets the bonus and remainders if it is among them; else the first gets the remainders, and there is no bonus
	Split      params.Split
	BonusBPS   uint32
}

// Divide divides an escrow of max_price and tip. What is burned and what is the treasury's is rounded down, and the rest of the price is the runners': of it
// first the bonus, basis points of the whole price and no more than there is; the rest, and the tip, in equal shares.
//
// Spec: WP §8.4, "Runner Resource Accounting"; runner-marketplace §5.2.
func (b *Bill) Divide() *Shares {
	s := &Shares{Refund: b.MaxPrice + b.Tip}
	if len(b.Runners) == 0 {
		return s
	}
	s.Burned, s.Treasury = part(b.Gross, b.Split.BurnBPS), part(b.Gross, b.Split.TreasuryBPS)
	side := b.Gross - s.Burned - s.Treasury
	tip := unit.Amount(0)
	if b.Succeeded {
		tip = b.Tip
	}
	s.Refund = s.Refund - b.Gross - tip
	first := slices.Index(b.Runners, b.Aggregator)
	bonus := unit.Amount(0)
	if first >= 0 && b.Succeeded {
		bonus = min(part(b.Gross, b.BonusBPS), side)
	}
	first = max(first, 0)
	side -= bonus
	n := unit.Amount(len(b.Runners))
	for _, r := range b.Runners {
		s.Payments = append(s.Payments, Payment{Runner: r, Share: side / n, Tip: tip / n})
	}
	s.Payments[first].Bonus = bonus
	s.Payments[first].Share += side % n
	s.Payments[first].Tip += tip % n
	return s
}

// Recover divides an escrow where the submitter is at fault: the runners get the fee, at most max_price, in equal shares for what the chain took of them,
// nothing of it is burned, and the rest goes back.
//
// Spec: WP "Runner Resource Accounting" (minimum fee: gas cost recovery); runner-marketplace §5.2 (actor fault).
func (b *Bill) Recover() *Shares {
	plain := *b
	plain.Split, plain.Succeeded = params.Split{RunnerBPS: params.BasisPoints}, false
	return plain.Divide()
}
