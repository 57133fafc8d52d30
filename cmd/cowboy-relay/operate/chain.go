package operate

import (
	"context"
	"net/url"

	"github.com/cowboyinc/cowboy-go/actors/relay"
	"github.com/cowboyinc/cowboy-go/actors/relay/reach"
	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/cbfs"
	"github.com/cowboyinc/cowboy-go/chain/cbor"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	chain "github.com/cowboyinc/cowboy-go/chain/relay"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/chain/volume"
	runner "github.com/cowboyinc/cowboy-go/cmd/cowboy-runner/operate"
	"github.com/cowboyinc/cowboy-go/cmd/cowboy/api"
	systemrelay "github.com/cowboyinc/cowboy-go/runtime/system/relay"
	systemvolume "github.com/cowboyinc/cowboy-go/runtime/system/volume"
)

// limits are those of what a relay sends, which the node tries first.
var limits = tx.Cost{Cycles: 300_000, Cells: 40_000}

// Chain is the chain behind a node, as a relay sees it and sends to it. It implements relay.Chain.
type Chain struct {
	api.Storage
	self   account.Address
	sender *runner.Client
}

// NewChain gives the chain behind a node to a relay's key.
func NewChain(node *api.Client, key *sig.PrivateKey) *Chain {
	return &Chain{api.Storage{Node: node}, key.Address(), runner.NewClient(node, key)}
}

// Self implements relay.Chain.
func (c *Chain) Self(ctx context.Context) (*reach.Relay, error) { return c.Relay(ctx, c.self) }

// Held implements relay.Chain.
func (c *Chain) Held(ctx context.Context) (list []relay.Held, err error) {
	for cursor := ""; ; {
		var page wire.RelaySlots
		if err := c.Node.Read(ctx, "/relays/"+c.self.String()+"/slots?cursor="+url.QueryEscape(cursor), &page); err != nil {
			return nil, err
		}
		for _, one := range page.Slots {
			id, err := digest.ParseHash(one.VolumeID)
			if err != nil {
				return nil, err
			}
			list = append(list, relay.Held{Volume: id, Slot: one.Slot})
		}
		if cursor = page.NextCursor; cursor == "" {
			return list, nil
		}
	}
}

// call sends a call of a handler.
func (c *Chain) call(ctx context.Context, to account.Address, handler string, coins unit.Amount, arguments cbor.Map) error {
	in := &tx.Execute{To: to, Handler: []byte(handler), Amount: coins}
	if arguments != nil {
		var err error
		if in.Payload, err = cbor.Append(nil, arguments); err != nil {
			return err
		}
	}
	return c.sender.Send(ctx, in, limits)
}

// Heartbeat implements relay.Chain.
func (c *Chain) Heartbeat(ctx context.Context) error {
	return c.call(ctx, chain.Home(), systemrelay.HandlerHeartbeat, 0, nil)
}

// Confirm implements relay.Chain.
func (c *Chain) Confirm(ctx context.Context, h relay.Held, root digest.Hash) error {
	return c.call(ctx, volume.Home(), systemvolume.HandlerConfirm, 0, cbor.Map{
		{Key: "volume_id", Value: h.Volume[:]}, {Key: "slot", Value: int64(h.Slot)}, {Key: "shard_root", Value: root[:]},
	})
}

// Prove implements relay.Chain.
func (c *Chain) Prove(ctx context.Context, challenge digest.Hash, p *cbfs.Proof) error {
	return c.call(ctx, chain.Home(), systemrelay.HandlerProve, 0, cbor.Map{
		{Key: "challenge_id", Value: challenge[:]}, {Key: "proof", Value: p.Append(nil)},
	})
}

// Repair implements relay.Chain.
func (c *Chain) Repair(ctx context.Context, h relay.Held, version uint64) error {
	return c.call(ctx, volume.Home(), systemvolume.HandlerRepair, 0, cbor.Map{
		{Key: "volume_id", Value: h.Volume[:]}, {Key: "slot", Value: int64(h.Slot)}, {Key: "version", Value: int64(version)},
	})
}

// Register registers the relay, or changes what is registered and adds to its stake.
//
// Spec: storage-cbfs §2.6.
func (c *Chain) Register(ctx context.Context, p *chain.Profile, stake unit.Amount) error {
	return c.call(ctx, chain.Home(), systemrelay.HandlerRegister, stake, cbor.Map{
		{Key: "node_id", Value: p.Node[:]}, {Key: "public_key", Value: p.Key[:]}, {Key: "endpoint", Value: p.Endpoint}, {Key: "region", Value: p.Region},
		{Key: "capacity", Value: int64(p.Capacity)},
	})
}
