package grant_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/grant"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

var (
	governing = who(0)
	ann, bob  = who(1), who(2)
	run       = grant.Action{Kind: grant.ActorExecuteHandler, Value: "run"}
	revocable = grant.Terms{Revocable: true}
)

// registry is one at height 100, with who(0) for governance.
func registry(t testing.TB) *grant.Registry {
	return &grant.Registry{State: newState(t), Height: 100, Governs: func(a account.Address) bool { return a == governing }}
}

func given1(t testing.TB, g *grant.Registry, by, to account.Address, s grant.Scope, a grant.Action, terms grant.Terms) digest.Hash {
	t.Helper()
	id, err := g.Grant(by, to, s, a, terms)
	if err != nil {
		t.Fatal(err)
	}
	return id
}

func passes(t testing.TB, g *grant.Registry, to account.Address, s grant.Scope, a grant.Action) bool {
	t.Helper()
	ok, err := grant.Check(g.State, to, s, a, g.Height)
	if err != nil {
		t.Fatal(err)
	}
	return ok
}

func runnerScope(a account.Address) grant.Scope {
	return grant.Scope{Kind: grant.OfRunner, Value: string(a[:])}
}

func n(v uint64) *uint64 { return &v }

// Spec: CIP-2 §7.3; entitlement-extras §5.
func TestWhoAdministersAScope(t *testing.T) {
	actor := account.Address{0: 9}
	plain := account.Address{0: 8}
	for _, c := range []struct {
		scope grant.Scope
		by    []account.Address
	}{
		{grant.Scope{}, []account.Address{governing}},
		{grant.ActorScope(actor), []account.Address{actor, ann}},
		{grant.ActorScope(bob), []account.Address{bob}},
		{grant.ActorScope(plain), []account.Address{plain}}, // nobody deployed it
		{runnerScope(bob), []account.Address{bob}},
		{grant.PoolScope("eu"), []account.Address{governing}},
		{grant.PoolScope(grant.OwnedName(ann, "")), []account.Address{governing, ann}},
		{grant.PoolScope(grant.OwnedName(ann, "eu")), []account.Address{governing, ann}},
		{grant.PoolScope(string(ann[:19])), []account.Address{governing}},
		{grant.Scope{Kind: grant.OfNamespace, Value: grant.OwnedName(bob, "x")}, []account.Address{governing, bob}},
		{grant.Scope{Kind: grant.OfToken, Value: string(make([]byte, 32))}, nil},
	} {
		t.Run(c.scope.String(), func(t *testing.T) {
			for _, by := range []account.Address{governing, ann, bob, actor, plain} {
				g := registry(t)
				account.Save(g.State, actor, &account.Account{Kind: account.Actor, Creator: ann})
				account.Save(g.State, plain, &account.Account{Balance: 1})
				want := false
				for _, a := range c.by {
					want = want || a == by
				}
				if _, err := g.Grant(by, who(5), c.scope, run, revocable); (err == nil) != want || !want && !errors.Is(err, grant.ErrOwner) {
					t.Errorf("%v grants in %v: %v", by, c.scope, err)
				}
			}
		})
	}
	g := registry(t)
	g.TokenOwner = func(token string) (account.Address, bool, error) { return ann, token[0] == 0, nil }
	for _, first := range []byte{0, 1} {
		token := grant.Scope{Kind: grant.OfToken, Value: string(append([]byte{first}, make([]byte, 31)...))}
		if _, err := g.Grant(ann, bob, token, grant.Action{Kind: grant.TokenMint}, revocable); (err == nil) != (first == 0) {
			t.Errorf("the owner of token %d: %v", first, err)
		}
	}
}

