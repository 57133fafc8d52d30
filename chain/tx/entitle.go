package tx

import (
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/grant"
	"github.com/cowboyinc/cowboy-go/chain/params"
)

// The opcodes of the Entitlement Registry. 36 to 39 are reserved for it.
// Spec: CIP-2 §7.2; runner-marketplace §3 (30–35).
const (
	OpEntitlementGrant    = Opcode(System)<<8 | 30
	OpEntitlementRevoke   = Opcode(System)<<8 | 31
	OpEntitlementDelegate = Opcode(System)<<8 | 32
	OpCreateRole          = Opcode(System)<<8 | 33
	OpAssignRole          = Opcode(System)<<8 | 34
	OpRevokeRole          = Opcode(System)<<8 | 35
)

// entitling is the row of an instruction of the registry. It pays the base of an unlisted instruction; what CIP-2 §7.4 asks for is charged when it runs.
//
// Spec: WP §9, §17.2; CIP-2 §7.4.
func entitling(op Opcode, name string, body func() Instruction) Row {
	return Row{
		Opcode: op, Name: name, Home: account.Entitlements, Lane: params.LaneUser, Intrinsic: Cost{Cycles: params.IntrinsicSystemCycles}, body: body,
	}
}

// Spec: runner-marketplace §3; WP §9.
var entitleRows = chapter(ChapterEntitle,
	entitling(OpEntitlementGrant, "EntitlementGrant", func() Instruction { return new(EntitlementGrant) }),
	entitling(OpEntitlementRevoke, "EntitlementRevoke", func() Instruction { return new(EntitlementRevoke) }),
	entitling(OpEntitlementDelegate, "EntitlementDelegate", func() Instruction { return new(EntitlementDelegate) }),
	entitling(OpCreateRole, "CreateRole", func() Instruction { return new(CreateRole) }),
	entitling(OpAssignRole, "AssignRole", func() Instruction { return new(AssignRole) }),
	entitling(OpRevokeRole, "RevokeRole", func() Instruction { return new(RevokeRole) }),
)

// EntitlementGrant gives an address an action in a scope that the sender administers: grantee(20) ‖ scope ‖ action ‖ constraints, each as package grant
// encodes it.
// Spec: CIP-2 §7.2 (30); entitlement-extras §5.
type EntitlementGrant struct {
	Grantee     account.Address
	Scope       grant.Scope
	Action      grant.Action
	Constraints grant.Terms
}

// Opcode implements Instruction.
func (*EntitlementGrant) Opcode() Opcode { return OpEntitlementGrant }

// Fields implements Instruction.
func (g *EntitlementGrant) Fields(f *Form) {
	f.Address("grantee", &g.Grantee)
	group(f, "scope", &g.Scope, grant.ReadScope)
	group(f, "action", &g.Action, grant.ReadAction)
	group(f, "constraints", &g.Constraints, grant.ReadTerms)
}

func (g *EntitlementGrant) surcharge() Cost {
	return Cost{Cells: calldata([]byte(g.Scope.Value), []byte(g.Action.Value))}
}

// EntitlementRevoke ends a grant or a delegation, and what was delegated from it: id(32).
// Spec: CIP-2 §7.2 (31).
type EntitlementRevoke struct{ ID digest.Hash }

// Opcode implements Instruction.
func (*EntitlementRevoke) Opcode() Opcode { return OpEntitlementRevoke }

// Fields implements Instruction.
func (r *EntitlementRevoke) Fields(f *Form) { f.Hash("entitlement_id", &r.ID) }

// EntitlementDelegate gives an address a part of what the sender was granted: id(32) ‖ delegatee(20) ‖ constraints.
// Spec: CIP-2 §7.2 (32).
type EntitlementDelegate struct {
	ID          digest.Hash
	Delegatee   account.Address
	Constraints grant.Terms // a strict subset of the parent's
}

// Opcode implements Instruction.
func (*EntitlementDelegate) Opcode() Opcode { return OpEntitlementDelegate }

// Fields implements Instruction.
func (d *EntitlementDelegate) Fields(f *Form) {
	f.Hash("entitlement_id", &d.ID)
	f.Address("delegatee", &d.Delegatee)
	group(f, "constraints", &d.Constraints, grant.ReadTerms)
}

// CreateRole makes a role of scopes that the sender administers: Bytes name ‖ list of scopes ‖ list of actions ‖ constraints. The lists ascend by encoding.
// Spec: CIP-2 §7.2 (33).
type CreateRole struct {
	Name        []byte // at most grant.MaxRoleNameBytes
	Scopes      []grant.Scope
	Actions     []grant.Action
	Constraints grant.Terms
}

// Opcode implements Instruction.
func (*CreateRole) Opcode() Opcode { return OpCreateRole }

// Fields implements Instruction.
func (c *CreateRole) Fields(f *Form) {
	f.Text("name", &c.Name, grant.MaxRoleNameBytes)
	listOf(f, "scopes", &c.Scopes, grant.MaxRoleScopes, grant.ReadScope)
	listOf(f, "actions", &c.Actions, grant.MaxRoleActions, grant.ReadAction)
	group(f, "constraints", &c.Constraints, grant.ReadTerms)
}

func (c *CreateRole) surcharge() Cost {
	cells := calldata(c.Name)
	for _, s := range c.Scopes {
		cells += calldata([]byte(s.Value))
	}
	for _, a := range c.Actions {
		cells += calldata([]byte(a.Value))
	}
	return Cost{Cells: cells}
}

// listOf is a list of at most max elements with fields of their own.
func listOf[C config](f *Form, name string, l *[]C, max int, read func(*codec.Reader) C) {
	switch f.mode {
	case reading:
		n := f.reader.Len(0, max, 1)
		*l = nil
		if n > 0 {
			*l = make([]C, n)
		}
		for i := range *l {
			(*l)[i] = read(&f.reader)
		}
	case writing:
		f.out = codec.AppendLen(f.out, len(*l))
		for _, c := range *l {
			f.out = c.Append(f.out)
		}
	case listing:
		f.list(Field{Name: name, Type: TypeList, Max: max}, l)
	}
}

// AssignRole gives an address a role of the sender's: role(32) ‖ assignee(20).
// Spec: CIP-2 §7.2 (34).
type AssignRole struct {
	Role     digest.Hash
	Assignee account.Address
}

// Opcode implements Instruction.
func (*AssignRole) Opcode() Opcode { return OpAssignRole }

// Fields implements Instruction.
func (a *AssignRole) Fields(f *Form) {
	f.Hash("role_id", &a.Role)
	f.Address("assignee", &a.Assignee)
}

// RevokeRole takes a role from an address: role(32) ‖ assignee(20).
// Spec: CIP-2 §7.2 (35).
type RevokeRole struct {
	Role     digest.Hash
	Assignee account.Address
}

// Opcode implements Instruction.
func (*RevokeRole) Opcode() Opcode { return OpRevokeRole }

// Fields implements Instruction.
func (r *RevokeRole) Fields(f *Form) {
	f.Hash("role_id", &r.Role)
	f.Address("assignee", &r.Assignee)
}
