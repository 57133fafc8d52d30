package runner

import (
	"math/bits"

	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// Reputation is how far a runner is trusted: a share of the greatest reputation, 200, in Q1.63, so that 2⁶³ is 200.
//
// Spec: WP §13 (reputation_half_life_blocks); runner-marketplace §8.
type Reputation uint64

// reputationOne is the greatest reputation, 200.
const reputationOne Reputation = 1 << 63

// ReputationOf is a reputation of so many of the 200 points, rounded down; more than 200 are 200.
func ReputationOf(points uint64) Reputation {
	if points >= params.ReputationMax {
		return reputationOne
	}
	share, _ := bits.Div64(points>>1, points<<63, params.ReputationMax)
	return Reputation(share)
}

// Milli is the reputation in thousandths of a point, rounded down: 0 to 200,000.
func (r Reputation) Milli() uint64 {
	hi, lo := bits.Mul64(uint64(r), params.ReputationMax*1_000)
	return hi<<1 | lo>>63
}

// Points is the reputation in whole points, rounded to the nearest, a half up: 0 to 200. Clients see it, and eligibility is decided by it.
//
// Spec: runner-marketplace §4.1 (2), §8.
func (r Reputation) Points() uint64 {
	hi, lo := bits.Mul64(uint64(r), params.ReputationMax)
	_, carry := bits.Add64(lo<<1, 1<<63, 0)
	return hi<<1 | lo>>63 + carry
}

// The scores of events.
//
// Spec: runner-marketplace §8.
const (
	ScoreSuccess    = 100
	ScoreAggregator = 110 // success as the aggregator
	ScoreTimeout    = 0   // and non-reveal, invalid reveal
)

// ln2 is the natural logarithm of 2 in Q0.64, rounded down: 0.693147180559945309417232… × 2⁶⁴.
const ln2 = 0xb17217f7d1cf79ab

// alpha is 1 − 2^(−delta/half) in Q0.64, for delta from 1 to half: what an event that speaks for delta blocks weighs. It is y − y²/2! + y³/3! − … with
// y = ln 2 · delta/half, whose terms are rounded down one by one; it is within 2⁻⁵⁹ of the exact value.
func alpha(delta, half uint64) uint64 {
	if delta >= half {
		return 1 << 63
	}
	share, _ := bits.Div64(delta, 0, half) // Q0.64
	y, _ := bits.Mul64(share, ln2)
	sum, term := y, y
	for n := uint64(2); term > 0; n++ {
		term, _ = bits.Mul64(term, y)
		term /= n
		if n%2 == 0 {
			sum -= term
		} else {
			sum += term
		}
	}
	return sum
}

// toward moves a reputation towards a score, by the weight of the blocks since the event before.
//
// Spec: runner-marketplace §8 (EMA; formula ambiguity).
func (r Reputation) toward(score Reputation, since, now unit.Height, half uint64) Reputation {
	delta := uint64(1)
	if now > since {
		delta = min(uint64(now-since), half)
	}
	a := alpha(delta, half)
	if score >= r {
		step, _ := bits.Mul64(uint64(score-r), a)
		return r + Reputation(step)
	}
	step, _ := bits.Mul64(uint64(r-score), a)
	return r - Reputation(step)
}
