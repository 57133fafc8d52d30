package softfloat

import (
	"math/big"
	"testing"
)

// Each entry is recomputed from its definition: the leading 128 bits of 10^k.
func TestPowers(t *testing.T) {
	for i, got := range powers {
		k := i + powersMin
		v := pow10(max(k, -k))
		if k < 0 {
			v.Quo(new(big.Int).Lsh(big.NewInt(1), uint(v.BitLen()+200)), v)
		} else {
			v.Lsh(v, 200)
		}
		v.Rsh(v, uint(v.BitLen()-128))
		want := [2]uint64{new(big.Int).Rsh(v, 64).Uint64(), v.Uint64()}
		if got != want {
			t.Errorf("10^%d: %#x, want %#x", k, got, want)
		}
		if got[1] == ^uint64(0) && got[0] == ^uint64(0) {
			t.Errorf("10^%d: one more would wrap", k)
		}
		if (got[1] == 0) != (k >= 0 && k <= 27) {
			t.Errorf("10^%d: an empty low word must mean an exact power", k)
		}
	}
}

// The estimates are multiplications by rational approximations; their ranges
// are finite, so they are proved by exhaustion.
func TestLogarithmEstimates(t *testing.T) {
	for q := -1100; q <= 1100; q++ {
		v := new(big.Rat).SetFrac(pow2(max(q, 0)), pow2(max(-q, 0)))
		if got, want := floorLog10Pow2(q), floorLog10(v); got != want {
			t.Fatalf("floorLog10Pow2(%d) = %d, want %d", q, got, want)
		}
		v.Mul(v, big.NewRat(3, 4))
		if got, want := floorLog10ThreeQuartersPow2(q), floorLog10(v); got != want {
			t.Fatalf("floorLog10ThreeQuartersPow2(%d) = %d, want %d", q, got, want)
		}
	}
	for k := powersMin; k <= powersMax; k++ {
		want := pow10(max(k, -k)).BitLen() - 1
		if k < 0 { // 10^-k is no power of two, so the floor is one lower
			want = -want - 1
		}
		if got := floorLog2Pow10(k); got != want {
			t.Fatalf("floorLog2Pow10(%d) = %d, want %d", k, got, want)
		}
	}
}

func pow2(n int) *big.Int { return new(big.Int).Lsh(big.NewInt(1), uint(n)) }

// floorLog10 counts digits.
func floorLog10(v *big.Rat) int {
	if n := new(big.Int).Quo(v.Num(), v.Denom()); n.Sign() > 0 {
		return len(n.String()) - 1
	}
	// The least k with v·10^k >= 1.
	k := len(v.Denom().String()) - len(v.Num().String())
	for scaled := k - 1; ; scaled++ {
		if new(big.Int).Mul(v.Num(), pow10(max(scaled, 0))).Cmp(v.Denom()) >= 0 {
			return -scaled
		}
	}
}
