package grant

import (
	"bytes"
	"cmp"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// Registry is the Entitlement Registry during one execution. Methods that return a reject may have written before they found it: the caller undoes the turn.
type Registry struct {
	State  state.Store
	Height unit.Height // of the block
	// Governs reports whether an address is governance's.
	Governs func(account.Address) bool
	// TokenOwner gives who owns a token; nil stands for no tokens at all.
	TokenOwner func(token string) (owner account.Address, ok bool, err error)
	Events     []Event
}

// Event is what the registry announces.
type Event struct {
	Topic string
	Data  []byte
}

// The topics of the registry's events, and what their data are. No document names them.
const (
	TopicGranted   = "entitlement.granted"   // id(32) ‖ grantee(20) ‖ by(20) ‖ scope ‖ action
	TopicDelegated = "entitlement.delegated" // id(32) ‖ grantee(20) ‖ by(20) ‖ parent(32)
	TopicRevoked   = "entitlement.revoked"   // id(32) ‖ grantee(20) ‖ by(20)
	TopicExpired   = "entitlement.expired"   // id(32) ‖ grantee(20): an expired record was removed
	TopicCreated   = "role.created"          // id(32) ‖ creator(20) ‖ Bytes name
	TopicAssigned  = "role.assigned"         // id(32) ‖ assignee(20) ‖ by(20)
	TopicUnset     = "role.revoked"          // id(32) ‖ assignee(20) ‖ by(20)
)

func (g *Registry) emit(topic string, id digest.Hash, parts ...[]byte) {
	data := append([]byte(nil), id[:]...)
	for _, p := range parts {
		data = append(data, p...)
	}
	g.Events = append(g.Events, Event{topic, data})
}

// Administers reports whether somebody may give and take what concerns a scope.
//
// Spec: CIP-2 §7.3, §7.6; entitlement-extras §5.
func (g *Registry) Administers(by account.Address, s Scope) (bool, error) {
	switch s.Kind {
	case OfActor:
		actor := account.Address([]byte(s.Value))
		if by == actor {
			return true, nil
		}
		a, err := account.Load(g.State, actor)
		return err == nil && !a.Creator.IsZero() && by == a.Creator, err
	case OfRunner:
		return by == account.Address([]byte(s.Value)), nil
	case OfToken:
		if g.TokenOwner == nil {
			return false, nil
		}
		owner, ok, err := g.TokenOwner(s.Value)
		return ok && by == owner, err
	case OfPool, OfNamespace:
		if len(s.Value) >= account.AddressSize && s.Value[:account.AddressSize] == string(by[:]) {
			return true, nil
		}
	}
	return g.Governs(by), nil
}

// Grant gives an address an action in a scope that by administers, and returns the record's identity. A record of this identity that is expired or used up
// makes room. Rejects: ErrScope, ErrTerms, ErrParty, ErrOwner, ErrExists, ErrLimit.
//
// Spec: CIP-2 §7.2 (30), §7.5; entitlement-extras §5.
func (g *Registry) Grant(by, grantee account.Address, s Scope, a Action, t Terms) (digest.Hash, error) {
	if s.Check() != nil || a.Check() != nil {
		return digest.Hash{}, ErrScope
	}
	if ok, err := g.Administers(by, s); err != nil || !ok {
		return digest.Hash{}, cmp.Or(err, ErrOwner)
	}
	r := &Record{Grantee: grantee, By: by, Scope: s, Action: a, Terms: t}
	id, err := g.insert(r)
	if err == nil {
		g.emit(TopicGranted, id, grantee[:], by[:], s.Append(nil), a.Append(nil))
	}
	return id, err
}

// Delegate gives an address a part of a record of by's, and returns the new record's identity. Rejects: ErrNone, ErrOwner, ErrDead, ErrDepth, ErrWider,
// ErrParty for somebody the record came from, and those of Grant.
//
// Spec: CIP-2 §7.2 (32), §7.5; entitlement-extras §5.
func (g *Registry) Delegate(by account.Address, id digest.Hash, to account.Address, t Terms) (digest.Hash, error) {
	parent, err := Load(g.State, id)
	if err != nil || parent == nil {
		return digest.Hash{}, cmp.Or(err, ErrNone)
	}
	if parent.Grantee != by {
		return digest.Hash{}, ErrOwner
	}
	above, status, err := trace(g.State, parent, g.Height)
	switch {
	case err != nil:
		return digest.Hash{}, err
	case status != Active && status != Waiting:
		return digest.Hash{}, ErrDead
	case !parent.Terms.Delegatable || parent.Terms.DelegationDepthMax == 0 || parent.Depth >= MaxDepth:
		return digest.Hash{}, ErrDepth
	case !t.Within(&parent.Terms):
		return digest.Hash{}, ErrWider
	}
	for _, r := range above.records {
		if to == r.Grantee || to == r.By {
			return digest.Hash{}, ErrParty
		}
	}
	child, err := g.insert(&Record{
		Grantee: to, By: by, Scope: parent.Scope, Action: parent.Action, Terms: t, Parent: id, ParentSerial: parent.Serial, Depth: parent.Depth + 1,
	})
	if err == nil {
		g.emit(TopicDelegated, child, to[:], by[:], id[:])
	}
	return child, err
}

// insert keeps a new record, after what of its grantee's is expired.
func (g *Registry) insert(r *Record) (digest.Hash, error) {
	id := r.ID()
	if r.Grantee.IsZero() {
		return id, ErrParty
	}
	if err := r.Terms.Check(g.Height); err != nil {
		return id, err
	}
	if err := g.sweep(r.Grantee); err != nil {
		return id, err
	}
	if err := g.makeRoom(r, id); err != nil {
		return id, err
	}
	has, err := loadTally(g.State, r.Grantee)
	if err != nil {
		return id, err
	}
	if has.records >= MaxRecords {
		return id, ErrLimit
	}
	r.Serial, r.At = has.serial, g.Height
	has.records, has.serial = has.records+1, has.serial+1
	g.State.Set(tallyKey(r.Grantee), has.encode())
	g.State.Set(recordKey(id), r.Encode())
	for _, key := range indexKeys(r, id) {
		g.State.Set(key, there)
	}
	return id, nil
}

func indexKeys(r *Record, id digest.Hash) [][]byte {
	keys := [][]byte{granteeKey(r, id), grantorKey(r, id)}
	if r.Terms.ValidUntil != nil {
		keys = append(keys, untilKey(r, id))
	}
	return keys
}

// makeRoom removes what stands in a record's place or beside it and does not work any more.
func (g *Registry) makeRoom(r *Record, id digest.Hash) error {
	alike, err := identities(g.State, likeKey(r.Grantee, r.Scope, r.Action), nil, MaxAlike)
	if err != nil {
		return err
	}
	working := 0
	for _, x := range alike {
		old, err := Load(g.State, x)
		if err != nil {
			return err
		}
		status, err := StatusOf(g.State, old, g.Height)
		switch {
		case err != nil:
			return err
		case status == Expired, status == Orphaned, x == id && status == Exhausted:
			if err := g.remove(old, x); err != nil {
				return err
			}
		case x == id:
			return ErrExists
		default:
			working++
		}
	}
	if working >= MaxAlike {
		return ErrLimit
	}
	return nil
}

// sweep removes some of an address's records that are expired.
//
// Spec: CIP-2 §7.5 (expired records are deleted when they are next looked at); entitlement-extras §5.
func (g *Registry) sweep(grantee account.Address) error {
	ids, err := identities(g.State, key(nameUntil, grantee[:]), nil, maxSwept)
	if err != nil {
		return err
	}
	for _, id := range ids {
		r, err := Load(g.State, id)
		if err != nil {
			return err
		}
		if !r.Terms.expired(g.Height) {
			return nil // those behind it end later
		}
		g.emit(TopicExpired, id, grantee[:])
		if err := g.remove(r, id); err != nil {
			return err
		}
	}
	return nil
}

// remove takes a record out of the state.
func (g *Registry) remove(r *Record, id digest.Hash) error {
	has, err := loadTally(g.State, r.Grantee)
	if err != nil {
		return err
	}
	has.records--
	g.State.Set(tallyKey(r.Grantee), has.encode())
	g.State.Delete(recordKey(id))
	for _, key := range indexKeys(r, id) {
		g.State.Delete(key)
	}
	return nil
}

// Revoke ends a record, and with it all that was delegated from it. Who gave it and who administers its scope may, where it is revocable; its grantee may
// give it up in any case. Rejects: ErrNone, ErrOwner, ErrFixed.
//
// Spec: CIP-2 §7.1, §7.2 (31).
func (g *Registry) Revoke(by account.Address, id digest.Hash) error {
	r, err := Load(g.State, id)
	if err != nil || r == nil {
		return cmp.Or(err, ErrNone)
	}
	if by != r.Grantee {
		if by != r.By {
			if ok, err := g.Administers(by, r.Scope); err != nil || !ok {
				return cmp.Or(err, ErrOwner)
			}
		}
		if !r.Terms.Revocable {
			return ErrFixed
		}
	}
	g.emit(TopicRevoked, id, r.Grantee[:], by[:])
	return g.remove(r, id)
}

// CreateRole makes a role of scopes that by administers, and returns its identity. Rejects: ErrName, ErrOrder, ErrScope, ErrTerms (also for terms that can
// be delegated, which a role cannot), ErrOwner, ErrExists.
//
// Spec: CIP-2 §7.2 (33); entitlement-extras §5, §6.
func (g *Registry) CreateRole(by account.Address, name string, scopes []Scope, actions []Action, t Terms) (digest.Hash, error) {
	r := &Role{Creator: by, Name: name, Scopes: scopes, Actions: actions, Terms: t, At: g.Height}
	id := r.ID()
	if name == "" || len(name) > MaxRoleNameBytes {
		return id, ErrName
	}
	if err := ordered(scopes, MaxRoleScopes); err != nil {
		return id, err
	}
	if err := ordered(actions, MaxRoleActions); err != nil {
		return id, err
	}
	if err := t.Check(g.Height); err != nil {
		return id, err
	}
	if t.Delegatable || t.DelegationDepthMax > 0 {
		return id, ErrTerms
	}
	if err := g.administersAll(by, scopes); err != nil {
		return id, err
	}
	if old, err := LoadRole(g.State, id); err != nil || old != nil {
		return id, cmp.Or(err, ErrExists)
	}
	g.State.Set(roleKey(id), r.Encode())
	g.emit(TopicCreated, id, by[:], codec.AppendBytes(nil, []byte(name)))
	return id, nil
}

// ordered holds a list to one to most canonical elements, strictly ascending by encoding.
func ordered[T interface {
	Append([]byte) []byte
	Check() error
}](list []T, most int) error {
	if len(list) == 0 || len(list) > most {
		return ErrOrder
	}
	var last []byte
	for i, x := range list {
		if err := x.Check(); err != nil {
			return err
		}
		raw := x.Append(nil)
		if i > 0 && bytes.Compare(last, raw) >= 0 {
			return ErrOrder
		}
		last = raw
	}
	return nil
}

func (g *Registry) administersAll(by account.Address, scopes []Scope) error {
	for _, s := range scopes {
		if ok, err := g.Administers(by, s); err != nil || !ok {
			return cmp.Or(err, ErrOwner)
		}
	}
	return nil
}

// AssignRole gives an address a role of by's, which still administers all its scopes. An assignment that is expired or used up makes room for a new one.
// Rejects: ErrNone, ErrOwner, ErrParty, ErrDead for an expired role, ErrExists, ErrLimit.
//
// Spec: CIP-2 §7.2 (34), §7.5; entitlement-extras §5.
func (g *Registry) AssignRole(by account.Address, id digest.Hash, to account.Address) error {
	r, err := LoadRole(g.State, id)
	if err != nil || r == nil {
		return cmp.Or(err, ErrNone)
	}
	switch {
	case by != r.Creator:
		return ErrOwner
	case to.IsZero():
		return ErrParty
	case r.Terms.expired(g.Height):
		return ErrDead
	}
	if err := g.administersAll(by, r.Scopes); err != nil {
		return err
	}
	if err := g.sweepRoles(to); err != nil {
		return err
	}
	has, err := loadTally(g.State, to)
	if err != nil {
		return err
	}
	old, err := LoadAssignment(g.State, to, id)
	switch {
	case err != nil:
		return err
	case old != nil && !old.Counters.exhausted(&r.Terms):
		return ErrExists
	case old == nil && has.roles >= MaxRoles:
		return ErrLimit
	}
	if old == nil {
		has.roles++
	}
	g.State.Set(tallyKey(to), has.encode())
	g.State.Set(assignmentKey(to, id), (&Assignment{At: g.Height}).Encode())
	for _, key := range assignmentKeys(r, id, to) {
		g.State.Set(key, there)
	}
	g.emit(TopicAssigned, id, to[:], by[:])
	return nil
}

func assignmentKeys(r *Role, id digest.Hash, to account.Address) [][]byte {
	keys := make([][]byte, 0, len(r.Scopes)+1)
	for _, s := range r.Scopes {
		keys = append(keys, append(heldKey(to, s), id[:]...))
	}
	if r.Terms.ValidUntil != nil {
		keys = append(keys, endsKey(r, id, to))
	}
	return keys
}

// sweepRoles removes some of an address's assignments that are expired.
//
// Spec: CIP-2 §7.5 (expired records are deleted when they are next looked at).
func (g *Registry) sweepRoles(of account.Address) error {
	ids, err := identities(g.State, key(nameEnds, of[:]), nil, maxSwept)
	if err != nil {
		return err
	}
	for _, id := range ids {
		r, err := LoadRole(g.State, id)
		if err != nil {
			return err
		}
		if !r.Terms.expired(g.Height) {
			return nil // those behind it end later
		}
		if err := g.unassign(r, id, of); err != nil {
			return err
		}
	}
	return nil
}

// unassign takes an assignment out of the state.
func (g *Registry) unassign(r *Role, id digest.Hash, from account.Address) error {
	has, err := loadTally(g.State, from)
	if err != nil {
		return err
	}
	has.roles--
	g.State.Set(tallyKey(from), has.encode())
	g.State.Delete(assignmentKey(from, id))
	for _, key := range assignmentKeys(r, id, from) {
		g.State.Delete(key)
	}
	return nil
}

// RevokeRole takes a role from an address. The role's creator may where it is revocable; who has it may give it up in any case. Rejects: ErrNone, ErrOwner,
// ErrFixed.
//
// Spec: CIP-2 §7.2 (35).
func (g *Registry) RevokeRole(by account.Address, id digest.Hash, from account.Address) error {
	r, err := LoadRole(g.State, id)
	if err != nil || r == nil {
		return cmp.Or(err, ErrNone)
	}
	if by != from {
		if by != r.Creator {
			return ErrOwner
		}
		if !r.Terms.Revocable {
			return ErrFixed
		}
	}
	old, err := LoadAssignment(g.State, from, id)
	if err != nil || old == nil {
		return cmp.Or(err, ErrNone)
	}
	g.emit(TopicUnset, id, from[:], by[:])
	return g.unassign(r, id, from)
}
