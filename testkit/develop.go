package testkit

import (
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/runtime/system"
)

// SetBalance makes a block in which an address comes to hold so many coins; the difference is the faucet's.
func (c *Chain) SetBalance(addr account.Address, balance unit.Amount) {
	c.t.Helper()
	c.develop(system.HandlerSetBalance, (&system.SetBalance{Address: addr, Balance: balance}).Encode())
}

// SetStorage makes a block in which one raw storage entry of an actor, of a key up to 32 bytes, is written; nil removes it.
func (c *Chain) SetStorage(actor account.Address, key string, value []byte) {
	c.t.Helper()
	c.develop(system.HandlerSetStorage, (&system.SetStorage{Actor: actor, Key: []byte(key), Value: value, Remove: value == nil}).Encode())
}

// SendAs makes a block in which any address, an actor's too, sends a message to an actor. It is delivered in the block after.
func (c *Chain) SendAs(from, to account.Address, handler, payload string) {
	c.t.Helper()
	c.develop(system.HandlerSend, (&system.Send{From: from, To: to, Handler: handler, Payload: []byte(payload)}).Encode())
}

// develop calls a handler of 0x09 that answers the administrator of a network with one validator.
func (c *Chain) develop(handler string, payload []byte) *block.Receipt {
	c.t.Helper()
	in := &tx.Execute{To: account.System(account.Governance), Handler: []byte(handler), Payload: payload}
	return c.faucet.must(c.faucet.Do(in, ExecuteCycles, ExecuteCells))
}
