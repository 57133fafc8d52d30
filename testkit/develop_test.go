package testkit

import (
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

const asking = `
import pvm_host
def who(payload):
    pvm_host.set_state("who", pvm_host.get_sender())
`

// TestDeveloperControls: balances go up and down with the supply in order, storage is what was written, and a message comes from whom it was said to.
//
// Spec: WP §8; governance-staking B10.
func TestDeveloperControls(t *testing.T) {
	c := NewChain(t)
	alice := c.Account("alice")
	a := alice.Deploy(counting, nil)
	bob := account.Address{0xb0}
	for _, balance := range []unit.Amount{9 * unit.CBY, 2, 0, 3 * unit.CBY} {
		if c.SetBalance(bob, balance); c.Balance(bob) != balance {
			t.Errorf("bob holds %d, want %d", c.Balance(bob), balance)
		}
	}
	c.SetStorage(a, "n", []byte("41"))
	if got := alice.Call(a, "add", "x"); got != "42" {
		t.Errorf("n is %s", got)
	}
	c.SetStorage(a, "n", nil)
	if got := alice.Call(a, "add", "x"); got != "1" {
		t.Errorf("n is %s after its removal", got)
	}
	seen := alice.Deploy(asking, nil)
	for _, from := range []account.Address{bob, a} {
		c.SendAs(from, seen, "who", "")
		c.Mine()
		if got := c.Storage(seen, "who"); string(got) != string(from[:]) {
			t.Errorf("the sender was %x, want %v", got, from)
		}
	}
}
