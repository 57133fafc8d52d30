package query

import (
	"context"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/cbor"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/runtime/host"
	"github.com/cowboyinc/cowboy-go/testkit"
)

const page = `
from cowboy_sdk import actor, routes


@actor
class Trivial:
    @routes.get("/")
    def page(self, request):
        return "hello"
`

// BenchmarkPage is a query of a handler that answers a request over HTTP.
func BenchmarkPage(b *testing.B) {
	c := testkit.NewChain(b)
	alice := c.Account("alice")
	a := alice.Deploy(page, nil)
	alice.Fund(a, unit.CBY)
	s := &stage{Chain: c, service: New(DefaultLimits())}
	envelope, err := cbor.Append(nil, cbor.Map{
		{Key: "method", Value: "GET"}, {Key: "path", Value: "/"}, {Key: "query", Value: cbor.Map{}}, {Key: "host", Value: "trivial.cowboy.network"},
		{Key: "request_id", Value: "123e4567-e89b-42d3-a456-426614174000"},
		{Key: "headers", Value: cbor.Map{{Key: "user-agent", Value: []any{"Go-http-client/1.1"}}, {Key: "accept-encoding", Value: []any{"gzip"}}}},
	})
	if err != nil {
		b.Fatal(err)
	}
	tip, _ := s.Tip()
	var cycles unit.Cycles
	b.ResetTimer()
	for range b.N {
		x, err := s.service.Ask(context.Background(), here, at(tip), host.Question{Actor: a, Handler: "page", Payload: envelope})
		if err != nil || x.Outcome.Fault != nil {
			b.Fatal(err, x.Outcome.Fault)
		}
		cycles = x.Outcome.Used.Cycles
	}
	b.ReportMetric(float64(cycles), "cycles")
}
