package sdk_test

import (
	"fmt"
	"os"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/testkit"
)

func program(t *testing.T, name string) string {
	t.Helper()
	source, err := os.ReadFile("testdata/" + name + ".py")
	if err != nil {
		t.Fatal(err)
	}
	return string(source)
}

// actorOf deploys a program on a chain whose runners are answer.
func actorOf(t *testing.T, name string, answer func(*testkit.Job) testkit.Answer) (*testkit.Chain, *testkit.Account, account.Address) {
	t.Helper()
	c := testkit.NewChain(t)
	c.Jobs(answer)
	alice := c.Account("alice")
	a := alice.Deploy(program(t, name), nil)
	alice.Fund(a, 100*unit.CBY)
	return c, alice, a
}

func settled(t *testing.T, c *testkit.Chain, n int) {
	t.Helper()
	for range n {
		for _, x := range c.Mine().Receipts {
			if x.Status != block.Success {
				t.Error(testkit.Describe(x))
			}
		}
	}
}

// The three programs in which the January whitepaper explains messages, timeouts and continuations run as printed.
//
// Spec: WP-January "The Message-Passing Continuation Model"; sdk §3.6, §9.1, §10.2.
func TestTradingBots(t *testing.T) {
	bullish := func(*testkit.Job) testkit.Answer { return testkit.Answer{Result: "Very Bullish", Delay: 2} }
	for _, name := range []string{"trading_messages", "trading_continuation"} {
		for i, c := range []struct{ before, after, want string }{
			{"120", "120", "(120, None)"}, {"200", "200", "(None, None)"}, {"120", "130", "(None, None)"},
		} {
			t.Run(fmt.Sprint(i), func(t *testing.T) {
				chain, alice, a := actorOf(t, name, bullish)
				alice.Call(a, "set_price", c.before)
				alice.Call(a, "handle_trade", "")
				alice.Call(a, "set_price", c.after)
				settled(t, chain, 6)
				want := c.want
				if name == "trading_messages" && c.before != c.after {
					want = "(None, 'price_changed')"
				}
				if got := alice.Call(a, "out", ""); got != want {
					t.Errorf("%s %v: %s", name, c, got)
				}
			})
		}
	}
	chain, alice, a := actorOf(t, "trading_timeout", func(j *testkit.Job) testkit.Answer {
		prompt, _ := j.Fields.Lookup("prompt")
		return testkit.Answer{Result: "quickly", Lost: prompt == "never"}
	})
	alice.Call(a, "handle_trade", "quick")
	alice.Call(a, "handle_trade", "slow")
	settled(t, chain, 12)
	if got := alice.Call(a, "out", ""); got != "['answered quickly', 'failed timeout']" {
		t.Error(got)
	}
}
