package entitle

import (
	"cmp"
	"math/big"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/cbor"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/grant"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/runtime/chapter"
	"github.com/cowboyinc/cowboy-go/runtime/drain"
)

// HandlerUse is the handler at 0x07 by which an actor counts that somebody uses what it granted.
const HandlerUse = "use"

// syscalls are the three functions for actors. Scopes and actions are in package grant's text form.
//
// Spec: entitlement-extras §4.
func syscalls() []chapter.Syscall {
	return []chapter.Syscall{
		{
			Name: "check_entitlement", Sig: "grantee, scope, action", Args: []chapter.Kind{chapter.Address, chapter.Text, chapter.Text}, Reads: true,
			Run: check,
		},
		{
			Name: "grant_entitlement", Sig: "grantee, scope, actions, constraints=None",
			Args: []chapter.Kind{chapter.Address, chapter.Text, chapter.Value, chapter.Value | chapter.Optional}, Run: give,
		},
		{Name: "revoke_entitlement", Sig: "entitlement_id", Args: []chapter.Kind{chapter.Bytes}, Run: revoke},
	}
}

func refuse(format string, args ...any) error {
	return chapter.Reject(drain.FaultInput, "EntitlementParamError", 2, "ERR_ENTITLEMENT_PARAM_INVALID: "+format, args...)
}

// check answers whether an address may do an action in a scope now.
//
// Spec: CIP-2 §7.3, §7.4 (500 cycles); entitlement-extras §4, §5.
func check(e *chapter.Env, a chapter.Args) (any, error) {
	if err := e.Charge(params.CostEntitlementCheck, 0); err != nil {
		return nil, err
	}
	scope, err := grant.ParseScope(a.Text(1))
	if err != nil {
		return nil, err
	}
	action, err := grant.ParseAction(a.Text(2))
	if err != nil {
		return nil, err
	}
	return grant.Check(e.Paid(params.EntitlementCheckEntries), a.Address(0), scope, action, e.Block.Height)
}

// give grants one action, or each of a list, in a scope that the actor administers. It answers the record's identity, or a list of them.
//
// Spec: CIP-2 §7.1 (several actions take several grants), §7.4; entitlement-extras §4.
func give(e *chapter.Env, a chapter.Args) (any, error) {
	scope, err := grant.ParseScope(a.Text(1))
	if err != nil {
		return nil, err
	}
	terms, err := termsOf(a.Value(3))
	if err != nil {
		return nil, err
	}
	one := func(v any) (id digest.Hash, err error) {
		text, _ := v.(string)
		err = operate(e, granting, func(g *grant.Registry) (err error) {
			action, err := grant.ParseAction(text)
			if err != nil {
				return err
			}
			id, err = g.Grant(e.Sender, a.Address(0), scope, action, terms)
			return err
		})
		return id, err
	}
	actions, several := a.Value(2).([]any)
	if !several {
		return one(a.Value(2))
	}
	ids := make([]any, 0, len(actions))
	for _, v := range actions {
		id, err := one(v)
		if err != nil {
			return nil, err
		}
		ids = append(ids, id[:])
	}
	return ids, nil
}

// revoke ends a record that the actor gave or has, or that is of a scope it administers.
//
// Spec: entitlement-extras §4; CIP-2 §7.4.
func revoke(e *chapter.Env, a chapter.Args) (any, error) {
	raw := a.Bytes(0)
	if len(raw) != len(digest.Hash{}) {
		return nil, refuse("an identity has 32 bytes, not %d", len(raw))
	}
	return nil, operate(e, changing, func(g *grant.Registry) error { return g.Revoke(e.Sender, digest.Hash(raw)) })
}

