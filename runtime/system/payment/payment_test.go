package payment_test

import (
	"strings"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/cbor"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/entitle"
	chainpayment "github.com/cowboyinc/cowboy-go/chain/payment"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/runtime/drain"
	"github.com/cowboyinc/cowboy-go/runtime/pvm"
	"github.com/cowboyinc/cowboy-go/runtime/system/payment"
	"github.com/cowboyinc/cowboy-go/testkit"
)

const shop = `
def init(payload):
    pass
`

const manifest = `{"entitlements":[{"id":"econ.hold_balance"},{"id":"ingress.http"}]}`

func keyOf(t *testing.T, name string) *sig.PrivateKey {
	t.Helper()
	secret := digest.Keccak256([]byte("testkit account " + name))
	key, err := sig.ParsePrivateKey(secret[:])
	if err != nil {
		t.Fatal(err)
	}
	return key
}

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
	x := a.Do(&tx.Deploy{Code: code, Salt: []byte{byte(len(manifest))}, Manifest: m.Encode()}, testkit.DeployCycles, testkit.DeployCells)
	if x.Status != block.Success || x.Created == nil {
		t.Fatal(testkit.Describe(x))
	}
	return *x.Created
}

func ask(t *testing.T, a *testkit.Account, to byte, handler string, value unit.Amount, args cbor.Map) *block.Receipt {
	t.Helper()
	data, err := cbor.Append(nil, args)
	if err != nil {
		t.Fatal(err)
	}
	return a.Do(&tx.Execute{To: account.System(to), Amount: value, Handler: []byte(handler), Payload: data}, 200_000, 20_000)
}

// policyOf is a policy for /hay at 1,000, /gift at the actor's cost, passes at 100 a credit and epochs at 400.
func policyOf(actor, treasury account.Address, more ...cbor.Pair) cbor.Map {
	price := func(path, model string, amount uint64) cbor.Map {
		return cbor.Map{{Key: "path_pattern", Value: path}, {Key: "methods", Value: []any{"GET"}}, {Key: "model", Value: model}, {Key: "amount", Value: amount}}
	}
	return append(cbor.Map{
		{Key: "actor", Value: actor[:]}, {Key: "treasury", Value: treasury[:]},
		{Key: "price_table", Value: []any{price("/hay", "client_paid", 1_000), price("/gift", "actor_funded", 50)}},
		{Key: "budget_config", Value: cbor.Map{{Key: "daily_cap", Value: uint64(100)}, {Key: "fallback", Value: uint64(503)}}},
		{Key: "pass_config", Value: cbor.Map{{Key: "price_per_credit", Value: uint64(100)}, {Key: "max", Value: uint64(5)}}},
		{Key: "epoch_config", Value: cbor.Map{{Key: "fee_per_epoch", Value: uint64(400)}, {Key: "max", Value: uint64(2)}}},
	}, more...)
}

// world is a chain with a gateway, an actor that takes requests, one that does not, and one that may hold no coins.
type world struct {
	*testkit.Chain
	owner, payer, door, till *testkit.Account
	actor, closed, poor      account.Address
}

func newWorld(t *testing.T) *world {
	t.Helper()
	c := testkit.NewChain(t)
	w := &world{Chain: c, owner: c.Account("owner"), payer: c.Account("payer"), door: c.Account("door"), till: c.Account("till")}
	c.SetBalance(w.door.Address(), 50_000*unit.CBY)
	w.actor, w.closed = deploy(t, w.owner, manifest), deploy(t, w.owner, `{"entitlements":[{"id":"econ.hold_balance"}]}`)
	w.poor = deploy(t, w.owner, `{"entitlements":[{"id":"ingress.http"}]}`)
	if x := ask(t, w.door, account.GatewayRegistry, "register_gateway", 10_000*unit.CBY, cbor.Map{
		{Key: "endpoint", Value: "edge.example"}, {Key: "http_port", Value: uint64(443)},
	}); x.Status != block.Success {
		t.Fatal(testkit.Describe(x))
	}
	return w
}

// signed is what a gateway sends for an intent of the payer's for GET /hay.
func (w *world) signed(t *testing.T, nonce uint64, change func(i *chainpayment.Intent)) cbor.Map {
	t.Helper()
	resource := &chainpayment.Resource{Gateway: w.door.Address(), Actor: w.actor, Method: "GET", Path: "/hay"}
	i := &chainpayment.Intent{
		Payer: w.payer.Address(), Actor: w.actor, Amount: unit.Wide(1_000), Nonce: nonce, ValidBefore: 300, RequestHash: resource.Hash(),
	}
	change(i)
	i.Signature = keyOf(t, "payer").Sign(i.Digest(testkit.ChainID))
	p := chainpayment.Payment{Intent: i}
	return cbor.Map{
		{Key: "payment", Value: p.Append(nil)}, {Key: "actor", Value: w.actor[:]}, {Key: "method", Value: "GET"}, {Key: "path", Value: "/hay"},
		{Key: "rest", Value: make([]byte, 32)},
	}
}

