package testkit

import (
	"cmp"
	"slices"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/timer"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// Fire gives what the payer of a timer has to hold when it fires, at the prices of the newest block, and what the payer holds now. Whatever the fire does not
// use comes back. A timer whose payer holds less is dropped.
//
// Spec: scheduler-timers §6, §7.
func (c *Chain) Fire(t *timer.Timer) (cost, has unit.Amount) {
	c.t.Helper()
	p, err := params.Load(c.tip.State)
	if err != nil {
		c.t.Fatal(err)
	}
	cost, err = timer.Price(c.fees).Precharge(t.Limit(timer.Effective(p, c.Height())))
	if err != nil {
		cost = ^unit.Amount(0)
	}
	return cost, c.Balance(t.Payer)
}

// Timers are the timers of an actor, in the order they fire.
func (c *Chain) Timers(actor account.Address) []timer.Timer {
	c.t.Helper()
	var ids []timer.ID
	if err := timer.Owned(c.tip.State, actor, 1<<20, func(id timer.ID) bool { ids = append(ids, id); return true }); err != nil {
		c.t.Fatal(err)
	}
	list := make([]timer.Timer, 0, len(ids))
	for _, id := range ids {
		t, ok, err := timer.Load(c.tip.State, id)
		if err != nil {
			c.t.Fatal(err)
		}
		if ok {
			list = append(list, t)
		}
	}
	slices.SortFunc(list, func(a, b timer.Timer) int { return cmp.Or(cmp.Compare(a.Height, b.Height), cmp.Compare(a.Seq, b.Seq)) })
	return list
}
