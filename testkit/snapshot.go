package testkit

import (
	"maps"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/fee"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/runtime/drain"
	"github.com/cowboyinc/cowboy-go/runtime/host"
	"github.com/cowboyinc/cowboy-go/runtime/transition"
)

// Snapshot is a chain as it was. It may be reverted to any number of times.
type Snapshot struct {
	tip     transition.Parent
	memory  *state.Memory
	length  uint64
	fees    params.Basefees
	pending []tx.Verified
	blocks  int
	nonces  map[string]uint64
}

// Snapshot notes where the chain is. What it takes does not depend on the size of the state.
func (c *Chain) Snapshot() *Snapshot {
	s := &Snapshot{
		tip: c.tip, memory: c.memory, length: c.memory.Length(), fees: c.fees, pending: c.pending, blocks: len(c.blocks),
		nonces: map[string]uint64{},
	}
	for name, a := range c.accounts { // order-free: a copy
		s.nonces[name] = a.nonce
	}
	s.nonces["faucet"] = c.faucet.nonce
	return s
}

// Revert takes the chain back to a snapshot of it. Accounts made since are gone with what they held.
func (c *Chain) Revert(s *Snapshot) {
	c.tip, c.fees, c.pending = s.tip, s.fees, s.pending
	c.memory = s.memory.Fork(s.length)
	for _, b := range c.blocks[s.blocks:] {
		for _, x := range b.Receipts {
			delete(c.receipts, x.ID)
		}
	}
	c.blocks = c.blocks[:s.blocks:s.blocks]
	maps.DeleteFunc(c.accounts, func(name string, _ *Account) bool { _, ok := s.nonces[name]; return !ok })
	for name, a := range c.accounts { // order-free: each has its own
		a.nonce = s.nonces[name]
	}
	c.faucet.nonce = s.nonces["faucet"]
	c.losses = 0
}

// Fork gives another chain that begins where this one is, for another test.
func (c *Chain) Fork(t testing.TB) *Chain {
	f := *c
	f.t, f.memory = t, c.memory.Fork(c.memory.Length())
	f.blocks = c.blocks[:len(c.blocks):len(c.blocks)]
	f.told, f.parents = maps.Clone(c.told), maps.Clone(c.parents)
	f.accounts, f.receipts = map[string]*Account{}, maps.Clone(c.receipts)
	for name, a := range c.accounts { // order-free: a copy
		own := *a
		own.chain = &f
		f.accounts[name] = &own
	}
	faucet := *c.faucet
	faucet.chain = &f
	f.faucet = &faucet
	return &f
}

// Query runs a handler for a reader on the state as it is, and changes nothing. Asked tells where it failed.
func (c *Chain) Query(actor account.Address, handler string, payload []byte, sender *account.Address) drain.Outcome {
	c.t.Helper()
	c.asked = &host.Watch{}
	out, err := host.New(c.programs).Watch(c.asked).Ask(c.tip.Header, c.tip.State, host.Question{
		Actor: actor, Handler: handler, Payload: payload, Sender: sender, Limit: fee.Use{Cycles: ExecuteCycles, Cells: ExecuteCells},
	})
	if err != nil {
		c.t.Fatal(err)
	}
	return out
}

// Digest stands for everything the chain is: the state root and the newest block.
func (c *Chain) Digest() digest.Hash {
	root := c.Root()
	return digest.Keccak256(root[:], c.tip.Hash[:])
}
