package grant_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/grant"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

func unitHeight(n uint64) unit.Height { return unit.Height(n) }

func deep(depth uint8) grant.Terms {
	return grant.Terms{Delegatable: true, Revocable: true, DelegationDepthMax: depth}
}

func stranger(i int) account.Address { return account.Address{0: 7, 18: byte(i >> 8), 19: byte(i)} }

// chain delegates a grant of ann's, one after the other, and gives the identities; the last error ends it.
func chain(t *testing.T, g *grant.Registry, depth uint8, links int) (ids []digest.Hash, err error) {
	t.Helper()
	ids = []digest.Hash{given1(t, g, ann, stranger(0), grant.ActorScope(ann), run, deep(depth))}
	for i := range links {
		depth--
		id, err := g.Delegate(stranger(i), ids[i], stranger(i+1), deep(depth))
		if err != nil {
			return ids, err
		}
		ids = append(ids, id)
	}
	return ids, nil
}

// Spec: CIP-2 §7.1 (delegation_depth_max), §7.5; entitlement-extras §5.
func TestDelegationIsAtMostFiveDeep(t *testing.T) {
	for _, c := range []struct {
		depth      uint8
		links, got int
	}{{0, 1, 0}, {1, 1, 1}, {1, 2, 1}, {5, 5, 5}, {5, 6, 5}, {255, 6, 5}} {
		t.Run(fmt.Sprint(c.links, " of ", c.depth), func(t *testing.T) {
			g := registry(t)
			ids, err := chain(t, g, c.depth, c.links)
			if len(ids)-1 != c.got || (err == nil) != (c.got == c.links) || err != nil && !errors.Is(err, grant.ErrDepth) {
				t.Errorf("%d of %d links at depth %d: %v", len(ids)-1, c.links, c.depth, err)
			}
			if !passes(t, g, stranger(c.got), grant.ActorScope(ann), run) {
				t.Errorf("the last of %d may not", c.got)
			}
		})
	}
	g := registry(t)
	id := given1(t, g, ann, bob, grant.ActorScope(ann), run, grant.Terms{DelegationDepthMax: 3})
	if _, err := g.Delegate(bob, id, who(4), grant.Terms{Revocable: true}); !errors.Is(err, grant.ErrDepth) {
		t.Errorf("what is not delegatable was delegated: %v", err)
	}
}

