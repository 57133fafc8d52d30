package secret

import (
	"slices"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// maxOwed bounds the creditors of a debt: each has a whole fee, but for one that was paid in part and one that was owed before.
const maxOwed = DebtFees + 2

func (d *Debt) total() (sum unit.Amount) {
	for _, o := range d.Owed {
		sum += o.Amount // fees of releases, which together fit
	}
	return sum
}

// charge has an actor pay a release: what it owes comes first, then the fee as far as the balance goes; the rest is owed. An actor that owes more than
// DebtFees fees becomes delinquent: it is asked no more, and submits no jobs, until it has paid. It gives what was paid of this fee. Reject: ErrFunds.
//
// Spec: secrets-cbss §5 (Debt), §6 (RELEASE_FEE_PER_RECEIPT).
func (s *Service) charge(actor, operator account.Address) (unit.Amount, error) {
	d, err := s.settle(actor)
	if err != nil {
		return 0, err
	}
	if d.Delinquent {
		return 0, ErrFunds
	}
	fee := s.Config.ReleaseFee
	paid, err := s.move(actor, operator, fee)
	if err != nil || paid == fee {
		return paid, err
	}
	if at := slices.IndexFunc(d.Owed, func(o Owed) bool { return o.To == operator }); at >= 0 {
		d.Owed[at].Amount += fee - paid
	} else {
		d.Owed = append(d.Owed, Owed{operator, fee - paid})
	}
	limit, err := fee.Mul(DebtFees)
	if err != nil {
		return 0, err
	}
	if owed := d.total(); owed > limit || len(d.Owed) >= maxOwed {
		d.Delinquent = true
		s.emit(TopicDelinquent, actor[:], uints(owed))
	}
	s.State.Set(under(underDebt, actor[:]), d.Encode())
	return paid, nil
}

// move pays as much of an amount as an account can spend.
func (s *Service) move(from, to account.Address, amount unit.Amount) (unit.Amount, error) {
	if s.Bill != nil {
		if err := s.Bill(from); err != nil {
			return 0, err
		}
	}
	paid, err := s.afford(from, amount)
	if err != nil || paid == 0 {
		return 0, err
	}
	if err := account.Debit(s.State, from, paid); err != nil {
		return 0, err
	}
	return paid, s.credit(to, paid)
}

// settle pays what an actor owes as far as its balance goes, the oldest first, and gives the rest, which may be nothing.
func (s *Service) settle(actor account.Address) (*Debt, error) {
	d, err := LoadDebt(s.State, actor)
	if err != nil {
		return nil, err
	}
	if d == nil {
		return new(Debt), nil
	}
	before := d.total()
	for len(d.Owed) > 0 {
		paid, err := s.move(actor, d.Owed[0].To, d.Owed[0].Amount)
		if err != nil {
			return nil, err
		}
		if d.Owed[0].Amount -= paid; d.Owed[0].Amount > 0 {
			break
		}
		d.Owed = d.Owed[1:]
	}
	if paid := before - d.total(); paid > 0 {
		s.emit(TopicDebtSettled, actor[:], uints(paid))
	}
	if len(d.Owed) == 0 {
		s.State.Delete(under(underDebt, actor[:]))
		return new(Debt), nil
	}
	s.State.Set(under(underDebt, actor[:]), d.Encode())
	return d, nil
}

// Settle has an actor pay what it owes, as far as it can. Reject: ErrFunds for one that was delinquent and has not paid all.
//
// Spec: secrets-cbss §5 (cannot submit jobs until FundActor has paid).
func (s *Service) Settle(actor account.Address) error {
	d, err := LoadDebt(s.State, actor)
	if err != nil || d == nil || !d.Delinquent {
		return err
	}
	if d, err = s.settle(actor); err == nil && d.Delinquent {
		err = ErrFunds
	}
	return err
}
