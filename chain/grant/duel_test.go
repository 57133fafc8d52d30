package grant_test

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand"
	"slices"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/grant"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// outcomes of the registry in the model's words.
func told(err error) outcome {
	for class, name := range map[error]outcome{
		grant.ErrOwner: "owner", grant.ErrTerms: "terms", grant.ErrExists: "exists", grant.ErrLimit: "limit", grant.ErrDead: "dead",
		grant.ErrDepth: "depth", grant.ErrWider: "wider", grant.ErrParty: "party", grant.ErrFixed: "fixed", grant.ErrMissing: "missing",
		grant.ErrQuota: "quota", grant.ErrNone: "none",
	} {
		if errors.Is(err, class) {
			return name
		}
	}
	if err != nil {
		return outcome(err.Error())
	}
	return ""
}

type duel struct {
	*testing.T
	random  *rand.Rand
	model   *model
	g       *grant.Registry
	ids     map[digest.Hash]*given // what each record of the registry is in the model
	scopes  []grant.Scope
	actions []grant.Action
	seen    map[outcome]int
}

func newState(t testing.TB) *state.Overlay {
	t.Helper()
	o := state.New(state.Config{}, state.NewMemory(state.Config{})).Overlay()
	return o
}

func newDuel(t *testing.T, seed int64) *duel {
	o := newState(t)
	actor := account.Address{0: 9}
	account.Save(o, actor, &account.Account{Kind: account.Actor, Creator: who(1)})
	return &duel{
		T: t, random: rand.New(rand.NewSource(seed)), model: &model{now: 1}, ids: map[digest.Hash]*given{}, seen: map[outcome]int{},
		g: &grant.Registry{State: o, Height: 1, Governs: func(a account.Address) bool { return a == who(0) }},
		scopes: []grant.Scope{
			{}, grant.ActorScope(actor), grant.PoolScope("eu"), grant.PoolScope(grant.OwnedName(who(2), "x")),
		},
		actions: []grant.Action{{}, {Kind: grant.ActorExecuteHandler, Value: "run"}, {Kind: grant.UseOwnerBalance}},
	}
}

func (d *duel) maybe(n uint64) *uint64 {
	if d.random.Intn(3) > 0 {
		return nil
	}
	v := uint64(d.random.Int63n(int64(n))) + 1
	return &v
}

func (d *duel) terms() grant.Terms {
	t := grant.Terms{
		MaxAmountPerUse: d.maybe(10), MaxTotalAmount: d.maybe(30), Delegatable: d.random.Intn(4) > 0, Revocable: d.random.Intn(5) > 0,
		DelegationDepthMax: uint8(d.random.Intn(8)),
	}
	if d.random.Intn(4) == 0 {
		from := d.model.now + uint64(d.random.Intn(4)) - 1
		t.ValidFrom = &from
	}
	if d.random.Intn(3) == 0 {
		until := d.model.now + uint64(d.random.Intn(40)) - 1
		t.ValidUntil = &until
	}
	if d.random.Intn(3) == 0 {
		t.MaxUses = uint64(d.random.Intn(4)) + 1
	}
	if d.random.Intn(2) == 0 {
		t.MaxCalls, t.PerBlocks = uint64(d.random.Intn(2)+1), uint64(d.random.Intn(3)+1)
	}
	return t
}

// within narrows the terms of a parent, so that chains grow as deep as they may; now and then it does not.
func (d *duel) within(p *grant.Terms) grant.Terms {
	if d.random.Intn(4) == 0 {
		return d.terms()
	}
	t := *p
	t.DelegationDepthMax -= min(1, t.DelegationDepthMax)
	return t
}