// Each limit of a delegation one unit narrower than its parent's, equal, and one unit wider.
//
// Spec: CIP-2 §7.2 (32); entitlement-extras §5.
func TestDelegationNeverWidens(t *testing.T) {
	parent := grant.Terms{
		ValidFrom: n(110), ValidUntil: n(200), MaxUses: 10, MaxAmountPerUse: n(50), MaxTotalAmount: n(500), MaxCalls: 3, PerBlocks: 20,
		Delegatable: true, Revocable: true, DelegationDepthMax: 3,
	}
	for name, c := range map[string]struct {
		edit func(c *grant.Terms)
		ok   bool
	}{
		"same":              {func(*grant.Terms) {}, true},
		"from later":        {func(c *grant.Terms) { c.ValidFrom = n(111) }, true},
		"from earlier":      {func(c *grant.Terms) { c.ValidFrom = n(109) }, false},
		"from the start":    {func(c *grant.Terms) { c.ValidFrom = nil }, false},
		"until earlier":     {func(c *grant.Terms) { c.ValidUntil = n(199) }, true},
		"until later":       {func(c *grant.Terms) { c.ValidUntil = n(201) }, false},
		"for ever":          {func(c *grant.Terms) { c.ValidUntil = nil }, false},
		"fewer uses":        {func(c *grant.Terms) { c.MaxUses = 9 }, true},
		"more uses":         {func(c *grant.Terms) { c.MaxUses = 11 }, false},
		"unlimited uses":    {func(c *grant.Terms) { c.MaxUses = 0 }, false},
		"less a use":        {func(c *grant.Terms) { c.MaxAmountPerUse = n(49) }, true},
		"more a use":        {func(c *grant.Terms) { c.MaxAmountPerUse = n(51) }, false},
		"any amount":        {func(c *grant.Terms) { c.MaxAmountPerUse = nil }, false},
		"less in all":       {func(c *grant.Terms) { c.MaxTotalAmount = n(499) }, true},
		"more in all":       {func(c *grant.Terms) { c.MaxTotalAmount = n(501) }, false},
		"any total":         {func(c *grant.Terms) { c.MaxTotalAmount = nil }, false},
		"fewer calls":       {func(c *grant.Terms) { c.MaxCalls = 2 }, true},
		"more calls":        {func(c *grant.Terms) { c.MaxCalls = 4 }, false},
		"longer window":     {func(c *grant.Terms) { c.PerBlocks = 21 }, true},
		"shorter window":    {func(c *grant.Terms) { c.PerBlocks = 19 }, false},
		"no rate":           {func(c *grant.Terms) { c.MaxCalls, c.PerBlocks = 0, 0 }, false},
		"not revocable":     {func(c *grant.Terms) { c.Revocable = false }, false},
		"not delegatable":   {func(c *grant.Terms) { c.Delegatable = false }, true},
		"less depth":        {func(c *grant.Terms) { c.DelegationDepthMax = 1 }, true},
		"the same depth":    {func(c *grant.Terms) { c.DelegationDepthMax = 3 }, false},
		"more depth":        {func(c *grant.Terms) { c.DelegationDepthMax = 4 }, false},
		"as deep as it can": {func(c *grant.Terms) { c.DelegationDepthMax = 2 }, true},
	} {
		t.Run(name, func(t *testing.T) {
			g := registry(t)
			id := given1(t, g, ann, bob, grant.ActorScope(ann), run, parent)
			child := parent
			child.DelegationDepthMax = 2
			c.edit(&child)
			if _, err := g.Delegate(bob, id, who(4), child); (err == nil) != c.ok || !c.ok && !errors.Is(err, grant.ErrWider) {
				t.Errorf("%s: %v", name, err)
			}
		})
	}
}

// Whoever a delegation came from gets no part of it back, and nobody delegates what is not his.
//
// Spec: CIP-2 §7.2 (32).
func TestLoopsAndStrangers(t *testing.T) {
	g := registry(t)
	ids, err := chain(t, g, 5, 2)
	if err != nil {
		t.Fatal(err)
	}
	for _, to := range []account.Address{ann, stranger(0), stranger(1), stranger(2), {}} {
		if _, err := g.Delegate(stranger(2), ids[2], to, deep(1)); !errors.Is(err, grant.ErrParty) {
			t.Errorf("to %v: %v", to, err)
		}
	}
	for _, by := range []account.Address{ann, stranger(0), stranger(9)} {
		if _, err := g.Delegate(by, ids[2], stranger(9), deep(1)); !errors.Is(err, grant.ErrOwner) {
			t.Errorf("by %v: %v", by, err)
		}
	}
	if _, err := g.Delegate(ann, digest.Hash{1}, stranger(9), deep(1)); !errors.Is(err, grant.ErrNone) {
		t.Errorf("of nothing: %v", err)
	}
	if _, err := g.Grant(ann, account.Address{}, grant.ActorScope(ann), run, revocable); !errors.Is(err, grant.ErrParty) {
		t.Errorf("to nobody: %v", err)
	}
}

