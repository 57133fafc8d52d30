package testkit

import (
	"bytes"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/tx"
)

// impersonator accepts, besides real signatures, those of Impersonate: an address and a filling no curve point has.
type impersonator struct{ sig.Recoverer }

var borrowed = bytes.Repeat([]byte{0xff}, len(sig.Signature{})-account.AddressSize)

// Recover implements sig.Recoverer.
func (i impersonator) Recover(hash digest.Hash, s sig.Signature) (account.Address, error) {
	if bytes.Equal(s[account.AddressSize:], borrowed) {
		return account.Address(s[:account.AddressSize]), nil
	}
	return i.Recoverer.Recover(hash, s)
}

func (a *Account) sign(hash digest.Hash) sig.Signature {
	if a.key != nil {
		return a.key.Sign(hash)
	}
	var s sig.Signature
	copy(s[:], a.addr[:])
	copy(s[account.AddressSize:], borrowed)
	return s
}

// Impersonate gives an account that acts as any address which is no actor's, funded with StartBalance the first time.
func (c *Chain) Impersonate(addr account.Address) *Account {
	c.t.Helper()
	if addr == c.faucet.addr {
		return c.faucet
	}
	for _, a := range c.accounts { // order-free: an address has one account
		if a.addr == addr {
			return a
		}
	}
	a := &Account{chain: c, name: addr.String(), addr: addr, nonce: c.Record(addr).Nonce}
	c.accounts[a.name] = a
	c.faucet.Send(&tx.Transfer{To: addr, Amount: StartBalance}, 21_000, 0)
	c.Mine()
	return a
}
