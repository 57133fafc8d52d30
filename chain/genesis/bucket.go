package genesis

import (
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/treasury"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// Bucket is a share of the genesis supply with the terms of its release.
type Bucket = treasury.Bucket

// Buckets are the ten shares of the genesis supply, company then community.
// Spec: WP §8.3.
func Buckets() []Bucket {
	const million = 1_000_000 * unit.CBY
	const tenth = 100_000 * unit.CBY
	return []Bucket{
		{Name: "team", Amount: 200 * million, ShareBPS: 2_000, CliffMonths: 12, LinearMonths: 48, Terms: "1-year cliff, 4-year linear monthly"},
		{Name: "investors", Amount: 200 * million, ShareBPS: 2_000, UnlockedBPS: 1_000, CliffMonths: 6, LinearMonths: 24,
			Terms: "10% at TGE, 6-month cliff, 24-month linear"},
		{Name: "advisors", Amount: 333 * tenth, ShareBPS: 333, CliffMonths: 6, LinearMonths: 24, Terms: "6-month cliff, 24-month linear, milestone gates"},
		{Name: "treasury", Amount: 1_334 * tenth, ShareBPS: 1_334, UnlockedBPS: 500, Terms: "5% seed liquidity at TGE, remainder governance-voted"},
		{Name: "foundation", Amount: 100 * million, ShareBPS: 1_000, UnlockedBPS: 500, LinearMonths: 36, StepMonths: 3,
			Terms: "5% at TGE, quarterly board-approved releases over 36 months"},
		{Name: "validator_rewards", Amount: 180 * million, ShareBPS: 1_800, Community: true, LinearMonths: 60, Decreasing: true,
			Terms: "decreasing emission over 60 months"},
		{Name: "runner_incentives", Amount: 80 * million, ShareBPS: 800, Community: true, Terms: "usage-based; paid per runner-hour"},
		{Name: "developer_grants", Amount: 30 * million, ShareBPS: 300, Community: true, Terms: "milestone-based, grant committee"},
		{Name: "liquidity_mining", Amount: 233 * tenth, ShareBPS: 233, Community: true, LinearMonths: 12, Decreasing: true,
			Terms: "front-loaded over 12 months"},
		{Name: "airdrops", Amount: 20 * million, ShareBPS: 200, Community: true, UnlockedBPS: 5_000, CliffMonths: 6, Terms: "2 drops (TGE + 6 months)"},
	}
}

// Claims is what this package keeps in state.
func Claims() []account.Claim {
	return []account.Claim{
		{Chapter: "genesis", Holds: "terms of the genesis buckets", Kind: account.KindRecord, Holder: account.One, Address: account.System(account.Governance),
			Suffix: treasury.BucketPrefix},
	}
}
