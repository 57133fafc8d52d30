package rpc

import (
	"encoding/hex"
	"errors"
	"net/http"

	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/grant"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// entitlements adds the calls about the Entitlement Registry. None looks at more than a page of records, or at the roles one address may have.
func (s *server) entitlements(mux *http.ServeMux) {
	b := s.Backend
	mux.HandleFunc("GET /entitlement/{hash}", s.byHash(func(id digest.Hash) (any, error) { return b.Entitlement(id) }))
	mux.HandleFunc("GET /role/{hash}", s.byHash(func(id digest.Hash) (any, error) { return b.Role(id) }))
	mux.HandleFunc("GET /roles/{addr}", s.byAddress(func(_ *http.Request, a account.Address) (any, error) { return b.Roles(a) }))
	mux.HandleFunc("GET /entitled/{addr}", s.byAddress(func(r *http.Request, a account.Address) (any, error) {
		scope, err := grant.ParseScope(r.URL.Query().Get("scope"))
		if err != nil {
			return nil, badRequest("scope is global, actor:0x…, token:0x…, runner:0x…, pool:NAME or namespace:NAME")
		}
		action, err := grant.ParseAction(r.URL.Query().Get("action"))
		if err != nil {
			return nil, badRequest("action is a word such as all, use-owner-balance, runner-join-pool:NAME or custom:NAME")
		}
		return b.Entitled(a, scope, action)
	}))
	mux.HandleFunc("GET /entitlements/{addr}", s.byAddress(func(r *http.Request, a account.Address) (any, error) {
		limit, err := number(r, "limit", defaultPage)
		if err != nil {
			return nil, err
		}
		after, err := hex.DecodeString(trim0x(r.URL.Query().Get("cursor")))
		if err != nil || len(after) != 0 && len(after) != len(digest.Hash{}) {
			return nil, badRequest("cursor is not one this node gave")
		}
		var last digest.Hash
		copy(last[:], after)
		return b.Entitlements(a, r.URL.Query().Get("by") == "grantor", last, min(max(limit, 1), grant.MaxRecords))
	}))
}

// entitlementCalls describes them.
func entitlementCalls() []Call {
	pages := []string{"by:string:grantee or grantor", "cursor:string:those after this one", "limit:integer:how many, at most 256"}
	return []Call{
		{"get", "/entitlement/{hash}", "a grant or a delegation of the Entitlement Registry", nil, "", wire.Grant{}},
		{"get", "/entitlements/{addr}", "the grants an address has, or with by=grantor those it gave", pages, "", wire.Grants{}},
		{"get", "/entitled/{addr}", "whether an address may do an action in a scope", []string{"scope:string:", "action:string:"}, "", wire.Entitled{}},
		{"get", "/role/{hash}", "a role", nil, "", wire.Role{}},
		{"get", "/roles/{addr}", "the roles an address has", nil, "", wire.Roles{}},
	}
}

// grants is the Entitlement Registry after the newest block, as the next one will meet it.
type grants struct {
	view state.Reader
	next unit.Height
}

func (n *Node) grants() (*grants, error) {
	t, err := n.tip()
	if err != nil {
		return nil, err
	}
	return &grants{t.State, t.Header.Height + 1}, nil
}

// asked answers from the registry.
func asked[T any](n *Node, answer func(g *grants) (T, error)) (none T, err error) {
	g, err := n.grants()
	if err != nil {
		return none, err
	}
	return answer(g)
}

// Entitlement implements Backend. Spec: CIP-2 §7.1.
func (n *Node) Entitlement(id digest.Hash) (wire.Grant, error) {
	return asked(n, func(g *grants) (wire.Grant, error) { return g.one(id) })
}

// Entitlements implements Backend. Spec: entitlement-extras §5.
func (n *Node) Entitlements(addr account.Address, given bool, after digest.Hash, limit uint64) (wire.Grants, error) {
	return asked(n, func(g *grants) (wire.Grants, error) { return g.list(addr, given, after, int(limit)) })
}

// Entitled implements Backend. Spec: CIP-2 §7.3.
func (n *Node) Entitled(addr account.Address, s grant.Scope, a grant.Action) (wire.Entitled, error) {
	return asked(n, func(g *grants) (wire.Entitled, error) {
		ok, err := grant.Check(g.view, addr, s, a, g.next)
		return wire.Entitled{Height: uint64(g.next), Entitled: ok}, err
	})
}

// Role implements Backend. Spec: CIP-2 §7.1.
func (n *Node) Role(id digest.Hash) (wire.Role, error) {
	return asked(n, func(g *grants) (wire.Role, error) { return g.role(id) })
}

// Roles implements Backend. Spec: entitlement-extras §5.
func (n *Node) Roles(addr account.Address) (wire.Roles, error) {
	return asked(n, func(g *grants) (wire.Roles, error) { return g.roles(addr) })
}

func (g *grants) one(id digest.Hash) (wire.Grant, error) {
	rec, err := grant.Load(g.view, id)
	if err == nil && rec == nil {
		err = errNotFound
	}
	if err != nil {
		return wire.Grant{}, err
	}
	status, err := grant.StatusOf(g.view, rec, g.next)
	w := wire.Grant{
		ID: wire.Hash(id), Grantee: rec.Grantee.String(), By: rec.By.String(), Scope: rec.Scope.String(), Action: rec.Action.String(),
		Status: status.String(), Depth: rec.Depth, At: uint64(rec.At), Constraints: wire.NewConstraints(&rec.Terms, &rec.Counters),
	}
	if rec.Depth > 0 {
		w.Parent = wire.Hash(rec.Parent)
	}
	return w, err
}

func (g *grants) list(addr account.Address, given bool, after digest.Hash, limit int) (wire.Grants, error) {
	w := wire.Grants{Height: uint64(g.next) - 1, Entitlements: []wire.Grant{}}
	find := grant.Held
	if given {
		find = grant.Given
	}
	ids, err := find(g.view, addr, after, limit+1)
	if errors.Is(err, grant.ErrNone) {
		err = badRequest("the grant the cursor names is gone: begin anew")
	}
	if err != nil {
		return w, err
	}
	for i, id := range ids {
		if i == limit {
			w.NextCursor = wire.Hash(ids[i-1])
			break
		}
		x, err := g.one(id)
		if err != nil {
			return w, err
		}
		w.Entitlements = append(w.Entitlements, x)
	}
	return w, nil
}

func (g *grants) role(id digest.Hash) (wire.Role, error) {
	r, err := grant.LoadRole(g.view, id)
	if err == nil && r == nil {
		err = errNotFound
	}
	if err != nil {
		return wire.Role{}, err
	}
	return wire.NewRole(r, nil), nil
}

func (g *grants) roles(addr account.Address) (wire.Roles, error) {
	w := wire.Roles{Height: uint64(g.next) - 1, Roles: []wire.Role{}}
	ids, err := grant.Roles(g.view, addr)
	if err != nil {
		return w, err
	}
	for _, id := range ids {
		r, err := grant.LoadRole(g.view, id)
		if err != nil {
			return w, err
		}
		a, err := grant.LoadAssignment(g.view, addr, id)
		if err != nil {
			return w, err
		}
		w.Roles = append(w.Roles, wire.NewRole(r, a))
	}
	return w, nil
}
