package operate

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"path/filepath"
	"sync"
	"time"

	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
	"github.com/cowboyinc/cowboy-go/actors/runner"
	"github.com/cowboyinc/cowboy-go/actors/runner/collect"
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// collecting is what a configuration says of the reveals of committees.
type collecting struct {
	Listen  string         `toml:"listen"`  // host:port, which the registration's endpoint leads to; "" for none: others post their reveals themselves
	Cert    string         `toml:"cert"`    // PEM files, from the data directory on; without them it is plain HTTP
	Key     string         `toml:"key"`     //
	Loss    string         `toml:"loss"`    // CBY that posting reveals of others may cost for a job beyond its bonus; "" for none
	Private []netip.Prefix `toml:"private"` // ranges that are not public, in which there are aggregators to hand reveals to
	Alone   bool           `toml:"alone"`   // this runner hands its reveals to nobody

	loss unit.Amount
}

func (c *collecting) check() (err error) {
	if c.Loss != "" {
		if c.loss, err = unit.ParseCBY(c.Loss); err != nil || c.loss > 1_000*unit.CBY {
			return errors.New("aggregator.loss is up to 1,000 CBY")
		}
	}
	if (c.Cert == "") != (c.Key == "") {
		return errors.New("aggregator: a certificate has a key")
	}
	return nil
}

// collects is what the dispatcher does for others; nil for nothing.
func (c *collecting) collects() *runner.Collecting {
	if c.Listen == "" {
		return nil
	}
	return &runner.Collecting{Loss: c.loss}
}

// aggregates opens the port for reveals of others, if the configuration has one.
//
// Spec: CIP-2 §8; runner-marketplace §2.5 (endpoint), §4.6.
func (r *running) aggregates(chain *Client, h *runner.Handle) (stop func(), err error) {
	c := &r.config.Aggregator
	if c.Listen == "" {
		return func() {}, nil
	}
	socket, err := net.Listen("tcp", c.Listen)
	if err != nil {
		return nil, err
	}
	socket, server := collect.Connections.Bounded(socket), collect.NewServer(h, &prices{chain: chain})
	serve := func() error { return server.Serve(socket) }
	if c.Cert != "" {
		pair, err := tls.LoadX509KeyPair(filepath.Join(r.dir, c.Cert), filepath.Join(r.dir, c.Key))
		if err != nil {
			return nil, errors.Join(err, socket.Close())
		}
		server.TLSConfig = &tls.Config{MinVersion: tls.VersionTLS12, Certificates: []tls.Certificate{pair}}
		serve = func() error { return server.ServeTLS(socket, "", "") }
	}
	go func() { _ = serve() }()
	r.log.Info().Str("reveals", socket.Addr().String()).Msg("reveals of others are taken")
	return func() { _ = server.Close() }, nil
}

// Endpoint implements collect.Directory.
func (c *Client) Endpoint(ctx context.Context, who account.Address) (string, error) {
	var v wire.Runner
	err := c.wallet.Node.Read(ctx, "/runner/"+who.String(), &v)
	return v.Endpoint, err
}

// pricesFor is how long a price is good for: a basefee changes by a hundredth a block.
const pricesFor = 5 * time.Second

// prices is what posting a reveal costs, at the basefees of a moment ago.
type prices struct {
	chain *Client

	mu   sync.Mutex
	at   time.Time
	fees wire.Basefee
}

// Price implements collect.Prices.
func (p *prices) Price(ctx context.Context, bytes int) (unit.Amount, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if now := time.Now(); p.at.IsZero() || now.Sub(p.at) > pricesFor {
		if err := p.chain.wallet.Node.Read(ctx, "/basefee", &p.fees); err != nil {
			return 0, err
		}
		p.at = now
	}
	return priceOf(revealCost(bytes), &p.fees)
}

func priceOf(most tx.Cost, fees *wire.Basefee) (unit.Amount, error) {
	cycles, err := most.Cycles.Price(fees.CycleBasefee)
	if err != nil {
		return 0, err
	}
	cells, err := most.Cells.Price(fees.CellBasefee)
	if err != nil {
		return 0, err
	}
	return cycles.Add(cells)
}

// examineEndpoint says whether others find the port for their reveals.
func (c *collecting) examineEndpoint(registered *wire.Runner, say func(what string, err error)) {
	switch {
	case c.Listen == "":
	case registered.Endpoint == "":
		say("reveals of others", errors.New("nobody finds the port of [aggregator]: register once more with --endpoint"))
	default:
		say(fmt.Sprintf("reveals of others at %s, for %s", c.Listen, registered.Endpoint), nil)
	}
}
