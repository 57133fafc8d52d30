package job

import (
	"math/bits"
	"slices"

	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

func percentileOf(list []uint64, percentile uint32) uint64 {
	sorted := slices.Sorted(slices.Values(list))
	if len(sorted) == 0 {
		return 0
	}
	at := (uint64(percentile)*uint64(len(sorted)) + 99) / 100
	return sorted[max(at, 1)-1]
}

// LogBits is how many bits a logarithm has behind its point.
const LogBits = 32

// Log2 is the binary logarithm of n, which is above zero, rounded down to 32 bits behind the point. It squares the number between 1 and 2 that is left
// once the whole part is taken off, a bit of the result at a time; what falls off keeps the result within 2⁻³¹ below the exact one.
//
// Spec: runner-marketplace §4.2 (log2 with 32 fractional bits, floor consistently).
func Log2(n uint64) uint64 {
	whole := uint64(bits.Len64(n) - 1)
	x := n << (63 - whole) // Q1.63, between 1 and 2
	result := whole
	for range LogBits {
		hi, lo := bits.Mul64(x, x) // Q2.126
		result <<= 1
		if hi>>63 == 1 {
			result |= 1
			x = hi
		} else {
			x = hi<<1 | lo>>63
		}
	}
	return result
}

// Concentration is how much of a market few have: the sum of the squared shares (HHI) in Q0.32, where 2³² is one.
type Concentration uint64

// concentrationOne is the concentration of a market of one.
const concentrationOne Concentration = 1 << 32

// ConcentrationOf is Σ stake² / (Σ stake)², rounded down, of the sums over those that take part. It is one for nobody.
//
// Spec: WP §5.3; runner-marketplace §4.2.
func ConcentrationOf(squares unit.Uint128, stakes unit.Amount) Concentration {
	hi, lo := bits.Mul64(uint64(stakes), uint64(stakes))
	whole := unit.Uint128{Hi: hi, Lo: lo}
	if whole.IsZero() || squares.Cmp(whole) >= 0 {
		return concentrationOne
	}
	var share Concentration
	for range LogBits { // long division, a bit at a time; squares < whole < 2¹²⁰
		squares = left(squares, 1)
		share <<= 1
		if squares.Cmp(whole) >= 0 {
			squares = minus(squares, whole)
			share |= 1
		}
	}
	return share
}

// Smooth is an eighth of the newest concentration and seven eighths of the one before, rounded down.
//
// Spec: WP §13 (EMA smoothing of HHI); runner-marketplace §4.2.
func (c Concentration) Smooth(newest Concentration) Concentration {
	return (Concentration(params.CommitteeEMAWeightBPS)*newest + Concentration(params.BasisPoints-params.CommitteeEMAWeightBPS)*c) / params.BasisPoints
}

// Committee is the size of a committee for so many active runners: M = clip(⌈2·log₂(n) / max(HHI, 0.01)⌉, 3, 9) members, of which N = ⌈2M/3⌉ must agree.
//
// Spec: WP §5.3, §13; runner-marketplace §4.2.
func Committee(active uint64, c Concentration) params.CommitteeConfig {
	m := uint64(params.CommitteeMin)
	if active > 1 {
		floor := concentrationOne * params.CommitteeHHIFloorPPM / params.MultiplierOne
		share := uint64(max(c, floor))
		m = (2*Log2(active) + share - 1) / share
	}
	m = min(max(m, params.CommitteeMin), params.CommitteeMax)
	return params.CommitteeConfig{Members: uint32(m), Threshold: agreeing(uint32(m))}
}

// agreeing is how many of a committee must agree: two thirds, rounded up.
func agreeing(m uint32) uint32 { return (2*m + 2) / 3 }

// SizeFor is the committee of one job: what it asks for, or else the network's, between the least its mode needs and nine, and no more than there are
// candidates. ok is false where there are fewer candidates than the mode needs.
//
// Spec: runner-marketplace §2.4, §4.2; WP §5.4.
func (v *Verification) SizeFor(network params.CommitteeConfig, candidates int) (c params.CommitteeConfig, ok bool) {
	least := uint32(1)
	switch v.Mode {
	case ModeNone, ModeEconomicBond:
		return params.CommitteeConfig{Members: 1, Threshold: 1}, candidates > 0
	case ModeStructuredMatch, ModeDeterministic:
		least = 2
	case ModeMajorityVote, ModeSemanticSimilarity:
		least = 3
	}
	c = network
	if v.Runners > 0 {
		m := min(max(v.Runners, least), params.CommitteeMax)
		c = params.CommitteeConfig{Members: m, Threshold: agreeing(m)}
	}
	if uint64(candidates) < uint64(c.Members) {
		c.Members = uint32(candidates)
		c.Threshold = agreeing(c.Members)
	}
	if v.Threshold > 0 {
		c.Threshold = min(max(v.Threshold, c.Members/2+1), c.Members)
	}
	return c, c.Members >= least
}

// Weight is what a runner is drawn with: its effective stake times the integer square root of its reputation, which counts as no less than the hundredth
// part of 100 points.
//
// Spec: WP §5.3 (w = stake · sqrt(reputation)); runner-marketplace §4.3.
func Weight(stake unit.Amount, reputation uint64) unit.Uint128 {
	const least = 1 << 63 / params.ReputationMax // one point of 200 in Q1.63
	hi, lo := bits.Mul64(uint64(stake), isqrt(max(reputation, least)))
	return unit.Uint128{Hi: hi, Lo: lo}
}

// isqrt is the square root of n, rounded down, by digits.
func isqrt(n uint64) uint64 {
	var root uint64
	for bit := uint64(1) << 31; bit > 0; bit >>= 1 {
		if next := root | bit; next*next <= n {
			root = next
		}
	}
	return root
}
