package sim

import (
	"hash/fnv"
	"time"
)

// What a draw is for. Every draw is a function of the seed, its purpose and the names of what it is about, and of nothing else: taking one fault out of a
// plan leaves all other draws as they were.
const (
	drawConduct uint64 = iota + 1
	drawSkew
	drawBoot
	drawConnect
	drawLost
	drawHalt
	drawDelay
	drawLoss
	drawDup
	drawPanic
	drawSplit
	drawCrash
	drawSpoil
	drawClient
	drawSchedule
	drawResend
)

// draw gives 64 bits.
func (w *World) draw(keys ...uint64) uint64 {
	x := mix(w.plan.Seed)
	for _, k := range keys {
		x = mix(x ^ mix(k))
	}
	return x
}

// between draws a duration, least and most included.
func (w *World) between(lo, hi time.Duration, keys ...uint64) time.Duration {
	if hi <= lo {
		return lo
	}
	return lo + time.Duration(w.draw(keys...)%uint64(hi-lo+1))
}

// chance is true with probability p.
func (w *World) chance(p float64, keys ...uint64) bool {
	return p > 0 && float64(w.draw(keys...)>>11)/(1<<53) < p
}

// mix is the finalizer of SplitMix64.
func mix(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// keyOf makes a key of a name.
func keyOf(name string) uint64 {
	h := fnv.New64a()
	h.Write([]byte(name))
	return h.Sum64()
}
