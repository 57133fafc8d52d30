package token_test

import (
	"fmt"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/grant"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/runtime/drain"
	chapter "github.com/cowboyinc/cowboy-go/runtime/system/token"
	"github.com/cowboyinc/cowboy-go/testkit"
)

// An operator's transaction costs a check (500) and the record it writes (200) beyond the operation; limits and missing grants are faults, which use nothing
// of the grant; an actor is an operator as an account is.
//
// Spec: CIP-2 §7.4, §7.6 (2); tokens §3.
func TestOperatorOnAChain(t *testing.T) {
	w := newWorld(t)
	id := w.create("MINE", nil)
	bob := w.bob.Address()
	ten := uint64(10)
	grants := func(to account.Address, kind grant.ActionKind, scope grant.Scope) {
		t.Helper()
		r := w.ann.Do(&tx.EntitlementGrant{
			Grantee: to, Scope: scope, Action: grant.Action{Kind: kind}, Constraints: grant.Terms{Revocable: true, MaxTotalAmount: &ten},
		}, 50_000, 2_000)
		if r.Status != block.Success {
			t.Fatal(testkit.Describe(r))
		}
	}
	mint := func(amount uint64) tx.Instruction {
		return &tx.TokenMint{TokenID: id, To: bob, Amount: unit.Wide(amount)}
	}
	if r := w.bob.Do(mint(1), 50_000, 2_000); r.Fault.Code != chapter.FaultAuthority || r.CyclesUsed != 21_000+1_000+500 {
		t.Errorf("without a grant: %s, %d cycles", testkit.Describe(r), r.CyclesUsed)
	}
	grants(bob, grant.TokenMint, grant.TokenScope(id))
	for _, x := range []struct {
		amount, cycles uint64
		fault          uint16
	}{
		{11, 21_000 + 1_000 + 500, drain.FaultLimit}, {9, 21_000 + 1_000 + 500 + 200, 0}, {2, 22_500, drain.FaultLimit},
		{1, 22_700, 0}, {1, 22_500, drain.FaultLimit},
	} {
		t.Run(fmt.Sprintf("minting %d", x.amount), func(t *testing.T) {
			r := w.bob.Do(mint(x.amount), 50_000, 2_000)
			if r.Fault.Code != x.fault || uint64(r.CyclesUsed) != x.cycles {
				t.Errorf("%s, %d cycles, want %d", testkit.Describe(r), r.CyclesUsed, x.cycles)
			}
		})
	}
	actor := w.bob.Deploy(`from pvm_host import *
def init(p): pass
def pull(p):
    try:
        token_transfer_from(p[:32], p[32:52], p[52:72], p[72])
    except HostError as e:
        return e.name.encode()
    return b"moved"
`, []byte{})
	pull := func(amount byte) string {
		ann := w.ann.Address()
		return w.bob.Call(actor, "pull", string(id[:])+string(ann[:])+string(bob[:])+string([]byte{amount}))
	}
	if got := pull(4); got != "TokenAllowanceError" {
		t.Error(got)
	}
	grants(actor, grant.TokenTransfer, grant.ActorScope(w.ann.Address()))
	for i, x := range []struct {
		amount byte
		want   string
	}{{4, "moved"}, {7, "EntitlementQuotaError"}, {6, "moved"}, {1, "EntitlementQuotaError"}} {
		t.Run(fmt.Sprintf("step %d", i), func(t *testing.T) {
			if got := pull(x.amount); got != x.want {
				t.Errorf("the actor pulls %d: %s, want %s", x.amount, got, x.want)
			}
		})
	}
}