// The PaymentGate on a chain: every method, every code of a fault, and the coins of the actor's treasury and the protocol's to the unit. The chain of the kit
// checks the supply at each block.
//
// Spec: gateway-payments-streams §F (methods); WP §9 (0x12).
func TestThePaymentGateOnAChain(t *testing.T) {
	c := newWorld(t)
	owner, payer, door, till, actor, closed, poor := c.owner, c.payer, c.door, c.till, c.actor, c.closed, c.poor
	signed := func(nonce uint64, change func(i *chainpayment.Intent)) cbor.Map { return c.signed(t, nonce, change) }
	only := cbor.Map{{Key: "actor", Value: actor[:]}}
	with := func(key string, value any) cbor.Map {
		return append(append(cbor.Map{}, only...), cbor.Pair{Key: key, Value: value})
	}
	set := func(m cbor.Map, key string, value any) cbor.Map {
		for i := range m {
			if m[i].Key == key {
				m[i].Value = value
			}
		}
		return m
	}
	same := func(*chainpayment.Intent) {}
	stranger := func(i *chainpayment.Intent) { i.Payer[0]++ }
	byPass := func(i *chainpayment.Intent) {
		i.Kind, i.PassID, i.Amount = chainpayment.PayPass, chainpayment.PassOf(actor, i.Payer), unit.Wide(0)
	}
	token := cbor.Pair{Key: "accepted_assets", Value: []any{"CBY", "CBY", "CBY", "CBY", "CBY", "CBY", "CBY", "CBY", "CBY", "CBY", "CBY"}}
	gift := cbor.Map{{Key: "actor", Value: actor[:]}, {Key: "method", Value: "GET"}, {Key: "path", Value: "/gift"}}
	tillAt, homeAt, other := till.Address(), account.System(account.Treasury), poor
	for _, step := range []struct {
		name       string
		by         *testkit.Account
		method     string
		value      unit.Amount
		args       cbor.Map
		code       uint16
		paid, fees unit.Amount // to the actor's treasury and the protocol's
	}{
		{"nothing set", payer, "get_policy", 0, only, payment.FaultPolicy, 0, 0},
		{"a budget without a policy", payer, "deposit_budget", 100, only, payment.FaultPolicy, 0, 0},
		{"by a stranger", payer, "set_policy", 0, policyOf(actor, tillAt), drain.FaultPermission, 0, 0},
		{"an actor without ingress", owner, "set_policy", 0, policyOf(closed, tillAt), payment.FaultIngress, 0, 0},
		{"a treasury that may hold nothing", owner, "set_policy", 0, policyOf(actor, other), payment.FaultTreasury, 0, 0},
		{"eleven assets", owner, "set_policy", 0, policyOf(actor, tillAt, token), payment.FaultAsset, 0, 0},
		{"a token", owner, "set_policy", 0, policyOf(actor, tillAt, cbor.Pair{Key: "accepted_assets", Value: []any{"USDC"}}), payment.FaultForm, 0, 0},
		{"another mode", owner, "set_policy", 0, policyOf(actor, tillAt, cbor.Pair{Key: "default_mode", Value: "barter"}), payment.FaultForm, 0, 0},
		{"set", owner, "set_policy", 0, policyOf(actor, tillAt), 0, 0, 0},
		{"read", payer, "get_policy", 0, only, 0, 0, 0},
		{"by no gateway", payer, "settle_payment", 0, signed(1, same), payment.FaultGateway, 0, 0},
		{"verified", door, "verify_payment", 0, signed(1, same), 0, 0, 0},
		{"settled", door, "settle_payment", 0, signed(1, same), 0, 950, 50},
		{"settled again", door, "settle_payment", 0, signed(1, same), payment.FaultSpent, 0, 0},
		{"settled at once", door, "settle_payment", 0, signed(2, same), 0, 950, 50},
		{"another path", door, "settle_payment", 0, set(signed(3, same), "path", "/other"), payment.FaultFree, 0, 0},
		{"another method", door, "settle_payment", 0, set(signed(3, same), "method", "POST"), payment.FaultFree, 0, 0},
		{"another body", door, "settle_payment", 0, set(signed(3, same), "rest", append(make([]byte, 31), 1)), payment.FaultOther, 0, 0},
		{"half a hash", door, "settle_payment", 0, set(signed(3, same), "rest", []byte{1}), payment.FaultForm, 0, 0},
		{"no payment", door, "settle_payment", 0, set(signed(3, same), "payment", []byte{7}), payment.FaultForm, 0, 0},
		{"a unit less", door, "settle_payment", 0, signed(3, func(i *chainpayment.Intent) { i.Amount.Lo-- }), payment.FaultOther, 0, 0},
		{"too late", door, "settle_payment", 0, signed(3, func(i *chainpayment.Intent) { i.ValidBefore = 2 }), payment.FaultExpired, 0, 0},
		{"of another key", door, "settle_payment", 0, signed(3, stranger), payment.FaultSignature, 0, 0},
		{"no credit", door, "settle_payment", 0, signed(3, byPass), payment.FaultCredits, 0, 0},
		{"too many credits", payer, "purchase_pass", 1_000, with("credits", uint64(6)), payment.FaultCount, 0, 0},
		{"too few coins", payer, "purchase_pass", 499, with("credits", uint64(5)), payment.FaultFunds, 0, 0},
		{"five credits", payer, "purchase_pass", 600, with("credits", uint64(5)), 0, 475, 25},
		{"a credit used", door, "settle_payment", 0, signed(3, byPass), 0, 0, 0},
		{"two epochs", payer, "purchase_epoch", 900, with("epochs", uint64(2)), 0, 760, 40},
		{"three epochs", payer, "purchase_epoch", 1_200, with("epochs", uint64(3)), payment.FaultCount, 0, 0},
		{"an empty budget", door, "deduct_budget", 0, gift, payment.FaultBudget, 0, 0},
		{"a budget", payer, "deposit_budget", 120, only, 0, 0, 0},
		{"by nobody", payer, "deduct_budget", 0, gift, payment.FaultGateway, 0, 0},
		{"one request", door, "deduct_budget", 0, gift, 0, 48, 2},
		{"two requests", door, "deduct_budget", 0, gift, 0, 48, 2},
		{"beyond the cap", door, "deduct_budget", 0, gift, payment.FaultBudget, 0, 0},
		{"not the stranger's", payer, "withdraw_budget", 0, with("amount", uint64(20)), drain.FaultPermission, 0, 0},
		{"too much back", owner, "withdraw_budget", 0, with("amount", uint64(21)), payment.FaultFunds, 0, 0},
		{"back", owner, "withdraw_budget", 0, with("amount", uint64(20)), 0, 0, 0},
		{"of a bridge", door, "credit_inbound", 0, only, payment.FaultDeferred, 0, 0},
	} {
		t.Run(step.name, func(t *testing.T) {
			paid, fees, has := c.Balance(tillAt), c.Balance(homeAt), c.Balance(step.by.Address())
			r := ask(t, step.by, account.PaymentGate, step.method, step.value, step.args)
			if r.Fault.Code != step.code || step.code != 0 && len(r.Events) != 0 {
				t.Fatalf("%s, want fault %d", testkit.Describe(r), step.code)
			}
			if p, f := c.Balance(tillAt)-paid, c.Balance(homeAt)-fees; p != step.paid || f != step.fees {
				t.Errorf("paid %d and %d, want %d and %d", p, f, step.paid, step.fees)
			}
			if now := c.Balance(step.by.Address()) + r.FeeBurned + r.FeeTipped; step.code != 0 && now != has {
				t.Errorf("a fault took %d more than its fee", has-now)
			}
		})
	}
	t.Run("what is held comes back", func(t *testing.T) {
		heldComesBack(t, c.Chain, payer, func() *block.Receipt {
			return ask(t, door, account.PaymentGate, "verify_payment", 0, signed(9, same))
		})
	})
}

