package bank

import (
	"math/bits"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/token"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// Purse is a card as fees are taken from it: what it may pay, what it has, and what it has spent. The money of several charges of one block may be taken from
// one Purse without a state.
type Purse struct {
	Card    Card
	Bank    Entry
	Window  Window
	Peg     *Peg         // nil: it pays in coins
	Balance unit.Uint128 // of the payment token, at the card's address
	Coins   unit.Amount  // of a card that pays in a token: what its bank can sell

	dead bool // of a token that may not move
}

// Open reads the card at an address with what a charge needs to know; nil where there is no card.
//
// Spec: gateway-payments-streams §G.3 (1, 2: card and bank exist).
func Open(r state.Reader, addr account.Address) (*Purse, error) {
	c, err := Find(r, addr)
	if err != nil || c == nil {
		return nil, err
	}
	p := &Purse{Card: *c}
	if p.Bank, err = Load(r, c.Bank); err != nil {
		return nil, err
	}
	if p.Window, err = LoadWindow(r, addr); err != nil {
		return nil, err
	}
	if c.Token == nil {
		a, err := account.Load(r, addr)
		p.Balance = unit.Wide(uint64(a.Balance))
		return p, err
	}
	return p, p.openToken(r)
}

func (p *Purse) openToken(r state.Reader) error {
	peg, err := LoadPeg(r, *p.Card.Token)
	if err != nil {
		return err
	}
	p.Peg = &peg
	if p.Balance, err = token.Balance(r, peg.Token, p.Card.Address); err != nil {
		return err
	}
	reserve := ReserveOf(p.Card.Bank)
	a, err := account.Load(r, reserve)
	if err != nil {
		return err
	}
	p.Coins = a.Balance
	t, err := token.Load(r, peg.Token)
	if err != nil {
		return err
	}
	p.dead = t == nil || t.Hook != nil
	for _, who := range [...]account.Address{p.Card.Address, reserve} {
		frozen, err := token.Frozen(r, peg.Token, who)
		if err != nil {
			return err
		}
		p.dead = p.dead || frozen
	}
	return nil
}

// Use is what a card is to pay for.
type Use struct {
	Kind      Kind
	Receivers []account.Address
	// Banks and Cards are those that the instruction is about, where it is one of 0x13.
	Cards []account.Address
	Banks []uint32
}

// Admit makes the checks of a use that need no price.
//
// Rejects: ErrPaused, ErrFrozen, ErrClosed, ErrExpired, ErrDenied.
//
// Spec: gateway-payments-streams §G.3 (2; no use of a card for operations of the bank on that card).
func (p *Purse) Admit(now unit.Height, u *Use) error {
	if p.Bank.Status != Active {
		return ErrPaused
	}
	if err := p.Card.mustBe(now, CardActive); err != nil {
		return err
	}
	for _, c := range u.Cards {
		if c == p.Card.Address {
			return ErrDenied
		}
	}
	for _, b := range u.Banks {
		if b == p.Card.Bank {
			return ErrDenied
		}
	}
	if !p.Card.Policy.Admits(u.Kind, u.Receivers) {
		return ErrDenied
	}
	return nil
}

// mustBe refuses a card whose status at a height is none of those.
func (c *Card) mustBe(now unit.Height, allowed ...CardStatus) error {
	status := c.StatusAt(now)
	for _, s := range allowed {
		if s == status {
			return nil
		}
	}
	return [...]error{CardActive: ErrNotFrozen, CardFrozen: ErrFrozen, CardClosed: ErrClosed, CardExpired: ErrExpired}[status]
}

// Price is coins in units of the payment token, rounded up.
//
// Spec: gateway-payments-streams §G.3 (2: converted at a rate fixed in the genesis).
func (p *Purse) Price(coins unit.Amount) unit.Uint128 { return p.convert(coins, true) }

func (p *Purse) convert(coins unit.Amount, up bool) unit.Uint128 {
	if p.Peg == nil {
		return unit.Wide(uint64(coins))
	}
	hi, lo := bits.Mul64(uint64(coins), p.Peg.Units)
	q := unit.Uint128{Hi: hi / uint64(p.Peg.Per)}
	var rest uint64
	q.Lo, rest = bits.Div64(hi%uint64(p.Peg.Per), lo, uint64(p.Peg.Per))
	if up && rest > 0 {
		q, _ = q.Add(unit.Wide(1)) // a quotient with a rest is below the greatest number
	}
	return q
}

// PriceOf is coins in units of what the card at an address pays in, rounded up.
func PriceOf(r state.Reader, addr account.Address, coins unit.Amount) (unit.Uint128, error) {
	p, err := Open(r, addr)
	if err != nil {
		return unit.Uint128{}, err
	}
	if p == nil {
		return unit.Uint128{}, ErrCard
	}
	return p.Price(coins), nil
}

// Reserve takes coins for fees out of the purse and counts them in the window: the price is checked against each cap, then against the balance.
//
// Rejects: a *CapError, ErrFunds, ErrToken.
//
// Spec: gateway-payments-streams §G.3 (2).
func (p *Purse) Reserve(now unit.Height, coins unit.Amount) error {
	if p.dead {
		return ErrToken
	}
	price := p.Price(coins)
	window, err := p.Window.Add(&p.Card.Policy, now, price)
	if err != nil {
		return err
	}
	left, err := p.Balance.Sub(price)
	if err != nil || p.Peg != nil && p.Coins < coins {
		return ErrFunds
	}
	p.Window, p.Balance = window, left
	if p.Peg != nil {
		p.Coins -= coins
	}
	return nil
}

// Affords is the most coins that a Reserve at a height would give.
func (p *Purse) Affords(now unit.Height) unit.Amount {
	most, window := p.Balance, p.Window.At(now)
	for t := range Tiers {
		if limit := p.Card.Policy.Cap(t); limit != nil {
			left, err := limit.Sub(window[t].Amount)
			if err != nil {
				return 0
			}
			if left.Cmp(most) < 0 {
				most = left
			}
		}
	}
	low, high := unit.Amount(0), ^unit.Amount(0)
	if p.Peg != nil {
		high = p.Coins
	}
	for low < high { // the greatest number whose price is not above most
		middle := high - (high-low)/2
		if p.Price(middle).Cmp(most) > 0 {
			high = middle - 1
		} else {
			low = middle
		}
	}
	return low
}

// Charge takes coins for fees from the card at an address, to be the caller's: the card is debited, and where it pays in a token its bank sells the coins for
// it. The purse is one of the same state.
//
// Errors: as Reserve; anything else is a failing store.
//
// Spec: gateway-payments-streams §G.3 (2: debit, add to the windows).
func (p *Purse) Charge(s state.Store, now unit.Height, coins unit.Amount) error {
	price := p.Price(coins)
	if err := p.Reserve(now, coins); err != nil {
		return err
	}
	saveWindow(s, p.Card.Address, p.Window)
	if p.Peg == nil {
		return account.Debit(s, p.Card.Address, coins)
	}
	if err := p.moveToken(s, p.Card.Address, ReserveOf(p.Card.Bank), price); err != nil {
		return err
	}
	return account.Debit(s, ReserveOf(p.Card.Bank), coins)
}

// moveToken moves units of the payment token, which has no hook.
func (p *Purse) moveToken(s state.Store, from, to account.Address, amount unit.Uint128) error {
	g := token.Registry{State: s, Emit: func(string, []byte) {}}
	return g.Transfer(from, p.Peg.Token, to, amount)
}

// Refund gives coins of a charge back to the card at an address: where it pays in a token, as units of it, rounded down, as long as its bank has them to give,
// and as coins otherwise. charged is the height of the charge. The coins are the caller's, who has taken them out of wherever they were. It gives the units
// that came back.
//
// Spec: gateway-payments-streams §G.3 (3).
func Refund(s state.Store, addr account.Address, coins unit.Amount, charged unit.Height) (unit.Uint128, error) {
	p, err := Open(s, addr)
	if err != nil {
		return unit.Uint128{}, err
	}
	if p == nil {
		return unit.Uint128{}, ErrCard
	}
	back := p.convert(coins, false)
	saveWindow(s, addr, p.Window.Return(charged, back))
	if p.Peg == nil {
		return back, account.Credit(s, addr, coins)
	}
	reserve := ReserveOf(p.Card.Bank)
	held, err := token.Balance(s, p.Peg.Token, reserve)
	if err != nil {
		return back, err
	}
	if p.dead || held.Cmp(back) < 0 {
		return back, account.Credit(s, addr, coins)
	}
	if err := p.moveToken(s, reserve, addr, back); err != nil {
		return back, err
	}
	return back, account.Credit(s, reserve, coins)
}
