package gateway

import (
	"encoding/hex"
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/cbor"
	"github.com/cowboyinc/cowboy-go/chain/payment"
	"github.com/cowboyinc/cowboy-go/chain/receipt"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// Passes, subscriptions and budgets at the door; and offers that are wrong in one way each.
//
// Spec: gateway-payments-streams §F (decision chain, MPP).
func TestOffers(t *testing.T) {
	same := func(*payment.Intent) {}
	buy := func(t *testing.T, g *gate, f func(actor, holder account.Address, n uint64, coins unit.Amount) (unit.Amount, error)) {
		if _, err := f(page, payerKey(t).Address(), 1, 500); err != nil {
			t.Fatal(err)
		}
	}
	byPass := func(i *payment.Intent) {
		i.Kind, i.PassID, i.Amount = payment.PayPass, payment.PassOf(page, i.Payer), unit.Uint128{}
	}
	byEpoch := func(i *payment.Intent) { i.Kind, i.Amount = payment.PayEpoch, unit.Uint128{} }
	for name, c := range map[string]struct {
		before  func(t *testing.T, g *gate)
		path    string
		intent  func(i *payment.Intent) // nil: none
		status  [2]int                  // the first time and the second
		treated unit.Amount             // the actor's treasury has at last
	}{
		"paid":            {nil, "/hay/1", same, [2]int{200, 402}, 950},
		"a unit less":     {nil, "/hay/1", func(i *payment.Intent) { i.Amount.Lo-- }, [2]int{402, 402}, 0},
		"a unit more":     {nil, "/hay/1", func(i *payment.Intent) { i.Amount.Lo++ }, [2]int{402, 402}, 0},
		"of another":      {nil, "/hay/1", func(i *payment.Intent) { i.Payer = other }, [2]int{402, 402}, 0},
		"another actor":   {nil, "/hay/1", func(i *payment.Intent) { i.Actor = other }, [2]int{402, 402}, 0},
		"too old":         {nil, "/hay/1", func(i *payment.Intent) { i.ValidBefore = 1_064 }, [2]int{402, 402}, 0},
		"too long":        {nil, "/hay/1", func(i *payment.Intent) { i.ValidBefore = 9_000 }, [2]int{402, 402}, 0},
		"no pass":         {nil, "/hay/1", byPass, [2]int{402, 402}, 0},
		"a pass":          {func(t *testing.T, g *gate) { buy(t, g, g.book.BuyPass) }, "/hay/1", byPass, [2]int{200, 402}, 95},
		"no subscription": {nil, "/hay/1", byEpoch, [2]int{402, 402}, 0},
		"a subscription":  {func(t *testing.T, g *gate) { buy(t, g, g.book.BuyEpochs) }, "/hay/1", byEpoch, [2]int{200, 402}, 475},
		"free":            {nil, "/oats", nil, [2]int{200, 200}, 0},
		"no budget":       {nil, "/gift", nil, [2]int{402, 402}, 0},
		"a budget of one": {func(t *testing.T, g *gate) {
			if err := g.book.Deposit(page, 79); err != nil {
				t.Fatal(err)
			}
		}, "/gift", nil, [2]int{200, 402}, 38},
		"the payer is poor": {func(t *testing.T, g *gate) {
			if err := account.Debit(g.book.State, payerKey(t).Address(), 9_001); err != nil {
				t.Fatal(err)
			}
		}, "/hay/1", same, [2]int{402, 402}, 0},
	} {
		t.Run(name, func(t *testing.T) {
			w, g := newWorld(), newGate(t, func(*payment.Policy) {})
			w.query = hello
			if c.before != nil {
				c.before(t, g)
			}
			s := paid(t, w, g)
			var headers []string
			if c.intent != nil {
				x, _ := call(t, s, "GET", host, c.path, "")
				headers = []string{"Authorization", intent(t, x, c.intent)}
			}
			for i, want := range c.status {
				x, body := call(t, s, "GET", host, c.path, "", headers...)
				if x.StatusCode != want || (body == "hello") != (want == 200) {
					t.Errorf("%d: %d %q, want %d", i, x.StatusCode, body, want)
				}
			}
			if got := g.coins(t)[1]; got != c.treated {
				t.Errorf("the treasury has %d, want %d", got, c.treated)
			}
		})
	}
}

// The price is raised between 402 and the payment: nothing is taken, and the new price is asked for.
//
// Spec: gateway-payments-streams §F (402).
func TestARaisedPriceTakesNothing(t *testing.T) {
	w, g := newWorld(), newGate(t, func(*payment.Policy) {})
	w.query = hello
	s := paid(t, w, g)
	x, _ := call(t, s, "GET", host, "/hay/1", "")
	header := x402(t, required(t, x), 1)
	p, err := payment.LoadPolicy(g.book.State, page)
	if err != nil {
		t.Fatal(err)
	}
	p.Prices[0].Amount = unit.Wide(9_999)
	if err := g.book.SetPolicy(p); err != nil {
		t.Fatal(err)
	}
	x, body := call(t, s, "GET", host, "/hay/1", "", "PAYMENT-SIGNATURE", header) // the paywall may remember the old price, the chain does not
	if got := g.coins(t); x.StatusCode != 402 || body == "hello" || got != [4]unit.Amount{10_000, 0, 0, 0} {
		t.Fatalf("%d %q %v", x.StatusCode, body, got)
	}
	if x, _ = call(t, s, "GET", host, "/hay/1", ""); required(t, x).Accepts[0].Amount != "9999" {
		t.Errorf("%+v", required(t, x))
	}
}

// Handlers that are tools without a route are no way around a price for all paths, and cost nothing where no price is for their path; which tools there are
// costs nothing.
//
// Spec: gateway-payments-streams §B (MCP), §F (decision chain).
func TestToolsCostWhatAllPathsDo(t *testing.T) {
	for pattern, priced := range map[string]bool{"/hay/**": false, "/**": true, "/_cowboy/mcp": true} {
		t.Run(pattern, func(t *testing.T) {
			w, g := newShop(), newGate(t, func(p *payment.Policy) { p.Prices[0].Pattern = pattern })
			w.query = hello
			s := paid(t, w, g)
			look := func(header http.Header) (*mcp.CallToolResult, error) {
				return connect(t, s, header).CallTool(t.Context(), &mcp.CallToolParams{Name: "stock"})
			}
			if names := tools(t, connect(t, s, nil)); len(names) == 0 {
				t.Error("no tools")
			}
			x, err := look(nil)
			if !priced {
				if err != nil || x.IsError || x.Meta[metaPayment] != nil {
					t.Errorf("%+v %v", x, err)
				}
				return
			}
			x, err = look(http.Header{"Payment-Signature": {x402(t, price(t, err), 1)}})
			if got := g.coins(t); err != nil || x.IsError || x.Meta[metaPayment] == nil || got != [4]unit.Amount{9_000, 950, 50, 0} {
				t.Errorf("%+v %v %v", x, err, got)
			}
		})
	}
}

// A node that does not answer is 503, and the page stays here.
//
// Spec: gateway-payments-streams §F (settle_payment).
func TestTheNodeIsDown(t *testing.T) {
	w, g := newWorld(), newGate(t, func(*payment.Policy) {})
	w.query = hello
	s := paid(t, w, g)
	x, _ := call(t, s, "GET", host, "/hay/1", "")
	header := x402(t, required(t, x), 1)
	g.mu.Lock()
	g.down = errors.New("down")
	g.mu.Unlock()
	if x, body := call(t, s, "GET", host, "/hay/1", "", "PAYMENT-SIGNATURE", header); x.StatusCode != 503 || strings.Contains(body, "hello") {
		t.Errorf("%d %q", x.StatusCode, body)
	}
}

// An answer that comes after its client stopped waiting is not shown before it is paid for; a handler that failed says so, and takes nothing.
//
// Spec: gateway-payments-streams §C (202), §F (settle only after 2xx or 3xx).
func TestLateAnswersArePaidBeforeTheyAreShown(t *testing.T) {
	for name, c := range map[string]struct {
		answer       int
		before, then int
		coins        [4]unit.Amount
	}{
		"well": {201, 202, 200, [4]unit.Amount{9_000, 950, 50, 0}}, "badly": {500, 202, 200, [4]unit.Amount{9_000, 0, 0, 1_000}},
	} {
		t.Run(name, func(t *testing.T) {
			w, g := newWorld(), newGate(t, func(*payment.Policy) {})
			data, err := cbor.Append(nil, cbor.Map{{Key: "status", Value: c.answer}})
			if err != nil {
				t.Fatal(err)
			}
			envelope, id := hex.EncodeToString(data), receipt.ID{6: 0x40, 8: 0x80}
			w.requests[id] = wire.Request{ID: id.String(), Target: page.String(), Gateway: self.String(), Status: "COMPLETED", Envelope: &envelope}
			var d *Door
			s := open(t, w, func(door *Door) {
				door.Paywall = NewPaywall(g, self, []byte("secret"), func() time.Time { return noon })
				d = door
			})
			res := &payment.Resource{Gateway: self, Actor: page, Method: "POST", Path: "/hay/1"}
			i := payment.Intent{Payer: payerKey(t).Address(), Actor: page, Amount: unit.Wide(1_000), ValidBefore: 1_100, RequestHash: res.Hash()}
			i.Signature = payerKey(t).Sign(i.Digest(chainID))
			x, err := d.Paywall.of(t.Context(), page)
			if err != nil {
				t.Fatal(err)
			}
			ch := &charge{paywall: d.Paywall, terms: x, resource: res, offered: &offered{payment: payment.Payment{Intent: &i}}, verdict: payment.ByPayment}
			if err := ch.begin(t.Context()); err != nil {
				t.Fatal(err)
			}
			d.Paywall.owed.Add(id, true)
			if x, _ := call(t, s, "GET", host, requestsPath+id.String(), ""); x.StatusCode != c.before {
				t.Errorf("before it is paid: %d, want %d", x.StatusCode, c.before)
			}
			d.collect(id, ch)
			x2, _ := call(t, s, "GET", host, requestsPath+id.String(), "")
			if got := g.coins(t); x2.StatusCode != c.then || got != c.coins {
				t.Errorf("%d %v, want %d %v", x2.StatusCode, got, c.then, c.coins)
			}
		})
	}
}
