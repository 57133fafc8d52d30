package timer

import (
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/bank"
	"github.com/cowboyinc/cowboy-go/chain/fee"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// Prices are what a card is charged by when a timer is scheduled.
type Prices struct {
	Lane   fee.Rates // basefees of the timer lane
	Market *Market   // nil in the FIFO phase
}

// LoadPrices are the prices of the block at a height, given the parameters and the basefees it runs under.
func LoadPrices(r state.Reader, p *params.Params, fees params.Basefees, height unit.Height) (x Prices, err error) {
	if x.Lane, err = p.Lanes.Scale(fees, params.LaneTimer); err != nil || !Active(p, height) {
		return x, err
	}
	market, err := LoadMarket(r)
	x.Market = &market
	return x, err
}

// Card is the card that a request would have pay: the one it names, or else the default card of an actor that schedules a timer of its own; nil for none.
//
// Spec: gateway-payments-streams §G.3 (1).
func (q *Request) Card(r state.Reader) (*account.Address, error) {
	if q.Prices == nil {
		return nil, nil
	}
	if q.Payer == nil {
		if q.Owner != q.Target {
			return nil, nil
		}
		card, ok, err := bank.Default(r, q.Owner)
		if err != nil || !ok {
			return nil, err
		}
		return &card, nil
	}
	card, err := bank.Find(r, *q.Payer)
	if err != nil || card == nil {
		return nil, err
	}
	return q.Payer, nil
}

// prepay has a card pay the next fire of a timer, which is not stored yet. A card that the request names has to; where the default card of an actor may not,
// the actor pays as if it had none, since anybody may make a card of theirs the default of any actor.
//
// Rejects: those of bank.Prepay, for a card that the request names.
//
// Spec: gateway-payments-streams §G.3 (timers charge the card when they are scheduled).
func (q *Request) prepay(s state.Store, c Config, t *Timer, card *account.Address) error {
	if card == nil {
		return nil
	}
	err := q.Prices.Prepay(s, c, t, *card, q.Now)
	if err == nil {
		t.Payer = *card
		return nil
	}
	if q.Payer == nil && bank.Refuses(err) {
		return nil
	}
	return err
}

// Prepay has a card pay the next fire of a timer whose owner is its agent, at the prices of now.
//
// Rejects: those of bank.Prepay.
//
// Spec: gateway-payments-streams §G.3 (timers).
func (x *Prices) Prepay(s state.Store, c Config, t *Timer, card account.Address, now unit.Height) error {
	rates := x.Lane
	if x.Market != nil {
		most, _ := x.Market.Bid(t)
		sum, err := unit.Amount(rates.Cycle).Add(unit.Amount(most))
		if err != nil {
			return bank.ErrFunds // nobody has so much
		}
		rates.Cycle = uint64(sum)
	}
	err := bank.Prepay(s, t.ID, t.Owner, bank.Prepaid{Card: card, Charged: now, Limit: t.Limit(c), Rates: rates}, &bank.Use{
		Kind: bank.Kind{Family: bank.Send}, Receivers: []account.Address{t.Target},
	})
	return err
}

// prepaid holds a fire to what a card has paid for it: it costs no more than that, whatever the basefees have become.
//
// Spec: gateway-payments-streams §G.3 (3: at the remembered basefees).
func (v *Verdict) prepaid(p *bank.Prepaid) (err error) {
	v.Prepaid = p
	v.Price = fee.Bid{Max: p.Rates, Tip: v.Price.Tip}.Carried(v.Price.Base)
	v.Limit = fee.Use{Cycles: min(v.Limit.Cycles, p.Limit.Cycles), Cells: min(v.Limit.Cells, p.Limit.Cells)}
	v.Cost, err = v.Price.Precharge(v.Limit)
	return err
}
