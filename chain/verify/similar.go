package verify

import (
	"math/big"

	"github.com/cowboyinc/cowboy-go/chain/job"
)

// dot is the sum of the products of two vectors of one length. It is below 2⁴¹.
func dot(a, b []int16) int64 {
	var sum int64
	for i := range a {
		sum += int64(a[i]) * int64(b[i])
	}
	return sum
}

// similar says whether the cosine of two embeddings is at least a limit, in whole numbers: (a·b × 10⁹)² ≥ limit² × (a·a × b·b), with a·b above zero and the
// limit scaled by 10⁹.
//
// Spec: runner-marketplace §2.4 (5), §14 (12).
func similar(a, b *Embedding, limit job.Decimal) bool {
	if a == nil || b == nil || len(a.Values) != len(b.Values) || a.Wide != b.Wide {
		return false
	}
	product := dot(a.Values, b.Values)
	if product <= 0 {
		return false
	}
	left := new(big.Int).Mul(big.NewInt(product), big.NewInt(1_000_000_000))
	left.Mul(left, left)
	right := big.NewInt(dot(a.Values, a.Values))
	right.Mul(right, big.NewInt(dot(b.Values, b.Values)))
	right.Mul(right, limit.Scaled())
	right.Mul(right, limit.Scaled())
	return left.Cmp(right) >= 0
}

// cluster leaves the largest set of results around one of them, all of which are similar to it; of sets as large, the one around the lowest address. The one
// it is around comes first.
//
// Spec: runner-marketplace §2.4 (5); WP-January "Verification Mode Details".
func (c *judgement) cluster(limit job.Decimal) {
	var best []*candidate
	for _, center := range c.pool {
		if center.Output.Embedding == nil {
			continue
		}
		set := []*candidate{center}
		for _, one := range c.pool {
			if one != center && similar(center.Output.Embedding, one.Output.Embedding, limit) {
				set = append(set, one)
			}
		}
		if len(set) > len(best) {
			best = set
		}
	}
	c.pool = best
}
