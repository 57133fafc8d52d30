package operate

import (
	"context"
	"net/http"
	"testing"

	"github.com/rs/zerolog"

	"github.com/cowboyinc/cowboy-go/actors/gateway"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/cmd/cowboy/api"
	"github.com/cowboyinc/cowboy-go/net/door"
)

// What benchmarks measure that start nodes, and so are of another package.
var OpenNode = openNode

const IncludedEvery = includedEvery

// NewClient is the node at an address as a gateway sees it.
func NewClient(url string, key *sig.PrivateKey, most tx.Cost) gateway.Node {
	return &client{wallet: &api.Wallet{Node: openNode(url), Key: key}, most: most}
}

// Addresses are where a gateway listens whose tree does not run yet.
func (g *Gateway) Addresses() []string { return g.first.l.addresses }

// Serve has a handler served over HTTPS and gives where.
func Serve(t testing.TB, h http.Handler, serves func(ctx context.Context, host string) error, dir string) string {
	t.Helper()
	l, err := (&Options{HTTPS: "127.0.0.1:0", Dir: dir}).listen(h, serves, door.ConnectionLimits{}, zerolog.Nop())
	if err != nil {
		t.Fatal(err)
	}
	l.serve(func(err error) { t.Error(err) })
	t.Cleanup(func() {
		if err := l.close(); err != nil {
			t.Error(err)
		}
	})
	return l.addresses[0]
}
