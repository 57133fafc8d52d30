package gateway_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/cbor"
	"github.com/cowboyinc/cowboy-go/chain/entitle"
	"github.com/cowboyinc/cowboy-go/chain/gateway"
	"github.com/cowboyinc/cowboy-go/chain/grant"

	"github.com/cowboyinc/cowboy-go/chain/protocol"
	"github.com/cowboyinc/cowboy-go/chain/receipt"
	"github.com/cowboyinc/cowboy-go/chain/route"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/chain/unit"

	"github.com/cowboyinc/cowboy-go/runtime/drain"
	"github.com/cowboyinc/cowboy-go/runtime/pvm"
	systemgateway "github.com/cowboyinc/cowboy-go/runtime/system/gateway"
	"github.com/cowboyinc/cowboy-go/testkit"
)

const page = `
from cowboy_sdk import actor, http, routes, runtime

@actor
class Page:
    def init(self, payload):
        pass

    @routes.route("/*rest")
    def serve(self, request):
        path = request["path"]
        if path == "/boom":
            raise ValueError("boom")
        if path == "/later":
            return http.Response(202)
        if path == "/secret":
            return http.Response(200, "hidden", private=True)
        return {"path": path, "id": request["request_id"], "sender": str(runtime.get_sender())}
`

const raw = `
def init(payload):
    pass

def answer(payload):
    return 7
`

const manifest = `{"entitlements":[{"id":"econ.hold_balance"},{"id":"ingress.http","params":{"allowlist_methods":["POST"],` +
	`"max_request_bytes":100,"receipt_ttl_blocks":50}},` +
	`{"id":"storage.kv","params":{"max_bytes":1048576}},{"id":"timer.schedule","params":{"max_timers":1024}}]}`

func deploy(t *testing.T, a *testkit.Account, source, manifest string) account.Address {
	t.Helper()
	code, err := pvm.CanonicalSource([]byte(source))
	if err != nil {
		t.Fatal(err)
	}
	in := &tx.Deploy{Code: code, Salt: []byte{byte(len(source)), byte(len(manifest))}, InitHandler: []byte("init"), InitPayload: []byte("{}")}
	if manifest != "" {
		m, err := entitle.Parse([]byte(manifest))
		if err != nil {
			t.Fatal(err)
		}
		in.Manifest = m.Encode()
	}
	x := a.Do(in, testkit.DeployCycles, testkit.DeployCells)
	if x.Status != block.Success || x.Created == nil {
		t.Fatal(testkit.Describe(x))
	}
	return *x.Created
}

func execute(t *testing.T, a *testkit.Account, to byte, handler string, value unit.Amount, args cbor.Map) *block.Receipt {
	t.Helper()
	data, err := cbor.Append(nil, args)
	if err != nil {
		t.Fatal(err)
	}
	return a.Do(&tx.Execute{To: account.System(to), Amount: value, Handler: []byte(handler), Payload: data}, 100_000, 20_000)
}

