package route_test

import (
	"fmt"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/cbor"
	"github.com/cowboyinc/cowboy-go/chain/entitle"
	"github.com/cowboyinc/cowboy-go/chain/gateway"
	"github.com/cowboyinc/cowboy-go/chain/genesis"
	"github.com/cowboyinc/cowboy-go/chain/grant"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/route"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/runtime/drain"
	"github.com/cowboyinc/cowboy-go/runtime/pvm"
	systemroute "github.com/cowboyinc/cowboy-go/runtime/system/route"
	"github.com/cowboyinc/cowboy-go/testkit"
)

const shop = `
from cowboy_sdk import call
from pvm_host import send_message

ROUTES = "0x000000000000000000000000000000000000000e"

def init(payload):
    pass

def publish(payload):
    call(ROUTES, "update_route_manifest", {"static_routes": [], "dynamic_routes": [{"method": "GET", "path": "/", "handler": "page", "priority": 2}]})

def announce(payload):
    routes = [{"method": "GET", "path": "/news", "handler": "news", "priority": 2}]
    send_message(b"\0" * 19 + b"\x0e", {"handler": "update_route_manifest", "static_routes": [], "dynamic_routes": routes})

def whose(payload):
    return str(call(ROUTES, "resolve", {"name": "shopping"})["expires_at"]).encode()

def all(payload):
    return ",".join(call(ROUTES, "lookup", {"actor": payload.decode()})).encode()
`

func deploy(t *testing.T, a *testkit.Account, manifest string) account.Address {
	t.Helper()
	code, err := pvm.CanonicalSource([]byte(shop))
	if err != nil {
		t.Fatal(err)
	}
	m, err := entitle.Parse([]byte(manifest))
	if err != nil {
		t.Fatal(err)
	}
	in := &tx.Deploy{Code: code, Salt: []byte{byte(len(manifest))}, InitHandler: []byte("init"), InitPayload: []byte("{}"), Manifest: m.Encode()}
	x := a.Do(in, testkit.DeployCycles, testkit.DeployCells)
	if x.Status != block.Success {
		t.Fatal(testkit.Describe(x))
	}
	return *x.Created
}

func execute(t *testing.T, a *testkit.Account, handler string, value unit.Amount, args any) *block.Receipt {
	t.Helper()
	data, err := cbor.Append(nil, args)
	if err != nil {
		t.Fatal(err)
	}
	return a.Do(&tx.Execute{To: account.System(account.RouteRegistry), Amount: value, Handler: []byte(handler), Payload: data}, 100_000, 20_000)
}

func coins(t *testing.T, c *testkit.Chain) (treasury, pool unit.Amount) {
	t.Helper()
	pool, err := gateway.InPool(c.State())
	if err != nil {
		t.Fatal(err)
	}
	return c.Balance(account.System(account.Treasury)), pool
}