// A grant matches its own scope and action; the whole network stands for every scope and All for every action, never the other way round.
//
// Spec: CIP-2 §7.1, §7.3.
func TestMatching(t *testing.T) {
	scopes := []grant.Scope{{}, grant.ActorScope(ann), grant.ActorScope(bob), runnerScope(ann), grant.PoolScope("eu"), grant.PoolScope("eu2")}
	actions := []grant.Action{{}, run, {Kind: grant.ActorExecuteHandler, Value: "ru"}, grant.JoinPool("eu"), {Kind: grant.Custom, Value: "eu"}}
	for i, s := range scopes {
		for k, a := range actions {
			g := registry(t)
			by := []account.Address{governing, ann, bob, ann, governing, governing}[i]
			given1(t, g, by, who(5), s, a, revocable)
			for _, s2 := range scopes {
				for _, a2 := range actions {
					want := (i == 0 || s == s2) && (k == 0 || a == a2)
					if got := passes(t, g, who(5), s2, a2); got != want {
						t.Errorf("%v %v asked for %v %v: %v", s, a, s2, a2, got)
					}
				}
			}
			if passes(t, g, who(4), s, a) {
				t.Error("somebody else passes")
			}
		}
	}
}

// Spec: CIP-2 §7.1, §7.5 (heights); entitlement-extras §5.
func TestHeights(t *testing.T) {
	s := grant.ActorScope(ann)
	g := registry(t)
	id := given1(t, g, ann, bob, s, run, grant.Terms{ValidFrom: n(110), ValidUntil: n(120)})
	for height, want := range map[uint64]grant.Status{100: grant.Waiting, 109: grant.Waiting, 110: grant.Active, 120: grant.Active, 121: grant.Expired} {
		t.Run(fmt.Sprint(height), func(t *testing.T) {
			mark := g.State.(*state.Overlay).Mark()
			g.Height = unitHeight(height)
			r, err := grant.Load(g.State, id)
			if err != nil {
				t.Fatal(err)
			}
			if status, err := grant.StatusOf(g.State, r, g.Height); status != want || err != nil {
				t.Errorf("at %d: %v %v, want %v", height, status, err, want)
			}
			if got := passes(t, g, bob, s, run); got != (want == grant.Active) {
				t.Errorf("at %d a check says %v", height, got)
			}
			if err := g.Use(bob, s, run, unit.Wide(0)); (err == nil) != (want == grant.Active) {
				t.Errorf("at %d a use ends with %v", height, err)
			}
			g.State.(*state.Overlay).Revert(mark)
		})
	}
	g.Height = 121
	if _, err := g.Grant(ann, bob, grant.ActorScope(ann), grant.Action{}, revocable); err != nil {
		t.Fatal(err)
	}
	if r, err := grant.Load(g.State, id); r != nil || err != nil {
		t.Error("a grant to the same address left the expired record")
	}
	for _, bad := range []grant.Terms{
		{ValidUntil: n(120)}, {ValidFrom: n(131), ValidUntil: n(130)}, {MaxCalls: 1}, {PerBlocks: 1},
	} {
		if _, err := g.Grant(ann, bob, s, run, bad); !errors.Is(err, grant.ErrTerms) {
			t.Errorf("%+v: %v", bad, err)
		}
	}
	given1(t, g, ann, bob, s, run, grant.Terms{ValidFrom: n(121), ValidUntil: n(121)})
}

// An amount wider than a bound can be is above every bound, and below none.
//
// Spec: CIP-2 §7.1 (max_amount_per_use: Option<u64>).
func TestWideAmounts(t *testing.T) {
	wide := unit.Uint128{Hi: 1}
	for name, c := range map[string]struct {
		terms grant.Terms
		want  error
	}{
		"no bound": {grant.Terms{}, nil}, "per use": {grant.Terms{MaxAmountPerUse: n(1<<64 - 1)}, grant.ErrQuota},
		"in all": {grant.Terms{MaxTotalAmount: n(1<<64 - 1)}, grant.ErrQuota}, "uses": {grant.Terms{MaxUses: 1}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			g := registry(t)
			s := grant.ActorScope(ann)
			given1(t, g, ann, bob, s, run, c.terms)
			if err := g.Use(bob, s, run, wide); !errors.Is(err, c.want) || c.want == nil && err != nil {
				t.Errorf("%v, want %v", err, c.want)
			}
		})
	}
}

