// Package coin changes balances in every way that is not allowed.
package coin

import "github.com/cowboyinc/cowboy-go/chain/account"

type other struct{ Balance uint64 }

func spoil(a *account.Account, b account.Account, c *other) {
	a.Balance -= 1
	b.Balance++
	b.Balance, c.Balance = 3, 4
	p := &a.Balance
	*p = 5
	_ = b.Balance
}
