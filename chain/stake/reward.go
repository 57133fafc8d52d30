package stake

import (
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/fee"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// Owed is what was minted and not paid to validators yet: the supply's minted total less the amount paid. A state without a registry owes nothing.
// Spec: WP "Staking and Rewards", §8.2.
func Owed(r state.Reader) (unit.Amount, error) {
	_, ok, err := r.Lookup(settledKey)
	if err != nil || !ok {
		return 0, err
	}
	settled, err := state.Number(r, settledKey)
	if err != nil {
		return 0, err
	}
	raw, ok, err := r.Lookup(fee.SupplyKey())
	if err != nil || !ok {
		return 0, err
	}
	supply, err := fee.DecodeSupply(raw)
	if err != nil {
		return 0, err
	}
	return supply.Minted.Sub(unit.Amount(settled))
}

// settle pays what is owed to the Active members of the epoch's set, in proportion to their weights and rounded down; what the roundings leave stays
// owed. Nobody Active: nothing is paid.
// Spec: WP "Staking and Rewards" (reward_i = stake_i / total_stake × inflation); governance-staking A2.
func (g *Registry) settle() error {
	owed, err := Owed(g.State)
	if err != nil || owed == 0 {
		return err
	}
	earners, total, err := g.earners()
	if err != nil || total == 0 {
		return err
	}
	var paid unit.Amount
	for _, m := range earners {
		share, err := owed.MulDiv(uint64(m.Weight), uint64(total))
		if err != nil {
			return err
		}
		paid += share // at most owed
		if err := account.Credit(g.State, m.Address, share); err != nil {
			return err
		}
	}
	return g.paid(paid)
}

func (g *Registry) paid(amount unit.Amount) error {
	settled, err := state.Number(g.State, settledKey)
	if err != nil {
		return err
	}
	state.SetNumber(g.State, settledKey, settled+uint64(amount)) // at most what was minted
	return nil
}

// earners are the Active members of the epoch's set and the sum of their weights.
func (g *Registry) earners() (list []Member, total unit.Amount, err error) {
	members, err := current(g.State, g.epoch())
	if err != nil {
		return nil, 0, err
	}
	for _, m := range members {
		v, ok, err := Load(g.State, m.Address)
		if err != nil {
			return nil, 0, err
		}
		if ok && v.Status == Active {
			list = append(list, m)
			total += m.Weight // stakes are coins of one account
		}
	}
	return list, total, nil
}

// stopEarning pays everybody what is owed up to the parent block before v is no longer Active.
func (g *Registry) stopEarning(v *Validator) error {
	if v.Status != Active {
		return nil
	}
	return g.settle()
}
