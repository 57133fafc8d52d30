package daemon

import (
	"context"
	"errors"
	"net/http"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/pflag"

	"github.com/cowboyinc/cowboy-go/actors/budget"
	"github.com/cowboyinc/cowboy-go/actors/gateway"
	"github.com/cowboyinc/cowboy-go/actors/rpc"
	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/genesis"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/cmd/cowboy-gateway/operate"
	"github.com/cowboyinc/cowboy-go/cmd/cowboy/api"
	"github.com/cowboyinc/cowboy-go/cmd/cowboyd/config"
	"github.com/cowboyinc/cowboy-go/net/door"
	"github.com/cowboyinc/cowboy-go/runtime/host"
	"github.com/cowboyinc/cowboy-go/supervision"
)

// portal is the gateway that a node runs as a part of itself.
type portal struct {
	operate.Options
	key     string            // file; "": a development network's
	clock   supervision.Clock // nil: the real one
	running *operate.Gateway  // nil: none
	scratch string            // a directory that goes with it; "": none
}

func (p *portal) flags(flags *pflag.FlagSet) {
	flags.StringVar(&p.HTTPS, "gateway", "", "host:port at which this node answers requests for names over HTTPS, as cowboy-gateway does; \"\" for none")
	flags.StringVar(&p.HTTP, "gateway-http", "", "host:port for plain HTTP")
	flags.StringVar(&p.key, "gateway-key", "", "key file of the gateway's account; a development network has one, and pays its stake")
	p.Flags(flags, "gateway-")
}

// configured takes what a configuration says and no flag does.
func (p *portal) configured(c *config.Config, unless func(flag string, take func())) {
	unless("gateway", func() { p.HTTPS = textOf(c.Gateway.Listen) })
	unless("gateway-http", func() { p.HTTP = textOf(c.Gateway.Plain) })
	unless("gateway-key", func() { p.key = c.Resolve(c.Gateway.Key) })
	unless("gateway-tls-cert", func() { p.Cert = c.Resolve(c.Gateway.Cert) })
	unless("gateway-tls-key", func() { p.CertKey = c.Resolve(c.Gateway.CertKey) })
	unless("gateway-acme", func() { p.ACME = c.Gateway.ACME })
	unless("gateway-acme-email", func() { p.Email = c.Gateway.Email })
	unless("gateway-acme-ca", func() { p.ACMECA = c.Resolve(c.Gateway.ACMECA) })
	unless("gateway-cache-gib", func() { p.Kept = int64(c.Gateway.Cache) })
}

func textOf(l config.Listen) string {
	if !l.IsValid() {
		return ""
	}
	return l.String()
}

// wanted reports whether the node is a gateway.
func (p *portal) wanted() bool { return p.HTTPS != "" || p.HTTP != "" }

// check finds what is wrong before anything is started.
func (p *portal) check() error {
	if !p.wanted() {
		return nil
	}
	return p.Check()
}

// end gives back what a gateway has beside the node's tree, which has stopped.
func (p *portal) end() error {
	if p.running != nil {
		p.running.Close()
	}
	scratch := p.scratch
	if p.running, p.scratch = nil, ""; scratch == "" {
		return nil
	}
	return os.RemoveAll(scratch)
}

// errGateway reports a gateway where none can be.
var errGateway = errors.New("--gateway is for a node, or for a development network in one process")

// share is how many connections of clients the node and its gateway have each.
func (p *portal) share(c door.ConnectionLimits) door.ConnectionLimits {
	ports := 1
	for _, at := range []string{p.HTTPS, p.HTTP} {
		if at != "" {
			ports++
		}
	}
	if c.Most > 0 {
		c.Most = max(c.Most/ports, 1)
		c.Each = max(c.Each/ports, 1)
	}
	return c
}

// nearby has the node run queries of its gateway.
type nearby struct{ node *rpc.Node }

// Newest implements operate.Near.
func (n nearby) Newest() uint64 { return uint64(n.node.Ledger.Finalized()) }

// Query implements operate.Near.
func (n nearby) Query(ctx context.Context, actor account.Address, q *gateway.Question) (*gateway.Answer, error) {
	ask := host.Question{Actor: actor, Handler: q.Handler, Payload: q.Payload}
	ask.Limit.Cycles = unit.Cycles(q.MaxCycles)
	header, result, err := n.node.Ask(ctx, ask, q.MinBlock)
	var refusal *rpc.Refusal
	switch {
	case errors.As(err, &refusal):
		return nil, operate.Refused(&api.StatusError{Status: refusal.Status, Reply: refusal.Body})
	case err != nil:
		return nil, err
	}
	return &gateway.Answer{Block: uint64(header.Height), Root: wire.Hash(header.StateRoot), Result: result}, nil
}

// gateway is the member of the tree that brings requests over HTTP to actors; ok is false for a node that is no gateway. What it needs beside queries it asks
// of an HTTP interface of its own, which no connection leads to, so that clients of the node and of the gateway do not stand in each other's way.
func (a *assembly) gateway(backend *rpc.Node) (spec supervision.Spec, ok bool, err error) {
	s := a.settings
	if !s.portal.wanted() {
		return spec, false, nil
	}
	setting := &operate.Setting{
		Options: s.portal.Options, Near: nearby{backend}, Limits: a.clients, Memory: a.settings.shares.Of(budget.Clients), Clock: s.portal.clock,
		Log: a.levels.Logger(a.log, "intake/gateway"),
	}
	setting.Dir = filepath.Join(s.dataDir, "gateway")
	if s.memory {
		if setting.Dir, err = os.MkdirTemp("", "cowboyd-gateway-"); err != nil {
			return spec, false, err
		}
		s.portal.scratch = setting.Dir
	}
	switch {
	case s.portal.key != "":
		setting.Key, err = operate.KeyOf(s.portal.key)
	case s.config != nil:
		err = usageError{errors.New("a gateway has an account: name its key file with gateway.key or --gateway-key")}
	default:
		setting.Key, setting.Joining = genesis.DevGateway(), true
	}
	if err != nil {
		return spec, false, err
	}
	limits := rpc.DefaultLimits()
	limits.RequestsPerSecond, limits.Each = 0, rpc.ClientLimits{} // the gateway has bounds of its own
	own := rpc.NewHandler(rpc.Config{Backend: backend, Limits: limits, Memory: setting.Memory})
	setting.Node = api.New("http://node.invalid")
	setting.Node.HTTP = &http.Client{Transport: rpc.Local{Handler: own}, Timeout: 30 * time.Second}
	g, err := operate.New(setting)
	if err != nil {
		return spec, false, err
	}
	s.portal.running = g
	return g.Tree, true, nil
}