// heldComesBack verifies a payment of 1,000 that counts before block 300.
func heldComesBack(t *testing.T, c *testkit.Chain, payer *testkit.Account, verify func() *block.Receipt) {
	t.Helper()
	before := c.Balance(payer.Address())
	if r := verify(); r.Status != block.Success {
		t.Fatal(testkit.Describe(r))
	}
	if held, err := chainpayment.Escrow(c.State()); err != nil || held != 1_000 || c.Balance(payer.Address()) != before-1_000 {
		t.Fatalf("%d held, %v", held, err)
	}
	for c.Height() < 299 {
		c.Mine()
	}
	if got := c.Balance(payer.Address()); got != before-1_000 {
		t.Fatalf("%d at block %d", got, c.Height())
	}
	c.Mine()
	if got := c.Balance(payer.Address()); got != before {
		t.Errorf("%d, want %d", got, before)
	}
}

// An actor that is asked in a query may read policies and balances, and nothing that writes.
//
// Spec: gateway-payments-streams §B (queries), §F (get_policy).
func TestQueriesReadAndDoNotPay(t *testing.T) {
	c := testkit.NewChain(t)
	reader := c.Account("owner").Deploy(`
import pvm_host as h

GATE = b"\x00" * 19 + b"\x12"

def init(p): pass
def balance(p): return h.call(GATE, "budget_balance", {"actor": h.self_address()}, 100_000, 0)
def deposit(p): return h.call(GATE, "deposit_budget", {"actor": h.self_address()}, 100_000, 0)
`, []byte("{}"))
	if o := c.Query(reader, "balance", nil, nil); o.Fault != nil {
		t.Error(o.Fault)
	}
	if o := c.Query(reader, "deposit", nil, nil); o.Fault == nil || !strings.Contains(o.Fault.Text, "not allowed in a query") {
		t.Errorf("%+v", o.Fault)
	}
}
