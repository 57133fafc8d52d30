package examples

import (
	"encoding/hex"
	"fmt"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/token"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/testkit"
)

// entering is a hook that calls the treasury back while the treasury moves its token, and keeps what came of it.
const entering = `from pvm_host import *

def init(p):
    set_state("treasury", p)

def can_transfer(token_id, source, target, amount):
    try:
        call(get_state("treasury"), "deposit", [b"0"])
        set_state("met", b"nothing")
    except HostError as e:
        set_state("met", str(e).encode())
    set_state("here", str(token_balance_of(token_id, get_state("treasury"))).encode())
    return True

def on_transfer(token_id, source, target, amount):
    pass
`

// TestTreasury has an actor make its token in its own handler, mint to the cap, transfer, approve, take what others approved, and burn. A hook that enters a
// guarded handler again is refused, and reads.
//
// Spec: sdk §10.8, §13; tokens §2, §3, §5, §6.
func TestTreasury(t *testing.T) {
	c := testkit.NewChain(t)
	alice, bob, carol := c.Account("alice"), c.Account("bob"), c.Account("carol")
	treasury := alice.Deploy(source(t, "treasury.py"), []byte(`{"name":"Hay","symbol":"HAY","supply":100,"cap":150}`))
	id := token.IDOf(treasury, []byte("HAY"), 0) // the first token of the actor
	expect(t, "token", bob.Call(treasury, "token", ""), hex.EncodeToString(id[:]))
	kept, err := token.Load(c.State(), id)
	if err != nil || kept == nil || kept.Owner != treasury || kept.MintAuthority != treasury || kept.Decimals != 2 {
		t.Fatalf("%+v, %v", kept, err)
	}
	books := func(supply, here, cleared int) {
		t.Helper()
		expect(t, "books", bob.Call(treasury, "books", ""), fmt.Sprintf(`{"cleared":%d,"here":%d,"supply":%d}`, cleared, here, supply))
	}
	to := func(who *testkit.Account, amount int) string {
		return fmt.Sprintf(`{"to":"%s","amount":%d}`, who.Hex(), amount)
	}
	books(100, 100, 0)

	refused(t, bob.Try(treasury, "issue", "1"), "may not call")
	refused(t, alice.Try(treasury, "issue", "51"), "maximal supply")
	alice.Call(treasury, "issue", "50")
	refused(t, alice.Try(treasury, "grant", to(bob, 151)), "balance is too small")
	alice.Call(treasury, "grant", to(bob, 60))
	books(150, 90, 1)
	alice.Call(treasury, "allow", to(carol, 30))
	spend := &tx.TokenTransferFrom{TokenID: id, Owner: treasury, To: carol.Address(), Amount: unit.Wide(31)}
	refused(t, carol.Do(spend, testkit.ExecuteCycles, testkit.ExecuteCells), "may spend 30")
	spend.Amount = unit.Wide(30)
	if r := carol.Do(spend, testkit.ExecuteCycles, testkit.ExecuteCells); r.Status != block.Success {
		t.Fatal(testkit.Describe(r))
	}

	refused(t, bob.Try(treasury, "deposit", "20"), "may spend 0")
	bob.Do(&tx.TokenApprove{TokenID: id, Spender: treasury, Amount: unit.Wide(20)}, testkit.ExecuteCycles, testkit.ExecuteCells)
	hook := alice.Deploy(entering, treasury[:])
	alice.Call(treasury, "ask", hook.Hex())
	bob.Call(treasury, "deposit", "20")
	books(150, 80, 2)
	expect(t, "the hook that deposits met", string(c.Storage(hook, "met")), "ReentrancyError: deposit is running already")
	expect(t, "what it read before the transfer", string(c.Storage(hook, "here")), "60")
	refused(t, alice.Try(treasury, "retire", "81"), "balance is too small")
	alice.Call(treasury, "retire", "80")
	books(70, 0, 2)
	if b, k := c.TokenBalance(id, bob.Address()), c.TokenBalance(id, carol.Address()); b != unit.Wide(40) || k != unit.Wide(30) {
		t.Errorf("bob has %v, carol %v", b, k)
	}
}
