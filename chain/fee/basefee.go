package fee

import "math/bits"

// Adjustment holds the constants of one meter's basefee rule.
//
// Spec: WP §4.2, §4.3, §13.1 (system:basefee_config).
type Adjustment struct {
	Target uint64 // use per block at which the basefee stands still, in cycles or cells; > 0
	Alpha  uint64 // learning rate denominator; > 0
	Change uint64 // denominator of the largest change per block; > 0
	Floor  uint64 // lowest basefee, in base units
}

// Next returns the basefee of the next block, given this block's basefee and its use of the meter.
//
// Exactly: max(Floor, b + s·floor(b × min(|used−Target|/(Target×Alpha), 1/Change))) where s is the sign of used−Target. A rise
// that would pass the largest 64-bit number stops there.
//
// Spec: WP §4.2, §17.8; CIP-3 §2.4 (targets and alpha of WP §4.3).
func (a Adjustment) Next(basefee, used uint64) uint64 {
	distance, rises := used-a.Target, true
	if used < a.Target {
		distance, rises = a.Target-used, false
	}
	change := a.change(basefee, distance)
	if rises {
		next, carry := bits.Add64(basefee, change, 0)
		if carry != 0 {
			return ^uint64(0)
		}
		return max(next, a.Floor)
	}
	return max(basefee-change, a.Floor)
}

// change returns floor(basefee × min(distance/(Target×Alpha), 1/Change)). The quotient never exceeds basefee, because the
// fraction is clamped to at most one.
func (a Adjustment) change(basefee, distance uint64) uint64 {
	// distance/(Target×Alpha) ≥ 1/Change  ⇔  distance×Change ≥ Target×Alpha, both sides in 128 bits.
	scaledHi, scaledLo := bits.Mul64(distance, a.Change)
	unitHi, unitLo := bits.Mul64(a.Target, a.Alpha)
	if scaledHi > unitHi || (scaledHi == unitHi && scaledLo >= unitLo) {
		return basefee / a.Change
	}
	hi, lo := bits.Mul64(basefee, distance)
	if unitHi != 0 {
		return divide128(hi, lo, unitHi, unitLo)
	}
	quotient, _ := bits.Div64(hi, lo, unitLo) // hi < unitLo: distance < Target×Alpha, so the quotient is below basefee
	return quotient
}

// divide128 returns floor((hi:lo) / (dhi:dlo)) for a divisor of at least 2^64; the quotient fits 64 bits. It is the path of
// absurd governed targets only, so it is written to be obviously right: one bit of the quotient at a time.
func divide128(hi, lo, dhi, dlo uint64) uint64 {
	var quotient uint64
	for bit := 63; bit >= 0; bit-- {
		// shifted = divisor << bit, dropped when it leaves 128 bits.
		if bit > 0 && dhi>>(64-bit) != 0 {
			continue
		}
		shi, slo := dhi<<bit, dlo<<bit
		if bit > 0 {
			shi |= dlo >> (64 - bit)
		}
		if hi > shi || (hi == shi && lo >= slo) {
			var borrow uint64
			lo, borrow = bits.Sub64(lo, slo, 0)
			hi, _ = bits.Sub64(hi, shi, borrow)
			quotient |= 1 << bit
		}
	}
	return quotient
}
