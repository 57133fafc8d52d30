package verify

import (
	"math/big"

	"github.com/cowboyinc/cowboy-go/chain/job"
)

// entropyLeast is the least entropy of data: bits a byte, scaled by 10⁹.
type entropyLeast struct{ scaled *big.Int }

func entropyOf(limit job.Decimal) entropyLeast { return entropyLeast{limit.Scaled()} }

// met says whether the bytes of data have the entropy: Shannon's estimate log₂ n − (Σ c · log₂ c) / n, of n bytes of which each value stands c times, in whole
// numbers of 2⁻³². Logarithms are rounded down, so that what counts is within 2⁻³⁰ of the exact entropy; for counts that are powers of two it is exact.
//
// Spec: runner-marketplace §6.3 (entropy: an integer Shannon estimate); WP-January "SDK Verifier Functions" (entropy_check).
func (e entropyLeast) met(data []byte) bool {
	n := uint64(len(data))
	if n == 0 {
		return false
	}
	var counts [256]uint64
	for _, b := range data {
		counts[b]++
	}
	whole := n * job.Log2(n) // below 2³⁷ × 2¹⁶
	for _, c := range counts {
		if c > 0 {
			whole -= min(whole, c*job.Log2(c))
		}
	}
	// whole / (n · 2³²) ≥ scaled / 10⁹
	left := new(big.Int).Mul(new(big.Int).SetUint64(whole), big.NewInt(1_000_000_000))
	right := new(big.Int).Lsh(new(big.Int).Mul(e.scaled, new(big.Int).SetUint64(n)), job.LogBits)
	return left.Cmp(right) >= 0
}
