package grant_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/grant"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

func role1(t *testing.T, g *grant.Registry, by account.Address, name string, terms grant.Terms) digest.Hash {
	t.Helper()
	id, err := g.CreateRole(by, name, []grant.Scope{grant.ActorScope(by)}, []grant.Action{run}, terms)
	if err != nil {
		t.Fatal(err)
	}
	return id
}

// Spec: CIP-2 §7.1, §7.2 (33–35).
func TestRolesGiveWhatTheySayToWhoeverHasThem(t *testing.T) {
	g := registry(t)
	mint := grant.Action{Kind: grant.Custom, Value: "mint"}
	id, err := g.CreateRole(ann, "operator", []grant.Scope{grant.ActorScope(ann), runnerScope(ann)}, []grant.Action{run, mint}, revocable)
	if err != nil || id != digest.Keccak256(ann[:], []byte("operator")) {
		t.Fatal(id, err)
	}
	held := func(to account.Address) (n int) {
		for _, s := range []grant.Scope{grant.ActorScope(ann), runnerScope(ann), grant.ActorScope(bob), {}} {
			for _, a := range []grant.Action{run, mint, {}, {Kind: grant.Custom, Value: "burn"}} {
				if passes(t, g, to, s, a) {
					n++
				}
			}
		}
		return n
	}
	if held(bob) != 0 {
		t.Error("a role gives something before it is assigned")
	}
	if err := g.AssignRole(ann, id, bob); err != nil || held(bob) != 4 || held(who(4)) != 0 {
		t.Errorf("assigned: %d, %v", held(bob), err)
	}
	if err := g.AssignRole(ann, id, bob); !errors.Is(err, grant.ErrExists) {
		t.Errorf("twice: %v", err)
	}
	for _, by := range []account.Address{bob, who(4), governing} {
		if err := g.AssignRole(by, id, who(5)); !errors.Is(err, grant.ErrOwner) {
			t.Errorf("assigned by %v: %v", by, err)
		}
	}
	for _, by := range []account.Address{who(4), governing} {
		if err := g.RevokeRole(by, id, bob); !errors.Is(err, grant.ErrOwner) {
			t.Errorf("revoked by %v: %v", by, err)
		}
	}
	if err := g.RevokeRole(ann, id, bob); err != nil || held(bob) != 0 {
		t.Errorf("revoked: %d, %v", held(bob), err)
	}
	if err := g.RevokeRole(ann, id, bob); !errors.Is(err, grant.ErrNone) {
		t.Errorf("revoked twice: %v", err)
	}
	for _, unknown := range []error{g.AssignRole(ann, digest.Hash{}, bob), g.RevokeRole(ann, digest.Hash{}, bob)} {
		if !errors.Is(unknown, grant.ErrNone) {
			t.Errorf("a role that is not: %v", unknown)
		}
	}
	if err := g.AssignRole(ann, id, account.Address{}); !errors.Is(err, grant.ErrParty) {
		t.Errorf("to nobody: %v", err)
	}
}

// Spec: entitlement-extras §5, §6 (lists with duplicates or out of order).
func TestRolesThatAreRefused(t *testing.T) {
	mine := grant.ActorScope(ann)
	own := func(i int) grant.Scope { return grant.PoolScope(grant.OwnedName(ann, fmt.Sprintf("%02d", i))) }
	many := make([]grant.Scope, grant.MaxRoleScopes+1)
	for i := range many {
		many[i] = own(i)
	}
	actions := make([]grant.Action, grant.MaxRoleActions+1)
	for i := range actions {
		actions[i] = grant.Action{Kind: grant.ActionKind(i)}
		if i >= int(grant.ActorExecuteHandler) {
			actions[i] = grant.Action{Kind: grant.Custom, Value: fmt.Sprintf("%02d", i)}
		}
	}
	for name, c := range map[string]struct {
		name    string
		scopes  []grant.Scope
		actions []grant.Action
		terms   grant.Terms
		want    error
	}{
		"the longest":            {strings.Repeat("n", grant.MaxRoleNameBytes), many[1:], actions[1:], revocable, nil},
		"no name":                {"", many[1:], actions[1:], revocable, grant.ErrName},
		"a longer name":          {strings.Repeat("n", grant.MaxRoleNameBytes+1), many[1:], actions[1:], revocable, grant.ErrName},
		"no scope":               {"r", nil, actions[1:], revocable, grant.ErrOrder},
		"no action":              {"r", many[1:], nil, revocable, grant.ErrOrder},
		"nine scopes":            {"r", many, actions[1:], revocable, grant.ErrOrder},
		"seventeen actions":      {"r", many[1:], actions, revocable, grant.ErrOrder},
		"a scope twice":          {"r", []grant.Scope{mine, mine}, actions[:1], revocable, grant.ErrOrder},
		"scopes out of order":    {"r", []grant.Scope{own(1), mine}, actions[:1], revocable, grant.ErrOrder},
		"actions out of order":   {"r", []grant.Scope{mine}, []grant.Action{actions[2], actions[1]}, revocable, grant.ErrOrder},
		"an unknown scope":       {"r", []grant.Scope{{Kind: 6}}, actions[:1], revocable, grant.ErrScope},
		"an unknown action":      {"r", []grant.Scope{mine}, []grant.Action{{Kind: 19}}, revocable, grant.ErrScope},
		"somebody else's scope":  {"r", []grant.Scope{mine, grant.ActorScope(bob)}, actions[:1], revocable, grant.ErrOwner},
		"delegatable":            {"r", []grant.Scope{mine}, actions[:1], grant.Terms{Delegatable: true}, grant.ErrTerms},
		"deep":                   {"r", []grant.Scope{mine}, actions[:1], grant.Terms{DelegationDepthMax: 1}, grant.ErrTerms},
		"expired":                {"r", []grant.Scope{mine}, actions[:1], grant.Terms{ValidUntil: n(99)}, grant.ErrTerms},
		"for one block":          {"r", []grant.Scope{mine}, actions[:1], grant.Terms{ValidUntil: n(100)}, nil},
		"that is there":          {"taken", []grant.Scope{mine}, actions[:1], revocable, grant.ErrExists},
		"of the whole network":   {"r", []grant.Scope{{}}, actions[:1], revocable, grant.ErrOwner},
		"of governance's a pool": {"r", []grant.Scope{grant.PoolScope("eu")}, actions[:1], revocable, grant.ErrOwner},
	} {
		t.Run(name, func(t *testing.T) {
			g := registry(t)
			role1(t, g, ann, "taken", revocable)
			role1(t, g, bob, "r", revocable) // another's of the same name is in nobody's way
			if _, err := g.CreateRole(ann, c.name, c.scopes, c.actions, c.terms); !errors.Is(err, c.want) {
				t.Errorf("%s: %v", name, err)
			}
		})
	}
}