// A revocation, an expiry or the last use anywhere in a chain ends all below it, and nothing above; granted anew, the record brings nothing below it back.
//
// Spec: CIP-2 §7.1, §7.2 (31); entitlement-extras §5.
func TestRevocationCascades(t *testing.T) {
	s := grant.ActorScope(ann)
	for cut := range 6 {
		g := registry(t)
		ids, err := chain(t, g, 5, 5)
		if err != nil {
			t.Fatal(err)
		}
		by := ann // who administers the scope may take anything in it
		if cut%2 == 1 {
			by = stranger(cut) // and whoever has it may give it up
		}
		if err := g.Revoke(by, ids[cut]); err != nil {
			t.Fatal(err)
		}
		for i := range 6 {
			if got := passes(t, g, stranger(i), s, run); got != (i < cut) {
				t.Errorf("cut at %d: link %d passes: %v", cut, i, got)
			}
		}
		if cut == 0 {
			if again := given1(t, g, ann, stranger(0), s, run, deep(5)); again != ids[0] {
				t.Error("the same grant has another identity")
			}
		} else if again, err := g.Delegate(stranger(cut-1), ids[cut-1], stranger(cut), deep(uint8(5-cut))); err != nil || again != ids[cut] {
			t.Errorf("delegated anew: %v %v", again, err)
		}
		for i := range 6 {
			if got := passes(t, g, stranger(i), s, run); got != (i <= cut) {
				t.Errorf("cut at %d and granted anew: link %d passes: %v", cut, i, got)
			}
		}
		if cut < 5 { // what was orphaned makes room for the same
			if _, err := g.Delegate(stranger(cut), ids[cut], stranger(cut+1), deep(uint8(4-cut))); err != nil {
				t.Errorf("cut at %d: the next link anew: %v", cut, err)
			}
		}
	}
	g := registry(t)
	ids, err := chain(t, g, 5, 2)
	if err != nil {
		t.Fatal(err)
	}
	for _, by := range []account.Address{stranger(0), stranger(9)} { // neither an ancestor further up nor a stranger
		if err := g.Revoke(by, ids[2]); !errors.Is(err, grant.ErrOwner) {
			t.Errorf("by %v: %v", by, err)
		}
	}
	if err := g.Revoke(stranger(1), ids[2]); err != nil {
		t.Errorf("who delegated it: %v", err)
	}
}

// What several were given out of one grant never adds up to more than that one: a use counts on all above it.
//
// Spec: CIP-2 §7.2 (32: a strict subset of the parent's).
func TestUsesCountOnAllAbove(t *testing.T) {
	g, s := registry(t), grant.ActorScope(ann)
	terms := grant.Terms{MaxUses: 3, MaxTotalAmount: n(10), Delegatable: true, Revocable: true, DelegationDepthMax: 2}
	id := given1(t, g, ann, bob, s, run, terms)
	terms.DelegationDepthMax = 1
	for _, to := range []account.Address{stranger(1), stranger(2)} {
		if _, err := g.Delegate(bob, id, to, terms); err != nil {
			t.Fatal(err)
		}
	}
	if err := g.Use(stranger(1), s, run, unit.Wide(6)); err != nil {
		t.Fatal(err)
	}
	if err := g.Use(stranger(2), s, run, unit.Wide(5)); !errors.Is(err, grant.ErrQuota) {
		t.Errorf("11 of 10: %v", err)
	}
	if err := g.Use(stranger(2), s, run, unit.Wide(4)); err != nil {
		t.Errorf("10 of 10: %v", err)
	}
	if err := g.Use(bob, s, run, unit.Wide(0)); err != nil {
		t.Errorf("the third use: %v", err)
	}
	for _, to := range []account.Address{bob, stranger(1), stranger(2)} {
		if err := g.Use(to, s, run, unit.Wide(0)); !errors.Is(err, grant.ErrMissing) || passes(t, g, to, s, run) {
			t.Errorf("the fourth use, by %v: %v", to, err)
		}
	}
	if _, err := g.Delegate(bob, id, stranger(3), terms); !errors.Is(err, grant.ErrDead) {
		t.Errorf("what is used up was delegated: %v", err)
	}
}

// One grantee has at most eight working records with one scope and action, so that a check looks at no more.
//
// Spec: entitlement-extras §5.
func TestRecordsAlike(t *testing.T) {
	g, s := registry(t), grant.ActorScope(ann)
	victim := stranger(999)
	var first digest.Hash
	for i := range grant.MaxAlike + 1 {
		id := given1(t, g, ann, stranger(i), s, run, deep(1))
		child, err := g.Delegate(stranger(i), id, victim, deep(0))
		if i == 0 {
			first = child
		}
		if (err == nil) != (i < grant.MaxAlike) || err != nil && !errors.Is(err, grant.ErrLimit) {
			t.Errorf("record %d alike: %v", i+1, err)
		}
	}
	if err := g.Revoke(victim, first); err != nil {
		t.Fatal(err)
	}
	given1(t, g, ann, victim, s, run, revocable)
}
