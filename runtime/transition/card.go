package transition

import (
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/bank"
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/fee"
	"github.com/cowboyinc/cowboy-go/chain/mailbox"
	"github.com/cowboyinc/cowboy-go/chain/timer"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/runtime/drain"
)

// carded is what a card has paid for an execution that is out.
type carded struct {
	addr    account.Address
	bid     fee.Bid      // the basefees and tips of the block it paid in
	coins   unit.Amount  // it paid
	units   unit.Uint128 // of its token, it paid
	charged unit.Height
}

// chargeCard has the card that a transaction names pay the transaction's limits; nil where it names an address that is no card's.
//
// Spec: gateway-payments-streams §G.3 (1, 2).
func (s *State) chargeCard(v tx.Verified) (*carded, error) {
	now, lane := s.header.Height, s.lanes[v.Lane()]
	purse, err := v.Purse(s.overlay, now)
	if err != nil || purse == nil {
		return nil, err
	}
	c := &carded{addr: purse.Card.Address, charged: now}
	if c.bid, err = v.Tx().CardBid(lane); err != nil {
		return nil, err
	}
	if c.coins, err = v.Charge(s.overlay, purse, now, lane); err != nil {
		return nil, err
	}
	c.units = purse.Price(c.coins)
	return c, nil
}

// settleCard gives a card back what an execution did not cost, and says in its receipt what the card has paid: with what messages may still use of it.
//
// Spec: gateway-payments-streams §G.3 (3), §G.4 (GasCharged).
func (s *State) settleCard(r *running, refund unit.Amount) error {
	back, err := bank.Refund(s.overlay, r.card.addr, refund, r.card.charged)
	if err != nil {
		return err
	}
	units, err := r.card.units.Sub(back)
	if err != nil {
		return err // what comes back is at most what was paid
	}
	r.receipt.Events = append(r.receipt.Events, block.Event{
		Actor: bank.Home(), Topic: []byte(bank.TopicGas), Data: bank.EventGas(r.card.addr, units, r.card.coins-refund),
	})
	return nil
}

// payFire takes what a timer's fire costs at most: from what a card has paid when the timer was scheduled, which gets the rest back, or from the balance of who
// pays.
//
// Spec: gateway-payments-streams §G.3; scheduler-timers §6.
func (s *State) payFire(v *timer.Verdict) (*carded, error) {
	t, p := &v.Timer, v.Prepaid
	if p == nil {
		return nil, account.Debit(s.overlay, t.Payer, v.Cost) // Examine has found it covered
	}
	if err := p.Draw(s.overlay, t.ID); err != nil {
		return nil, err
	}
	paid, err := p.Coins()
	if err != nil {
		return nil, err
	}
	units, err := bank.PriceOf(s.overlay, p.Card, v.Cost)
	if err != nil {
		return nil, err
	}
	if paid > v.Cost { // the limits of a fire have become less since
		if _, err := bank.Refund(s.overlay, p.Card, paid-v.Cost, p.Charged); err != nil {
			return nil, err
		}
	}
	return &carded{addr: p.Card, coins: v.Cost, units: units, charged: p.Charged}, nil
}

// prepayNext has the card that paid the fire of an interval, which is over, pay the next one. Where it may not, the interval ends. nil is no fire.
//
// Spec: gateway-payments-streams §G.3 (timers charge the card when they are scheduled).
func (s *State) prepayNext(v *timer.Verdict) error {
	if v == nil || v.Prepaid == nil || v.Timer.Every == 0 {
		return nil
	}
	next, ok, err := timer.Load(s.overlay, v.Timer.ID)
	if err != nil || !ok {
		return err
	}
	terms := &s.timers.terms
	prices := timer.Prices{Lane: terms.Lane, Market: terms.Market}
	err = prices.Prepay(s.overlay, terms.Config, &next, v.Prepaid.Card, s.header.Height)
	if err == nil || !bank.Refuses(err) {
		return err
	}
	if err := timer.Remove(s.overlay, &next); err != nil {
		return err
	}
	cost, _ := v.Prepaid.Coins() // it was paid before
	s.record(&block.Receipt{
		Kind: block.Timer, ID: next.ID, Sender: next.Owner, Target: next.Target, Status: block.Dropped,
		Fault:  block.Fault{Code: drain.FaultTimerUnfunded, Text: "the card does not pay the next fire: " + err.Error()},
		Events: []block.Event{{Actor: next.Owner, Topic: []byte(timer.TopicUnfunded), Data: timer.EventUnfunded(&next, cost, 0)}},
	})
	return nil
}

// refund gives back what a pool of messages does not need to whoever paid for it.
//
// Spec: WP §2.3; gateway-payments-streams §G.3 (3).
func (s *State) refund(pool *mailbox.Pool, coins unit.Amount) error {
	if coins == 0 {
		return nil
	}
	card, err := bank.Find(s.overlay, pool.Payer)
	if err != nil {
		return err
	}
	if card == nil {
		return s.credit(pool.Payer, coins)
	}
	_, err = bank.Refund(s.overlay, pool.Payer, coins, pool.Since)
	return err
}

// fitCard lowers the limits of a transaction that is only tried to what the card it names could pay, if it names one, and no further than it costs to begin.
//
// Spec: WP §17.10; gateway-payments-streams §G.3.
func fitCard(parent Parent, t *tx.Tx) error {
	addr, named := t.Payer()
	if !named {
		return nil
	}
	purse, err := bank.Open(parent.State, addr)
	if err != nil || purse == nil {
		return err
	}
	lane, err := laneRates(parent.State, tx.LaneOf(t.Instruction))
	if err != nil {
		return err
	}
	bid, err := t.CardBid(lane)
	if err != nil {
		return nil // the trial says so
	}
	has, floor := purse.Affords(parent.Header.Height+1), t.Intrinsic()
	spare, err := fee.Use{Cycles: t.CyclesLimit - floor.Cycles, Cells: t.CellsLimit - floor.Cells}.Cost(bid.Max)
	if err != nil {
		return nil
	}
	least, err := fee.Use{Cycles: floor.Cycles, Cells: floor.Cells}.Cost(bid.Max)
	if err != nil || has >= spare+least || has < least {
		return nil
	}
	more, err := (t.CyclesLimit - floor.Cycles).MulDiv(uint64(has-least), uint64(spare))
	if err != nil {
		return err
	}
	cells, err := (t.CellsLimit - floor.Cells).MulDiv(uint64(has-least), uint64(spare))
	t.CyclesLimit, t.CellsLimit = floor.Cycles+more, floor.Cells+cells
	return err
}
