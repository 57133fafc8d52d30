package token

import (
	"fmt"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/grant"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// entitled lets the world ask an Entitlement Registry over the same state.
func (w *world) entitled() *grant.Registry {
	registry := func() *grant.Registry {
		return &grant.Registry{
			State: w.overlay, Height: w.Height, Governs: func(account.Address) bool { return false },
			TokenOwner: func(id string) (owner account.Address, ok bool, err error) {
				t, err := Load(w.overlay, ID([]byte(id)))
				if err != nil || t == nil {
					return owner, false, err
				}
				return t.Owner, true, nil
			},
		}
	}
	w.Grants = func(by account.Address, s grant.Scope, a grant.Action, amount unit.Uint128) error {
		return registry().Use(by, s, a, amount)
	}
	return registry()
}

func bound(v uint64) *uint64 { return &v }

// Bob is nobody to ann's token. Each operation is refused without a grant, with one of another action, of another token's scope or of another's, and done
// with the right one; and what is done is what the operation does.
//
// Spec: CIP-2 §7.1 (Token actions), §7.6 (2: an additional delegation path); tokens §3, §5.
func TestOperatorsByGrant(t *testing.T) {
	for name, c := range map[string]struct {
		kind  grant.ActionKind
		by    account.Address // who grants
		scope func(id ID) grant.Scope
		run   func(w *world, id ID) error
		none  error
		done  func(w *world, id ID) bool
	}{
		"mint": {
			grant.TokenMint, ann, grant.TokenScope, func(w *world, id ID) error { return w.Mint(bob, id, cid, n(7)) }, ErrAuthority,
			func(w *world, id ID) bool { return w.supply(id) == n(1007) },
		},
		"freeze": {
			grant.TokenFreeze, ann, grant.TokenScope, func(w *world, id ID) error { return w.Freeze(bob, id, eve, true) }, ErrAuthority,
			func(w *world, id ID) bool { yes, _ := Frozen(w.State, id, eve); return yes },
		},
		"hook": {
			grant.TokenSetHook, ann, grant.TokenScope, func(w *world, id ID) error { return w.SetHook(bob, id, &hook) }, ErrAuthority,
			func(w *world, id ID) bool { x, _ := Load(w.State, id); return x.Hook != nil && *x.Hook == hook },
		},
		"ownership": {
			grant.TokenTransferOwnership, ann, grant.TokenScope, func(w *world, id ID) error { return w.TransferOwnership(bob, id, cid) }, ErrAuthority,
			func(w *world, id ID) bool { x, _ := Load(w.State, id); return x.Owner == cid && x.MintAuthority == cid },
		},
		"transfer of ann's": {
			grant.TokenTransfer, ann, func(ID) grant.Scope { return grant.ActorScope(ann) },
			func(w *world, id ID) error { return w.TransferFrom(bob, id, ann, cid, n(7)) }, ErrAllowance,
			func(w *world, id ID) bool { x, _ := Balance(w.State, id, cid); return x == n(7) },
		},
	} {
		t.Run(name, func(t *testing.T) {
			for _, wrong := range []string{"nothing", "another action", "another scope", "another address", "every action", "it"} {
				w := newWorld(t)
				id := w.token("HAY", 1000, nil, nil)
				other := w.token("TIN", 1000, nil, nil)
				g := w.entitled()
				scope, kind, to, want := c.scope(id), c.kind, bob, c.none
				switch wrong {
				case "another action":
					kind = grant.TokenBurn
				case "another scope":
					scope = grant.TokenScope(other)
				case "another address":
					to = cid
				case "every action":
					kind, want = grant.All, nil
				case "it":
					want = nil
				}
				if wrong != "nothing" {
					if _, err := g.Grant(c.by, to, scope, grant.Action{Kind: kind}, grant.Terms{Revocable: true}); err != nil {
						t.Fatal(err)
					}
				}
				w.refused(wrong, want, func() error { return c.run(w, id) })
				if done := c.done(w, id); done != (want == nil) {
					t.Errorf("%s: done %v", wrong, done)
				}
			}
		})
	}
}

// The limits of a grant at n-1, n and n+1; a refused operation uses none of it, and an allowance is used before the grant.
//
// Spec: CIP-2 §7.1 (max_uses, max_amount_per_use, max_total_amount, rate limit), §7.6 (2).
func TestLimitsOfOperators(t *testing.T) {
	type step struct {
		height unit.Height
		amount uint64
		want   error
	}
	for name, c := range map[string]struct {
		terms grant.Terms
		steps []step
	}{
		"per use": {grant.Terms{MaxAmountPerUse: bound(5)}, []step{{10, 4, nil}, {10, 5, nil}, {10, 6, grant.ErrQuota}, {10, 5, nil}}},
		"in all":  {grant.Terms{MaxTotalAmount: bound(9)}, []step{{10, 4, nil}, {10, 6, grant.ErrQuota}, {10, 5, nil}, {10, 1, grant.ErrQuota}, {10, 0, nil}}},
		"uses":    {grant.Terms{MaxUses: 2}, []step{{10, 1, nil}, {10, 5000, ErrBalance}, {10, 1, nil}, {10, 1, ErrAllowance}}},
		"window":  {grant.Terms{MaxCalls: 2, PerBlocks: 3}, []step{{10, 1, nil}, {12, 1, nil}, {12, 1, grant.ErrQuota}, {13, 1, nil}}},
		"ends":    {grant.Terms{ValidUntil: bound(11)}, []step{{10, 1, nil}, {11, 1, nil}, {12, 1, ErrAllowance}}},
		"begins":  {grant.Terms{ValidFrom: bound(11)}, []step{{10, 1, ErrAllowance}, {11, 1, nil}}},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			id := w.token("HAY", 1000, nil, nil)
			g := w.entitled()
			if _, err := g.Grant(ann, bob, grant.ActorScope(ann), grant.Action{Kind: grant.TokenTransfer}, c.terms); err != nil {
				t.Fatal(err)
			}
			moved := uint64(0)
			for i, s := range c.steps {
				w.Height = s.height
				w.refused(fmt.Sprint("step ", i), s.want, func() error { return w.TransferFrom(bob, id, ann, cid, n(s.amount)) })
				if s.want == nil {
					moved += s.amount
				}
				w.has(id, cid, moved)
				w.has(id, ann, 1000-moved)
			}
		})
	}
	t.Run("an allowance first", func(t *testing.T) {
		w := newWorld(t)
		id := w.token("HAY", 1000, nil, nil)
		g := w.entitled()
		if _, err := g.Grant(ann, bob, grant.ActorScope(ann), grant.Action{Kind: grant.TokenTransfer}, grant.Terms{MaxUses: 1}); err != nil {
			t.Fatal(err)
		}
		if err := w.Approve(ann, id, bob, n(10)); err != nil {
			t.Fatal(err)
		}
		for _, s := range []struct {
			amount uint64
			want   error
			left   uint64
		}{{9, nil, 1}, {2, nil, 1}, {2, ErrAllowance, 1}, {1, nil, 0}} {
			t.Run(fmt.Sprint(s.amount, " leaving ", s.left), func(t *testing.T) {
				w.refused(fmt.Sprint(s.amount), s.want, func() error { return w.TransferFrom(bob, id, ann, cid, n(s.amount)) })
				if left, err := Allowance(w.State, id, ann, bob); err != nil || left != n(s.left) {
					t.Errorf("an allowance of %v is left, want %d", left, s.left)
				}
			})
		}
		w.has(id, cid, 12)
	})
}

