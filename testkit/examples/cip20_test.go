package examples

import (
	"fmt"
	"strings"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/testkit"
)

// TestCIP20 moves a token that an actor keeps, by the handlers of the convention. Spec: tokens §8.
func TestCIP20(t *testing.T) {
	c := testkit.NewChain(t)
	alice, bob, carol := c.Account("alice"), c.Account("bob"), c.Account("carol")
	coin := alice.Deploy(source(t, "cip20.py"), []byte(`{"name":"Hay","symbol":"HAY","decimals":2,"supply":1000}`))
	for handler, want := range map[string]string{"name": "Hay", "symbol": "HAY", "decimals": "2", "total_supply": "1000"} {
		expect(t, handler, bob.Call(coin, handler, ""), want)
	}
	balance := func(who *testkit.Account) string {
		return who.Call(coin, "balance_of", fmt.Sprintf(`{"account":"%s"}`, who.Hex()))
	}
	alice.Call(coin, "transfer", fmt.Sprintf(`{"to":"%s","amount":300}`, bob.Hex()))
	refused(t, bob.Try(coin, "transfer", fmt.Sprintf(`{"to":"%s","amount":301}`, alice.Hex())), "balance is too small")
	refused(t, bob.Try(coin, "transfer", fmt.Sprintf(`{"to":"%s","amount":-1}`, alice.Hex())), "128 bits")
	refused(t, bob.Try(coin, "transfer", `{"to":"`+strings.Repeat("0", 40)+`","amount":1}`), "zero address")
	bob.Call(coin, "approve", fmt.Sprintf(`{"spender":"%s","amount":100}`, carol.Hex()))
	carol.Call(coin, "transfer_from", fmt.Sprintf(`{"from":"%s","to":"%s","amount":60}`, bob.Hex(), carol.Hex()))
	refused(t, carol.Try(coin, "transfer_from", fmt.Sprintf(`{"from":"%s","to":"%s","amount":41}`, bob.Hex(), carol.Hex())), "allowance")
	expect(t, "allowance", carol.Call(coin, "allowance", fmt.Sprintf(`{"owner":"%s","spender":"%s"}`, bob.Hex(), carol.Hex())), "40")
	expect(t, "balances", balance(alice)+" "+balance(bob)+" "+balance(carol), "700 240 60")
	if transfers, approvals := c.Events(coin, "Transfer"), c.Events(coin, "Approval"); len(transfers) != 3 || len(approvals) != 1 {
		t.Errorf("events %q, %q", transfers, approvals)
	}
}

// TestTokenOfTheRegistry is what the same takes with a token of the protocol: no actor. Spec: tokens §2.
func TestTokenOfTheRegistry(t *testing.T) {
	c := testkit.NewChain(t)
	alice, bob := c.Account("alice"), c.Account("bob")
	hay := alice.CreateToken("HAY", 1000)
	alice.TransferToken(hay, bob.Address(), 300)
	refused(t, bob.TryTransferToken(hay, alice.Address(), 301), "balance is too small")
	if a, b := c.TokenBalance(hay, alice.Address()), c.TokenBalance(hay, bob.Address()); a != unit.Wide(700) || b != unit.Wide(300) {
		t.Errorf("alice has %v, bob %v", a, b)
	}
}
