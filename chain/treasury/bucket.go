package treasury

import (
	"errors"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// Bucket is a share of the genesis supply with the terms of its release. Months are counted from genesis. Spec: WP §8.3.
type Bucket struct {
	Name         string      `json:"name"`
	Amount       unit.Amount `json:"amount"` // base units
	ShareBPS     uint32      `json:"share_bps"`
	Community    bool        `json:"community"`
	UnlockedBPS  uint32      `json:"unlocked_bps"`         // at the token generation event
	CliffMonths  uint32      `json:"cliff_months"`         // nothing more before
	LinearMonths uint32      `json:"linear_months"`        // length of the release after the cliff, 0: all at once
	Terms        string      `json:"terms"`                // the specification's own words
	StepMonths   uint32      `json:"step_months,omitzero"` // between two steps of the release; 0: one
	Decreasing   bool        `json:"decreasing,omitzero"`  // each month releases less than the one before
}

// BlocksPerMonth is a month as terms count it.
const BlocksPerMonth = params.BlocksPerYear / 12

// MaxMonths bounds the months of terms: a century.
const MaxMonths = 1_200

// TreasuryName is the name of the treasury's own bucket.
const TreasuryName = "treasury"

// bucketDomain separates bucket addresses from every other derivation.
const bucketDomain = "cowboy-genesis-bucket:"

// Address is where the bucket's coins lie: the Treasury for the treasury's own share, otherwise the last 20 bytes of
// keccak256("cowboy-genesis-bucket:" ‖ name), which no key controls. Spec: WP §8.3, §9 (0x08).
func (b Bucket) Address() account.Address {
	if b.Name == TreasuryName {
		return account.System(account.Treasury)
	}
	h := digest.Keccak256([]byte(bucketDomain + b.Name))
	return account.Address(h[digest.Size-account.AddressSize:])
}

// ErrTerms says that a bucket's terms are none.
var ErrTerms = errors.New("treasury: terms are a name, at most the whole unlocked, and at most a century of months")

// Check gives ErrTerms for terms that cannot be held to.
func (b Bucket) Check() error {
	if b.Name == "" || len(b.Name) > MaxName || len(b.Terms) > maxTerms || b.UnlockedBPS > params.BasisPoints ||
		max(b.CliffMonths, b.LinearMonths, b.StepMonths) > MaxMonths {
		return ErrTerms
	}
	return nil
}

// Releasable is what the terms have released of the bucket at the end of a block.
//
// Spec: WP §8.3.
func (b Bucket) Releasable(at unit.Height) unit.Amount { return b.of(b.Amount, at) }

// of is Releasable for an amount under the bucket's terms. Each part is rounded down.
func (b Bucket) of(amount unit.Amount, at unit.Height) unit.Amount {
	unlocked, err := amount.MulDiv(uint64(b.UnlockedBPS), params.BasisPoints)
	if err != nil { // more than the whole: genesis refuses these terms
		return amount
	}
	month := uint64(at) / BlocksPerMonth
	if month < uint64(b.CliffMonths) {
		return unlocked
	}
	n, gone := uint64(b.LinearMonths), month-uint64(b.CliffMonths)
	gone -= gone % uint64(max(b.StepMonths, 1))
	if gone >= n {
		return amount
	}
	part, whole := gone, n
	if b.Decreasing { // n + (n−1) + … of n + … + 1
		part, whole = gone*(2*n+1-gone), n*(n+1)
	}
	more, err := (amount - unlocked).MulDiv(part, whole)
	if err != nil { // part is less than whole
		return unlocked
	}
	return unlocked + more
}

// BucketPrefix is followed by the bucket's name, a record of 0x09.
const BucketPrefix = "genesis:bucket:"

// BucketKey is where the terms of a bucket lie.
func BucketKey(name string) []byte {
	return account.KeyString(account.KindRecord, account.System(account.Governance), BucketPrefix+name)
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
	dst = codec.AppendBytes(dst, []byte(b.Terms))
	return codec.AppendBool(codec.AppendUint(dst, uint64(b.StepMonths)), b.Decreasing)
}

// maxTerms bounds the words of stored terms.
const maxTerms = 4 << 10

// decodeBucket reads what Append wrote of the bucket with a name.
func decodeBucket(name string, data []byte) (Bucket, error) {
	r := codec.NewReader(data)
	_ = r.Fixed(account.AddressSize) // made of the name
	b := Bucket{
		Name: name, Amount: unit.Amount(r.Uint()), ShareBPS: r.Uint32(), Community: r.Bool(), UnlockedBPS: r.Uint32(), CliffMonths: r.Uint32(),
		LinearMonths: r.Uint32(), Terms: string(r.Bytes(maxTerms)), StepMonths: r.Uint32(), Decreasing: r.Bool(),
	}
	return b, r.Finish()
}

// LoadBucket reads the terms of a bucket. Rejects: ErrBucket.
func LoadBucket(r state.Reader, name string) (Bucket, error) {
	if len(name) > MaxName {
		return Bucket{}, ErrBucket
	}
	data, ok, err := r.Lookup(BucketKey(name))
	if err != nil {
		return Bucket{}, err
	}
	if !ok {
		return Bucket{}, ErrBucket
	}
	return decodeBucket(name, data)
}

// LoadBuckets lists the buckets, in the order of their names; a network without any has none.
func LoadBuckets(r state.Reader) (list []Bucket, err error) {
	prefix := BucketKey("")
	var bad error
	err = r.Scan(prefix, nil, 0, func(key, value []byte) bool {
		b, err := decodeBucket(string(key[len(prefix):]), value)
		list, bad = append(list, b), err
		return err == nil
	})
	if err == nil {
		err = bad
	}
	return list, err
}
