package bank

import (
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/fee"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// Prepaid is the next fire of a timer that a card has paid for: so much of both meters at prices that hold whatever the basefees have become. Its coins lie
// on the balance of 0x13.
//
// Spec: gateway-payments-streams §G.3 (timers charge the card when they are scheduled).
type Prepaid struct {
	Card    account.Address
	Charged unit.Height
	Limit   fee.Use
	Rates   fee.Rates
}

// Coins is what the card was charged.
func (p *Prepaid) Coins() (unit.Amount, error) { return p.Limit.Cost(p.Rates) }

// Append appends the canonical encoding: card(20) ‖ five UInt.
func (p *Prepaid) Append(dst []byte) []byte {
	dst = codec.AppendFixed(dst, p.Card[:])
	for _, n := range [...]uint64{uint64(p.Charged), uint64(p.Limit.Cycles), uint64(p.Limit.Cells), p.Rates.Cycle, p.Rates.Cell} {
		dst = codec.AppendUint(dst, n)
	}
	return dst
}

// DecodePrepaid reads what Append wrote.
func DecodePrepaid(data []byte) (p Prepaid, err error) {
	r := codec.NewReader(data)
	r.Into(p.Card[:])
	p.Charged = unit.Height(r.Uint())
	p.Limit = fee.Use{Cycles: unit.Cycles(r.Uint()), Cells: unit.Cells(r.Uint())}
	p.Rates = fee.Rates{Cycle: r.Uint(), Cell: r.Uint()}
	return p, r.Finish()
}

// PaidFor is what a card has paid for the next fire of a timer; nil where none has.
func PaidFor(r state.Reader, timer digest.Hash) (*Prepaid, error) {
	data, ok, err := r.Lookup(at(underTimer, timer[:]))
	if err != nil || !ok {
		return nil, err
	}
	p, err := DecodePrepaid(data)
	return &p, err
}

// Prepay charges a card for the next fire of a timer of its agent's.
//
// Rejects: ErrInactive, ErrCard, ErrAgent, those of Admit and Reserve, unit.ErrOverflow.
//
// Spec: gateway-payments-streams §G.3 (timers).
func Prepay(s state.Store, timer digest.Hash, agent account.Address, p Prepaid, u *Use) error {
	active, err := ActiveAt(s, p.Charged)
	if err != nil {
		return err
	}
	if !active {
		return ErrInactive
	}
	purse, err := Open(s, p.Card)
	if err != nil {
		return err
	}
	switch {
	case purse == nil:
		return ErrCard
	case purse.Card.Agent != agent:
		return ErrAgent
	}
	if err := purse.Admit(p.Charged, u); err != nil {
		return err
	}
	coins, err := p.Coins()
	if err != nil {
		return err
	}
	if err := purse.Charge(s, p.Charged, coins); err != nil {
		return err
	}
	s.Set(at(underTimer, timer[:]), p.Append(nil))
	return account.Credit(s, Home(), coins)
}

// Draw takes what was paid for a fire out of 0x13, to be the caller's. The record is gone.
func (p *Prepaid) Draw(s state.Store, timer digest.Hash) error {
	coins, err := p.Coins()
	if err != nil {
		return err
	}
	s.Delete(at(underTimer, timer[:]))
	return account.Debit(s, Home(), coins)
}

// Release gives a card back what it paid for a fire that will not be; without such a payment nothing happens.
func Release(s state.Store, timer digest.Hash) error {
	p, err := PaidFor(s, timer)
	if err != nil || p == nil {
		return err
	}
	if err := p.Draw(s, timer); err != nil {
		return err
	}
	coins, err := p.Coins()
	if err == nil {
		_, err = Refund(s, p.Card, coins, p.Charged)
	}
	return err
}
