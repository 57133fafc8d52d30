package gateway

import (
	"context"
	"reflect"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"

	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/payment"
	"github.com/cowboyinc/cowboy-go/chain/token"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// A path that is priced in a token: the 402 names it and no scheme that only coins have, an intent in it pays, and one in coins, in another token, or without
// enough of it does not; nor does an authorization that was signed when the price was in coins.
//
// Spec: gateway-payments-streams §F (accepted_assets, 402, verify_payment).
func TestPathsPricedInATokenArePaidInIt(t *testing.T) {
	issuer := account.Address{0x75}
	for name, c := range map[string]struct {
		has    uint64
		change func(i *payment.Intent)
		status int
		till   uint64
	}{
		"in it":         {1_000, func(*payment.Intent) {}, 200, 950},
		"a unit short":  {999, func(*payment.Intent) {}, 402, 0},
		"in coins":      {1_000, func(i *payment.Intent) { i.Asset = payment.Asset{} }, 402, 0},
		"in another":    {1_000, func(i *payment.Intent) { i.Asset[0]++ }, 402, 0},
		"a unit more":   {1_001, func(i *payment.Intent) { i.Amount.Lo++ }, 402, 0},
		"authorization": {1_000, nil, 402, 0},
	} {
		t.Run(name, func(t *testing.T) {
			w, g := newWorld(), newGate(t, func(*payment.Policy) {})
			w.query = hello
			before, _ := call(t, paid(t, w, g), "GET", host, "/hay/1", "")
			g.book.Tokens = &token.Registry{State: g.book.State, ChainID: chainID, Height: 1, Emit: func(string, []byte) {}}
			id, err := g.book.Tokens.Create(issuer, 0, token.Terms{Name: []byte("Hay"), Symbol: []byte("HAY")})
			if err != nil {
				t.Fatal(err)
			}
			if err := g.book.Tokens.Mint(issuer, id, payerKey(t).Address(), unit.Wide(c.has)); err != nil {
				t.Fatal(err)
			}
			p, err := payment.LoadPolicy(g.book.State, page)
			if err != nil {
				t.Fatal(err)
			}
			p.Assets, p.Prices[0].Asset = []payment.Asset{{}, id}, id
			if err := g.book.SetPolicy(p); err != nil {
				t.Fatal(err)
			}
			s := paid(t, w, g)
			x, _ := call(t, s, "GET", host, "/hay/1", "")
			for _, way := range required(t, x).Accepts {
				if way.Scheme == "exact" || way.Scheme == "cowboy:exact" && (way.Asset != id.String() || way.Amount != "1000") {
					t.Errorf("asked for %+v", way)
				}
			}
			headers := []string{"PAYMENT-SIGNATURE", x402(t, required(t, before), 1)}
			if c.change != nil {
				headers = []string{"Authorization", intent(t, x, func(i *payment.Intent) {
					i.Asset = id
					c.change(i)
				})}
			}
			x, body := call(t, s, "GET", host, "/hay/1", "", headers...)
			if x.StatusCode != c.status || (body == "hello") != (c.status == 200) {
				t.Errorf("%d %q", x.StatusCode, body)
			}
			if got, err := token.Balance(g.book.State, id, till); err != nil || got != unit.Wide(c.till) {
				t.Errorf("the treasury has %v, %v", got, err)
			}
			if got := g.coins(t); got[0] != 10_000 || got[1] != 0 {
				t.Errorf("coins moved: %v", got)
			}
		})
	}
}

// The description of an actor says what its operations cost, at the address that the text has for it, and the same without it.
//
// Spec: gateway-payments-streams §F (paths under /_cowboy/payment/).
func TestDescriptionHasPrices(t *testing.T) {
	w, g := newWorld(), newGate(t, func(*payment.Policy) {})
	w.routes.Dynamic = []wire.DynamicRoute{
		{Method: "GET", Path: "/hay/{n}", Handler: "hay"}, {Method: "GET", Path: "/gift", Handler: "gift"}, {Method: "POST", Path: "/oats", Handler: "oats"},
	}
	w.source = "def hay(request):\n    pass\n"
	for _, at := range []string{"/_cowboy/payment/openapi.json", "/_cowboy/openapi.json"} {
		t.Run(at, func(t *testing.T) {
			x, body := call(t, paid(t, w, g), "GET", host, at, "")
			document, err := openapi3.NewLoader().LoadFromData([]byte(body))
			if err == nil {
				err = document.Validate(context.Background())
			}
			if err != nil || x.StatusCode != 200 {
				t.Fatalf("%d %v %s", x.StatusCode, err, body)
			}
			hay, gift, oats := document.Paths.Find("/hay/{n}").Get, document.Paths.Find("/gift").Get, document.Paths.Find("/oats").Post
			want := map[string]any{"intent": "charge", "method": "cowboy", "amount": "1000", "currency": "CBY"}
			if got := hay.Extensions["x-payment-info"]; !reflect.DeepEqual(got, want) || hay.Responses.Value("402") == nil {
				t.Errorf("hay: %v", got)
			}
			for name, o := range map[string]*openapi3.Operation{"gift": gift, "oats": oats} { // the actor pays, and nothing says what it costs
				t.Run(name, func(t *testing.T) {
					if o.Extensions["x-payment-info"] != nil || o.Responses.Value("402") != nil {
						t.Errorf("%+v", o)
					}
				})
			}
		})
	}
}
