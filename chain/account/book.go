package account

import (
	"fmt"

	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// ShortfallError says that a balance does not cover an amount. Nothing has changed.
type ShortfallError struct {
	Have, Need unit.Amount
}

func (e *ShortfallError) Error() string {
	return fmt.Sprintf("account: balance %d does not cover %d", e.Have, e.Need)
}

// Credit adds coins to the record, or gives unit.ErrOverflow and leaves it as it is. It cannot overflow while all coins together fit 64 bits.
func (a *Account) Credit(amount unit.Amount) error {
	sum, err := a.Balance.Add(amount)
	if err == nil {
		a.Balance = sum
	}
	return err
}

// Debit takes coins from the record, or gives a *ShortfallError and leaves it as it is.
func (a *Account) Debit(amount unit.Amount) error {
	if a.Balance < amount {
		return &ShortfallError{Have: a.Balance, Need: amount}
	}
	a.Balance -= amount
	return nil
}

// Load reads the record of an address; an address without one has the zero record. Find tells the two apart.
func Load(r state.Reader, addr Address) (Account, error) {
	a, _, err := Find(r, addr)
	return a, err
}

// Find reads the record of an address; ok is false where it has none. An error is a failing source, or stored bytes that are no record.
func Find(r state.Reader, addr Address) (a Account, ok bool, err error) {
	var data []byte
	if o, known := r.(*state.Overlay); known { // a method of a known type lets the key stay on the stack: every transfer comes here
		key := addr.key()
		data, ok, err = o.Lookup(key[:])
	} else {
		data, ok, err = r.Lookup(addr.Key())
	}
	if err != nil || !ok {
		return Account{}, false, err
	}
	a, err = Decode(data)
	return a, err == nil, err
}

// Save writes the record of an address.
func Save(s state.Store, addr Address, a *Account) {
	if o, known := s.(*state.Overlay); known { // as in Find
		key := addr.key()
		var room [MaxEncodedSize]byte
		o.Set(key[:], a.Append(room[:0]))
		return
	}
	s.Set(addr.Key(), a.Encode())
}

// Credit adds coins to the balance of an address. They come from a pot outside the accounts: an escrow, a message, the fees, or new supply. A credit of
// nothing writes nothing, so no record appears for its sake. Errors: unit.ErrOverflow, a failing source.
//
// Spec: WP §8.1.
func Credit(s state.Store, to Address, amount unit.Amount) error {
	if amount == 0 {
		return nil
	}
	a, err := Load(s, to)
	if err != nil {
		return err
	}
	if err := a.Credit(amount); err != nil {
		return err
	}
	Save(s, to, &a)
	return nil
}

// Debit takes coins from the balance of an address, for a pot outside the accounts or to burn them. Errors: a *ShortfallError, a failing source.
//
// Spec: WP §8.1.
func Debit(s state.Store, from Address, amount unit.Amount) error {
	a, err := Load(s, from)
	if err != nil {
		return err
	}
	if err := a.Debit(amount); err != nil {
		return err
	}
	Save(s, from, &a)
	return nil
}

// Move takes coins from one balance and adds them to another; to itself an address moves what it holds without a change. On an error nothing is
// written: a *ShortfallError, unit.ErrOverflow, a failing source. Whether the receiver may hold coins is the caller's rule: chapter entitlements,
// econ.hold_balance.
//
// Spec: WP §8.1.
func Move(s state.Store, from, to Address, amount unit.Amount) error {
	giver, err := Load(s, from)
	if err != nil {
		return err
	}
	if err := giver.Debit(amount); err != nil {
		return err
	}
	if to == from {
		return nil
	}
	taker, err := Load(s, to)
	if err != nil {
		return err
	}
	if err := taker.Credit(amount); err != nil {
		return err
	}
	Save(s, from, &giver)
	Save(s, to, &taker)
	return nil
}
