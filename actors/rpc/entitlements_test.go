package rpc

import (
	"errors"
	"net/http"
	"testing"

	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/grant"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// Spec: CIP-2 §7.1; entitlement-extras §5.
func TestEntitlementsAreShown(t *testing.T) {
	o := state.New(state.Config{}, state.NewMemory(state.Config{})).Overlay()
	g := &grant.Registry{State: o, Height: 9, Governs: func(account.Address) bool { return false }}
	ann, bob, eve := account.Address{1}, account.Address{2}, account.Address{3}
	until := uint64(10)
	terms := grant.Terms{ValidUntil: &until, Revocable: true, Delegatable: true, DelegationDepthMax: 1, MaxCalls: 3, PerBlocks: 5}
	id, err := g.Grant(ann, bob, grant.ActorScope(ann), grant.Action{Kind: grant.UseOwnerBalance}, terms)
	if err != nil {
		t.Fatal(err)
	}
	terms.DelegationDepthMax = 0
	child, err := g.Delegate(bob, id, eve, terms)
	if err != nil {
		t.Fatal(err)
	}
	if err := g.Use(eve, grant.ActorScope(ann), grant.Action{Kind: grant.UseOwnerBalance}, unit.Wide(7)); err != nil {
		t.Fatal(err)
	}
	role, err := g.CreateRole(ann, "op", []grant.Scope{grant.ActorScope(ann)}, []grant.Action{{}}, grant.Terms{})
	if err == nil {
		err = g.AssignRole(ann, role, bob)
	}
	if err != nil {
		t.Fatal(err)
	}
	view := &grants{o, 10}
	x, err := view.one(child)
	if err != nil || x.ID != wire.Hash(child) || x.Parent != wire.Hash(id) || x.Depth != 1 || x.Grantee != eve.String() || x.By != bob.String() ||
		x.Scope != grant.ActorScope(ann).String() || x.Action != "use-owner-balance" || x.Status != "active" || x.At != 9 ||
		*x.Constraints.ValidUntil != 10 || x.Constraints.Used != 1 || x.Constraints.TotalUsed != 7 ||
		*x.Constraints.RateLimit != (wire.RateLimit{MaxCalls: 3, PerBlocks: 5, WindowStart: 9, WindowCalls: 1}) {
		t.Errorf("%+v, %v", x, err)
	}
	if late, err := (&grants{o, 11}).one(child); late.Status != "expired" || err != nil {
		t.Errorf("a block later: %s, %v", late.Status, err)
	}
	if list, err := view.list(ann, true, digest.Hash{}, 5); len(list.Entitlements) != 1 || list.Entitlements[0].ID != wire.Hash(id) || err != nil {
		t.Errorf("given by ann: %+v, %v", list, err)
	}
	for i := range 2 {
		if _, err := g.Grant(ann, bob, grant.ActorScope(ann), grant.Action{Kind: grant.Custom, Value: string(rune('a' + i))}, grant.Terms{}); err != nil {
			t.Fatal(err)
		}
	}
	seen, after := map[string]bool{}, digest.Hash{}
	for pages := 0; ; pages++ {
		list, err := view.list(bob, false, after, 2)
		if err != nil || pages > 1 {
			t.Fatal(pages, err)
		}
		for _, x := range list.Entitlements {
			seen[x.ID] = true
		}
		if list.NextCursor == "" {
			break
		}
		held, err := grant.Held(o, bob, digest.Hash{}, 2)
		if err != nil || list.NextCursor != wire.Hash(held[1]) {
			t.Fatalf("the cursor is %s, %v", list.NextCursor, err)
		}
		after = held[1]
	}
	if len(seen) != 3 {
		t.Errorf("pages of 2 show %d of 3", len(seen))
	}
	var refusal *Refusal
	if _, err := view.list(bob, false, digest.Hash{8}, 2); !errors.As(err, &refusal) || refusal.Status != http.StatusBadRequest {
		t.Errorf("a cursor that is gone: %v", err)
	}
	if r, err := view.role(role); r.Name != "op" || r.AssignedAt != nil || len(r.Scopes) != 1 || r.Actions[0] != "all" || err != nil {
		t.Errorf("role %+v, %v", r, err)
	}
	if list, err := view.roles(bob); len(list.Roles) != 1 || list.Roles[0].AssignedAt == nil || *list.Roles[0].AssignedAt != 9 || err != nil {
		t.Errorf("bob's roles: %+v, %v", list, err)
	}
	for _, err := range []error{second(view.one(digest.Hash{9})), second(view.role(digest.Hash{9}))} {
		if !errors.As(err, &refusal) || refusal.Status != http.StatusNotFound {
			t.Errorf("nothing: %v", err)
		}
	}
}

func second[T any](_ T, err error) error { return err }
