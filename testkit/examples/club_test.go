package examples

import (
	"fmt"
	"testing"

	"github.com/cowboyinc/cowboy-go/testkit"
)

// TestClub lets a member in for so many visits and so long, and nobody else.
//
// Spec: CIP-2 §7.1; entitlement-extras §4, §5.
func TestClub(t *testing.T) {
	c := testkit.NewChain(t)
	alice, bob, eve := c.Account("alice"), c.Account("bob"), c.Account("eve")
	club := alice.Deploy(source(t, "club.py"), []byte("{}"))
	admit := func(visits, blocks int) string {
		return fmt.Sprintf(`{"member":"%s","visits":%d,"blocks":%d}`, bob.Hex(), visits, blocks)
	}
	refused(t, bob.Try(club, "visit", ""), "ERR_MISSING_ENTITLEMENT")
	refused(t, bob.Try(club, "admit", admit(9, 9)), "may not call")
	alice.Call(club, "admit", admit(2, 100))
	expect(t, "bob's first visit", bob.Call(club, "visit", ""), "1")
	refused(t, eve.Try(club, "visit", ""), "ERR_MISSING_ENTITLEMENT")
	expect(t, "bob's second visit", bob.Call(club, "visit", ""), "2")
	refused(t, bob.Try(club, "visit", ""), "ERR_MISSING_ENTITLEMENT")
	alice.Call(club, "admit", admit(5, 3)) // to the third block from here
	expect(t, "after one block", bob.Call(club, "visit", ""), "3")
	expect(t, "after two", bob.Call(club, "welcome", bob.Hex()), "yes")
	expect(t, "after three", bob.Call(club, "visit", ""), "4")
	refused(t, bob.Try(club, "visit", ""), "ERR_MISSING_ENTITLEMENT")
	alice.Call(club, "admit", admit(5, 100))
	alice.Call(club, "dismiss", bob.Hex())
	expect(t, "dismissed", bob.Call(club, "welcome", bob.Hex()), "no")
	refused(t, alice.Try(club, "dismiss", bob.Hex()), "no such record")
}
