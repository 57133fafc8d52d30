package softfloat

import (
	"math/big"
	"testing"
)

// The tables are recomputed by formulas and code paths other than those that
// use them: integers of 400 places.
const tablePlaces = 400

func tableOne() *big.Int { return new(big.Int).Lsh(big.NewInt(1), tablePlaces) }

// tableSeries sums term(k) until it vanishes.
func tableSeries(term func(k int64) *big.Int) *big.Int {
	sum := new(big.Int)
	for k := int64(0); ; k++ {
		t := term(k)
		if t.BitLen() < 8 && k > 3 {
			return sum
		}
		sum.Add(sum, t)
	}
}

// arctanInverse is atan(1/n), Gregory's series.
func arctanInverse(n int64) *big.Int {
	power := new(big.Int).Mul(tableOne(), big.NewInt(n))
	return tableSeries(func(k int64) *big.Int {
		power.Quo(power, big.NewInt(n*n))
		t := new(big.Int).Quo(power, big.NewInt(2*k+1))
		if k%2 == 1 {
			t.Neg(t)
		}
		return t
	})
}

// tablePi is Machin's formula.
func tablePi() *big.Int {
	pi := new(big.Int).Mul(arctanInverse(5), big.NewInt(16))
	return pi.Sub(pi, new(big.Int).Mul(arctanInverse(239), big.NewInt(4)))
}

// tableLog is log(num/den) = 2·atanh((num-den)/(num+den)).
func tableLog(num, den int64) *big.Int {
	z := new(big.Int).Mul(tableOne(), big.NewInt(num-den))
	z.Quo(z, big.NewInt(num+den))
	square := new(big.Int).Mul(z, z)
	square.Rsh(square, tablePlaces)
	sum := tableSeries(func(k int64) *big.Int {
		t := new(big.Int).Quo(z, big.NewInt(2*k+1))
		z.Mul(z, square).Rsh(z, tablePlaces)
		return t
	})
	return sum.Lsh(sum, 1)
}

// tableExp is the plain exponential series of x, |x| < 1.
func tableExp(x *big.Int) *big.Int {
	term := tableOne()
	return tableSeries(func(k int64) *big.Int {
		if k > 0 {
			term.Mul(term, x).Rsh(term, tablePlaces).Quo(term, big.NewInt(k))
		}
		return new(big.Int).Set(term)
	})
}

// circularSeries is sine (first = 1) or cosine (first = 0) of num/64.
func circularSeries(num, first int64) *big.Int {
	term := tableOne()
	if first == 1 {
		term.Mul(term, big.NewInt(num)).Rsh(term, 6)
	}
	return tableSeries(func(k int64) *big.Int {
		if k > 0 {
			n := 2*k + first
			term.Mul(term, big.NewInt(num*num)).Rsh(term, 12).Quo(term, big.NewInt(n*(n-1)))
			if k%2 == 1 {
				return new(big.Int).Neg(term)
			}
		}
		return new(big.Int).Set(term)
	})
}

// arctan64 is atan(i/64) by Newton's method on the tangent.
func arctan64(i int64) *big.Int {
	if i == 0 {
		return new(big.Int)
	}
	// Euler's series: atan(x) = Σ 2^2n (n!)² / (2n+1)! · x^(2n+1)/(1+x²)^(n+1)
	term := new(big.Int).Mul(tableOne(), big.NewInt(64*i))
	term.Quo(term, big.NewInt(64*64+i*i))
	return tableSeries(func(k int64) *big.Int {
		if k > 0 {
			term.Mul(term, big.NewInt(2*k*i*i)).Quo(term, big.NewInt((2*k+1)*(64*64+i*i)))
		}
		return new(big.Int).Set(term)
	})
}

// same reports whether an entry scaled by 2^places is the value cut, or off by
// one in the last place.
func same(f fix, value *big.Int, places int) bool {
	v := new(big.Int).SetUint64(f[0])
	v.Lsh(v, 64).Add(v, new(big.Int).SetUint64(f[1]))
	v.Sub(v, new(big.Int).Rsh(value, uint(tablePlaces-places)))
	return v.CmpAbs(big.NewInt(1)) <= 0
}

func sameQuad(q quad, value *big.Int) bool {
	d := realOfQuad(q, 500).Sub(real{value, -tablePlaces, 500})
	return d.Sign() == 0 || d.Exponent() < q.exp-126
}