// request is the envelope of a POST.
func request(t *testing.T, change func(cbor.Map) cbor.Map) []byte {
	t.Helper()
	m := cbor.Map{
		{Key: "method", Value: "POST"}, {Key: "path", Value: "/"}, {Key: "host", Value: "page.cowboy.network"}, {Key: "body", Value: make([]byte, 100)},
		{Key: "headers", Value: cbor.Map{{Key: "accept", Value: []any{"text/html"}}}}, {Key: "query", Value: cbor.Map{}},
	}
	data, err := cbor.Append(nil, change(m))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// with replaces a field of an envelope, or adds it.
func with(key string, value any) func(cbor.Map) cbor.Map {
	return func(m cbor.Map) cbor.Map {
		for i := range m {
			if m[i].Key == key {
				m[i].Value = value
				return m
			}
		}
		return append(m, cbor.Pair{Key: key, Value: value})
	}
}

// world is a chain with a gateway and actors that take requests.
type world struct {
	*testkit.Chain
	owner, door *testkit.Account
	page, raw   account.Address
}

func newWorld(t *testing.T) *world {
	t.Helper()
	c := testkit.NewChain(t)
	w := &world{Chain: c, owner: c.Account("owner"), door: c.Account("door")}
	c.SetBalance(w.door.Address(), 50_000*unit.CBY)
	w.page, w.raw = deploy(t, w.owner, page, manifest), deploy(t, w.owner, raw, manifest)
	if x := execute(t, w.door, account.GatewayRegistry, "register_gateway", 10_000*unit.CBY, cbor.Map{
		{Key: "endpoint", Value: "edge.example"}, {Key: "http_port", Value: 8443},
	}); x.Status != block.Success {
		t.Fatal(testkit.Describe(x))
	}
	return w
}

func (w *world) dispatch(t *testing.T, to account.Address, envelope []byte, id byte) *block.Receipt {
	t.Helper()
	return w.door.Do(&tx.IngressDispatch{Target: to, Envelope: envelope, RequestID: receipt.ID{id}}, 2_000_000, 100_000)
}

// What becomes of requests: the answer in the block after the request, its failure, an answer that follows, and one that is no response.
//
// Spec: gateway-payments-streams §B (65), §C (66).
func TestRequests(t *testing.T) {
	w := newWorld(t)
	for name, c := range map[string]struct {
		to       account.Address
		path     string
		cells    unit.Cells
		status   receipt.Status
		private  bool
		envelope bool
	}{
		"answered":       {w.page, "/", 100_000, receipt.Completed, false, true},
		"failed":         {w.page, "/boom", 100_000, receipt.Failed, false, false},
		"answered later": {w.page, "/later", 100_000, receipt.Pending, false, false},
		"private":        {w.page, "/secret", 100_000, receipt.Completed, true, true},
		"something else": {w.raw, "/", 100_000, receipt.Failed, false, false}, // it has no handler for requests
	} {
		t.Run(name, func(t *testing.T) {
			id := receipt.ID([]byte(name + "----------------")[:receipt.IDBytes])
			x := w.door.Do(&tx.IngressDispatch{Target: c.to, Envelope: request(t, with("path", c.path)), RequestID: id}, 2_000_000, c.cells)
			if x.Status != block.Success || string(x.ReturnData) != string(id[:]) {
				t.Fatal(testkit.Describe(x))
			}
			before, err := receipt.Load(w.State(), id)
			if err != nil || before.Status != receipt.Pending || before.Expires != w.Height()+50 || before.Gateway != w.door.Address() ||
				before.Target != c.to {
				t.Fatalf("%+v %v", before, err)
			}
			w.Mine()
			after, err := receipt.Load(w.State(), id)
			if err != nil || after.Status != c.status || after.Private != c.private || (after.Envelope != nil) != c.envelope {
				t.Errorf("%+v %v, want %+v", after, err, c)
				for _, x := range w.Blocks()[len(w.Blocks())-1].Receipts {
					t.Log(testkit.Describe(x))
				}
			}
		})
	}
}

// What is refused, with its code: it writes nothing, and no message goes out.
//
// Spec: gateway-payments-streams §B (commands), §C (identities).
func TestRefusedRequests(t *testing.T) {
	w := newWorld(t)
	same := func(m cbor.Map) cbor.Map { return m }
	without := func(key string) func(cbor.Map) cbor.Map {
		return func(m cbor.Map) cbor.Map {
			return slices.DeleteFunc(m, func(p cbor.Pair) bool { return p.Key == key })
		}
	}
	bare := deploy(t, w.owner, raw, "")
	closed := deploy(t, w.owner, raw, `{"entitlements":[{"id":"storage.kv","params":{"max_bytes":900}}]}`)
	if x := w.dispatch(t, w.page, request(t, with("path", "/later")), 77); x.Status != block.Success {
		t.Fatal(testkit.Describe(x))
	}
	for name, c := range map[string]struct {
		by       *testkit.Account
		to       account.Address
		envelope []byte
		id       byte
		code     uint16
	}{
		"no gateway":                  {w.owner, w.page, request(t, same), 1, systemgateway.FaultUnauthorized},
		"an actor without manifest":   {w.door, bare, request(t, same), 1, systemgateway.FaultIngress},
		"an actor without ingress":    {w.door, closed, request(t, same), 1, systemgateway.FaultIngress},
		"nobody":                      {w.door, account.Address{9}, request(t, same), 1, systemgateway.FaultIngress},
		"another method":              {w.door, w.page, request(t, with("method", "PUT")), 1, systemgateway.FaultMethod},
		"a method in lower case":      {w.door, w.page, request(t, with("method", "post")), 1, systemgateway.FaultEnvelope},
		"101 bytes":                   {w.door, w.page, request(t, with("body", make([]byte, 101))), 1, systemgateway.FaultBody},
		"the gateway's own path":      {w.door, w.page, request(t, with("path", "/_cowboy/info")), 1, systemgateway.FaultEnvelope},
		"no path":                     {w.door, w.page, request(t, without("path")), 1, systemgateway.FaultEnvelope},
		"no host":                     {w.door, w.page, request(t, without("host")), 1, systemgateway.FaultEnvelope},
		"another field":               {w.door, w.page, request(t, with("handler", "init")), 1, systemgateway.FaultEnvelope},
		"a header in capitals":        {w.door, w.page, request(t, with("headers", cbor.Map{{Key: "Accept", Value: "x"}})), 1, systemgateway.FaultEnvelope},
		"no envelope":                 {w.door, w.page, []byte{0xf6}, 1, systemgateway.FaultEnvelope},
		"no CBOR":                     {w.door, w.page, []byte{0xff}, 1, systemgateway.FaultEnvelope},
		"an identity that is pending": {w.door, w.page, request(t, same), 77, systemgateway.FaultRequest},
	} {
		t.Run(name, func(t *testing.T) {
			x := c.by.Do(&tx.IngressDispatch{Target: c.to, Envelope: c.envelope, RequestID: receipt.ID{c.id}}, 2_000_000, 100_000)
			if x.Status != block.Faulted || x.Fault.Code != c.code || len(x.Events) != 0 {
				t.Errorf("%s, want %d", testkit.Describe(x), c.code)
			}
			if _, err := receipt.Load(w.State(), receipt.ID{1}); !errors.Is(err, receipt.ErrUnknown) {
				t.Error(err)
			}
		})
	}
}

// A gateway's fees are its own, or the actor's where it granted use-owner-balance: to the unit, in both blocks of a request.
//
// Spec: gateway-payments-streams §B (gas); entitlement-extras §5 (UseOwnerBalance).
func TestWhoPaysForRequests(t *testing.T) {
	w := newWorld(t)
	w.SetBalance(w.page, 1_000*unit.CBY)
	deployer := w.owner
	if x := deployer.Do(&tx.EntitlementGrant{
		Grantee: w.door.Address(), Scope: grant.ActorScope(w.page), Action: grant.Action{Kind: grant.UseOwnerBalance},
		Constraints: grant.Terms{Revocable: true},
	}, 100_000, 5_000); x.Status != block.Success {
		t.Fatal(testkit.Describe(x))
	}
	for name, own := range map[string]bool{"the gateway": true, "the actor": false} {
		t.Run(name, func(t *testing.T) {
			door, actor := w.Balance(w.door.Address()), w.Balance(w.page)
			if !own {
				w.door.Payer(w.page)
				defer w.door.Payer(account.Address{})
			}
			x := w.dispatch(t, w.page, request(t, with("path", "/later")), byte(len(name)))
			if x.Status != block.Success {
				t.Fatal(testkit.Describe(x))
			}
			cost := x.FeeBurned + x.FeeTipped
			w.Mine()
			for _, r := range w.Blocks()[len(w.Blocks())-1].Receipts {
				if r.Cause == x.ID {
					cost += r.FeeBurned + r.FeeTipped
				}
			}
			paidDoor, paidActor := door-w.Balance(w.door.Address()), actor-w.Balance(w.page)
			if own && (paidDoor != cost || paidActor != 0) || !own && (paidDoor != 0 || paidActor != cost) {
				t.Errorf("the gateway paid %d and the actor %d of %d", paidDoor, paidActor, cost)
			}
		})
	}
}

// An answer is paid from what the request left: with too little the handler's work stands and its answer is not kept.
//
// Spec: gateway-payments-streams §C (one extra cell-metered write).
func TestUnpaidAnswer(t *testing.T) {
	w := newWorld(t)
	id, small := receipt.ID{1}, false
	for cells := unit.Cells(1_400); cells < 3_000; cells += 10 {
		id[1]++
		if id[1] == 0 {
			id[2]++
		}
		x := w.door.Do(&tx.IngressDispatch{Target: w.page, Envelope: request(t, with("path", "/x")), RequestID: id}, 2_000_000, cells)
		if x.Status != block.Success {
			continue
		}
		w.Mine()
		c, err := receipt.Load(w.State(), id)
		if err != nil {
			t.Fatal(err)
		}
		small = small || c.Status == receipt.Completed && c.Envelope == nil
		if c.Status == receipt.Completed && c.Envelope != nil {
			break
		}
	}
	if !small {
		t.Error("no request had too little for its answer alone")
	}
}

// The actor completes what it accepted: by its deployer's instruction, and by itself; nobody else does.
//
// Spec: gateway-payments-streams §C (66).
func TestCompletion(t *testing.T) {
	w := newWorld(t)
	eve := w.Account("eve")
	id := receipt.ID{5}
	if x := w.dispatch(t, w.page, request(t, with("path", "/later")), 5); x.Status != block.Success {
		t.Fatal(testkit.Describe(x))
	}
	w.Mine()
	final, err := cbor.Append(nil, cbor.Map{{Key: "status", Value: 201}, {Key: "body", Value: "done"}})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name string
		by   *testkit.Account
		code uint16
	}{{"another", eve, drain.FaultPermission}, {"the gateway", w.door, drain.FaultPermission}, {"the deployer", w.owner, 0}, {"again", w.owner,
		systemgateway.FaultRequest}} {
		t.Run(c.name, func(t *testing.T) {
			if x := c.by.Do(&tx.CompleteReceipt{RequestID: id, Envelope: final}, 200_000, 20_000); x.Fault.Code != c.code {
				t.Errorf("%s, want %d", testkit.Describe(x), c.code)
			}
		})
	}
	if c, err := receipt.Load(w.State(), id); err != nil || c.Status != receipt.Completed || string(c.Envelope) != string(final) {
		t.Errorf("%+v %v", c, err)
	}
}

