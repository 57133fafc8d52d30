package job_test

import (
	"slices"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/grant"
	chainjob "github.com/cowboyinc/cowboy-go/chain/job"
	"github.com/cowboyinc/cowboy-go/chain/market"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/runtime/system/job"
	"github.com/cowboyinc/cowboy-go/testkit"
)

// Jobs that name a pool go to its members alone, of several pools side by side: one of an owner, another of the same owner, one that only governance could
// fill. A membership that ended or was revoked is none; the empty name is no pool; jobs without a pool do not notice.
//
// Spec: CIP-2 §4 (7), §7.3; runner-marketplace §2.1 (required_runner_pool), §4.1 (7); entitlement-extras §5.
func TestSeveralPools(t *testing.T) {
	w := newTown(t)
	alice, bob := w.Account("alice"), w.Account("bob")
	list := w.enrol("rita", "rolf", "rosa", "ruth")
	owner := alice.Address()
	eu, us, gone := string(owner[:])+"eu", string(owner[:])+"us", string(owner[:])+"gone"
	admit := func(by, who *testkit.Account, pool string, until uint64) *block.Receipt {
		return w.do(by, &tx.EntitlementGrant{
			Grantee: who.Address(), Scope: grant.PoolScope(pool), Action: grant.JoinPool(pool), Constraints: grant.Terms{ValidUntil: &until, Revocable: true},
		})
	}
	const always = 1 << 40
	for i, who := range list[:3] {
		if r := admit(alice, who, []string{eu, us, us}[i], always); r.Status != block.Success {
			t.Fatal(testkit.Describe(r))
		}
	}
	revoked := admit(alice, list[3], gone, always)
	w.must(alice, &tx.EntitlementRevoke{ID: digest.Hash(revoked.ReturnData)})
	if r := admit(alice, list[3], us, uint64(w.Height())+1); r.Status != block.Success { // it ends with the block it is made in
		t.Fatal(testkit.Describe(r))
	}
	if r := admit(bob, list[3], eu, always); r.Status != block.Faulted {
		t.Error("a stranger filled a pool")
	}
	if r := admit(alice, list[3], "certified", always); r.Status != block.Faulted {
		t.Error("an account filled a pool of governance")
	}
	var served []account.Address
	for _, c := range []struct {
		name, pool string
		among      []*testkit.Account
		code       uint16
	}{
		{"one member", eu, list[:1], 0},
		{"of two members one", us, list[1:3], 0},
		{"and the other, who is free", us, list[1:3], 0},
		{"nobody is left", us, nil, job.FaultNoRunners},
		{"revoked", gone, nil, job.FaultNoRunners},
		{"no members", "certified", nil, job.FaultNoRunners},
		{"without a pool whoever is free", "-", list[3:], 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := w.do(bob, asked(func(s *chainjob.Spec) {
				if c.pool != "-" {
					s.Pool = []byte(c.pool)
				}
			}))
			if r.Fault.Code != c.code {
				t.Fatalf("%s, want %d", testkit.Describe(r), c.code)
			}
			if c.code != 0 {
				return
			}
			s, err := market.LoadSelection(w.State(), digest.Hash(r.ReturnData))
			if err != nil || len(s.Selected) != 1 {
				t.Fatalf("%+v %v", s, err)
			}
			is := func(a *testkit.Account) bool { return a.Address() == s.Selected[0] }
			if !slices.ContainsFunc(c.among, is) || slices.Contains(served, s.Selected[0]) {
				t.Errorf("it went to %v", s.Selected[0])
			}
			served = append(served, s.Selected[0])
		})
	}
	w.refused(bob, asked(func(s *chainjob.Spec) { s.Pool = []byte{} }), job.FaultPool)
}
