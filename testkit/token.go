package testkit

import (
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/token"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// CreateToken makes a token of the account with a supply in smallest units, which has its symbol for a name, and fails the test if that fails.
func (a *Account) CreateToken(symbol string, supply uint64) token.ID {
	a.chain.t.Helper()
	in := &tx.TokenCreate{Name: []byte(symbol), Symbol: []byte(symbol), InitialSupply: unit.Wide(supply)}
	return token.ID(a.must(a.Do(in, ExecuteCycles, ExecuteCells)).ReturnData)
}

// TryTransferToken sends tokens and gives the receipt, whatever its outcome.
func (a *Account) TryTransferToken(id token.ID, to account.Address, amount uint64) *block.Receipt {
	a.chain.t.Helper()
	return a.Do(&tx.TokenTransfer{TokenID: id, To: to, Amount: unit.Wide(amount)}, ExecuteCycles, ExecuteCells)
}

// TransferToken sends tokens and fails the test if that fails.
func (a *Account) TransferToken(id token.ID, to account.Address, amount uint64) {
	a.chain.t.Helper()
	a.must(a.TryTransferToken(id, to, amount))
}

// TokenBalance is what an address has of a token, in smallest units.
func (c *Chain) TokenBalance(id token.ID, of account.Address) unit.Uint128 {
	c.t.Helper()
	n, err := token.Balance(c.State(), id, of)
	if err != nil {
		c.t.Fatal(err)
	}
	return n
}
