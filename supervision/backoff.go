package supervision

import "time"

// Delay returns how long to wait before the restart that answers the n-th
// failure in a row (n ≥ 1) of the child-th member. The draw depends only on the
// seed, the member and the ordinal of the failure, never on a global source.
// The result lies in [d/2, d] for d = min(Max, Initial·2ⁿ⁻²), and is 0 for n = 1.
func (b Backoff) Delay(seed uint64, child int, ordinal uint64, n int) time.Duration {
	if n <= 1 || b.Initial <= 0 {
		return 0
	}
	d := b.Initial
	for i := 2; i < n && d < b.Max; i++ {
		d *= 2
	}
	d = min(d, b.Max)
	half := d / 2
	span := uint64(d-half) + 1
	return half + time.Duration(mix(seed^mix(uint64(child)^mix(ordinal)))%span)
}

// mix is the finalizer of SplitMix64: a bijection whose output bits each depend
// on every input bit.
func mix(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}
