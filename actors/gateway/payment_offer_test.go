package gateway

import (
	"encoding/hex"
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/cbor"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/payment"
	"github.com/cowboyinc/cowboy-go/chain/receipt"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/supervision"
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
		"63 blocks left":  {nil, "/hay/1", func(i *payment.Intent) { i.ValidBefore = 1_064 }, [2]int{402, 402}, 0},
		"64 blocks left":  {nil, "/hay/1", func(i *payment.Intent) { i.ValidBefore = 1_065 }, [2]int{200, 402}, 950},
		"3,600 are left":  {nil, "/hay/1", func(i *payment.Intent) { i.ValidBefore = 4_600 }, [2]int{200, 402}, 950},
		"3,601 are left":  {nil, "/hay/1", func(i *payment.Intent) { i.ValidBefore = 4_602 }, [2]int{402, 402}, 0},
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

// What is asked for may be paid within 300 blocks, or seconds: at the last moment of its time a challenge is taken, and then no more.
//
// Spec: gateway-payments-streams §F (MPP, x402).
func TestTimeOfAChallenge(t *testing.T) {
	for after, status := range map[time.Duration]int{300*time.Second - time.Nanosecond: 200, 300 * time.Second: 402} {
		t.Run(after.String(), func(t *testing.T) {
			w, g, now := newWorld(), newGate(t, func(*payment.Policy) {}), noon
			w.query = hello
			s := open(t, w, func(d *Door) { d.Paywall = NewPaywall(g, self, []byte("secret"), func() time.Time { return now }) })
			x, _ := call(t, s, "GET", host, "/hay/1", "")
			p := required(t, x)
			var terms charged
			if err := json.Unmarshal(p.Accepts[1].Extra, &terms); err != nil {
				t.Fatal(err)
			}
			if p.Accepts[1].MaxTimeoutSeconds != 300 || terms.ValidBefore != 1_300 {
				t.Errorf("%+v %+v", p.Accepts[1], terms)
			}
			header := intent(t, x, func(i *payment.Intent) {
				if i.ValidBefore != 1_300 {
					t.Errorf("the challenge is good until block %d", i.ValidBefore)
				}
			})
			now = noon.Add(after)
			if x, _ := call(t, s, "GET", host, "/hay/1", "", "Authorization", header); x.StatusCode != status {
				t.Errorf("%d, want %d", x.StatusCode, status)
			}
		})
	}
}

// Payments are under way 1,024 at a time; the next is not told that it was used, for it was not, and is taken once one of the others is done.
//
// Spec: gateway-payments-streams §F.
func TestPaymentsUnderWay(t *testing.T) {
	w, g := newWorld(), newGate(t, func(*payment.Policy) {})
	w.query = hello
	wall := NewPaywall(g, self, []byte("secret"), func() time.Time { return noon })
	s := open(t, w, func(d *Door) { d.Paywall = wall })
	x, _ := call(t, s, "GET", host, "/hay/1", "")
	header := x402(t, required(t, x), 1)
	key := func(n int) payment.Key { return payment.Key{Payer: other, Nonce: digest.Hash{byte(n >> 8), byte(n)}} }
	for n := range 1_024 {
		if err := wall.enter(key(n)); err != nil {
			t.Fatal(n, err)
		}
	}
	if x, _ = call(t, s, "GET", host, "/hay/1", "", "PAYMENT-SIGNATURE", header); x.StatusCode != 503 || x.Header.Get("X-Cowboy-Error") != "BUSY" {
		t.Errorf("beside 1,024 others: %d %v", x.StatusCode, x.Header)
	}
	wall.leave(key(0))
	if x, _ = call(t, s, "GET", host, "/hay/1", "", "PAYMENT-SIGNATURE", header); x.StatusCode != 200 {
		t.Errorf("beside 1,023 others: %d", x.StatusCode)
	}
}

// Answers that are not paid for, and payments of subscribers that were used, are remembered 65,536 at a time.
func TestWhatAPaywallRemembers(t *testing.T) {
	wall := NewPaywall(nil, self, nil, time.Now)
	id := func(n int) receipt.ID { return receipt.ID{byte(n >> 16), byte(n >> 8), byte(n)} }
	key := func(n int) payment.Key { return payment.Key{Nonce: digest.Hash{byte(n >> 16), byte(n >> 8), byte(n)}} }
	for n := range 65_536 {
		wall.owed.Add(id(n), true)
		wall.tokens.Add(key(n), true)
	}
	if !wall.owes(id(0)) || !wall.tokens.Contains(key(0)) {
		t.Errorf("of 65,536 the first is owed: %v, is used: %v", wall.owes(id(0)), wall.tokens.Contains(key(0)))
	}
	wall.owed.Add(id(65_536), true)
	wall.tokens.Add(key(65_536), true)
	if wall.owes(id(0)) || wall.tokens.Contains(key(0)) {
		t.Errorf("of 65,537 the first is owed: %v, is used: %v", wall.owes(id(0)), wall.tokens.Contains(key(0)))
	}
}

// An answer that does not come is waited for once a second, 300 times, and is then not paid for.
func TestAnswersThatDoNotCome(t *testing.T) {
	start := time.Unix(1_000, 0)
	node, clock := &silent{world: newWorld()}, leaping{supervision.NewVirtualClock(start)}
	wall := NewPaywall(nil, self, nil, time.Now)
	d := NewDoor(Door{Node: node, Clock: clock, Paywall: wall})
	wall.owed.Add(receipt.ID{1}, true)
	d.collect(receipt.ID{1}, &charge{paywall: wall})
	if long := clock.Now().Sub(start); node.asked.Load() != 300 || long != 300*time.Second || !wall.owes(receipt.ID{1}) {
		t.Errorf("asked %d times in %v", node.asked.Load(), long)
	}
}
