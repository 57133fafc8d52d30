package transition

import (
	"fmt"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/fee"
	"github.com/cowboyinc/cowboy-go/chain/mailbox"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/runtime/system"
)

// SupplyError says that coin appeared or vanished.
type SupplyError struct {
	Recorded unit.Amount // genesis + minted − burned
	Found    unit.Amount // balances, escrows and coins in flight
}

func (e *SupplyError) Error() string {
	return fmt.Sprintf("transition: supply record says %d, state holds %d", e.Recorded, e.Found)
}

// CheckSupply adds up every balance, every pool's escrow, the coins of every pending message and what the validators are owed, and holds the sum against
// the supply record: genesis + minted − burned = Σ balances + Σ escrows + Σ coins in flight + owed. Deposits of chapters that are not built are none. It
// reads the whole state and is for tests and tools.
//
// Spec: WP §8.
func CheckSupply(r state.Reader) error {
	supply, err := fee.LoadSupply(r)
	if err != nil {
		return err
	}
	recorded, err := supply.Total()
	if err != nil {
		return err
	}
	var found unit.Amount
	var bad error
	add := func(amount unit.Amount, err error) bool {
		if err == nil {
			found, err = found.Add(amount)
		}
		bad = err
		return err == nil
	}
	err = r.Scan(account.KindPrefix(account.KindAccount), nil, 0, func(_, value []byte) bool {
		a, err := account.Decode(value)
		return add(a.Balance, err)
	})
	if err == nil && bad == nil {
		err = mailbox.EachPool(r, func(p mailbox.Pool) bool { return add(p.Escrow()) })
	}
	if err == nil && bad == nil {
		err = mailbox.EachValue(r, func(amount unit.Amount) bool { return add(amount, nil) })
	}
	if err == nil && bad == nil {
		add(system.Escrow(r))
	}
	if err == nil {
		err = bad
	}
	if err == nil && found != recorded {
		err = &SupplyError{Recorded: recorded, Found: found}
	}
	return err
}
