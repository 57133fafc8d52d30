package testkit

import (
	"strings"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/block"
)

const counting = `
import pvm_host
def add(payload):
    n = int(pvm_host.get_state("n") or b"0") + len(payload)
    pvm_host.set_state("n", str(n).encode())
    return str(n).encode()
def n(payload):
    return pvm_host.get_state("n")
`

// A snapshot can be gone back to more than once, and what follows it is the same each time; a fork goes its own way.
func TestSnapshots(t *testing.T) {
	c := NewChain(t)
	alice := c.Account("alice")
	a := alice.Deploy(counting, nil)
	alice.Call(a, "add", "x")
	at, height, digest := c.Snapshot(), c.Height(), c.Digest()
	var after []string
	for range 3 {
		bob := c.Account("bob")
		if got := bob.Call(a, "add", "yy"); got != "3" {
			t.Errorf("n = %s", got)
		}
		c.Mine()
		after = append(after, c.Digest().String())
		c.Revert(at)
		if c.Height() != height || c.Digest() != digest {
			t.Fatal("the chain is not where it was")
		}
	}
	if after[0] != after[1] || after[1] != after[2] {
		t.Errorf("what follows differs: %v", after)
	}
	fork := c.Fork(t)
	if got := fork.Account("alice").Call(a, "add", "zzz"); got != "4" {
		t.Errorf("fork: %s", got)
	}
	if got := alice.Call(a, "add", ""); got != "1" {
		t.Errorf("the chain saw its fork: %s", got)
	}
}

// A query changes nothing and refuses to; an impersonated address acts as itself.
func TestQueryAndImpersonate(t *testing.T) {
	c := NewChain(t)
	who := account.Address{0: 9, 19: 9}
	borrowed := c.Impersonate(who)
	a := borrowed.Deploy(counting, nil)
	borrowed.Call(a, "add", "xyz")
	if x := borrowed.Try(a, "add", "x"); x.Sender != who || x.Status != block.Success {
		t.Error(Describe(x))
	}
	digest := c.Digest()
	if out := c.Query(a, "n", nil, nil); out.Fault != nil || string(out.Return) != "4" {
		t.Errorf("%+v", out)
	}
	if out := c.Query(a, "add", []byte("x"), &who); out.Fault == nil || !strings.Contains(out.Fault.Text, "query") {
		t.Errorf("%+v", out.Fault)
	}
	if c.Digest() != digest {
		t.Error("a query changed the chain")
	}
	if c.Impersonate(who) != borrowed {
		t.Error("an address has two accounts")
	}
}