// step does one operation on both.
func (d *duel) step(i int) {
	r, m := d.random, d.model
	if r.Intn(3) == 0 {
		m.now++
		d.g.Height = unit.Height(m.now)
	}
	by, to := r.Intn(people), r.Intn(people)
	s, a := d.scopes[r.Intn(len(d.scopes))], d.actions[r.Intn(len(d.actions))]
	var want, got outcome
	var what string
	mark := d.g.State.(*state.Overlay).Mark()
	switch op := r.Intn(13); {
	case op == 10:
		what, want, got = d.createRole(by)
	case op > 10 && len(m.roles) > 0:
		what, want, got = d.changeRole(op, by, to)
	case op < 2:
		t := d.terms()
		if r.Intn(2) == 0 {
			by = []int{0, 1, 0, 2}[slices.Index(d.scopes, s)]
		}
		what = fmt.Sprintf("grant by %d to %d: %v %v %+v", by, to, s, a, t)
		want = m.give(person(by), person(to), s, a, t)
		id, err := d.g.Grant(who(by), who(to), s, a, t)
		if got = told(err); got == "" && want == "" {
			d.ids[id] = m.grant[len(m.grant)-1]
		}
	case op < 6 && len(d.ids) > 0:
		id, p := d.pick()
		if r.Intn(5) > 0 {
			for k := range people {
				if person(k) == p.grantee {
					by = k
				}
			}
		}
		t := d.within(&p.terms)
		what = fmt.Sprintf("delegate by %d to %d: %+v of %+v", by, to, t, p)
		want = m.delegate(person(by), p, person(to), t)
		child, err := d.g.Delegate(who(by), id, who(to), t)
		if got = told(err); got == "" && want == "" {
			d.ids[child] = m.grant[len(m.grant)-1]
		}
		if errors.Is(err, grant.ErrNone) { // gone from the registry, and dead in the model
			if m.lives(p) {
				d.Fatalf("step %d: %s: the registry lost a record that lives", i, what)
			}
			got = want
		}
	case op == 6 && len(d.ids) > 0:
		id, x := d.pick()
		what = fmt.Sprintf("revoke by %d: %+v", by, x)
		err := d.g.Revoke(who(by), id)
		if errors.Is(err, grant.ErrNone) {
			if m.lives(x) {
				d.Fatalf("step %d: %s: the registry lost a record that lives", i, what)
			}
			break
		}
		want, got = m.revoke(person(by), x), told(err)
	case op == 7 || op == 8:
		amount := uint64(r.Intn(8))
		what = fmt.Sprintf("use by %d: %v %v %d", to, s, a, amount)
		want = m.spend(person(to), s, a, amount)
		if got = told(d.g.Use(who(to), s, a, unit.Wide(amount))); got == "" && want == "" {
			d.mirror(to, s, a, amount)
		}
	default:
		what = fmt.Sprintf("check of %d: %v %v", to, s, a)
		passes, err := grant.Check(d.g.State, who(to), s, a, d.g.Height)
		if err != nil {
			d.Fatal(err)
		}
		want, got = outcome(fmt.Sprint(len(m.permits(person(to), s, a)) > 0)), outcome(fmt.Sprint(passes))
	}
	if got != want {
		d.Fatalf("step %d, height %d: %s: the registry says %q, the model %q", i, m.now, what, got, want)
	}
	if got != "" && got != "true" && got != "false" {
		d.g.State.(*state.Overlay).Revert(mark) // as a turn does
	}
	d.seen[want]++
}

// createRole makes a role of one name of four, of one or two scopes.
func (d *duel) createRole(by int) (what string, want, got outcome) {
	r, m := d.random, d.model
	scopes, actions := d.scopes[:1+r.Intn(2)], d.actions[1:1+1+r.Intn(2)]
	if r.Intn(2) == 0 {
		scopes, by = d.scopes[1:2], 1
	}
	t, name := d.terms(), fmt.Sprint("role", r.Intn(4))
	if t.Delegatable, t.DelegationDepthMax = false, 0; !m.possible(&t) {
		t.ValidFrom, t.ValidUntil = nil, nil
	}
	want = m.create(person(by), name, scopes, actions, t)
	_, err := d.g.CreateRole(who(by), name, scopes, actions, t)
	return fmt.Sprintf("role by %d: %v %v", by, scopes, actions), want, told(err)
}

