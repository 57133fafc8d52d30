package tx

import (
	"fmt"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/bank"
	"github.com/cowboyinc/cowboy-go/chain/fee"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// receiving names whom it gives something, beside the account it concerns.
type receiving interface{ receivers() []account.Address }

func (t *TokenTransfer) receivers() []account.Address     { return []account.Address{t.To} }
func (t *TokenTransferFrom) receivers() []account.Address { return []account.Address{t.To} }
func (t *TokenMint) receivers() []account.Address         { return []account.Address{t.To} }
func (t *TokenTransferBatch) receivers() []account.Address {
	list := make([]account.Address, len(t.Transfers))
	for i, leg := range t.Transfers {
		list[i] = leg.To
	}
	return list
}

// UseOf is an instruction of sender's as the policy of a card sees it: what sort it is, whom it concerns - of a transfer of tokens those who get them - and
// the cards and banks it is about.
//
// Spec: gateway-payments-streams §G.1 (kinds of system calls), §G.3 (2).
func UseOf(in Instruction, sender account.Address) bank.Use {
	u := bank.Use{Kind: kindOf(table.of(in)), Receivers: []account.Address{TargetOf(in, sender)}}
	if r, ok := in.(receiving); ok {
		u.Receivers = r.receivers()
	}
	if c, ok := in.(concerns); ok {
		c.concerns(&u)
	}
	return u
}

// kindOf is the kind of a row's instructions. What has no family of its own is Custom with its opcode.
func kindOf(r *Row) bank.Kind {
	switch {
	case r.Payment != NoPayment || r.Opcode == OpExecute:
		return bank.Kind{Family: bank.Send}
	case r.Opcode == OpDeploy:
		return bank.Kind{Family: bank.DeployActor}
	case r.Opcode.Category() == Library:
		return bank.Kind{Family: bank.PublishLibrary}
	case r.Chapter == ChapterToken:
		return bank.Kind{Family: bank.Token}
	case r.Chapter == ChapterSession:
		return bank.Kind{Family: bank.Session}
	case r.Chapter == ChapterSecret:
		return bank.Kind{Family: bank.Cbss}
	}
	return bank.Kind{Family: bank.Custom, Opcode: uint16(r.Opcode)}
}

// Purse is the card that the transaction names to pay its fees, of which several transactions may take; nil where it names none, or an address that is no
// card's. Reject: a FundsError's class ErrPayer where the card's bank does not let it pay at all.
//
// Spec: gateway-payments-streams §G.3 (1).
func (v Verified) Purse(r state.Reader, at unit.Height) (*bank.Purse, error) {
	card, named := v.tx.Payer()
	if !named {
		return nil, nil
	}
	p, err := bank.Open(r, card)
	if err != nil || p == nil {
		return nil, refusedCard(err)
	}
	active, err := bank.ActiveAt(r, at)
	if err == nil && !active {
		err = bank.ErrInactive
	}
	return p, refusedCard(err)
}

// Reserve has a card pay the transaction's limits at the prices of a block whose lane has these basefees, if it may. Reject: an error of ErrPayer and of
// package bank.
//
// Spec: gateway-payments-streams §G.3 (2).
func (v Verified) Reserve(p *bank.Purse, at unit.Height, lane params.Basefees) error {
	coins, err := v.admitCard(p, at, lane)
	if err != nil {
		return err
	}
	return refusedCard(p.Reserve(at, coins))
}

// admitCard makes the checks of a card that need no price, and gives the price.
func (v Verified) admitCard(p *bank.Purse, at unit.Height, lane params.Basefees) (unit.Amount, error) {
	use := UseOf(v.tx.Instruction, v.tx.From)
	if v.tx.From != p.Card.Agent {
		return 0, refusedCard(bank.ErrAgent)
	}
	if err := p.Admit(at, &use); err != nil {
		return 0, refusedCard(err)
	}
	return v.tx.CardFee(lane)
}

// Charge is Reserve which takes the coins out of a state, to be the caller's.
//
// Spec: gateway-payments-streams §G.3 (2).
func (v Verified) Charge(s state.Store, p *bank.Purse, at unit.Height, lane params.Basefees) (unit.Amount, error) {
	coins, err := v.admitCard(p, at, lane)
	if err != nil {
		return 0, err
	}
	return coins, refusedCard(p.Charge(s, at, coins))
}

// Bid is what the transaction offers for its units.
//
// Spec: WP §2.3.
func (t *Tx) Bid() fee.Bid {
	return fee.Bid{
		Max: fee.Rates{Cycle: t.MaxFeePerCycle, Cell: t.MaxFeePerCell},
		Tip: fee.Rates{Cycle: t.MaxPriorityFeePerCycle, Cell: t.MaxPriorityFeePerCell},
	}
}

// CardBid is the bid that a card pays in a block whose lane has these basefees: the basefees and the tips, and no more than those. Reject: ErrBelowBasefee.
//
// Spec: gateway-payments-streams §G.3 (reserve; tips in both formulas).
func (t *Tx) CardBid(lane params.Basefees) (fee.Bid, error) {
	price, err := t.Bid().At(lane)
	if err != nil {
		return fee.Bid{}, ErrBelowBasefee
	}
	return fee.Bid{Max: price.Effective(), Tip: price.Tip}, nil
}

// CardFee is what a card reserves: both limits at CardBid. Rejects: ErrBelowBasefee; it fits, since the limits at the maximum fees do.
func (t *Tx) CardFee(lane params.Basefees) (unit.Amount, error) {
	bid, err := t.CardBid(lane)
	if err != nil {
		return 0, err
	}
	return fee.Use{Cycles: t.CyclesLimit, Cells: t.CellsLimit}.Cost(bid.Max)
}

// refusedCard classes a reject of the bank.
func refusedCard(err error) error {
	if err == nil || !bank.Refuses(err) {
		return err
	}
	return fmt.Errorf("%w: %w", ErrPayer, err)
}