func TestTables(t *testing.T) {
	ln2 := tableLog(2, 1)
	one := tableOne()
	check := func(ok bool, name string, i int) {
		t.Helper()
		if !ok {
			t.Errorf("%s[%d]", name, i)
		}
	}
	for i, f := range exp2Table {
		x := new(big.Int).Mul(ln2, big.NewInt(int64(i)))
		check(same(f, tableExp(x.Rsh(x, 6)), 127), "exp2Table", i)
	}
	for i, f := range logTable {
		check(same(f, tableLog(512, int64(logReciprocal[i])), 128), "logTable", i)
		// The reciprocal keeps |m·c - 1| below 2^-6 over its interval.
		for m := int64(64 + i); m <= int64(65+i); m++ {
			if d := m*int64(logReciprocal[i]) - 64*512; d > 512 || d < -512 {
				t.Errorf("logReciprocal[%d]", i)
			}
		}
	}
	for i := range int64(65) {
		check(same(sinTable[i], circularSeries(i, 1), 128), "sinTable", int(i))
		check(same(cosTable[i], circularSeries(i, 0), 128), "cosTable", int(i))
		check(same(atanTable[i], arctan64(i), 128), "atanTable", int(i))
	}
	factorial := func(n int64) *big.Int { return new(big.Int).Quo(one, new(big.Int).MulRange(1, n)) }
	for k, f := range expSeries {
		check(same(f, factorial(int64(k+1)), 127), "expSeries", k)
	}
	for k, f := range sinSeries {
		check(same(f, factorial(int64(2*k+1)), 127), "sinSeries", k)
	}
	for k, f := range cosSeries {
		check(same(f, factorial(int64(2*k)), 127), "cosSeries", k)
	}
	for k, f := range logSeries {
		check(same(f, new(big.Int).Quo(one, big.NewInt(int64(k+1))), 127), "logSeries", k)
	}
	for k, f := range atanSeries {
		check(same(f, new(big.Int).Quo(one, big.NewInt(int64(2*k+1))), 127), "atanSeries", k)
	}
	pi := tablePi()
	for _, c := range []struct {
		name  string
		q     quad
		value *big.Int
	}{
		{"one", quadOne, one}, {"two", quadTwo, new(big.Int).Lsh(one, 1)}, {"ln2", quadLn2, ln2},
		{"halfPi", quadHalfPi, new(big.Int).Rsh(pi, 1)}, {"ln10", quadLn10, tableLog(10, 1)},
	} {
		check(sameQuad(c.q, c.value), c.name, 0)
	}
	if ln2Over64High.lo&(1<<20-1) != 0 {
		t.Error("ln2Over64High has too many bits")
	}
	split := realOfQuad(ln2Over64High, 500).Add(realOfQuad(ln2Over64Low, 500)).Scale(6)
	if d := split.Sub(real{ln2, -tablePlaces, 500}); d.Exponent() > -220 {
		t.Error("log(2) in two parts")
	}
	if d := new(big.Int).Sub(fixedLn2(tablePlaces), ln2); d.BitLen() > 12 {
		t.Error("ln2Bytes")
	}
	if d := new(big.Int).Sub(fixedPi(tablePlaces), pi); d.BitLen() > 12 {
		t.Error("piBytes")
	}
}

// The long constants to their last place: π is also what twoOverPi inverts,
// and log 2 is checked by another series than the one that made it.
func TestConstants(t *testing.T) {
	machin := func(places int) *big.Int {
		inverse := func(n int64) *big.Int {
			power := new(big.Int).Lsh(big.NewInt(n), uint(places+40))
			sum := new(big.Int)
			for k := int64(0); ; k++ {
				power.Quo(power, big.NewInt(n*n))
				term := new(big.Int).Quo(power, big.NewInt(2*k+1))
				if term.Sign() == 0 {
					return sum
				}
				if k%2 == 1 {
					term.Neg(term)
				}
				sum.Add(sum, term)
			}
		}
		// Gauss: π/4 = 12·atan(1/18) + 8·atan(1/57) - 5·atan(1/239).
		pi := new(big.Int).Mul(inverse(18), big.NewInt(48))
		pi.Add(pi, new(big.Int).Mul(inverse(57), big.NewInt(32)))
		pi.Sub(pi, new(big.Int).Mul(inverse(239), big.NewInt(20)))
		return pi.Rsh(pi, 40)
	}
	pi := machin(piPlaces)
	if pi.Cmp(fixedPi(piPlaces)) != 0 {
		t.Error("piBytes")
	}
	// log 2 = Σ 1/(k·2^k)
	ln2 := new(big.Int)
	for k := int64(1); k < ln2Places+40; k++ {
		term := new(big.Int).Lsh(big.NewInt(1), uint(ln2Places+40-k))
		ln2.Add(ln2, term.Quo(term, big.NewInt(k)))
	}
	if ln2.Rsh(ln2, 40).Cmp(fixedLn2(ln2Places)) != 0 {
		t.Error("ln2Bytes")
	}
	fraction := 64 * (len(twoOverPi) - 1)
	v := new(big.Int).Lsh(big.NewInt(1), uint(piPlaces+1+fraction))
	v.Quo(v, pi)
	for i := len(twoOverPi) - 1; i >= 0; i-- {
		if got := new(big.Int).And(v, new(big.Int).SetUint64(^uint64(0))).Uint64(); got != twoOverPi[i] {
			t.Errorf("twoOverPi[%d]", i)
		}
		v.Rsh(v, 64)
	}
}

// Stirling's coefficients are computed exactly for the second precision.
func TestStirlingSeries(t *testing.T) {
	exact := realOf(One, 300).Stirling()
	for k, q := range stirlingSeries {
		d := realOfQuad(q, 300).Sub(exact[k])
		if d.Sign() != 0 && d.Exponent() > q.exp-126 {
			t.Errorf("stirlingSeries[%d]", k)
		}
	}
	// B(2)/2 = 1/12, B(4)/12 = -1/360, B(6)/30 = 1/1260 by hand.
	for k, n := range []int{12, -360, 1260} {
		want := exact[0].Int(1).Quo(exact[0].Int(n))
		if d := exact[k].Sub(want); d.Sign() != 0 && d.Exponent() > -300 {
			t.Errorf("coefficient %d", k)
		}
	}
}

// Near its roots log Γ has a series of its own; away from them by 2^-5 both
// ways must agree.
func TestLogGammaSeries(t *testing.T) {
	for _, x := range []uint64{Add(One, 0x3fa0000000000000), Sub(One, 0x3fa0000000000000), Add(Two, 0x3fa8000000000000), Sub(Two, 0x3fa1111111111111)} {
		q, ok := logGammaNearRoots(x)
		if !ok {
			t.Fatalf("%#x", x)
		}
		want, _ := logGammaOf(realOf(One, 300), x)
		if bits := errorBits(q, want, q.exp); bits > slackBits-2 {
			t.Errorf("%#x: %d bits", x, bits)
		}
	}
}
