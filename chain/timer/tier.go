package timer

import (
	"math/bits"

	"github.com/cowboyinc/cowboy-go/chain/params"
)

// Tier is the hint of a timer without a bid of its own: how it stands to the priority that the default policy offers for it.
//
// Spec: WP §5.1b (priority_tier_hint); scheduler-timers §9.5.
type Tier uint8

// The tiers. Standard is also what a timer without a hint has.
const (
	Standard Tier = iota
	Economy
	Fast
	Urgent
	tierCount
)

// ParseTier is the tier of a name; ok is false for any other text.
func ParseTier(name string) (t Tier, ok bool) {
	for t = range tierCount {
		if t.String() == name {
			return t, true
		}
	}
	return 0, false
}

// String is the tier's name.
func (t Tier) String() string {
	return [...]string{"standard", "economy", "fast", "urgent"}[min(t, Urgent)]
}

// Scale is a priority under the hint, rounded down and at most 64 bits.
func (t Tier) Scale(priority uint64) uint64 {
	multiplier := [...]uint64{params.TipStandardBPS, params.TipEconomyBPS, params.TipFastBPS, params.TipUrgentBPS}[min(t, Urgent)]
	hi, lo := bits.Mul64(priority, multiplier)
	if hi >= params.BasisPoints {
		return ^uint64(0)
	}
	scaled, _ := bits.Div64(hi, lo, params.BasisPoints)
	return scaled
}