// changeRole assigns a role or takes it away.
func (d *duel) changeRole(op, by, to int) (what string, want, got outcome) {
	r, m := d.random, d.model
	x := m.roles[r.Intn(len(m.roles))]
	id := grant.RoleID(account.Address(addressOf(x.creator)), x.name)
	if r.Intn(4) > 0 {
		by = slices.Index([]string{"p0", "p1", "p2", "p3", "p4", "p5"}, x.creator)
	}
	what = fmt.Sprintf("role %s of %s by %d for %d", x.name, x.creator, by, to)
	if op == 11 || r.Intn(3) > 0 {
		return what, m.assign(person(by), x, person(to)), told(d.g.AssignRole(who(by), id, who(to)))
	}
	there := x.has[person(to)]
	want, got = m.unassign(person(by), x, person(to)), told(d.g.RevokeRole(who(by), id, who(to)))
	if got == "none" && want == "" && m.expired(&there.terms) {
		got = want // the registry has removed it already
	}
	return what, want, got
}

func (d *duel) pick() (digest.Hash, *given) {
	ids := make([]digest.Hash, 0, len(d.ids))
	for id := range d.ids {
		ids = append(ids, id)
	}
	slices.SortFunc(ids, func(a, b digest.Hash) int { return bytes.Compare(a[:], b[:]) })
	id := ids[d.random.Intn(len(ids))]
	return id, d.ids[id]
}

// mirror notes the registry's choice among the permits that have room: the documents leave it open which is used.
func (d *duel) mirror(to int, s grant.Scope, a grant.Action, amount uint64) {
	var changed []*given
	for id, x := range d.ids {
		r, err := grant.Load(d.g.State, id)
		if err != nil {
			d.Fatal(err)
		}
		if r != nil && !x.gone && r.Counters.Used == uint64(len(x.used))+1 {
			changed = append(changed, x)
		}
	}
	for _, r := range d.model.roles {
		for name, x := range r.has {
			a, err := grant.LoadAssignment(d.g.State, account.Address(addressOf(name)), grant.RoleID(account.Address(addressOf(r.creator)), r.name))
			if err != nil {
				d.Fatal(err)
			}
			if a != nil && a.Counters.Used == uint64(len(x.used))+1 {
				changed = append(changed, x)
			}
		}
	}
	allowed := d.model.permits(person(to), s, a)
	leaf := slices.IndexFunc(changed, func(x *given) bool {
		if !slices.Contains(allowed, x) || !d.model.room(x, amount) {
			return false
		}
		n := 0
		for y := x; y != nil; y = y.parent {
			if !slices.Contains(changed, y) {
				return false
			}
			n++
		}
		return n == len(changed)
	})
	if leaf < 0 {
		d.Fatalf("a use of %d counted on %d records that no permit has", to, len(changed))
	}
	for _, x := range changed {
		x.used = append(x.used, use{d.model.now, amount})
	}
}

// Ten thousand random grants, delegations, roles, revocations, uses and checks end as a model ends them that knows no index, identity or counter: it keeps what
// was given in a list and counts the uses themselves.
//
// Spec: CIP-2 §7.1, §7.2, §7.3; entitlement-extras §5.
func TestAgainstTheModel(t *testing.T) {
	seen := map[outcome]int{}
	for seed := range int64(10) {
		d := newDuel(t, seed)
		for i := range 1_000 {
			d.step(i)
		}
		deep := 0
		for _, x := range d.model.grant {
			deep = max(deep, d.model.depth(x))
		}
		seen[outcome(fmt.Sprint("depth ", deep))]++
		for k, n := range d.seen {
			seen[k] += n
		}
	}
	for _, k := range []outcome{
		"", "owner", "terms", "exists", "dead", "depth", "wider", "party", "fixed", "missing", "quota", "none", "true", "false",
	} {
		if seen[k] == 0 {
			t.Errorf("no operation ended with %q", k)
		}
	}
	t.Log(seen)
}
