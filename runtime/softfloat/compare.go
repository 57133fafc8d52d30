package softfloat

// Eq reports x == y: zeros of both signs are equal, NaN equals nothing.
func Eq(x, y uint64) bool {
	if x == y {
		return x&absMask <= Inf
	}
	return (x|y)<<1 == 0
}

// Lt reports x < y; false if either is NaN.
func Lt(x, y uint64) bool {
	return x&absMask <= Inf && y&absMask <= Inf && order(x) < order(y)
}

// Le reports x <= y; false if either is NaN.
func Le(x, y uint64) bool {
	return x&absMask <= Inf && y&absMask <= Inf && order(x) <= order(y)
}

// Unordered reports whether x or y is NaN, in which case no ordering holds.
func Unordered(x, y uint64) bool { return IsNaN(x) || IsNaN(y) }

// order maps the doubles that are not NaN onto integers in the same order,
// both zeros onto 0: the negation of the magnitude where the sign is set.
func order(x uint64) int64 {
	s := int64(x) >> 63
	return (int64(x&absMask) ^ s) - s
}