// A gateway's stake lies with the registry until it is given back; the chain checks the supply after each of these blocks.
//
// Spec: gateway-payments-streams §B; WP §8.
func TestStake(t *testing.T) {
	w := newWorld(t)
	held := func() unit.Amount {
		amount, err := gateway.Escrow(w.State())
		if err != nil {
			t.Fatal(err)
		}
		return amount
	}
	for _, c := range []struct {
		name, handler string
		by            *testkit.Account
		value         unit.Amount
		args          cbor.Map
		code          uint16
		held          unit.Amount
	}{
		{"another below the minimum", "register_gateway", w.owner, 1, cbor.Map{{Key: "endpoint", Value: "a"}, {Key: "http_port", Value: 1}},
			systemgateway.FaultStake, 10_000 * unit.CBY},
		{"a heartbeat", "heartbeat", w.door, 0, nil, 0, 10_000 * unit.CBY},
		{"a heartbeat with coins", "heartbeat", w.door, 1, nil, drain.FaultUnavailable, 10_000 * unit.CBY},
		{"more stake", "register_gateway", w.door, 7, cbor.Map{{Key: "endpoint", Value: "a"}, {Key: "http_port", Value: 1}}, 0, 10_000*unit.CBY + 7},
		{"a wrong argument", "register_gateway", w.door, 7, cbor.Map{{Key: "port", Value: 1}}, drain.FaultInput, 10_000*unit.CBY + 7},
		{"leaving", "unstake", w.door, 0, nil, 0, 10_000*unit.CBY + 7},
		{"too early", "unstake", w.door, 0, nil, systemgateway.FaultLeaving, 10_000*unit.CBY + 7},
		{"nobody leaves", "unstake", w.owner, 0, nil, drain.FaultMissing, 10_000*unit.CBY + 7},
	} {
		t.Run(c.name, func(t *testing.T) {
			if x := execute(t, c.by, account.GatewayRegistry, c.handler, c.value, c.args); x.Fault.Code != c.code {
				t.Errorf("%s, want %d", testkit.Describe(x), c.code)
			}
			if got := held(); got != c.held {
				t.Errorf("%d is held, want %d", got, c.held)
			}
		})
	}
	if x := execute(t, w.door, account.ReceiptRegistry, "heartbeat", 0, nil); x.Fault.Code != drain.FaultUnavailable {
		t.Error(testkit.Describe(x))
	}
}

