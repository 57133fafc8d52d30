// Package treasury is the chapter of the Treasury at 0x08: it pays the grants of the genesis buckets as their terms release them, to whom they were awarded.
// Governance makes and revokes grants, and disburses the Treasury's own coins.
//
// Spec: WP §8.3, §9 (0x08); governance-staking B4.
package treasury
