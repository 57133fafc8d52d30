package testkit

import (
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/cbor"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/runtime/system/develop"
	"github.com/cowboyinc/cowboy-go/runtime/system/dispatcher"
)

// SetBalance makes a block in which an address comes to hold so many coins; the difference is the faucet's.
func (c *Chain) SetBalance(addr account.Address, balance unit.Amount) {
	c.t.Helper()
	c.develop(develop.HandlerSetBalance, (&develop.SetBalance{Address: addr, Balance: balance}).Encode())
}

// SetStorage makes a block in which one raw storage entry of an actor, of a key up to 32 bytes, is written; nil removes it.
func (c *Chain) SetStorage(actor account.Address, key string, value []byte) {
	c.t.Helper()
	c.develop(develop.HandlerSetStorage, (&develop.SetStorage{Actor: actor, Key: []byte(key), Value: value, Remove: value == nil}).Encode())
}

// SendAs makes a block in which any address, an actor's too, sends a message to an actor. It is delivered in the block after.
func (c *Chain) SendAs(from, to account.Address, handler, payload string) {
	c.t.Helper()
	c.develop(develop.HandlerSend, (&develop.Send{From: from, To: to, Handler: handler, Payload: []byte(payload)}).Encode())
}

// develop calls a handler of 0x09 that answers the administrator of a network with one validator.
func (c *Chain) develop(handler string, payload []byte) *block.Receipt {
	c.t.Helper()
	in := &tx.Execute{To: account.System(account.Governance), Handler: []byte(handler), Payload: payload}
	return c.faucet.must(c.faucet.Do(in, ExecuteCycles, ExecuteCells))
}

// SetRunner makes a block in which the network's runners are scripted, for a chain without Jobs.
func (c *Chain) SetRunner(s dispatcher.Script) {
	c.t.Helper()
	c.develop(develop.HandlerSetRunner, s.Append(nil))
}

// ClearRunner makes a block in which the scripts of a scope, and of what lies in it, are removed.
func (c *Chain) ClearRunner(s dispatcher.Scope) {
	c.t.Helper()
	c.develop(develop.HandlerClearRunner, s.Append(nil))
}

// AnswerJob makes a block in which a job that waits, for want of a script, is answered by its cid.
func (c *Chain) AnswerJob(cid string, r dispatcher.Reply) {
	c.t.Helper()
	c.develop(develop.HandlerAnswerJob, (&dispatcher.ByHand{Job: cid, Reply: r}).Append(nil))
}

// WaitingJobs are the jobs nobody has answered.
func (c *Chain) WaitingJobs() []*Job {
	c.t.Helper()
	waits, err := dispatcher.Waits(c.State())
	if err != nil {
		c.t.Fatal(err)
	}
	jobs := make([]*Job, len(waits))
	for i := range waits {
		if jobs[i], err = waits[i].Job(); err != nil {
			c.t.Fatal(err)
		}
	}
	return jobs
}

// ReplyWith makes a reply of plain values for package cbor: how the job ends, and its results.
func ReplyWith(e dispatcher.Ending, results ...any) dispatcher.Reply {
	r := dispatcher.Reply{Ending: e}
	if e != dispatcher.Lost {
		r.Copies = 1
	}
	for _, v := range results {
		raw, err := cbor.Append(nil, v)
		if err != nil {
			panic(Refusal{"a result is no plain value: " + err.Error()})
		}
		r.Results = append(r.Results, raw)
	}
	return r
}
