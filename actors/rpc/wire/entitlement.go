package wire

import (
	"unicode/utf8"

	"github.com/cowboyinc/cowboy-go/chain/grant"
)

// Constraints are the terms of a grant or a role, and what was used of them. Spec: CIP-2 §7.1; entitlement-extras §5.
type Constraints struct {
	ValidFrom       *uint64    `json:"valid_from,omitempty"`  // height
	ValidUntil      *uint64    `json:"valid_until,omitempty"` // height
	MaxUses         uint64     `json:"max_uses"`              // 0: unlimited
	MaxAmountPerUse *uint64    `json:"max_amount_per_use,omitempty"`
	MaxTotalAmount  *uint64    `json:"max_total_amount,omitempty"`
	RateLimit       *RateLimit `json:"rate_limit,omitempty"`
	Delegatable     bool       `json:"delegatable"`
	Revocable       bool       `json:"revocable"`
	DepthMax        uint8      `json:"delegation_depth_max"`
	Used            uint64     `json:"used_count"`
	TotalUsed       uint64     `json:"total_amount_used"`
}

// RateLimit is so many uses in so many blocks.
type RateLimit struct {
	MaxCalls    uint64 `json:"max_calls"`
	PerBlocks   uint64 `json:"per_blocks"`
	WindowStart uint64 `json:"window_start"` // height
	WindowCalls uint64 `json:"window_count"`
}

// NewConstraints shows terms and counters.
func NewConstraints(t *grant.Terms, c *grant.Counters) Constraints {
	w := Constraints{
		ValidFrom: t.ValidFrom, ValidUntil: t.ValidUntil, MaxUses: t.MaxUses, MaxAmountPerUse: t.MaxAmountPerUse, MaxTotalAmount: t.MaxTotalAmount,
		Delegatable: t.Delegatable, Revocable: t.Revocable, DepthMax: t.DelegationDepthMax, Used: c.Used, TotalUsed: c.Total,
	}
	if t.PerBlocks > 0 {
		w.RateLimit = &RateLimit{t.MaxCalls, t.PerBlocks, uint64(c.WindowStart), c.WindowCalls}
	}
	return w
}

// Grant is a grant or a delegation. Scope and action are in package grant's text form. Spec: CIP-2 §7.1.
type Grant struct {
	ID          string      `json:"entitlement_id"`
	Grantee     string      `json:"grantee"`
	By          string      `json:"granted_by"`
	Scope       string      `json:"scope"`
	Action      string      `json:"action"`
	Status      string      `json:"status"` // in the next block
	Parent      string      `json:"parent_id,omitempty"`
	Depth       uint8       `json:"depth"`
	At          uint64      `json:"granted_at"`
	Constraints Constraints `json:"constraints"`
}

// Grants answers GET /entitlements/{addr}.
type Grants struct {
	Height       uint64  `json:"height"`
	Entitlements []Grant `json:"entitlements"`
	NextCursor   string  `json:"next_cursor,omitempty"`
}

// Role is a role; of an address, with what it has used. Spec: CIP-2 §7.1.
type Role struct {
	ID          string      `json:"role_id"`
	Name        string      `json:"name"`
	Creator     string      `json:"creator"`
	Scopes      []string    `json:"scopes"`
	Actions     []string    `json:"actions"`
	At          uint64      `json:"created_at"`
	AssignedAt  *uint64     `json:"assigned_at,omitempty"`
	Constraints Constraints `json:"constraints"`
}

// NewRole shows a role; a is nil where it is shown of nobody.
func NewRole(r *grant.Role, a *grant.Assignment) Role {
	w := Role{
		ID: Hash(r.ID()), Name: roleName(r.Name), Creator: r.Creator.String(), At: uint64(r.At), Scopes: []string{}, Actions: []string{},
		Constraints: NewConstraints(&r.Terms, &grant.Counters{}),
	}
	for _, s := range r.Scopes {
		w.Scopes = append(w.Scopes, s.String())
	}
	for _, x := range r.Actions {
		w.Actions = append(w.Actions, x.String())
	}
	if a != nil {
		at := uint64(a.At)
		w.AssignedAt, w.Constraints = &at, NewConstraints(&r.Terms, &a.Counters)
	}
	return w
}

// roleName is a role's name, in hex with 0x where it is no text.
func roleName(name string) string {
	if utf8.ValidString(name) {
		return name
	}
	return Hex([]byte(name))
}

// Roles answers GET /roles/{addr}.
type Roles struct {
	Height uint64 `json:"height"`
	Roles  []Role `json:"roles"`
}

// Entitled answers GET /entitled/{addr}.
type Entitled struct {
	Height   uint64 `json:"height"` // of the block asked about: the next one
	Entitled bool   `json:"entitled"`
}
