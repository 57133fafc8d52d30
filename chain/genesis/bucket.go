package genesis

import (
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// Bucket is a share of the genesis supply with the terms of its release. Months
// are counted from genesis. Spec: WP §8.3.
type Bucket struct {
	Name         string      `json:"name"`
	Amount       unit.Amount `json:"amount"` // base units
	ShareBPS     uint32      `json:"share_bps"`
	Community    bool        `json:"community"`
	UnlockedBPS  uint32      `json:"unlocked_bps"`  // at the token generation event
	CliffMonths  uint32      `json:"cliff_months"`  // nothing more before
	LinearMonths uint32      `json:"linear_months"` // length of the linear release, 0: none
	Terms        string      `json:"terms"`         // the specification's own words
}

// Buckets are the ten shares of the genesis supply, company then community.
// Spec: WP §8.3.
func Buckets() []Bucket {
	const million = 1_000_000 * unit.CBY
	const tenth = 100_000 * unit.CBY
	return []Bucket{
		{"team", 200 * million, 2_000, false, 0, 12, 48, "1-year cliff, 4-year linear monthly"},
		{"investors", 200 * million, 2_000, false, 1_000, 6, 24, "10% at TGE, 6-month cliff, 24-month linear"},
		{"advisors", 333 * tenth, 333, false, 0, 6, 24, "6-month cliff, 24-month linear, milestone gates"},
		{"treasury", 1_334 * tenth, 1_334, false, 500, 0, 0, "5% seed liquidity at TGE, remainder governance-voted"},
		{"foundation", 100 * million, 1_000, false, 500, 0, 36, "5% at TGE, quarterly board-approved releases over 36 months"},
		{"validator_rewards", 180 * million, 1_800, true, 0, 0, 60, "decreasing emission over 60 months"},
		{"runner_incentives", 80 * million, 800, true, 0, 0, 0, "usage-based; paid per runner-hour"},
		{"developer_grants", 30 * million, 300, true, 0, 0, 0, "milestone-based, grant committee"},
		{"liquidity_mining", 233 * tenth, 233, true, 0, 0, 12, "front-loaded over 12 months"},
		{"airdrops", 20 * million, 200, true, 5_000, 6, 0, "2 drops (TGE + 6 months)"},
	}
}

// bucketDomain separates bucket addresses from every other derivation.
const bucketDomain = "cowboy-genesis-bucket:"

// Address is where the bucket's coins lie: the Treasury for the treasury's own
// share, otherwise the last 20 bytes of keccak256("cowboy-genesis-bucket:" ‖ name),
// which no key controls. Spec: WP §8.3, §9 (0x08).
func (b Bucket) Address() account.Address {
	if b.Name == "treasury" {
		return account.System(account.Treasury)
	}
	h := digest.Keccak256([]byte(bucketDomain + b.Name))
	return account.Address(h[digest.Size-account.AddressSize:])
}

// keyBucketPrefix is followed by the bucket's name, a record of 0x09.
const keyBucketPrefix = "genesis:bucket:"

func bucketKey(name string) []byte {
	return account.KeyString(account.KindRecord, account.System(account.Governance), keyBucketPrefix+name)
}

// Append appends the stored form of the bucket's terms.
func (b Bucket) Append(dst []byte) []byte {
	addr := b.Address()
	dst = codec.AppendFixed(dst, addr[:])
	dst = codec.AppendUint(dst, uint64(b.Amount))
	dst = codec.AppendUint(dst, uint64(b.ShareBPS))
	dst = codec.AppendBool(dst, b.Community)
	dst = codec.AppendUint(dst, uint64(b.UnlockedBPS))
	dst = codec.AppendUint(dst, uint64(b.CliffMonths))
	dst = codec.AppendUint(dst, uint64(b.LinearMonths))
	return codec.AppendBytes(dst, []byte(b.Terms))
}

// Claims is what this package keeps in state.
func Claims() []account.Claim {
	return []account.Claim{
		{Chapter: "genesis", Holds: "terms of the genesis buckets", Kind: account.KindRecord, Holder: account.One, Address: account.System(account.Governance),
			Suffix: keyBucketPrefix},
	}
}