// A delegated grant counts on what it was delegated from, and does nothing once that is revoked; a holder who hands the token on takes its grants along with
// nobody: what the former owner granted still holds, and the new owner ends it.
//
// Spec: CIP-2 §7.1, §7.5; entitlement-extras §5.
func TestDelegatedOperators(t *testing.T) {
	w := newWorld(t)
	id := w.token("HAY", 0, nil, nil)
	g := w.entitled()
	root, err := g.Grant(ann, bob, grant.TokenScope(id), grant.Action{Kind: grant.TokenMint}, grant.Terms{
		MaxTotalAmount: bound(10), Delegatable: true, DelegationDepthMax: 1, Revocable: true,
	})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := g.Delegate(bob, root, cid, grant.Terms{MaxTotalAmount: bound(8), Revocable: true}); err != nil {
		t.Fatal(err)
	}
	mints := func(by account.Address, amount uint64, want error) {
		t.Helper()
		w.refused(fmt.Sprint(by, " ", amount), want, func() error { return w.Mint(by, id, eve, n(amount)) })
	}
	mints(cid, 9, grant.ErrQuota)
	mints(cid, 8, nil)
	mints(bob, 3, grant.ErrQuota)
	mints(bob, 2, nil)
	w.has(id, eve, 10)
	if err := w.TransferOwnership(ann, id, eve); err != nil {
		t.Fatal(err)
	}
	mints(ann, 0, ErrAuthority)
	mints(bob, 0, nil)
	if err := g.Revoke(eve, root); err != nil {
		t.Fatal(err)
	}
	mints(bob, 0, ErrAuthority)
	mints(cid, 0, ErrAuthority)
	w.has(id, eve, 10)
}
