package grant_test

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/grant"
)

// model is the registry as the document has it, without a state, an index or an identity: a list of what was given, which is looked through from the first
// to the last entry for every question.
type model struct {
	now   uint64
	grant []*given
	roles []*role
}

type given struct {
	grantee, by string
	scope       grant.Scope
	action      grant.Action
	terms       grant.Terms
	parent      *given
	gone        bool
	used        []use
}

type use struct{ at, amount uint64 }

type role struct {
	creator, name string
	scopes        []grant.Scope
	actions       []grant.Action
	terms         grant.Terms
	has           map[string]*given
}

func (m *model) depth(x *given) int {
	n := 0
	for ; x.parent != nil; x = x.parent {
		n++
	}
	return n
}

func (m *model) expired(t *grant.Terms) bool { return t.ValidUntil != nil && *t.ValidUntil < m.now }

// works: neither gone, expired, used up nor early, and so is everything it came from.
func (m *model) works(x *given) bool { return m.lives(x) && m.started(x) }

func (m *model) started(x *given) bool {
	for ; x != nil; x = x.parent {
		if x.terms.ValidFrom != nil && m.now < *x.terms.ValidFrom {
			return false
		}
	}
	return true
}

func (m *model) lives(x *given) bool {
	for ; x != nil; x = x.parent {
		if x.gone || m.expired(&x.terms) || x.terms.MaxUses > 0 && uint64(len(x.used)) >= x.terms.MaxUses {
			return false
		}
	}
	return true
}

// room: the limits of a use, each counted from the uses themselves.
func (m *model) room(x *given, amount uint64) bool {
	for ; x != nil; x = x.parent {
		t, total := &x.terms, amount
		for _, u := range x.used {
			total += u.amount
		}
		if t.MaxAmountPerUse != nil && amount > *t.MaxAmountPerUse || t.MaxTotalAmount != nil && total > *t.MaxTotalAmount {
			return false
		}
		if t.PerBlocks > 0 && m.inWindow(x) >= t.MaxCalls {
			return false
		}
	}
	return true
}

// inWindow counts the uses of the window that a use now would fall into.
func (m *model) inWindow(x *given) (calls uint64) {
	var start uint64
	for i, u := range x.used {
		if i == 0 || u.at >= start+x.terms.PerBlocks {
			start, calls = u.at, 0
		}
		calls++
	}
	if calls > 0 && m.now >= start+x.terms.PerBlocks {
		return 0
	}
	return calls
}

func (m *model) matches(s, asked grant.Scope, a, wanted grant.Action) bool {
	return (s == asked || s.Kind == grant.Global) && (a == wanted || a.Kind == grant.All)
}

func (m *model) permits(who string, s grant.Scope, a grant.Action) (list []*given) {
	for _, x := range m.grant {
		if x.grantee == who && m.matches(x.scope, s, x.action, a) && m.works(x) {
			list = append(list, x)
		}
	}
	for _, r := range m.roles {
		x := r.has[who]
		if x == nil || !m.works(x) {
			continue
		}
		for _, rs := range r.scopes {
			for _, ra := range r.actions {
				if m.matches(rs, s, ra, a) && !slices.Contains(list, x) {
					list = append(list, x)
				}
			}
		}
	}
	return list
}

// The world of the model: names of people, one of whom is governance; actors, each with a deployer.
const people = 6

func who(i int) account.Address { return account.Address{0: 1, 19: byte(i + 1)} }

const (
	governor = "p0"
	deployer = "p1" // of the one actor
)

func person(i int) string { return fmt.Sprint("p", i) }

func administers(by string, s grant.Scope) bool {
	switch s.Kind {
	case grant.OfActor:
		return by == deployer || s.Value == string(addressOf(by))
	case grant.OfRunner:
		return s.Value == string(addressOf(by))
	case grant.OfToken:
		return false
	case grant.Global:
		return by == governor
	}
	return by == governor || bytes.HasPrefix([]byte(s.Value), addressOf(by))
}

func addressOf(name string) []byte {
	for i := range people {
		if person(i) == name {
			a := who(i)
			return a[:]
		}
	}
	return []byte("nobody")
}

