package operate

import (
	"context"
	"errors"
	"fmt"
	"net"
	"strconv"
	"time"

	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/cbor"
	"github.com/cowboyinc/cowboy-go/chain/genesis"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/cmd/cowboy/api"
)

// What a gateway of a development network gets, and how long a transfer or a registration is waited for.
const (
	joinStake = 10_000 * unit.CBY // Spec: gateway-payments-streams §B (MIN_GATEWAY_STAKE)
	joinPurse = 1_000 * unit.CBY  // for what it sends; it is filled up when half of it is gone
	joinAgain = 20 * time.Second
)

// joining is a client whose gateway enrols itself before it sends heartbeats: on development networks, whose faucet's key everybody has. One goroutine uses it.
type joining struct {
	*client
	faucet   *client
	endpoint string // host:port
	port     uint16

	asked    time.Time // for coins
	declared time.Time // to the registry
}

var errJoining = errors.New("the gateway's coins or its registration are on their way")

// newJoining gives a client that declares where the gateway listens.
func newJoining(c *client, address string) (*joining, error) {
	host, text, err := net.SplitHostPort(address)
	if err != nil {
		return nil, err
	}
	port, err := strconv.ParseUint(text, 10, 16)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", address, err)
	}
	if host == "" {
		host = "localhost"
	}
	faucet := &client{wallet: &api.Wallet{Node: c.wallet.Node, Key: genesis.DevFaucet()}}
	return &joining{client: c, faucet: faucet, endpoint: host, port: uint16(port)}, nil
}

// Heartbeat implements gateway.Node. The error is errJoining until the gateway is registered.
func (j *joining) Heartbeat(ctx context.Context) error {
	self := j.wallet.Key.Address().String()
	var me wire.Gateway
	err := j.wallet.Node.Read(ctx, "/gateway/"+self, &me)
	missing := api.NotFound(err)
	if err != nil && !missing {
		return err
	}
	owner, err := j.wallet.Node.Account(ctx, self)
	if err != nil {
		return err
	}
	moved := missing || me.Endpoint != j.endpoint || me.Port != j.port
	wanted, stake := joinPurse/2, unit.Amount(0)
	if missing {
		wanted, stake = wanted+joinStake, joinStake
	}
	switch poor := owner.Balance < uint64(wanted); { // what was sent shows on the chain, or did not come; what was refused is sent the next time
	case poor && time.Since(j.asked) > joinAgain:
		transfer := &tx.Transfer{To: j.wallet.Key.Address(), Amount: wanted + joinPurse/2}
		if err = j.faucet.send(ctx, transfer, tx.Cost{Cycles: 100_000, Cells: 60_000}); err == nil {
			j.asked = time.Now()
		}
	case !poor && moved && time.Since(j.declared) > joinAgain:
		if err = j.register(ctx, stake); err == nil {
			j.declared = time.Now()
		}
	}
	if err != nil || moved {
		return errors.Join(err, errJoining)
	}
	return j.client.Heartbeat(ctx)
}

// register declares the gateway.
//
// Spec: gateway-payments-streams §B (register_gateway).
func (j *joining) register(ctx context.Context, stake unit.Amount) error {
	args, err := cbor.Append(nil, cbor.Map{{Key: "endpoint", Value: j.endpoint}, {Key: "http_port", Value: uint64(j.port)}})
	if err != nil {
		return err
	}
	in := &tx.Execute{To: account.System(account.GatewayRegistry), Handler: []byte("register_gateway"), Payload: args, Amount: stake}
	return j.send(ctx, in, tx.Cost{Cycles: 300_000, Cells: 30_000})
}
