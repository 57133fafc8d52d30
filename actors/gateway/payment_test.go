package gateway

import (
	"context"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/cbor"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/payment"
	"github.com/cowboyinc/cowboy-go/chain/payment/present"
	"github.com/cowboyinc/cowboy-go/chain/receipt"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/token"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

const chainID = 42

var (
	till     = account.Address{0x71}
	treasury = account.System(account.Treasury)
	noon     = time.Unix(1_800_000_000, 0)
)

// gate is a PaymentGate of one machine: the chain's book, and no chain.
type gate struct {
	mu    sync.Mutex
	book  *payment.Book
	calls []string
	down  error
}

func newGate(t *testing.T, change func(p *payment.Policy)) *gate {
	t.Helper()
	b := &payment.Book{
		State: state.New(state.Config{}, state.NewMemory(state.Config{})).Overlay(), ChainID: chainID, Height: 1_000, Seconds: uint64(noon.Unix()),
		Recover: sig.Default(), Bill: func(account.Address) error { return nil },
		MayHold: func(account.Address) (bool, error) { return true, nil }, Emit: func(string, []byte) {},
	}
	p := &payment.Policy{
		Actor: page, Enabled: true, Treasury: till, Assets: []payment.Asset{{}},
		Prices: []payment.Price{
			{Pattern: "/hay/**", Amount: unit.Wide(1_000)}, {Pattern: "/gift", Mode: payment.ActorFunded, Amount: unit.Wide(40)},
		},
		Budget: &payment.Budget{}, Pass: &payment.Pass{Min: 1, Max: 10, Credit: unit.Wide(100), Expiry: 5_000},
		Epoch: &payment.Epoch{Fee: unit.Wide(500), Blocks: 5_000, Min: 1, Max: 1},
	}
	change(p)
	if err := b.SetPolicy(p); err != nil {
		t.Fatal(err)
	}
	if err := account.Credit(b.State, payerKey(t).Address(), 10_000); err != nil {
		t.Fatal(err)
	}
	return &gate{book: b}
}

func payerKey(t *testing.T) *sig.PrivateKey {
	t.Helper()
	key, err := sig.ParsePrivateKey(append(make([]byte, 31), 5))
	if err != nil {
		t.Fatal(err)
	}
	return key
}

func (g *gate) Terms(_ context.Context, actor account.Address) (v wire.PaymentPolicy, err error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	p, err := payment.LoadPolicy(g.book.State, actor)
	if err != nil || p == nil {
		return v, errors.Join(err, &Refused{Status: http.StatusNotFound})
	}
	v = wire.ViewPolicy(p)
	f, err := payment.LoadFunds(g.book.State, actor)
	if f != nil {
		v.Balance, v.SpentToday = uint64(f.Balance), uint64(f.Today)
	}
	v.ChainID, v.Height = chainID, uint64(g.book.Height)
	return v, errors.Join(err, g.down)
}

func (g *gate) Holder(_ context.Context, actor, holder account.Address) (v wire.PaymentHolder, err error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	c, err := payment.LoadCredits(g.book.State, payment.PassOf(actor, holder))
	if c != nil {
		v.Credits, v.ExpiresAt = c.Left, uint64(c.Expires)
	}
	until, again := payment.Subscribed(g.book.State, actor, holder)
	if until != nil {
		v.ActiveUntil = uint64(*until)
	}
	a, last := account.Load(g.book.State, holder)
	v.Balance = uint64(a.Balance)
	return v, errors.Join(err, again, last)
}

func (g *gate) Tokens(_ context.Context, id payment.Asset, holder account.Address) (unit.Uint128, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	return token.Balance(g.book.State, id, holder)
}

func (g *gate) Payment(_ context.Context, k payment.Key) (v wire.Payment, err error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	x, err := payment.LoadRecord(g.book.State, k)
	if err != nil || x == nil {
		return v, errors.Join(err, &Refused{Status: http.StatusNotFound})
	}
	return wire.ViewPayment(k, x), nil
}

func (g *gate) Pay(_ context.Context, method string, args cbor.Map) (string, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.calls = append(g.calls, method)
	get := func(name string) any { v, _ := args.Lookup(name); return v }
	res := &payment.Resource{Gateway: self, Actor: account.Address(get("actor").([]byte)), Method: get("method").(string), Path: get("path").(string)}
	mark := g.book.State.(*state.Overlay).Mark()
	var err error
	if method == "deduct_budget" {
		err = g.book.Deduct(res.Gateway, res.Actor, res.Method, res.Path)
	} else {
		copy(res.Rest[:], get("rest").([]byte))
		var p payment.Payment
		if p, err = payment.DecodePayment(get("payment").([]byte)); err == nil {
			err = map[string]func(*payment.Payment, *payment.Resource) error{"verify_payment": g.book.Verify, "settle_payment": g.book.Settle}[method](&p, res)
		}
	}
	if err != nil {
		g.book.State.(*state.Overlay).Revert(mark)
		return "", &Refused{Status: http.StatusPaymentRequired, Text: err.Error()}
	}
	return "0x" + strings.Repeat("ab", 32), g.down
}

// coins are what the payer, the actor's treasury, the protocol and the gate itself have.
func (g *gate) coins(t *testing.T) (list [4]unit.Amount) {
	t.Helper()
	g.mu.Lock()
	defer g.mu.Unlock()
	for i, a := range []account.Address{payerKey(t).Address(), till, treasury} {
		x, err := account.Load(g.book.State, a)
		if err != nil {
			t.Fatal(err)
		}
		list[i] = x.Balance
	}
	held, err := payment.Escrow(g.book.State)
	if err != nil {
		t.Fatal(err)
	}
	list[3] = held
	return list
}

// paid opens a gateway with a paywall.
func paid(t *testing.T, w *world, g *gate) *httptest.Server {
	t.Helper()
	return open(t, w, func(d *Door) { d.Paywall = NewPaywall(g, self, []byte("secret"), func() time.Time { return noon }) })
}

// required reads what a 402 asks for.
func required(t *testing.T, x *http.Response) present.PaymentRequired {
	t.Helper()
	raw, err := base64.StdEncoding.DecodeString(x.Header.Get("PAYMENT-REQUIRED"))
	var p present.PaymentRequired
	if err != nil || json.Unmarshal(raw, &p) != nil || x.StatusCode != 402 || p.X402Version != 2 {
		t.Fatalf("%d %v", x.StatusCode, x.Header)
	}
	return p
}

// price reads what a tool asks for.
func price(t *testing.T, err error) present.PaymentRequired {
	t.Helper()
	var refused *jsonrpc.Error
	var data struct {
		Headers http.Header
		Body    string
	}
	if !errors.As(err, &refused) || refused.Code != -32402 || json.Unmarshal(refused.Data, &data) != nil {
		t.Fatal(err)
	}
	return required(t, &http.Response{StatusCode: 402, Header: data.Headers})
}

// x402 is a client after the document: it takes the first way it knows, scheme "exact" on an EVM network, signs it, and asks again. It knows nothing of
// Cowboy. Source: x402, specs/transports-v2/http.md, specs/schemes/exact/scheme_exact_evm.md.
func x402(t *testing.T, p present.PaymentRequired, nonce byte) string {
	t.Helper()
	for _, way := range p.Accepts {
		if way.Scheme != "exact" || !strings.HasPrefix(way.Network, "eip155:") {
			continue
		}
		var extra struct{ Name, Version string }
		if err := json.Unmarshal(way.Extra, &extra); err != nil {
			t.Fatal(err)
		}
		key := payerKey(t)
		word := func(text string) []byte {
			n, err := unit.ParseUint128(text)
			if err != nil {
				t.Fatal(err)
			}
			return append(make([]byte, 16), n.AppendBig(nil)...)
		}
		of := func(text string) []byte {
			raw, err := hex.DecodeString(strings.TrimPrefix(text, "0x"))
			if err != nil {
				t.Fatal(err)
			}
			return append(make([]byte, 32-len(raw)), raw...)
		}
		h := func(parts ...[]byte) []byte { d := digest.Keccak256(parts...); return d[:] }
		from, n := key.Address(), digest.Hash{nonce}
		after, before := fmt.Sprint(noon.Unix()-600), fmt.Sprint(noon.Unix()+int64(way.MaxTimeoutSeconds))
		domain := h(h([]byte("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)")), h([]byte(extra.Name)),
			h([]byte(extra.Version)), word(strings.TrimPrefix(way.Network, "eip155:")), of(way.Asset))
		body := h(h([]byte("TransferWithAuthorization(address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce)")),
			of(from.String()), of(way.PayTo), word(way.Amount), word(after), word(before), n[:])
		s := key.Sign(digest.Keccak256([]byte{0x19, 1}, domain, body))
		s[64] += 27
		data, err := json.Marshal(map[string]any{
			"x402Version": 2, "resource": p.Resource, "accepted": way, "payload": map[string]any{
				"signature": "0x" + hex.EncodeToString(s[:]), "authorization": map[string]string{
					"from": from.String(), "to": way.PayTo, "value": way.Amount, "validAfter": after, "validBefore": before, "nonce": n.String(),
				},
			},
		})
		if err != nil {
			t.Fatal(err)
		}
		return base64.StdEncoding.EncodeToString(data)
	}
	t.Fatalf("no way to pay is known: %+v", p.Accepts)
	return ""
}

// intent is what a client of ours answers a challenge with.
func intent(t *testing.T, x *http.Response, change func(i *payment.Intent)) string {
	t.Helper()
	value, scheme := strings.CutPrefix(x.Header.Get("WWW-Authenticate"), "Payment ")
	fields := map[string]string{}
	for _, part := range strings.Split(value, ", ") {
		k, v, _ := strings.Cut(part, "=")
		fields[k] = strings.Trim(v, `"`)
	}
	raw, err := base64.RawURLEncoding.DecodeString(fields["request"])
	var ask struct {
		Amount  string  `json:"amount"`
		Details charged `json:"details"`
	}
	if !scheme || err != nil || json.Unmarshal(raw, &ask) != nil {
		t.Fatalf("%v %s", err, raw)
	}
	i := payment.Intent{Payer: payerKey(t).Address(), Actor: page, Nonce: 1, ValidBefore: unit.Height(ask.Details.ValidBefore)}
	hash, err := hex.DecodeString(strings.TrimPrefix(ask.Details.RequestHash, "0x"))
	if err != nil {
		t.Fatal(err)
	}
	copy(i.RequestHash[:], hash)
	if i.Amount, err = unit.ParseUint128(ask.Amount); err != nil {
		t.Fatal(err)
	}
	change(&i)
	i.Signature = payerKey(t).Sign(i.Digest(ask.Details.ChainID))
	data, err := json.Marshal(map[string]any{"challenge": fields, "payload": map[string]string{"type": "intent", "intent": hex.EncodeToString(i.Append(nil))}})
	if err != nil {
		t.Fatal(err)
	}
	return "Payment " + base64.RawURLEncoding.EncodeToString(data)
}

func hello(cbor.Map, *Question) (cbor.Map, error) {
	return cbor.Map{{Key: "status", Value: 200}, {Key: "body", Value: "hello"}}, nil
}

// A client that knows x402's document and nothing of Cowboy pays for a page: 402, a signature, the page with PAYMENT-RESPONSE, and the coins to the unit.
// Then what it paid with is tried in every other way, none of which costs or gives anything.
//
// Spec: gateway-payments-streams §F (x402; settle after 2xx; replay; another path, method, host, query).
func TestAnX402ClientPays(t *testing.T) {
	w, g := newWorld(), newGate(t, func(*payment.Policy) {})
	var told cbor.Map
	w.query = func(m cbor.Map, q *Question) (cbor.Map, error) { told = m; return hello(m, q) }
	s := paid(t, w, g)
	x, _ := call(t, s, "GET", host, "/hay/1?size=2", "")
	p := required(t, x)
	if told != nil || x.Header.Get("X-Cowboy-Error") != "PAYMENT_REQUIRED" || p.Resource.URL != "http://"+host+"/hay/1?size=2" ||
		p.Accepts[0].Amount != "1000" || p.Accepts[0].Network != "eip155:42" {
		t.Fatalf("told %v, asked %+v", told, p)
	}
	header := x402(t, p, 1)
	for name, c := range map[string]struct{ method, host, path string }{
		"another path":   {"GET", host, "/hay/2?size=2"},
		"another query":  {"GET", host, "/hay/1?size=3"},
		"another method": {"POST", host, "/hay/1?size=2"},
		"by HEAD":        {"HEAD", host, "/hay/1?size=2"},
	} {
		t.Run(name, func(t *testing.T) {
			if x, _ := call(t, s, c.method, c.host, c.path, "", "PAYMENT-SIGNATURE", header); x.StatusCode != 402 {
				t.Errorf("%d", x.StatusCode)
			}
		})
	}
	if got := g.coins(t); got != [4]unit.Amount{10_000, 0, 0, 0} || told != nil {
		t.Fatalf("%v before it is used", got)
	}
	x, body := call(t, s, "GET", host, "/hay/1?size=2", "", "PAYMENT-SIGNATURE", header, "X-Cowboy-Payer", till.String())
	raw, err := base64.StdEncoding.DecodeString(x.Header.Get("PAYMENT-RESPONSE"))
	var done present.SettlementResponse
	if err != nil || json.Unmarshal(raw, &done) != nil || x.StatusCode != 200 || body != "hello" || !done.Success || done.Network != "eip155:42" ||
		done.Payer != payerKey(t).Address().String() || len(done.Transaction) != 66 {
		t.Fatalf("%d %q %s %v", x.StatusCode, body, raw, err)
	}
	paidBy := [4]unit.Amount{9_000, 950, 50, 0}
	if got := g.coins(t); got != paidBy {
		t.Fatalf("%v, want %v", got, paidBy)
	}
	headers, _ := told.Lookup("headers")
	m := headers.(cbor.Map)
	payer, _ := m.Lookup("x-cowboy-payer")
	name, _ := m.Lookup("x-cowboy-payment")
	nonce := digest.Hash{1}
	if _, leaked := m.Lookup("payment-signature"); leaked || fmt.Sprint(payer) != "["+payerKey(t).Address().String()+"]" ||
		fmt.Sprint(name) != "[authorization/"+nonce.String()+"]" {
		t.Errorf("the actor is told %v", m)
	}
	x, body = call(t, s, "GET", host, "/hay/1?size=2", "", "PAYMENT-SIGNATURE", header)
	if got := g.coins(t); x.StatusCode != 402 || body == "hello" || got != paidBy || !strings.Contains(required(t, x).Error, "used before") {
		t.Errorf("a second time: %d %q %v", x.StatusCode, body, got)
	}
	x, _ = call(t, s, "GET", host, "/free", "", "X-Cowboy-Payer", till.String())
	headers, _ = told.Lookup("headers")
	if _, forged := headers.(cbor.Map).Lookup("x-cowboy-payer"); forged || x.StatusCode != 200 {
		t.Errorf("a client names the payer itself")
	}
}

// A tool whose route has a price fails with −32402 and what a page's 402 says; with a payment made of that it is answered and settled, once, and only where the
// actor answers well.
//
// Spec: gateway-payments-streams §B (error −32402 for payment), §F.
func TestToolsArePaid(t *testing.T) {
	w, g := newShop(), newGate(t, func(p *payment.Policy) { p.Prices[0].Pattern = "/orders/**" })
	w.dispatch = func(id receipt.ID) error {
		status := 201
		if len(w.sent) == 2 {
			status = 409
		}
		data, err := cbor.Append(nil, cbor.Map{{Key: "body", Value: []byte("done")}, {Key: "status", Value: status}})
		text := hex.EncodeToString(data)
		w.requests[id] = wire.Request{
			ID: id.String(), Target: page.String(), Gateway: self.String(), Status: receipt.Completed.String(), Envelope: &text,
		}
		return err
	}
	s := paid(t, w, g)
	order := func(header http.Header) (*mcp.CallToolResult, error) {
		return connect(t, s, header).CallTool(t.Context(), &mcp.CallToolParams{Name: "order", Arguments: map[string]any{"item": "tea"}})
	}
	_, err := order(nil)
	p := price(t, err)
	if len(w.sent) != 0 || p.Accepts[0].Amount != "1000" {
		t.Fatalf("%d sent, asked %+v", len(w.sent), p)
	}
	header := http.Header{"Payment-Signature": {x402(t, p, 1)}}
	x, err := order(header)
	if err != nil || x.IsError || x.Meta[metaStatus] != float64(201) || len(w.sent) != 1 {
		t.Fatalf("%+v %v, %d sent", x, err, len(w.sent))
	}
	told, _ := x.Meta[metaPayment].(map[string]any)
	raw, err := base64.StdEncoding.DecodeString(fmt.Sprint(told[headerResponse]))
	var done present.SettlementResponse
	if err != nil || json.Unmarshal(raw, &done) != nil || !done.Success {
		t.Errorf("%v %s", told, raw)
	}
	once := [4]unit.Amount{9_000, 950, 50, 0}
	if got := g.coins(t); got != once {
		t.Errorf("%v, want %v", got, once)
	}
	if _, err := order(header); !strings.Contains(price(t, err).Error, "used before") || len(w.sent) != 1 {
		t.Errorf("a second time: %v, %d sent", err, len(w.sent))
	}
	x, err = order(http.Header{"Payment-Signature": {x402(t, p, 2)}})
	if got := g.coins(t); err != nil || !x.IsError || x.Meta[metaPayment] != nil || len(w.sent) != 2 || got[1] != 950 {
		t.Errorf("what the actor refuses: %+v %v, %d sent, %v", x, err, len(w.sent), got)
	}
}

// Twenty clients with one payment: one of them gets the page, and it is paid for once.
//
// Spec: gateway-payments-streams §F (a nonce counts once a payer).
func TestOnePaymentAtOnceSettlesOnce(t *testing.T) {
	w, g := newWorld(), newGate(t, func(*payment.Policy) {})
	w.query = hello
	s := paid(t, w, g)
	x, _ := call(t, s, "GET", host, "/hay/1", "")
	header := x402(t, required(t, x), 1)
	statuses := make(chan int, 20)
	var group sync.WaitGroup
	for range 20 {
		group.Go(func() {
			r, err := http.NewRequest("GET", s.URL+"/hay/1", nil)
			if err != nil {
				t.Error(err)
				return
			}
			r.Host = host
			r.Header.Set("PAYMENT-SIGNATURE", header)
			x, err := s.Client().Do(r)
			if err != nil {
				t.Error(err)
				return
			}
			_ = x.Body.Close()
			statuses <- x.StatusCode
		})
	}
	group.Wait()
	close(statuses)
	good := 0
	for n := range statuses {
		if n == 200 {
			good++
		} else if n != 402 {
			t.Errorf("%d", n)
		}
	}
	if got := g.coins(t); good != 1 || got != [4]unit.Amount{9_000, 950, 50, 0} {
		t.Errorf("%d pages, %v", good, got)
	}
}

// What the handler's status means for the payment, of a query and of a command, and what is left of the coins.
//
// Spec: gateway-payments-streams §F (settle only after 2xx or 3xx; on 5xx the intent stays open).
func TestOnlyGoodAnswersArePaid(t *testing.T) {
	kept, settled, held := [4]unit.Amount{10_000, 0, 0, 0}, [4]unit.Amount{9_000, 950, 50, 0}, [4]unit.Amount{9_000, 0, 0, 1_000}
	for status, want := range map[int][2][4]unit.Amount{
		200: {settled, settled}, 204: {settled, settled}, 302: {settled, settled}, 399: {settled, settled}, 400: {kept, held}, 404: {kept, held},
		500: {kept, held}, 503: {kept, held},
	} {
		for i, method := range []string{"GET", "POST"} {
			t.Run(fmt.Sprint(method, " ", status), func(t *testing.T) {
				w, g := newWorld(), newGate(t, func(*payment.Policy) {})
				answer := cbor.Map{{Key: "status", Value: status}}
				w.query = func(cbor.Map, *Question) (cbor.Map, error) { return answer, nil }
				data, err := cbor.Append(nil, answer)
				if err != nil {
					t.Fatal(err)
				}
				envelope := hex.EncodeToString(data)
				w.dispatch = func(id receipt.ID) error {
					w.requests[id] = wire.Request{ID: id.String(), Target: page.String(), Gateway: self.String(), Status: "COMPLETED", Envelope: &envelope}
					return nil
				}
				s := paid(t, w, g)
				x, _ := call(t, s, method, host, "/hay/1", "")
				again := intent(t, x, func(*payment.Intent) {})
				x, _ = call(t, s, method, host, "/hay/1", "", "Authorization", again)
				if got := g.coins(t); x.StatusCode != status || got != want[i] || (x.Header.Get("Payment-Receipt") != "") != (want[i] == settled) {
					t.Fatalf("%d %v %v, want %v", x.StatusCode, got, x.Header, want[i])
				}
				if want[i] == settled {
					return
				}
				answer[0].Value = 200 // the same payment, once the handler is well
				if data, err = cbor.Append(nil, answer); err != nil {
					t.Fatal(err)
				}
				envelope = hex.EncodeToString(data)
				x, _ = call(t, s, method, host, "/hay/1", "", "Authorization", again)
				if got := g.coins(t); x.StatusCode != 200 || got != settled {
					t.Errorf("tried again: %d %v", x.StatusCode, got)
				}
			})
		}
	}
}