// narrower says what "a strict subset" is, limit by limit.
func narrower(c, p *grant.Terms) bool {
	type bound struct{ child, parent *uint64 }
	for _, b := range []bound{{c.ValidUntil, p.ValidUntil}, {c.MaxAmountPerUse, p.MaxAmountPerUse}, {c.MaxTotalAmount, p.MaxTotalAmount}} {
		if b.parent != nil && (b.child == nil || *b.child > *b.parent) {
			return false
		}
	}
	if p.ValidFrom != nil && (c.ValidFrom == nil || *c.ValidFrom < *p.ValidFrom) {
		return false
	}
	if p.MaxUses > 0 && (c.MaxUses == 0 || c.MaxUses > p.MaxUses) {
		return false
	}
	if p.PerBlocks > 0 && (c.PerBlocks == 0 || c.PerBlocks < p.PerBlocks || c.MaxCalls > p.MaxCalls) {
		return false
	}
	if p.Revocable && !c.Revocable {
		return false
	}
	return c.DelegationDepthMax < p.DelegationDepthMax
}

// outcome of an operation: "" where it is done.
type outcome string

func (m *model) possible(t *grant.Terms) bool {
	if m.expired(t) || t.ValidFrom != nil && t.ValidUntil != nil && *t.ValidFrom > *t.ValidUntil {
		return false
	}
	return (t.MaxCalls > 0) == (t.PerBlocks > 0)
}

func (m *model) add(x *given) outcome {
	alike := 0
	for _, y := range m.grant {
		if y.gone || y.grantee != x.grantee || y.scope != x.scope || y.action != x.action || m.expired(&y.terms) || y.parent != nil && !m.lives(y.parent) {
			continue
		}
		if y.parent == x.parent && y.terms.MaxUses > 0 && uint64(len(y.used)) >= y.terms.MaxUses {
			y.gone = true
			continue
		}
		if y.parent == x.parent {
			return "exists"
		}
		alike++
	}
	if alike >= 8 {
		return "limit"
	}
	m.grant = append(m.grant, x)
	return ""
}

func (m *model) give(by, to string, s grant.Scope, a grant.Action, t grant.Terms) outcome {
	switch {
	case !administers(by, s):
		return "owner"
	case !m.possible(&t):
		return "terms"
	}
	return m.add(&given{grantee: to, by: by, scope: s, action: a, terms: t})
}

func (m *model) delegate(by string, p *given, to string, t grant.Terms) outcome {
	switch {
	case p.grantee != by:
		return "owner"
	case !m.lives(p):
		return "dead"
	case !p.terms.Delegatable, p.terms.DelegationDepthMax == 0, m.depth(p) == 5:
		return "depth"
	case !narrower(&t, &p.terms):
		return "wider"
	}
	for x := p; x != nil; x = x.parent {
		if to == x.grantee || to == x.by {
			return "party"
		}
	}
	if !m.possible(&t) {
		return "terms"
	}
	return m.add(&given{grantee: to, by: by, scope: p.scope, action: p.action, terms: t, parent: p})
}

func (m *model) revoke(by string, x *given) outcome {
	switch {
	case by == x.grantee:
	case by != x.by && !administers(by, x.scope):
		return "owner"
	case !x.terms.Revocable:
		return "fixed"
	}
	x.gone = true
	return ""
}

func (m *model) spend(to string, s grant.Scope, a grant.Action, amount uint64) outcome {
	list := m.permits(to, s, a)
	if len(list) == 0 {
		return "missing"
	}
	if !slices.ContainsFunc(list, func(x *given) bool { return m.room(x, amount) }) {
		return "quota"
	}
	return ""
}

func (m *model) create(by, name string, scopes []grant.Scope, actions []grant.Action, t grant.Terms) outcome {
	for _, s := range scopes {
		if !administers(by, s) {
			return "owner"
		}
	}
	for _, r := range m.roles {
		if r.creator == by && r.name == name {
			return "exists"
		}
	}
	m.roles = append(m.roles, &role{by, name, scopes, actions, t, map[string]*given{}})
	return ""
}

func (m *model) assign(by string, r *role, to string) outcome {
	switch x := r.has[to]; {
	case by != r.creator:
		return "owner"
	case m.expired(&r.terms):
		return "dead"
	case x != nil && m.lives(x):
		return "exists"
	}
	r.has[to] = &given{grantee: to, by: by, terms: r.terms}
	return ""
}

func (m *model) unassign(by string, r *role, from string) outcome {
	switch {
	case by == from:
	case by != r.creator:
		return "owner"
	case !r.terms.Revocable:
		return "fixed"
	}
	if r.has[from] == nil {
		return "none"
	}
	delete(r.has, from)
	return ""
}
