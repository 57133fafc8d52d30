package pymath

import (
	"math"
	"math/big"
	"math/bits"

	"github.com/cowboyinc/cowboy-go/runtime/pvm/object"
)

// Integer functions of arguments, intermediate values and results that fit a word,
// which have one word by the formulas of the prices.

// wordGCD returns the greatest common divisor of int arguments of a word.
func wordGCD(a object.Args) (int64, bool) {
	if len(a.Names) > 0 {
		return 0, false
	}
	r := int64(0)
	for _, v := range a.V {
		i, ok := v.AsInt()
		if !ok || !i.IsInt() || i.Int64() == math.MinInt64 {
			return 0, false
		}
		for x := max(i.Int64(), -i.Int64()); x != 0; {
			r, x = x, r%x
		}
	}
	return r, true
}

// wordRoot returns the square root of n, rounded down.
func wordRoot(n uint64) uint64 {
	if n == 0 {
		return 0
	}
	// Newton's steps from above fall until the root is reached.
	x := uint64(1) << ((bits.Len64(n) + 1) / 2)
	for {
		y := (x + n/x) / 2
		if y >= x {
			return x
		}
		x = y
	}
}

// wordProduct is product, if no value on the way has more than 63 bits. A product
// of that many factors has fewer than 64.
func wordProduct(n *big.Int, k int64, divided bool) (int64, bool) {
	if !n.IsInt64() || k > 63 {
		return 0, false
	}
	r, factor := uint64(1), n.Uint64()
	for i := uint64(1); i <= uint64(k); i++ {
		hi, lo := bits.Mul64(r, factor)
		if hi != 0 || lo>>63 != 0 {
			return 0, false
		}
		r = lo
		factor--
		if divided {
			r /= i
		}
	}
	return int64(r), true
}
