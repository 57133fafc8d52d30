package object

import (
	"math"
	"math/big"
	"testing"
)

// TestSurcharge holds the surcharge of big ints to its formula, bit length over 64.
//
// Spec: CIP-3 §2.2.1 (Large Integer Precision Limit).
func TestSurcharge(t *testing.T) {
	m := testMachine()
	for _, i := range []int64{0, 1, -1, math.MaxInt64, math.MinInt64, math.MinInt64 + 1} {
		if got, want := words64(Int(i)), big.NewInt(i).BitLen()/64; got != want {
			t.Errorf("%d: %d, want %d", i, got, want)
		}
	}
	for _, n := range []uint{63, 64, 65, 127, 128, 129, 191, 192, 193, 4095} {
		for _, add := range []int64{-1, 0, 1} {
			for _, sign := range []int64{-1, 1} {
				i := new(big.Int).Lsh(big.NewInt(1), n)
				i.Add(i, big.NewInt(add)).Mul(i, big.NewInt(sign))
				v, e := m.IntOf(i)
				if e != nil {
					t.Fatal(n, add)
				}
				if got, want := words64(v), i.BitLen()/64; got != want {
					t.Errorf("%v: %d, want %d", i, got, want)
				}
			}
		}
	}
}
