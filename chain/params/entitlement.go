package params

import (
	"math"

	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// Bounds of the deprecations. An identifier is ASCII.
const (
	MaxDeprecations       = 64 // entitlements
	MaxEntitlementIDBytes = 64 // bytes
)

// EntitlementConfig says which entitlements the registry is about to lose or has lost, and what a deployment without a manifest is. Key
// system:gov:param:entitlements.
// Spec: ENT §1, §3.3, §9.10, §9.11.
type EntitlementConfig struct {
	WindowBlocks    uint64        // DEPRECATION_WINDOW: the least a deprecated entitlement goes on working
	RequireManifest bool          // a deployment without a manifest has an empty one, instead of being held to none
	Deprecated      []Deprecation // ascending by ID
}

// Deprecation is the end of one entitlement. In the blocks From to Until it works and deployments that use it are told so; from
// Until + 1 on it is not in the registry.
// Spec: ENT §9.11.
type Deprecation struct {
	ID          string
	From, Until unit.Height
}

// Append appends the canonical encoding.
func (c EntitlementConfig) Append(dst []byte) []byte {
	dst = codec.AppendBool(codec.AppendUint(dst, c.WindowBlocks), c.RequireManifest)
	dst = codec.AppendLen(dst, len(c.Deprecated))
	for i := range c.Deprecated {
		d := &c.Deprecated[i]
		dst = appendUints(codec.AppendBytes(dst, []byte(d.ID)), uint64(d.From), uint64(d.Until))
	}
	return dst
}

// ReadEntitlementConfig reads what Append wrote; errors stay in r.
func ReadEntitlementConfig(r *codec.Reader) EntitlementConfig {
	c := EntitlementConfig{WindowBlocks: r.Uint(), RequireManifest: r.Bool()}
	n := r.Len(0, MaxDeprecations, 3)
	if n == 0 {
		return c
	}
	c.Deprecated = make([]Deprecation, n)
	for i := range c.Deprecated {
		c.Deprecated[i] = Deprecation{string(r.Bytes(MaxEntitlementIDBytes)), unit.Height(r.Uint()), unit.Height(r.Uint())}
	}
	return c
}

// Validate requires a window, and deprecations in order that end after they begin. Whether one lasts for the window is checked when it is
// announced: a window that grows later does not reach back.
func (c EntitlementConfig) Validate() error {
	if c.WindowBlocks == 0 || c.WindowBlocks > 100*BlocksPerYear {
		return invalid("entitlements", "deprecation_window")
	}
	if len(c.Deprecated) > MaxDeprecations {
		return invalid("entitlements", "count")
	}
	for i, d := range c.Deprecated {
		switch {
		case d.ID == "" || len(d.ID) > MaxEntitlementIDBytes:
			return invalid("entitlements", "id")
		case i > 0 && c.Deprecated[i-1].ID >= d.ID:
			return invalid("entitlements", "order")
		case d.Until < d.From || d.Until == math.MaxUint64:
			return invalid("entitlements", "heights")
		}
	}
	return nil
}

// Deprecation finds the entry of an entitlement.
func (c *EntitlementConfig) Deprecation(id string) (Deprecation, bool) {
	for _, d := range c.Deprecated {
		if d.ID == id {
			return d, true
		}
	}
	return Deprecation{}, false
}

// Warns says that an entitlement is deprecated at a height and works.
// Spec: ENT §9.11 (deprecation window).
func (c *EntitlementConfig) Warns(id string, height unit.Height) (Deprecation, bool) {
	d, ok := c.Deprecation(id)
	return d, ok && d.From <= height && height <= d.Until
}

// Removed says that an entitlement is not in the registry any more at a height.
// Spec: ENT §9.11 (removal).
func (c *EntitlementConfig) Removed(id string, height unit.Height) bool {
	d, ok := c.Deprecation(id)
	return ok && height > d.Until
}

// AnyRemoved says that some entitlement is not in the registry any more at a height.
func (c *EntitlementConfig) AnyRemoved(height unit.Height) bool {
	for _, d := range c.Deprecated {
		if height > d.Until {
			return true
		}
	}
	return false
}

// The Entitlement Registry's operations. Spec: CIP-2 §7.4; entitlement-extras §5.
const (
	CostEntitlementGrant     unit.Cycles = 5_000 // grant, create role
	CellsEntitlementGrant    unit.Cells  = 500
	CostEntitlementChange    unit.Cycles = 2_000 // revoke, assign role, revoke role
	CellsEntitlementChange   unit.Cells  = 100
	CostEntitlementDelegate  unit.Cycles = 3_000
	CellsEntitlementDelegate unit.Cells  = 300
	CostEntitlementCheck     unit.Cycles = 500
	// EntitlementCheckEntries is how many entries of the state a check or a use reads for that: as many as reads cost the same.
	EntitlementCheckEntries = int(CostEntitlementCheck / CostStorageRead)
	// PayerEntries is how many entries of the state are read to find the grant of a payer that a transaction names: eight records, their parents among them,
	// and how they are found.
	PayerEntries = 18
	// IntrinsicPayerCycles is what naming a payer costs: a check, the entries it reads beyond those of a check, and the six records a use may be counted on.
	IntrinsicPayerCycles = CostEntitlementCheck + unit.Cycles(PayerEntries-EntitlementCheckEntries)*CostStorageRead + 6*CostStorageWrite
)
