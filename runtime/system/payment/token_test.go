package payment_test

import (
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/cbor"
	chainpayment "github.com/cowboyinc/cowboy-go/chain/payment"
	"github.com/cowboyinc/cowboy-go/chain/token"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/runtime/system/payment"
	"github.com/cowboyinc/cowboy-go/testkit"
)

// priced is a chain with a token, of which the payer has 3·2^64 + 8, and a price in it.
type priced struct {
	*world
	t          *testing.T
	id         token.ID
	price, fee unit.Uint128
}

func newPriced(t *testing.T) *priced {
	t.Helper()
	w := &priced{world: newWorld(t), t: t, price: unit.Uint128{Hi: 1, Lo: 3}, fee: unit.Wide(922_337_203_685_477_580)} // a twentieth, rounded down
	supply := unit.Uint128{Hi: 10}
	r := w.owner.Do(&tx.TokenCreate{Name: []byte("Hay"), Symbol: []byte("HAY"), InitialSupply: supply}, 200_000, 20_000)
	if r.Status != block.Success {
		t.Fatal(testkit.Describe(r))
	}
	w.id = token.ID(r.ReturnData)
	w.send(&tx.TokenTransfer{TokenID: w.id, To: w.payer.Address(), Amount: unit.Uint128{Hi: 3, Lo: 8}})
	w.send(&tx.Transfer{To: w.till.Address(), Amount: 1})
	return w
}

// send has the token's owner send an instruction.
func (w *priced) send(in tx.Instruction) {
	w.t.Helper()
	if r := w.owner.Do(in, 200_000, 20_000); r.Status != block.Success {
		w.t.Fatal(testkit.Describe(r))
	}
}

// has is what the payer, the actor's treasury, the protocol's and the gate have of the token.
func (w *priced) has() (list [4]unit.Uint128) {
	w.t.Helper()
	for i, a := range []account.Address{w.payer.Address(), w.till.Address(), account.System(account.Treasury), chainpayment.Home()} {
		n, err := token.Balance(w.State(), w.id, a)
		if err != nil {
			w.t.Fatal(err)
		}
		list[i] = n
	}
	return list
}

func (w *priced) freeze(who account.Address, frozen bool) func() {
	return func() {
		if frozen {
			w.send(&tx.TokenFreeze{TokenID: w.id, Account: who})
		} else {
			w.send(&tx.TokenUnfreeze{TokenID: w.id, Account: who})
		}
	}
}

func (w *priced) hook(at *account.Address) func() {
	return func() { w.send(&tx.TokenSetHook{TokenID: w.id, TransferHook: at}) }
}

// intent is what a gateway sends for the price.
func (w *priced) intent(nonce uint64, change func(i *chainpayment.Intent)) cbor.Map {
	return w.signed(w.t, nonce, func(i *chainpayment.Intent) {
		i.Asset, i.Amount = w.id, w.price
		change(i)
	})
}

// policy prices GET /hay in the token.
func (w *priced) policy() cbor.Map {
	return cbor.Map{
		{Key: "actor", Value: w.actor[:]}, {Key: "treasury", Value: w.till.Address().String()},
		{Key: "price_table", Value: []any{cbor.Map{
			{Key: "path_pattern", Value: "/hay"}, {Key: "methods", Value: []any{"GET"}}, {Key: "amount", Value: w.price.Int()}, {Key: "asset", Value: w.id[:]},
		}}},
	}
}