const routed = `
from cowboy_sdk import actor, http

@actor
class Routed:
    def init(self, payload):
        pass

    @http.handler
    def serve(self, request):
        return "serve " + repr(request.get("path_params"))

    @http.handler
    def order(self, request):
        return "order " + request["path_params"]["id"]

    @http.handler
    def every(self, request):
        return "every " + request["path_params"]["rest"]
`

// A request that changes something reaches the handler that the actor's manifest of routes names for its method and path, by priority, with the parts of the
// path that the route names; what no route fits is for "http.request". The manifest is read at the gateway's expense, by its size.
//
// Spec: gateway-payments-streams §B (65); storage-cbfs §3.2 (102); sdk §19.2 (path_params), §19.3 (tie-break).
func TestRoutedRequests(t *testing.T) {
	w := newWorld(t)
	a := deploy(t, w.owner, strings.Replace(routed, `    @http.handler
    def serve`, `    @actor.handler("http.request")
    @http.handler
    def serve`, 1), manifest)
	before := w.dispatch(t, a, request(t, with("path", "/orders/7")), 99)
	w.Mine()
	in := &tx.UpdateRouteManifest{Actor: a, Dynamic: []route.Dynamic{
		{Method: "GET", Path: "/orders/{id}", Handler: "serve", Priority: 9}, {Method: "POST", Path: "/orders/{id}", Handler: "order", Priority: 5},
		{Method: "ANY", Path: "/*rest", Handler: "every", Priority: 4}, {Method: "POST", Path: "/gone", Handler: "gone", Priority: 5},
	}}
	if x := w.owner.Do(in, 500_000, 50_000); x.Status != block.Success {
		t.Fatal(testkit.Describe(x))
	}
	for name, c := range map[string]struct {
		change func(cbor.Map) cbor.Map
		status receipt.Status
		body   string
	}{
		"its own":              {with("path", "/orders/7"), receipt.Completed, "order 7"},
		"any method":           {with("path", "/orders/7/x"), receipt.Completed, "every orders/7/x"},
		"a handler that lacks": {with("path", "/gone"), receipt.Failed, ""},
		"parts the gateway made up": {func(m cbor.Map) cbor.Map {
			return with("path_params", cbor.Map{{Key: "id", Value: "8"}})(with("path", "/orders/7")(m))
		}, receipt.Completed, "order 7"},
	} {
		t.Run(name, func(t *testing.T) {
			x := w.dispatch(t, a, request(t, c.change), byte(len(name)))
			if x.Status != block.Success {
				t.Fatal(testkit.Describe(x))
			}
			if c.body == "order 7" && len(name) == len("its own") {
				raw := (&route.Manifest{Dynamic: in.Dynamic}).Append(nil)
				if want := before.CyclesUsed + unit.Cycles(len(raw))*protocol.First().Costs.SerializePerByte; x.CyclesUsed != want {
					t.Errorf("%d cycles, want %d", x.CyclesUsed, want)
				}
			}
			w.Mine()
			r, err := receipt.Load(w.State(), receipt.ID{byte(len(name))})
			if err != nil || r.Status != c.status {
				t.Fatalf("%+v %v", r, err)
			}
			if c.body == "" {
				return
			}
			got, err := receipt.ParseResponse(r.Envelope, 1_000)
			if err != nil || string(got.Body) != c.body {
				t.Errorf("%s %v", got.Body, err)
			}
		})
	}
}
