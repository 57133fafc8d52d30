package examples

import (
	"fmt"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/bank"
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/testkit"
)

// TestGuardian has an actor own cards: an agent without coins of its own works at the expense of one, within its cap, and gives what is left back.
//
// Spec: gateway-payments-streams §G.1 (addresses of cards), §G.2 (200, 201, 203, 204), §G.3.
func TestGuardian(t *testing.T) {
	c := testkit.NewChain(t)
	alice, agent := c.Account("alice"), c.Account("agent")
	guardian := alice.Deploy(source(t, "guardian.py"), []byte("{}"))
	alice.Fund(guardian, 100*unit.CBY)
	// the payer of a transfer reserves 21,000 and 3,000 cycles and as many cells as it asks for, here 100, at 10,000 each: the cap is that of two
	const fee = 24_000*10_000 + 37*10_000
	employ := fmt.Sprintf(`{"agent":"%s","coins":%d,"hour":%d}`, agent.Hex(), 5*unit.CBY, 24_100*10_000+fee)
	refused(t, agent.Try(guardian, "employ", employ), "may not call")
	alice.Call(guardian, "employ", employ)
	card := bank.AddressOf(1, guardian, agent.Address(), 0)
	if got := c.Balance(card); got != 5*unit.CBY || c.Balance(guardian) != 95*unit.CBY {
		t.Fatalf("%d on the card, %d left", got, c.Balance(guardian))
	}
	c.SetBalance(agent.Address(), 0)
	agent.Payer(card)
	for range 2 {
		if r := agent.Do(&tx.Transfer{To: alice.Address()}, 24_000, 100); r.Status != block.Success || r.FeeBurned+r.FeeTipped != fee {
			t.Fatal(testkit.Describe(r))
		}
	}
	expect(t, "the report", alice.Call(guardian, "report", agent.Hex()),
		fmt.Sprintf(`{"balance":%d,"hour":%d,"status":"Active"}`, 5*unit.CBY-2*fee, 2*fee))
	alice.Call(guardian, "dismiss", agent.Hex())
	if got := c.Balance(guardian); got != 100*unit.CBY-2*fee || c.Balance(card) != 0 {
		t.Errorf("%d came back, %d are on the card", got, c.Balance(card))
	}
	refused(t, alice.Try(guardian, "dismiss", agent.Hex()), "BankCardClosed")

	// a card of its own pays what wakes it
	before := c.Balance(guardian)
	alice.Call(guardian, "snooze", "3")
	own := bank.AddressOf(1, guardian, guardian, 1)
	if held := c.Balance(bank.Home()); held != 11*unit.CBY || c.Balance(own) != 9*unit.CBY {
		t.Errorf("%d are held for the fire, %d left on the card", held, c.Balance(own))
	}
	c.AdvanceTo(c.Height() + 3)
	if got := c.Balance(guardian); got != before-20*unit.CBY || c.Balance(bank.Home()) != 0 || len(c.Storage(guardian, "woken")) != 1 {
		t.Errorf("the guardian has %d, %d are held", got, c.Balance(bank.Home()))
	}
	alice.Call(guardian, "wake", "")
}