// A request whose price is in a token, on a chain: who has how much of it after each step, in units above 64 bits, with the registry's events beside the
// gate's; the token is frozen and given a hook while a payment is held, and what is held comes back at its block.
//
// Spec: gateway-payments-streams §F (accepted_assets, verify_payment, settle_payment); tokens §5.
func TestPaymentsInAToken(t *testing.T) {
	w := newPriced(t)
	same := func(*chainpayment.Intent) {}
	three := func(hi, lo uint64) unit.Uint128 { return unit.Uint128{Hi: hi, Lo: lo} }
	share, err := w.price.Sub(w.fee)
	if err != nil {
		t.Fatal(err)
	}
	twice, err := share.Add(share)
	if err != nil {
		t.Fatal(err)
	}
	none := unit.Uint128{}
	fees := unit.Wide(2 * w.fee.Lo)
	nothing := func() {}
	for _, s := range []struct {
		name   string
		before func()
		by     *testkit.Account
		method string
		args   cbor.Map
		code   uint16
		has    [4]unit.Uint128 // the payer, the actor's treasury, the protocol's, the gate
		events int
	}{
		{"set with a hook", w.hook(&w.actor), w.owner, "set_policy", w.policy(), payment.FaultToken, [4]unit.Uint128{three(3, 8)}, 0},
		{"set", w.hook(nil), w.owner, "set_policy", w.policy(), 0, [4]unit.Uint128{three(3, 8)}, 1},
		{"in coins", nothing, w.door, "verify_payment", w.signed(t, 1, same), payment.FaultOther, [4]unit.Uint128{three(3, 8)}, 0},
		{"a unit less", nothing, w.door, "verify_payment", w.intent(1, func(i *chainpayment.Intent) { i.Amount.Lo-- }), payment.FaultOther,
			[4]unit.Uint128{three(3, 8)}, 0},
		{"by nobody", nothing, w.payer, "verify_payment", w.intent(1, same), payment.FaultGateway, [4]unit.Uint128{three(3, 8)}, 0},
		{"frozen payer", w.freeze(w.payer.Address(), true), w.door, "verify_payment", w.intent(1, same), payment.FaultToken, [4]unit.Uint128{three(3, 8)}, 0},
		{"verified", w.freeze(w.payer.Address(), false), w.door, "verify_payment", w.intent(1, same), 0,
			[4]unit.Uint128{three(2, 5), none, none, three(1, 3)}, 2},
		{"frozen treasury", w.freeze(w.till.Address(), true), w.door, "settle_payment", w.intent(1, same), payment.FaultToken,
			[4]unit.Uint128{three(2, 5), none, none, three(1, 3)}, 0},
		{"settled though it has a hook", func() { w.freeze(w.till.Address(), false)(); w.hook(&w.actor)() }, w.door, "settle_payment", w.intent(1, same), 0,
			[4]unit.Uint128{three(2, 5), share, w.fee, none}, 3},
		{"no other while it has", nothing, w.door, "settle_payment", w.intent(2, same), payment.FaultToken,
			[4]unit.Uint128{three(2, 5), share, w.fee, none}, 0},
		{"settled at once", w.hook(nil), w.door, "settle_payment", w.intent(2, same), 0, [4]unit.Uint128{three(1, 2), twice, fees, none}, 4},
		{"again", nothing, w.door, "settle_payment", w.intent(2, same), payment.FaultSpent, [4]unit.Uint128{three(1, 2), twice, fees, none}, 0},
		{"too little", nothing, w.door, "settle_payment", w.intent(3, same), payment.FaultFunds, [4]unit.Uint128{three(1, 2), twice, fees, none}, 0},
		{"just enough", func() { w.send(&tx.TokenTransfer{TokenID: w.id, To: w.payer.Address(), Amount: unit.Wide(1)}) }, w.door, "verify_payment",
			w.intent(3, same), 0, [4]unit.Uint128{none, twice, fees, three(1, 3)}, 2},
	} {
		t.Run(s.name, func(t *testing.T) {
			s.before()
			r := ask(t, s.by, account.PaymentGate, s.method, 0, s.args)
			if r.Fault.Code != s.code || len(r.Events) != s.events {
				t.Fatalf("%s, %d events; want fault %d and %d", testkit.Describe(r), len(r.Events), s.code, s.events)
			}
			if got := w.has(); got != s.has {
				t.Errorf("they have %v, want %v", got, s.has)
			}
		})
	}
	w.freeze(w.payer.Address(), true)()
	w.freeze(chainpayment.Home(), true)()
	w.hook(&w.actor)()
	for w.Height() < 299 {
		w.Mine()
	}
	if got := w.has(); got != [4]unit.Uint128{none, twice, fees, w.price} {
		t.Errorf("at block %d they have %v", w.Height(), got)
	}
	w.Mine()
	if got := w.has(); got != [4]unit.Uint128{w.price, twice, fees, none} {
		t.Errorf("at block 300 they have %v", got)
	}
	if held, err := chainpayment.Escrow(w.State()); err != nil || held != 0 {
		t.Errorf("%d coins held, %v", held, err)
	}
	if r := ask(t, w.door, account.PaymentGate, "settle_payment", 0, w.intent(3, same)); r.Status == block.Success {
		t.Error("what went back is settled")
	}
}
