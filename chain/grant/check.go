package grant

import (
	"cmp"
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// Check reports whether an address may do an action in a scope at a height: whether it has a record or a role with this scope or the whole network's, and
// this action or All, that is neither expired nor used up and has begun. Rates and amounts are for a use to meet. It counts nothing and removes nothing. An
// error is ErrScope, or a failing source.
//
// Spec: CIP-2 §4 (7), §7.3; entitlement-extras §5.
func Check(r state.Reader, grantee account.Address, s Scope, a Action, at unit.Height) (bool, error) {
	passed := false
	err := each(r, grantee, s, a, at, func(*permit) (bool, error) {
		passed = true
		return false, nil
	})
	return passed, err
}

// permit is a record with all it was delegated from, or a role with its assignment. All of it is active.
type permit struct {
	records []*Record // the grantee's first
	ids     []digest.Hash

	role       *Role
	assignment *Assignment
}

// each calls fn with the permits of a check, exact ones first, records before roles, until it answers false.
func each(r state.Reader, grantee account.Address, s Scope, a Action, at unit.Height, fn func(p *permit) (more bool, err error)) error {
	if s.Check() != nil || a.Check() != nil {
		return ErrScope
	}
	scopes, actions := []Scope{s}, []Action{a}
	if s.Kind != Global {
		scopes = append(scopes, Scope{})
	}
	if a.Kind != All {
		actions = append(actions, Action{})
	}
	for _, scope := range scopes {
		for _, action := range actions {
			ids, err := identities(r, likeKey(grantee, scope, action), nil, MaxAlike)
			if err != nil {
				return err
			}
			for _, id := range ids {
				if more, err := record(r, id, at, fn); err != nil || !more {
					return err
				}
			}
		}
	}
	for _, scope := range scopes {
		ids, err := identities(r, heldKey(grantee, scope), nil, MaxRoles)
		if err != nil {
			return err
		}
		for _, id := range ids {
			if more, err := assigned(r, grantee, id, actions, at, fn); err != nil || !more {
				return err
			}
		}
	}
	return nil
}

// record calls fn with a record's permit if the record is active.
func record(r state.Reader, id digest.Hash, at unit.Height, fn func(p *permit) (more bool, err error)) (more bool, err error) {
	rec, err := Load(r, id)
	if err != nil || rec == nil {
		return true, err
	}
	p, status, err := trace(r, rec, at)
	if err != nil || status != Active {
		return true, err
	}
	return fn(p)
}

// assigned calls fn with a role's permit if it has one of the actions and the assignment is active.
func assigned(
	r state.Reader, to account.Address, id digest.Hash, actions []Action, at unit.Height, fn func(p *permit) (more bool, err error),
) (more bool, err error) {
	role, err := LoadRole(r, id)
	if err != nil || role == nil || !role.permits(actions) {
		return true, err
	}
	a, err := LoadAssignment(r, to, id)
	if err != nil || a == nil || statusOf(&role.Terms, &a.Counters, at) != Active {
		return true, err
	}
	return fn(&permit{ids: []digest.Hash{id}, role: role, assignment: a})
}

func (r *Role) permits(actions []Action) bool {
	for _, a := range r.Actions {
		for _, b := range actions {
			if a == b {
				return true
			}
		}
	}
	return false
}

// StatusOf is where a record is in its life at a height.
//
// Spec: entitlement-extras §5.
func StatusOf(r state.Reader, rec *Record, at unit.Height) (Status, error) {
	_, status, err := trace(r, rec, at)
	return status, err
}

// trace gives a record with all it was delegated from. Whatever keeps a parent from being active makes the record Orphaned.
//
// Spec: entitlement-extras §5 (depth at most 5).
func trace(r state.Reader, rec *Record, at unit.Height) (*permit, Status, error) {
	p := &permit{records: []*Record{rec}, ids: []digest.Hash{rec.ID()}}
	status := statusOf(&rec.Terms, &rec.Counters, at)
	for child := rec; child.Depth > 0; {
		parent, err := Load(r, child.Parent)
		if err != nil {
			return nil, 0, err
		}
		if parent == nil || parent.Serial != child.ParentSerial {
			return nil, Orphaned, nil
		}
		if status == Active && statusOf(&parent.Terms, &parent.Counters, at) != Active {
			status = Orphaned
		}
		p.records, p.ids = append(p.records, parent), append(p.ids, child.Parent)
		child = parent
	}
	return p, status, nil
}

// Use counts one use of an action in a scope, of an amount (0 where nothing is moved), on the first record or role that allows it and on everything the
// record was delegated from. An amount may be wider than the bounds of terms are; no bound allows one above it.
// Rejects: ErrScope, ErrMissing where Check says no, ErrQuota where all that pass have limits in the way.
//
// Spec: CIP-2 §7.1, §7.6; entitlement-extras §5.
func (g *Registry) Use(grantee account.Address, s Scope, a Action, amount unit.Uint128) error {
	if err := g.sweep(grantee); err != nil {
		return err
	}
	reject := ErrMissing
	err := each(g.State, grantee, s, a, g.Height, func(p *permit) (bool, error) {
		reject = ErrQuota
		if !p.allows(amount, g.Height) {
			return true, nil
		}
		reject = nil
		p.count(g.State, grantee, amount, g.Height)
		return false, nil
	})
	return cmp.Or(err, reject)
}

func (p *permit) allows(amount unit.Uint128, at unit.Height) bool {
	if p.role != nil {
		return p.assignment.Counters.allows(&p.role.Terms, amount, at)
	}
	for _, r := range p.records {
		if !r.Counters.allows(&r.Terms, amount, at) {
			return false
		}
	}
	return true
}

func (p *permit) count(to state.Store, grantee account.Address, amount unit.Uint128, at unit.Height) {
	if p.role != nil {
		p.assignment.Counters.count(&p.role.Terms, amount, at)
		to.Set(assignmentKey(grantee, p.ids[0]), p.assignment.Encode())
		return
	}
	for i, r := range p.records {
		r.Counters.count(&r.Terms, amount, at)
		to.Set(recordKey(p.ids[i]), r.Encode())
	}
}
