package testkit

import (
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/cbor"
	"github.com/cowboyinc/cowboy-go/chain/mailbox"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/runtime/drain"
)

// door is the runner with a scripted gateway registry at 0x0F: a transaction to it becomes a message from it.
type door struct {
	drain.Runner
	to      account.Address
	payload []byte
}

// Run implements drain.Runner.
func (d *door) Run(t *drain.Turn) (drain.Outcome, error) {
	if t.Kind != block.Transaction || t.Target != account.System(account.GatewayRegistry) {
		return d.Runner.Run(t)
	}
	_, err := mailbox.Enqueue(t.Overlay, t.Block.Limits, t.Block.Height, mailbox.Message{
		Sender: t.Target, Target: d.to, Payload: d.payload, Structured: true, Origin: t.Origin, Depth: 1,
	})
	return drain.Outcome{Turn: t.Number, Enqueued: 1, Fanout: 1}, err
}

// Dispatch sends an HTTP request to an actor as gateways send commands: in a message of the gateway registry, which arrives in the second of the
// two blocks it makes. handler is "http.request" or the one the actor's routes name; envelope holds method, path, body and what else the
// request has. It gives the message's receipt.
func (c *Chain) Dispatch(actor account.Address, handler string, envelope cbor.Map) *block.Receipt {
	c.t.Helper()
	fields := append(cbor.Map{{Key: "handler", Value: handler}}, envelope...)
	payload, err := cbor.Append(nil, fields)
	if err != nil {
		c.t.Fatal(err)
	}
	by := c.Account("gateway")
	before := c.runner
	c.runner = &door{before, actor, payload}
	by.Send(&tx.Execute{To: account.System(account.GatewayRegistry), Handler: []byte("dispatch")}, ExecuteCycles, ExecuteCells)
	c.Mine()
	c.runner = before
	for _, x := range c.Mine().Receipts {
		if x.Kind == block.Message && x.Target == actor && x.Sender == account.System(account.GatewayRegistry) {
			return x
		}
	}
	c.t.Fatal("the request was not delivered")
	return nil
}
