package transition

import (
	"errors"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/fee"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// One base unit more or less than the record says is told, and so is a record whose numbers cannot be.
//
// Spec: WP §8.
func TestCheckSupplyTells(t *testing.T) {
	c := newChain(t, script{})
	if err := CheckSupply(c.tip.State); err != nil {
		t.Fatal(err)
	}
	for name, change := range map[string]func(s state.Store) error{
		"one more": func(s state.Store) error { return account.Credit(s, person(1), 1) },
		"one less": func(s state.Store) error { return account.Debit(s, person(1), 1) },
	} {
		t.Run(name, func(t *testing.T) {
			o := c.tip.State.Overlay()
			if err := change(o); err != nil {
				t.Fatal(err)
			}
			if wrong := (*SupplyError)(nil); !errors.As(CheckSupply(o), &wrong) {
				t.Errorf("%s: %v", name, CheckSupply(o))
			}
		})
	}
	o := c.tip.State.Overlay()
	fee.Supply{Genesis: 1, Burned: 2}.Save(o)
	if err := CheckSupply(o); !errors.Is(err, unit.ErrOverflow) && !errors.Is(err, unit.ErrUnderflow) {
		t.Errorf("more burned than there was: %v", err)
	}
}
