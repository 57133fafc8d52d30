package fee

import (
	"math/big"
	"math/rand"
	"testing"
)

// oracleNext is the formula of WP §4.2 in exact rationals, with the magnitude of the change rounded down.
func oracleNext(a Adjustment, basefee, used uint64) uint64 {
	n := func(v uint64) *big.Int { return new(big.Int).SetUint64(v) }
	u, t := new(big.Rat).SetInt(n(used)), new(big.Rat).SetInt(n(a.Target))
	ratio := new(big.Rat).Sub(u, t)
	ratio.Quo(ratio, new(big.Rat).Mul(t, new(big.Rat).SetInt(n(a.Alpha))))
	bound := new(big.Rat).SetFrac(big.NewInt(1), n(a.Change))
	if ratio.Cmp(bound) > 0 {
		ratio.Set(bound)
	}
	if lower := new(big.Rat).Neg(bound); ratio.Cmp(lower) < 0 {
		ratio.Set(lower)
	}
	change := new(big.Rat).Mul(new(big.Rat).SetInt(n(basefee)), ratio)
	whole := new(big.Int).Quo(change.Num(), change.Denom()) // truncates toward zero: rounds the magnitude down
	next := new(big.Int).Add(n(basefee), whole)
	if next.Cmp(n(a.Floor)) < 0 {
		return a.Floor
	}
	if !next.IsUint64() {
		return ^uint64(0)
	}
	return next.Uint64()
}

// Spec: WP §4.2, §17.8.
func TestNextAgreesWithRationals(t *testing.T) {
	rng := rand.New(rand.NewSource(1))
	wide := func() uint64 { return rng.Uint64() >> rng.Intn(64) }
	for range 200_000 {
		a := Adjustment{Target: wide() | 1, Alpha: wide() | 1, Change: wide() | 1, Floor: wide() >> 20}
		if rng.Intn(2) == 0 {
			a = cycles
		}
		basefee, used := wide(), wide()
		if got, want := a.Next(basefee, used), oracleNext(a, basefee, used); got != want {
			t.Fatalf("%+v basefee %d used %d: %d, want %d", a, basefee, used, got, want)
		}
	}
}

func FuzzNext(f *testing.F) {
	f.Add(uint64(20_000_000), uint64(96), uint64(96), uint64(10_000), uint64(10_000), uint64(40_000_000))
	f.Add(^uint64(0), ^uint64(0), uint64(1), uint64(0), ^uint64(0), uint64(1)<<63)
	f.Fuzz(func(t *testing.T, target, alpha, change, floor, basefee, used uint64) {
		a := Adjustment{Target: max(target, 1), Alpha: max(alpha, 1), Change: max(change, 1), Floor: floor}
		if got, want := a.Next(basefee, used), oracleNext(a, basefee, used); got != want {
			t.Fatalf("%d, want %d", got, want)
		}
	})
}