// Spec: CIP-2 §7.1; entitlement-extras §5 (max_uses, amounts, RateLimit).
func TestLimitsOfAUse(t *testing.T) {
	s := grant.ActorScope(ann)
	type use struct {
		height, amount uint64
		ok             bool
	}
	for name, c := range map[string]struct {
		terms grant.Terms
		uses  []use
	}{
		"uses":           {grant.Terms{MaxUses: 2}, []use{{100, 0, true}, {100, 5, true}}}, // the third finds nothing that passes, below
		"an amount":      {grant.Terms{MaxAmountPerUse: n(5)}, []use{{100, 5, true}, {100, 6, false}, {101, 4, true}}},
		"total":          {grant.Terms{MaxTotalAmount: n(10)}, []use{{100, 4, true}, {100, 7, false}, {100, 6, true}, {100, 1, false}, {100, 0, true}}},
		"no bound":       {grant.Terms{}, []use{{100, 1<<64 - 1, true}, {100, 1<<64 - 1, true}, {100, 0, true}}},
		"all of 64 bits": {grant.Terms{MaxTotalAmount: n(1<<64 - 1)}, []use{{100, 1<<64 - 2, true}, {100, 2, false}, {100, 1, true}, {100, 1, false}}},
		"rate": {grant.Terms{MaxCalls: 2, PerBlocks: 10}, []use{
			{103, 0, true}, {104, 0, true}, {104, 0, false}, {112, 0, false}, // the window is 103 to 112
			{113, 0, true}, {130, 0, true}, {139, 0, true}, {139, 0, false}, {140, 0, true},
		}},
		"one call a block": {grant.Terms{MaxCalls: 1, PerBlocks: 1}, []use{{100, 0, true}, {100, 0, false}, {101, 0, true}}},
	} {
		t.Run(name, func(t *testing.T) {
			g := registry(t)
			given1(t, g, ann, bob, s, run, c.terms)
			for i, u := range c.uses {
				g.Height = unitHeight(u.height)
				mark := g.State.(*state.Overlay).Mark()
				err := g.Use(bob, s, run, unit.Wide(u.amount))
				if (err == nil) != u.ok || !u.ok && !errors.Is(err, grant.ErrQuota) {
					t.Errorf("%s: use %d: %v", name, i, err)
				}
				if err != nil {
					g.State.(*state.Overlay).Revert(mark)
				}
				if !passes(t, g, bob, s, run) && name != "uses" {
					t.Errorf("%s: a check minds the limits of a use", name)
				}
			}
			if name == "uses" {
				if err := g.Use(bob, s, run, unit.Wide(0)); !errors.Is(err, grant.ErrMissing) || passes(t, g, bob, s, run) {
					t.Errorf("used up: %v", err)
				}
				given1(t, g, ann, bob, s, run, c.terms) // used up makes room for the same again
			}
		})
	}
	g := registry(t)
	if err := g.Use(bob, s, run, unit.Wide(0)); !errors.Is(err, grant.ErrMissing) {
		t.Errorf("without a grant: %v", err)
	}
	given1(t, g, ann, bob, s, grant.Action{}, grant.Terms{MaxAmountPerUse: n(9)})
	given1(t, g, ann, bob, s, run, grant.Terms{MaxAmountPerUse: n(1)})
	if err := g.Use(bob, s, run, unit.Wide(9)); err != nil {
		t.Errorf("a wider grant beside one that is too narrow: %v", err)
	}
}

// A pool's membership is checked, not used.
//
// Spec: CIP-2 §4 (7), §7.3.
func TestPoolMembershipIsNotUsedUp(t *testing.T) {
	g, pool := registry(t), "eu-tee"
	id := given1(t, g, governing, bob, grant.PoolScope(pool), grant.JoinPool(pool), grant.Terms{MaxUses: 1, Revocable: true, ValidUntil: n(200)})
	for range 3 {
		if !passes(t, g, bob, grant.PoolScope(pool), grant.JoinPool(pool)) {
			t.Fatal("a member is none")
		}
	}
	if passes(t, g, ann, grant.PoolScope(pool), grant.JoinPool(pool)) || passes(t, g, bob, grant.PoolScope("eu"), grant.JoinPool("eu")) {
		t.Error("a stranger is a member")
	}
	if err := g.Revoke(ann, id); !errors.Is(err, grant.ErrOwner) {
		t.Errorf("a stranger revokes: %v", err)
	}
	if err := g.Revoke(governing, id); err != nil || passes(t, g, bob, grant.PoolScope(pool), grant.JoinPool(pool)) {
		t.Errorf("after the revocation: %v", err)
	}
	if err := g.Revoke(governing, id); !errors.Is(err, grant.ErrNone) {
		t.Errorf("revoked twice: %v", err)
	}
}

