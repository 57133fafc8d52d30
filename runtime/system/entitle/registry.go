package entitle

import (
	"slices"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/grant"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/token"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/runtime/chapter"
	"github.com/cowboyinc/cowboy-go/runtime/drain"
)

// instructions are 30 to 35.
//
// Spec: CIP-2 §7.2.
func instructions() []chapter.Instruction {
	return []chapter.Instruction{
		on(granting, func(g *grant.Registry, by account.Address, in *tx.EntitlementGrant) ([]byte, error) {
			id, err := g.Grant(by, in.Grantee, in.Scope, in.Action, in.Constraints)
			return id[:], err
		}),
		on(changing, func(g *grant.Registry, by account.Address, in *tx.EntitlementRevoke) ([]byte, error) {
			return nil, g.Revoke(by, in.ID)
		}),
		on(delegating, func(g *grant.Registry, by account.Address, in *tx.EntitlementDelegate) ([]byte, error) {
			id, err := g.Delegate(by, in.ID, in.Delegatee, in.Constraints)
			return id[:], err
		}),
		on(granting, func(g *grant.Registry, by account.Address, in *tx.CreateRole) ([]byte, error) {
			id, err := g.CreateRole(by, string(in.Name), in.Scopes, in.Actions, in.Constraints)
			return id[:], err
		}),
		on(changing, func(g *grant.Registry, by account.Address, in *tx.AssignRole) ([]byte, error) {
			return nil, g.AssignRole(by, in.Role, in.Assignee)
		}),
		on(changing, func(g *grant.Registry, by account.Address, in *tx.RevokeRole) ([]byte, error) {
			return nil, g.RevokeRole(by, in.Role, in.Assignee)
		}),
	}
}

// price is what an operation of the registry costs.
type price struct {
	cycles unit.Cycles
	cells  unit.Cells
}

// Spec: CIP-2 §7.4; entitlement-extras §5.
var (
	granting   = price{params.CostEntitlementGrant, params.CellsEntitlementGrant}
	changing   = price{params.CostEntitlementChange, params.CellsEntitlementChange}
	delegating = price{params.CostEntitlementDelegate, params.CellsEntitlementDelegate}
)

// on makes an instruction of a rule of the registry.
func on[T tx.Instruction](p price, rule func(g *grant.Registry, by account.Address, in T) ([]byte, error)) chapter.Instruction {
	return chapter.On(func(e *chapter.Env, in T) (data []byte, err error) {
		err = operate(e, p, func(g *grant.Registry) (err error) {
			data, err = rule(g, e.Sender, in)
			return err
		})
		return data, err
	})
}

// operate runs one operation of the registry at its price. What it announces goes into the receipt; the price covers that.
func operate(e *chapter.Env, p price, rule func(g *grant.Registry) error) error {
	if err := e.Charge(p.cycles, p.cells); err != nil {
		return err
	}
	g := registry(e, e.State)
	if err := rule(g); err != nil {
		return err
	}
	announced(e, g)
	return nil
}

func announced(e *chapter.Env, g *grant.Registry) {
	for _, x := range g.Events {
		e.Effects.Events = append(e.Effects.Events, block.Event{Actor: grant.Home(), Topic: []byte(x.Topic), Data: x.Data})
	}
}

// registry is the registry as an execution sees it. Governance is its own address, by which it acts, and on a local network the administrators.
func registry(e *chapter.Env, store state.Store) *grant.Registry {
	return &grant.Registry{
		State: store, Height: e.Block.Height,
		Governs: func(a account.Address) bool {
			return a == account.System(account.Governance) || slices.Contains(e.Block.Params.Administrators, a)
		},
		TokenOwner: func(id string) (owner account.Address, ok bool, err error) {
			t, err := token.Load(store, token.ID([]byte(id)))
			if err != nil || t == nil {
				return owner, false, err
			}
			return t.Owner, true, nil
		},
	}
}

// faults are the rejects of package grant.
//
// Spec: ENT §11; entitlement-extras §6; sdk §18.
func faults() []chapter.Fault {
	var list []chapter.Fault
	for _, f := range [...]struct {
		class error
		code  uint16
		name  string
		host  int
	}{
		{grant.ErrScope, drain.FaultInput, "EntitlementParamError", 2},
		{grant.ErrTerms, drain.FaultInput, "EntitlementParamError", 2},
		{grant.ErrWider, drain.FaultInput, "EntitlementParamError", 2},
		{grant.ErrOrder, drain.FaultInput, "EntitlementParamError", 2},
		{grant.ErrName, drain.FaultInput, "EntitlementParamError", 2},
		{grant.ErrParty, drain.FaultInput, "EntitlementParamError", 2},
		{grant.ErrMissing, drain.FaultEntitlement, "MissingEntitlementError", 7},
		{grant.ErrQuota, drain.FaultLimit, "EntitlementQuotaError", 8},
		{grant.ErrLimit, drain.FaultLimit, "EntitlementQuotaError", 8},
		{grant.ErrOwner, drain.FaultPermission, "PermissionDeniedError", 5},
		{grant.ErrFixed, drain.FaultForbidden, "ForbiddenError", 5},
		{grant.ErrDead, drain.FaultForbidden, "ForbiddenError", 5},
		{grant.ErrDepth, drain.FaultForbidden, "ForbiddenError", 5},
		{grant.ErrExists, drain.FaultExists, "EntitlementParamError", 2},
		{grant.ErrNone, drain.FaultMissing, "EntitlementNotFoundError", 3},
	} {
		list = append(list, chapter.Fault{Err: f.class, Code: f.code, Class: f.name, Host: f.host})
	}
	return list
}
