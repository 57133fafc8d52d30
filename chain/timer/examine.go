package timer

import (
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/bank"
	"github.com/cowboyinc/cowboy-go/chain/fee"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/rent"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// Terms are what a block holds its due timers against.
type Terms struct {
	Config Config // of the block's phase
	Height unit.Height
	Lane   fee.Rates  // basefees of the timer lane
	Market *Market    // nil in the FIFO phase
	Rent   *rent.Book // whose reserve a payer keeps
}

// LoadTerms are the terms of the block at a height, given the parameters and the basefees it runs under. Errors: a failing store, and basefees
// that the lane's multiplier carries beyond 64 bits.
//
// Spec: WP §5.1a, §5.1b; scheduler-timers §5, §6.2.
func LoadTerms(s state.Reader, p *params.Params, fees params.Basefees, height unit.Height) (Terms, error) {
	x := Terms{Config: Effective(p, height), Height: height}
	var err error
	if x.Rent, err = rent.Open(s, p, height); err != nil {
		return x, err
	}
	if x.Lane, err = p.Lanes.Scale(fees, params.LaneTimer); err != nil || !Active(p, height) {
		return x, err
	}
	market, err := LoadMarket(s)
	x.Market = &market
	return x, err
}

// Verdict is what the examination of a due timer found.
type Verdict struct {
	Timer    Timer
	Exit     Exit
	Price    fee.Price     // of a fire
	Limit    fee.Use       // of a fire
	Priority uint64        // per cycle, in the fee-market phase
	Cost     unit.Amount   // the most a fire costs
	Balance  unit.Amount   // of the payer, without what it keeps for rent
	Prepaid  *bank.Prepaid // what a card has paid for the fire; nil: the payer's balance pays
}

// Examine says which exit the timer of an entry takes by the state as it is. A cost that does not fit 64 bits is more than anybody holds:
// Unfunded.
//
// Spec: WP §5.1a, §5.1b; scheduler-timers §6, §7, §9.2.
func (x *Terms) Examine(s state.Reader, e Entry) (v Verdict, err error) {
	var ok bool
	if v.Timer, ok, err = Load(s, e.ID); err != nil {
		return v, err
	}
	t := &v.Timer
	if !ok || t.Height != e.Height || t.Seq != e.Seq {
		v.Exit = Gone
		return v, nil
	}
	if v.Exit = t.age(x.Height); v.Exit != Fire {
		return v, nil
	}
	v.Price, v.Limit = Price(x.Lane), t.Limit(x.Config)
	if x.Market != nil {
		if v.Priority, ok = x.Market.Priority(t); !ok {
			v.Exit = Waits
			return v, nil
		}
		if v.Price, err = x.Market.Price(x.Lane, v.Priority); err != nil {
			return v, err
		}
	}
	if paid, err := bank.PaidFor(s, t.ID); err != nil {
		return v, err
	} else if paid != nil {
		return v, v.prepaid(paid)
	}
	payer, err := account.Load(s, t.Payer)
	if err != nil {
		return v, err
	}
	if v.Balance, err = x.spendable(s, t, &payer); err != nil {
		return v, err
	}
	if v.Cost, err = v.Price.Precharge(v.Limit); err != nil {
		v.Cost = ^unit.Amount(0)
	}
	if err != nil || v.Balance < v.Cost {
		v.Exit = Unfunded
	}
	return v, nil
}

// spendable is what the payer of a timer can spend on its fire. A card pays in advance or not at all.
//
// Spec: scheduler-timers §6.2; gateway-payments-streams §G.3 (timers).
func (x *Terms) spendable(s state.Reader, t *Timer, payer *account.Account) (unit.Amount, error) {
	if t.Payer != t.Owner {
		if card, err := bank.Find(s, t.Payer); err != nil || card != nil {
			return 0, err
		}
	}
	return x.Rent.Spendable(t.Payer, payer), nil
}

// Demand is what the live ones among the timers due in a block may use, at most limit: their reservation of the lane. due says whether there are
// any timers, dead ones included. It reads no more timers than a block visits.
//
// Spec: WP §17.9; scheduler-timers §6.
func (x *Terms) Demand(s state.Reader, limit unit.Cycles) (total unit.Cycles, due bool, err error) {
	walk := NewWalk(s, x.Height, x.Market != nil)
	for {
		e, ok, err := walk.Next()
		if err != nil || !ok {
			return total, due, err
		}
		due = true
		v, err := x.Examine(s, e)
		if err != nil {
			return 0, false, err
		}
		switch {
		case v.Exit.Dead():
			walk.Skip()
		case v.Exit == Fire:
			if total += v.Limit.Cycles; total >= limit {
				return limit, due, nil
			}
		}
	}
}