// Spec: CIP-2 §7.1 (revocable).
func TestWhatIsNotRevocableCanBeGivenUp(t *testing.T) {
	g, s := registry(t), grant.ActorScope(ann)
	id := given1(t, g, ann, bob, s, run, grant.Terms{})
	if err := g.Revoke(ann, id); !errors.Is(err, grant.ErrFixed) {
		t.Errorf("revoked: %v", err)
	}
	if _, err := g.Grant(ann, bob, s, run, revocable); !errors.Is(err, grant.ErrExists) {
		t.Errorf("granted over it: %v", err)
	}
	if err := g.Revoke(bob, id); err != nil || passes(t, g, bob, s, run) {
		t.Errorf("given up: %v", err)
	}
}

// An address has 256 records; what somebody else fills them with it can give up, and it costs no check of another scope a read. Expired ones make room.
//
// Spec: CIP-2 §7.5; entitlement-extras §5.
func TestRecordsOfAnAddress(t *testing.T) {
	g := registry(t)
	var last digest.Hash
	custom := func(i int) grant.Action { return grant.Action{Kind: grant.Custom, Value: fmt.Sprint(i)} }
	for i := range grant.MaxRecords {
		terms := revocable
		if i == 7 {
			terms.ValidUntil = n(101)
		}
		last = given1(t, g, ann, bob, grant.ActorScope(ann), custom(i), terms)
	}
	for i := range 1_000 {
		mark := g.State.(*state.Overlay).Mark()
		if _, err := g.Grant(ann, bob, grant.ActorScope(ann), custom(1_000+i), revocable); !errors.Is(err, grant.ErrLimit) {
			t.Fatalf("record %d: %v", grant.MaxRecords+1+i, err)
		}
		g.State.(*state.Overlay).Revert(mark)
	}
	r := &counting{Reader: g.State}
	if ok, err := grant.Check(r, bob, grant.PoolScope("eu"), grant.JoinPool("eu"), g.Height); ok || err != nil || r.entries > 0 {
		t.Errorf("a check of another scope finds %d entries: %v %v", r.entries, ok, err)
	}
	if ok, err := grant.Check(r, bob, grant.ActorScope(ann), custom(200), g.Height); !ok || err != nil || r.entries != 2 {
		t.Errorf("a check among 256 finds %d entries: %v %v", r.entries, ok, err)
	}
	if err := g.Revoke(bob, last); err != nil {
		t.Fatal(err)
	}
	given1(t, g, governing, bob, grant.PoolScope("eu"), grant.JoinPool("eu"), revocable)
	g.Height = 101
	if _, err := g.Grant(ann, bob, grant.ActorScope(ann), custom(2_000), revocable); !errors.Is(err, grant.ErrLimit) {
		t.Errorf("at its last height a record counts: %v", err)
	}
	g.Height = 102
	given1(t, g, ann, bob, grant.ActorScope(ann), custom(2_000), revocable)
	seen := map[digest.Hash]bool{}
	for after := (digest.Hash{}); ; {
		list, err := grant.Held(g.State, bob, after, 100)
		if err != nil {
			t.Fatal(err)
		}
		for _, id := range list {
			seen[id] = true
			after = id
		}
		if len(list) < 100 {
			break
		}
	}
	if len(seen) != grant.MaxRecords {
		t.Errorf("%d records are listed", len(seen))
	}
	if list, err := grant.Given(g.State, governing, digest.Hash{}, 10); len(list) != 1 || err != nil {
		t.Errorf("governance gave %d, %v", len(list), err)
	}
}

// counting counts the entries a reader gave.
type counting struct {
	state.Reader
	entries int
}

func (c *counting) Lookup(key []byte) ([]byte, bool, error) {
	value, ok, err := c.Reader.Lookup(key)
	if ok {
		c.entries++
	}
	return value, ok, err
}

func (c *counting) Scan(prefix, after []byte, limit int, fn func(key, value []byte) bool) error {
	return c.Reader.Scan(prefix, after, limit, func(key, value []byte) bool {
		c.entries++
		return fn(key, value)
	})
}