// Spec: CIP-2 §7.5; entitlement-extras §5.
func TestRolesOfAnAddress(t *testing.T) {
	g := registry(t)
	for i := range grant.MaxRoles + 1 {
		terms := revocable
		if i == 3 {
			terms.ValidUntil = n(110)
		}
		err := g.AssignRole(ann, role1(t, g, ann, fmt.Sprint(i), terms), bob)
		if (err == nil) != (i < grant.MaxRoles) || err != nil && !errors.Is(err, grant.ErrLimit) {
			t.Errorf("role %d: %v", i+1, err)
		}
	}
	list, err := grant.Roles(g.State, bob)
	if len(list) != grant.MaxRoles || err != nil {
		t.Errorf("%d roles are listed, %v", len(list), err)
	}
	last := grant.RoleID(ann, fmt.Sprint(grant.MaxRoles))
	for height, want := range map[uint64]error{110: grant.ErrLimit, 111: nil} {
		t.Run(fmt.Sprint("full at ", height), func(t *testing.T) {
			mark := g.State.(*state.Overlay).Mark()
			g.Height = unitHeight(height)
			if err := g.AssignRole(ann, last, bob); !errors.Is(err, want) {
				t.Errorf("at %d: %v", height, err)
			}
			g.State.(*state.Overlay).Revert(mark)
		})
	}
	for height, want := range map[uint64]error{110: nil, 111: grant.ErrDead} {
		t.Run(fmt.Sprint("ends at ", height), func(t *testing.T) {
			mark := g.State.(*state.Overlay).Mark()
			g.Height = unitHeight(height)
			if err := g.AssignRole(ann, grant.RoleID(ann, "3"), who(4)); !errors.Is(err, want) {
				t.Errorf("a role that ends at 110, at %d: %v", height, err)
			}
			g.State.(*state.Overlay).Revert(mark)
		})
	}
}

// Each assignment has counters of its own. One that is used up makes room for a new one.
//
// Spec: CIP-2 §7.1; entitlement-extras §5.
func TestUsesOfARole(t *testing.T) {
	g := registry(t)
	id := role1(t, g, ann, "twice", grant.Terms{MaxUses: 2, MaxCalls: 1, PerBlocks: 5})
	for _, to := range []account.Address{bob, who(4)} {
		if err := g.AssignRole(ann, id, to); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		height uint64
		by     account.Address
		want   error
	}{
		{100, bob, nil}, {104, bob, grant.ErrQuota}, {104, who(4), nil}, {105, bob, nil}, {200, bob, grant.ErrMissing}, {200, who(4), nil},
	} {
		t.Run(fmt.Sprint(c.height, c.by), func(t *testing.T) {
			g.Height = unitHeight(c.height)
			if err := g.Use(c.by, grant.ActorScope(ann), run, unit.Wide(0)); !errors.Is(err, c.want) {
				t.Errorf("at %d: %v", c.height, err)
			}
		})
	}
	if err := g.RevokeRole(ann, id, bob); !errors.Is(err, grant.ErrFixed) {
		t.Errorf("what is not revocable: %v", err)
	}
	if err := g.AssignRole(ann, id, bob); err != nil || !passes(t, g, bob, grant.ActorScope(ann), run) {
		t.Errorf("assigned anew: %v", err)
	}
	if err := g.RevokeRole(bob, id, bob); err != nil || passes(t, g, bob, grant.ActorScope(ann), run) {
		t.Errorf("given up: %v", err)
	}
}

// A role of a scope its creator does not administer any more is assigned to nobody.
//
// Spec: entitlement-extras §5.
func TestRolesOfALostScope(t *testing.T) {
	g, actor := registry(t), account.Address{0: 9}
	account.Save(g.State, actor, &account.Account{Kind: account.Actor, Creator: ann})
	id, err := g.CreateRole(ann, "r", []grant.Scope{grant.ActorScope(actor)}, []grant.Action{run}, revocable)
	if err != nil {
		t.Fatal(err)
	}
	account.Save(g.State, actor, &account.Account{Kind: account.Actor, Creator: bob})
	if err := g.AssignRole(ann, id, who(4)); !errors.Is(err, grant.ErrOwner) {
		t.Error(err)
	}
}