// termsOf reads constraints: a map with the document's names, rate_limit a map of max_calls and per_blocks. What it leaves out is unlimited; a record is
// revocable unless it says otherwise. None is all of that.
//
// Spec: CIP-2 §7.1; entitlement-extras §5.
func termsOf(v any) (t grant.Terms, err error) {
	t.Revocable = true
	if v == nil {
		return t, nil
	}
	m, ok := v.(cbor.Map)
	if !ok {
		return t, refuse("constraints are a dict")
	}
	for _, p := range m {
		name, _ := p.Key.(string)
		if !constrain(&t, name, p.Value) {
			return t, refuse("constraints: %.32q", name)
		}
	}
	return t, nil
}

// constrain sets one of the constraints; false for one there is not, or with a value of another type.
func constrain(t *grant.Terms, name string, v any) (ok bool) {
	var n uint64
	switch name {
	case "delegatable":
		t.Delegatable, ok = v.(bool)
		return ok
	case "revocable":
		t.Revocable, ok = v.(bool)
		return ok
	case "rate_limit":
		m, _ := v.(cbor.Map)
		calls, _ := m.Lookup("max_calls")
		blocks, _ := m.Lookup("per_blocks")
		var limited bool
		t.MaxCalls, ok = number(calls)
		t.PerBlocks, limited = number(blocks)
		return ok && limited && len(m) == 2
	}
	if n, ok = number(v); !ok {
		return false
	}
	switch name {
	case "valid_from":
		t.ValidFrom = &n
	case "valid_until":
		t.ValidUntil = &n
	case "max_uses":
		t.MaxUses = n
	case "max_amount_per_use":
		t.MaxAmountPerUse = &n
	case "max_total_amount":
		t.MaxTotalAmount = &n
	case "delegation_depth_max":
		t.DelegationDepthMax = uint8(n)
		return n <= 0xff
	default:
		return false
	}
	return true
}

// number reads an integer from 0 to 2^64-1.
func number(v any) (uint64, bool) {
	switch n := v.(type) {
	case int64:
		return uint64(n), n >= 0
	case *big.Int:
		return n.Uint64(), n.IsUint64()
	}
	return 0, false
}

// maxUse bounds the arguments of a use, in bytes: a scope has at most 256, an action fewer.
const maxUse = 1 << 10

// use counts one use of what an address was granted in a scope that the asking actor administers: {grantee, scope, action, amount}, the amount 0 if it is
// left out. It costs what a check does, and the entries it writes.
//
// Spec: CIP-2 §7.1 (used_count, total_amount_used), §7.4; entitlement-extras §5.
func use(e *chapter.Env, r chapter.Request) ([]byte, error) {
	if err := e.Charge(params.CostEntitlementCheck, 0); err != nil {
		return nil, err
	}
	if len(r.Data) > maxUse {
		return nil, refuse("use wants grantee, scope, action and amount, of at most %d bytes", maxUse)
	}
	v, err := cbor.Parse(r.Data)
	m, ok := v.(cbor.Map)
	if err != nil || !ok || !r.Structured {
		return nil, refuse("use wants a dict")
	}
	var grantee []byte
	var scope, action string
	var amount uint64
	for _, p := range m {
		switch p.Key {
		case "grantee":
			grantee, ok = p.Value.([]byte)
		case "scope":
			scope, ok = p.Value.(string)
		case "action":
			action, ok = p.Value.(string)
		case "amount":
			amount, ok = number(p.Value)
		default:
			ok = false
		}
		if !ok {
			return nil, refuse("use wants grantee, scope, action and amount")
		}
	}
	if len(grantee) != account.AddressSize {
		return nil, refuse("the grantee is 20 bytes")
	}
	s, err := grant.ParseScope(scope)
	if err != nil {
		return nil, err
	}
	a, err := grant.ParseAction(action)
	if err != nil {
		return nil, err
	}
	store := e.Paid(params.EntitlementCheckEntries)
	g := registry(e, store)
	if ok, err := g.Administers(e.Sender, s); err != nil || !ok {
		return nil, cmp.Or(err, grant.ErrOwner)
	}
	if err := cmp.Or(g.Use(account.Address(grantee), s, a, unit.Wide(amount)), store.Err()); err != nil {
		return nil, err
	}
	announced(e, g)
	return nil, nil
}