// The life of a name through transactions: who may, what it costs, and where each coin goes; the chain checks the supply after every block.
//
// Spec: gateway-payments-streams §A.2, §A.3.
func TestNames(t *testing.T) {
	c := testkit.NewChain(t)
	ann, bob, eve := c.Account("ann"), c.Account("bob"), c.Account("eve")
	open := deploy(t, ann, `{"entitlements":[{"id":"ingress.http"}]}`)
	closed := deploy(t, ann, `{"entitlements":[]}`)
	if x := ann.Do(&tx.EntitlementGrant{
		Grantee: bob.Address(), Scope: grant.ActorScope(open), Action: grant.Action{Kind: grant.ActorExecuteHandler, Value: "register"},
		Constraints: grant.Terms{Revocable: true},
	}, 100_000, 5_000); x.Status != block.Success {
		t.Fatal(testkit.Describe(x))
	}
	const year, fee, day = 31_536_000, 100 * unit.CBY, 273_972_603
	register := func(name string, actor account.Address, blocks int) cbor.Map {
		return cbor.Map{{Key: "name", Value: name}, {Key: "actor_address", Value: actor[:]}, {Key: "duration_blocks", Value: blocks}}
	}
	label := func(name string, kind int, actor account.Address) cbor.Map {
		return cbor.Map{{Key: "label", Value: name}, {Key: "tld_kind", Value: kind}, {Key: "actor_address", Value: actor[:]}, {Key: "duration_blocks",
			Value: 86_400}}
	}
	who := func(a *testkit.Account) []byte { addr := a.Address(); return addr[:] }
	for _, s := range []struct {
		name, method    string
		by              *testkit.Account
		value           unit.Amount
		args            any
		code            uint16
		price, treasury unit.Amount // of the price: 7,000 basis points are burned, 1,500 the treasury's, the rest the pool's
	}{
		{"by a stranger", "register", eve, fee, register("shopping", open, year), systemroute.FaultOwner, 0, 0},
		{"for an actor that takes no requests", "register", ann, fee, register("shopping", closed, year), systemroute.FaultIngress, 0, 0},
		{"for nobody", "register", ann, fee, register("shopping", account.Address{9}, year), systemroute.FaultOwner, 0, 0},
		{"a reserved name", "register", ann, fee, register("gateway", open, year), systemroute.FaultReserved, 0, 0},
		{"a name in capitals", "register", ann, fee, register("Shopping", open, year), systemroute.FaultName, 0, 0},
		{"a unit too little", "register", ann, fee - 1, register("shopping", open, year), systemroute.FaultFee, 0, 0},
		{"less than a day", "register", ann, fee, register("shopping", open, 86_399), drain.FaultInput, 0, 0},
		{"a list of arguments", "register", ann, fee + 9, []any{"shopping", open[:], year}, 0, fee, 15 * unit.CBY},
		{"taken", "register", bob, fee, register("shopping.cowboy.network", open, year), systemroute.FaultTaken, 0, 0},
		{"by who holds the entitlement", "register", bob, day, register("bobs-shop", open, 86_400), 0, day, 41_095_890},
		{"who may not renew", "renew", eve, day, cbor.Map{{Key: "name", Value: "shopping"}, {Key: "duration_blocks", Value: 86_400}},
			systemroute.FaultOwner, 0, 0},
		{"renewed", "renew", ann, day, cbor.Map{{Key: "name", Value: "shopping"}, {Key: "duration_blocks", Value: 86_400}}, 0, day, 41_095_890},
		{"under .cow", "register_tld_label", ann, day, label("shopping", 1, open), 0, day, 41_095_890},
		{"under no domain", "register_tld_label", ann, day, label("shopping", 3, open), systemroute.FaultName, 0, 0},
		{"a label with a dot", "register_tld_label", ann, day, label("a.shop", 1, open), systemroute.FaultName, 0, 0},
		{"a transfer by another", "transfer", eve, 0, cbor.Map{{Key: "name", Value: "shopping"}, {Key: "new_owner", Value: who(eve)}},
			systemroute.FaultOwner, 0, 0},
		{"a transfer", "transfer", ann, 0, cbor.Map{{Key: "name", Value: "shopping"}, {Key: "new_owner", Value: who(bob)}}, 0, 0, 0},
		{"a transfer of a label", "transfer_tld", ann, 0, cbor.Map{{Key: "label", Value: "shopping"}, {Key: "tld_kind", Value: 1}, {Key: "new_owner",
			Value: bob.Hex()}}, 0, 0, 0},
		{"by the owner before", "set_subdomain_policy", ann, 0, cbor.Map{{Key: "name", Value: "shopping"}, {Key: "policy", Value: 2}},
			systemroute.FaultOwner, 0, 0},
		{"a policy", "set_subdomain_policy", bob, 0, cbor.Map{{Key: "name", Value: "shopping"}, {Key: "policy", Value: 2}}, 0, 0, 0},
		{"coins for nothing", "set_subdomain_policy", bob, 1, cbor.Map{{Key: "name", Value: "shopping"}, {Key: "policy", Value: 2}},
			drain.FaultUnavailable, 0, 0},
		{"another's actor", "set_actor", bob, 0, cbor.Map{{Key: "name", Value: "shopping"}, {Key: "actor_address", Value: open[:]}},
			systemroute.FaultOwner, 0, 0},
		{"a name nobody has", "resolve", eve, 0, cbor.Map{{Key: "name", Value: "nobody"}}, systemroute.FaultExpired, 0, 0},
	} {
		t.Run(s.name, func(t *testing.T) {
			balance := c.Balance(s.by.Address())
			before, poolBefore := coins(t, c)
			x := execute(t, s.by, s.method, s.value, s.args)
			if x.Fault.Code != s.code || s.code != 0 && len(x.Events) != 0 {
				t.Fatalf("%s, want %d", testkit.Describe(x), s.code)
			}
			paid := balance - c.Balance(s.by.Address()) - x.FeeBurned - x.FeeTipped
			after, poolAfter := coins(t, c)
			burned := s.price * 7_000 / 10_000
			if paid != s.price || after-before != s.treasury || poolAfter-poolBefore != s.price-s.treasury-burned {
				t.Errorf("%d were paid, %d to the treasury, %d to the pool; want %d, %d and %d", paid, after-before, poolAfter-poolBefore,
					s.price, s.treasury, s.price-s.treasury-burned)
			}
		})
	}
	b, err := route.Resolve(c.State(), route.Genesis(), route.Domain{Label: "shopping"}, c.Height())
	if err != nil || b.Owner != bob.Address() || b.Policy != route.Open || b.Actor != open {
		t.Errorf("%+v %v", b, err)
	}
	if got := ann.Call(open, "whose", ""); got != fmt.Sprint(b.Expires) {
		t.Errorf("an actor sees %s, want %d", got, b.Expires)
	}
	if got := ann.Call(open, "all", open.String()); got != "bobs-shop.cowboy.network,shopping.cow,shopping.cowboy.network" {
		t.Errorf("the actor's names are %s", got)
	}
}

