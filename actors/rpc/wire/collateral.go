package wire

import (
	"github.com/cowboyinc/cowboy-go/chain/tee"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// Collateral is what quotes of a type of trusted environment are held against. Spec: tee §2.4.
type Collateral struct {
	TEEType string              `json:"tee_type"`
	InForce *CollateralSnapshot `json:"in_force,omitempty"`
	Next    *CollateralSnapshot `json:"next,omitempty"`
}

// CollateralSnapshot is what they are held against from a block on. Hashes and versions are in hex.
type CollateralSnapshot struct {
	Effective uint64   `json:"effective_from"`
	Roots     []string `json:"roots"` // SHA-256 of root certificates (DER)
	LeastTCB  string   `json:"least_tcb"`
	Revoked   string   `json:"revoked,omitempty"`   // SHA-256 of the revocation lists (DER), one behind another
	Operators string   `json:"operators,omitempty"` // Merkle root of those who may operate
}

// ViewCollateral shows the snapshots of a type as they are in a block.
func ViewCollateral(t tee.Type, all tee.Collateral, now unit.Height) Collateral {
	v := Collateral{TEEType: t.String()}
	present := all.At(now)
	for i := range all {
		s := &all[i]
		one := &CollateralSnapshot{Effective: uint64(s.Effective), LeastTCB: Hex(s.Least[:])}
		for _, root := range s.Roots {
			one.Roots = append(one.Roots, Hash(root))
		}
		if !s.Revoked.IsZero() {
			one.Revoked = Hash(s.Revoked)
		}
		if !s.Operators.IsZero() {
			one.Operators = Hash(s.Operators)
		}
		switch {
		case s == present:
			v.InForce = one
		case s.Effective > now:
			v.Next = one
		}
	}
	return v
}
