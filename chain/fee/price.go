package fee

import (
	"errors"
	"fmt"
	"math/bits"

	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// Rates are prices in base units per cycle and per cell. A lane's rates come from params.LaneMultipliers.Scale.
type Rates = params.Basefees

// Use is an amount of both meters: a limit, or what an execution consumed.
type Use struct {
	Cycles unit.Cycles
	Cells  unit.Cells
}

// Sub returns what is left of u after v, or unit.ErrUnderflow when v exceeds u in a meter.
func (u Use) Sub(v Use) (Use, error) {
	cycles, err := u.Cycles.Sub(v.Cycles)
	if err != nil {
		return Use{}, err
	}
	cells, err := u.Cells.Sub(v.Cells)
	return Use{cycles, cells}, err
}

// Add returns the sum of both meters, or unit.ErrOverflow.
func (u Use) Add(v Use) (Use, error) {
	cycles, err := u.Cycles.Add(v.Cycles)
	if err != nil {
		return Use{}, err
	}
	cells, err := u.Cells.Add(v.Cells)
	return Use{cycles, cells}, err
}

// Cost returns u priced at r.
func (u Use) Cost(r Rates) (unit.Amount, error) {
	cycles, err := u.Cycles.Price(r.Cycle)
	if err != nil {
		return 0, err
	}
	cells, err := u.Cells.Price(r.Cell)
	if err != nil {
		return 0, err
	}
	return cycles.Add(cells)
}

// Bid is what a transaction offers: the most it pays per unit in all, and the most of that which may be a tip.
//
// Spec: WP §2.1, §2.3.
type Bid struct {
	Max Rates
	Tip Rates
}

// BelowBasefee says that a transaction offers less per unit than the block demands. It is a reject (code 1008).
type BelowBasefee struct {
	Meter    string // "cycle" or "cell"
	Max      uint64 // offered, in base units per unit
	Required uint64 // the lane's basefee
}

func (e *BelowBasefee) Error() string {
	return fmt.Sprintf("fee: max fee per %s %d is below the basefee %d", e.Meter, e.Max, e.Required)
}

// Price is what one unit of each meter costs in one block: Base is burned, Tip is the proposer's, and Max is what was taken in
// advance. Base + Tip ≤ Max holds per meter.
type Price struct {
	Base Rates
	Tip  Rates
	Max  Rates
}

// At returns the price of the bid in a block with the given (lane) basefees, or *BelowBasefee.
//
// The effective unit price is base + min(tip, max − base).
//
// Spec: WP §2.3; CIP-3 §2.4.
func (b Bid) At(base Rates) (Price, error) {
	if b.Max.Cycle < base.Cycle {
		return Price{}, &BelowBasefee{Meter: "cycle", Max: b.Max.Cycle, Required: base.Cycle}
	}
	if b.Max.Cell < base.Cell {
		return Price{}, &BelowBasefee{Meter: "cell", Max: b.Max.Cell, Required: base.Cell}
	}
	return b.capped(base), nil
}

// Carried returns the price of gas that was bought in an earlier block and is used in this one: the basefee of this block, but
// never more than the maximum the origin paid in advance. Carried gas therefore always suffices for the units it counts.
//
// Spec: scheduler-timers §10 (gas carried from the parent).
func (b Bid) Carried(base Rates) Price {
	return b.capped(Rates{Cycle: min(base.Cycle, b.Max.Cycle), Cell: min(base.Cell, b.Max.Cell)})
}

func (b Bid) capped(base Rates) Price {
	return Price{
		Base: base,
		Tip:  Rates{Cycle: min(b.Tip.Cycle, b.Max.Cycle-base.Cycle), Cell: min(b.Tip.Cell, b.Max.Cell-base.Cell)},
		Max:  b.Max,
	}
}

// Effective returns base + tip per unit: what receipts and the order of a block speak about. It cannot overflow, because it is
// at most Max.
func (p Price) Effective() Rates {
	return Rates{Cycle: p.Base.Cycle + p.Tip.Cycle, Cell: p.Base.Cell + p.Tip.Cell}
}

// ErrUsedOverLimit says that a caller settled more use than was paid for. It is a bug of the meter, not a reject.
var ErrUsedOverLimit = errors.New("fee: use exceeds the limit that was charged")

// Settlement says where a pre-charge goes. Burned + Tipped + Refund equals the pre-charge.
type Settlement struct {
	Burned unit.Amount
	Tipped unit.Amount
	Refund unit.Amount
	Cycles unit.Amount // of Burned: what the cycles cost
}

// Precharge returns what is taken before execution: the limits at the maximum fees.
//
// Spec: WP §2.3, scheduler-timers §6.2.
func (p Price) Precharge(limit Use) (unit.Amount, error) { return limit.Cost(p.Max) }

// Settle splits the pre-charge of limit after used was consumed: used × base is burned, used × tip is the proposer's, and the
// rest returns to the payer: (limit − used) at the maximum fees plus used × (max − base − tip).
//
// Errors: ErrUsedOverLimit; unit.ErrOverflow when the pre-charge itself does not fit, which a caller that charged it has
// excluded.
//
// Spec: WP §2.3, §4.2 (100 % of basefees burned), §8.4.
func (p Price) Settle(limit, used Use) (Settlement, error) {
	if used.Cycles > limit.Cycles || used.Cells > limit.Cells {
		return Settlement{}, ErrUsedOverLimit
	}
	charge, err := p.Precharge(limit)
	if err != nil {
		return Settlement{}, err
	}
	burned, err := used.Cost(p.Base)
	if err != nil {
		return Settlement{}, err
	}
	tipped, err := used.Cost(p.Tip)
	if err != nil {
		return Settlement{}, err
	}
	cycles, err := used.Cycles.Price(p.Base.Cycle)
	return Settlement{Burned: burned, Tipped: tipped, Refund: charge - burned - tipped, Cycles: cycles}, err
}

// Affordable returns the largest number of cells a balance buys at the maximum fee beside the given cycles; clients use it to
// propose a limit. Zero when the cycles alone exceed the balance.
func (p Price) Affordable(balance unit.Amount, cycles unit.Cycles) unit.Cells {
	hi, cost := bits.Mul64(uint64(cycles), p.Max.Cycle)
	if hi != 0 || unit.Amount(cost) > balance {
		return 0
	}
	if p.Max.Cell == 0 {
		return unit.Cells(^uint64(0))
	}
	return unit.Cells(uint64(balance-unit.Amount(cost)) / p.Max.Cell)
}