// What governance sets is what is asked from the next block on: prices, and the split of a name space.
//
// Spec: gateway-payments-streams §A.3 (all governed; pool 1); runner-marketplace §3 (40).
func TestGovernedPrices(t *testing.T) {
	c := testkit.NewChain(t)
	admin, ann := c.Impersonate(genesis.DevFaucet().Address()), c.Account("ann")
	open := deploy(t, ann, `{"entitlements":[{"id":"ingress.http"}]}`)
	set := func(pool uint64, split params.Split) {
		if x := admin.Do(&tx.UpdateSettlementConfig{TargetPool: pool, Split: split}, 100_000, 5_000); x.Status != block.Success {
			t.Fatal(testkit.Describe(x))
		}
	}
	set(params.PoolRegistry, params.Split{RunnerBPS: 10_000})
	set(params.PoolRegistryCow, params.Split{TreasuryBPS: 10_000})
	const day = 273_972_603
	for kind, want := range map[int]struct{ treasury, pool unit.Amount }{1: {day, 0}, 2: {0, day}} {
		t.Run(fmt.Sprint(kind), func(t *testing.T) {
			before, poolBefore := coins(t, c)
			x := execute(t, ann, "register_tld_label", day, []any{"shopping", kind, open[:], 86_400})
			if x.Status != block.Success {
				t.Fatal(testkit.Describe(x))
			}
			if after, pool := coins(t, c); after-before != want.treasury || pool-poolBefore != want.pool {
				t.Errorf("%d and %d, want %+v", after-before, pool-poolBefore, want)
			}
		})
	}
}

// Routes of an actor: by itself, in a call or a message, by its deployer's instruction, and by nobody else.
//
// Spec: storage-cbfs §3.2 (102).
func TestRoutes(t *testing.T) {
	c := testkit.NewChain(t)
	ann, eve := c.Account("ann"), c.Account("eve")
	open := deploy(t, ann, `{"entitlements":[{"id":"ingress.http"}]}`)
	in := &tx.UpdateRouteManifest{Actor: open, Dynamic: []route.Dynamic{{Method: "POST", Path: "/orders", Handler: "order", Priority: 7}}}
	for _, s := range []struct {
		by   *testkit.Account
		in   *tx.UpdateRouteManifest
		code uint16
	}{
		{eve, in, systemroute.FaultOwner}, {ann, in, 0},
		{ann, &tx.UpdateRouteManifest{Actor: open, Static: []route.Static{{Path: "/*", Volume: "site"}}}, drain.FaultEntitlement},
	} {
		t.Run(fmt.Sprint(s.code), func(t *testing.T) {
			if x := s.by.Do(s.in, 200_000, 20_000); x.Fault.Code != s.code {
				t.Errorf("%s, want %d", testkit.Describe(x), s.code)
			}
		})
	}
	if m, err := route.LoadManifest(c.State(), open); err != nil || len(m.Dynamic) != 1 || m.Dynamic[0].Handler != "order" {
		t.Errorf("%+v %v", m, err)
	}
	ann.Call(open, "publish", "")
	if m, err := route.LoadManifest(c.State(), open); err != nil || len(m.Dynamic) != 1 || m.Dynamic[0].Handler != "page" || len(m.Static) != 0 {
		t.Errorf("%+v %v", m, err)
	}
	ann.Call(open, "announce", "")
	c.Mine()
	if m, err := route.LoadManifest(c.State(), open); err != nil || len(m.Dynamic) != 1 || m.Dynamic[0].Handler != "news" {
		t.Errorf("by a message: %+v %v", m, err)
	}
}
