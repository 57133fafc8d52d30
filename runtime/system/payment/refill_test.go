package payment_test

import (
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/cbor"
	chainpayment "github.com/cowboyinc/cowboy-go/chain/payment"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/runtime/system/payment"
	"github.com/cowboyinc/cowboy-go/testkit"
)

// A budget that is refilled takes its coins from the actor in the very turn in which a request finds too little, up to the day's cap, and the actor's owner has
// them back by withdrawing. Without a cap there is no such policy. The chain of the kit checks the supply at each block.
//
// Spec: gateway-payments-streams §F (auto_refill, deduct_budget).
func TestRefillOnAChain(t *testing.T) {
	c := newWorld(t)
	budget := func(cap uint64) cbor.Map {
		p := policyOf(c.actor, c.till.Address())
		for i := range p {
			if p[i].Key == "budget_config" {
				p[i].Value = cbor.Map{{Key: "daily_cap", Value: cap}, {Key: "auto_refill", Value: uint64(70)}}
			}
		}
		return p
	}
	c.owner.Fund(c.actor, unit.CBY)
	gift := cbor.Map{{Key: "actor", Value: c.actor[:]}, {Key: "method", Value: "GET"}, {Key: "path", Value: "/gift"}}
	for _, step := range []struct {
		name   string
		by     *testkit.Account
		method string
		args   cbor.Map
		code   uint16
		left   uint64 // of the budget
		taken  unit.Amount
	}{
		{"without a cap", c.owner, "set_policy", budget(0), payment.FaultForm, 0, 0},
		{"with one", c.owner, "set_policy", budget(100), 0, 0, 0},
		{"the first", c.door, "deduct_budget", gift, 0, 20, 70},
		{"the second", c.door, "deduct_budget", gift, 0, 40, 70},
		{"beyond the cap", c.door, "deduct_budget", gift, payment.FaultBudget, 40, 0},
		{"back", c.owner, "withdraw_budget", cbor.Map{{Key: "actor", Value: c.actor[:]}, {Key: "amount", Value: uint64(40)}}, 0, 0, 0},
	} {
		t.Run(step.name, func(t *testing.T) {
			before := c.Balance(c.actor)
			r := ask(t, step.by, account.PaymentGate, step.method, 0, step.args)
			if r.Fault.Code != step.code {
				t.Fatalf("%s, want fault %d", testkit.Describe(r), step.code)
			}
			f, err := chainpayment.LoadFunds(c.State(), c.actor)
			if err != nil {
				t.Fatal(err)
			}
			if f == nil {
				f = new(chainpayment.Funds)
			}
			if f.Balance != unit.Amount(step.left) || before-c.Balance(c.actor) != step.taken {
				t.Errorf("%d left and %d taken, want %d and %d", f.Balance, before-c.Balance(c.actor), step.left, step.taken)
			}
		})
	}
}
