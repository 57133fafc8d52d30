package sdk_test

import (
	"testing"

	"github.com/cowboyinc/cowboy-go/testkit"
)

// A call that names no budget gives the callee 100,000 cycles: as many are left at its first step as with a budget of 100,000, and one fewer than with 100,001.
//
// Spec: sdk §7 (default cycles of a call).
func TestDefaultCallBudget(t *testing.T) {
	c := testkit.NewChain(t)
	alice := c.Account("alice")
	callee := alice.Deploy(`
import pvm_host

def left(payload):
    return str(pvm_host.gas_left()).encode()
`, nil)
	caller := alice.Deploy(`
import pvm_host

def by_default(to):
    return pvm_host.call_actor(to, "left", b"")

def exactly(to):
    return pvm_host.call_actor(to, "left", b"", 100000)

def one_more(to):
    return pvm_host.call_actor(to, "left", b"", 100001)
`, nil)
	to := string(callee[:])
	byDefault, exactly, oneMore := alice.Call(caller, "by_default", to), alice.Call(caller, "exactly", to), alice.Call(caller, "one_more", to)
	if byDefault != exactly || byDefault == oneMore || len(byDefault) != 5 {
		t.Errorf("%s cycles are left by default, %s of 100,000, %s of 100,001", byDefault, exactly, oneMore)
	}
}
