package transition

import (
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/grant"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// admit makes the checks of a transaction that need state, and those of who pays its fees where that is another, who is billed first. A card pays at once.
// The caller undoes that where the transaction is refused.
//
// Spec: WP §2.2, §2.3; entitlement-extras §5 (UseOwnerBalance); gateway-payments-streams §G.3.
func (s *State) admit(v tx.Verified) (sender account.Account, card *carded, reason, err error) {
	if v.Tx().CellsLimit > params.BlockCells-min(s.used.Cells, params.BlockCells) {
		return sender, nil, ErrCells, nil
	}
	if sender, err = account.Load(s.overlay, v.Tx().From); err != nil {
		return sender, nil, nil, err
	}
	if reason = v.Admit(&sender, s.block.Params, s.block.Basefees); reason != nil {
		return sender, nil, reason, nil
	}
	owner, named := v.Tx().Payer()
	if !named {
		return sender, nil, nil, nil
	}
	if card, err = s.chargeCard(v); card == nil && err == nil {
		err = s.cover(v, owner)
	}
	if _, refused := tx.ClassOf(err); refused {
		return sender, nil, err, nil
	}
	return sender, card, nil, err
}

// cover makes the checks of a payer that is no card.
func (s *State) cover(v tx.Verified, owner account.Address) error {
	if err := s.bill(owner); err != nil {
		return err
	}
	payer, err := account.Load(s.overlay, owner)
	if err == nil {
		err = v.Covered(s.overlay, s.header.Height, &payer)
	}
	return err
}

// charge takes fees from the sender, whose record the caller holds, or from the payer, and counts those on the payer's grant. What a use counted and the
// refund gives back does not stay counted; what a pool of messages keeps does. A card has paid already, and gets back what is more than the fees.
//
// Spec: WP §2.3; entitlement-extras §5 (UseOwnerBalance); gateway-payments-streams §G.3.
func (s *State) charge(r *running, sender *account.Account, fees unit.Amount) (err error) {
	if r.card != nil {
		return s.settleCard(r, r.card.coins-fees)
	}
	if r.payer == r.receipt.Sender {
		return sender.Debit(fees)
	}
	r.drawn, err = grant.Draw(s.overlay, r.receipt.Sender, grant.ActorScope(r.payer), tx.PayerAction(), uint64(fees), s.header.Height)
	if err != nil {
		return err // Covered has found the grant
	}
	return account.Debit(s.overlay, r.payer, fees)
}

// bill has an actor pay the rent of the epochs that have begun, before anything changes its balance or its size.
//
// Spec: rent §6.
func (s *State) bill(addr account.Address) error {
	n, err := s.block.Rent.Touch(s.overlay, addr)
	if err == nil {
		s.rent.Add(n)
	}
	return err
}

// credit is account.Credit for an address that may be an actor's.
func (s *State) credit(to account.Address, amount unit.Amount) error {
	if amount == 0 {
		return nil
	}
	if err := s.bill(to); err != nil {
		return err
	}
	return account.Credit(s.overlay, to, amount)
}
