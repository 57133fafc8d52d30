package softfloat

import (
	"math/big"
	"math/rand"
	"testing"
)

// errorBits returns log2 of |q - r| in units of the last place of a number of
// the given exponent, rounded up.
func errorBits(q quad, r real, exponent int) int {
	d := realOfQuad(q, r.prec).Sub(r)
	if d.Sign() == 0 {
		return -1 << 20
	}
	return d.Exponent() + 1 - (exponent - 127)
}

// boundedFormula is a formula with the range of exponents of its arguments.
type boundedFormula struct {
	name      string
	low, high int
	first     func(quad, uint64) (quad, int)
	again     func(real, uint64) (real, int)
}

func exact(f func(quad, uint64) quad) func(quad, uint64) (quad, int) {
	return func(unit quad, x uint64) (quad, int) { return exponentOf(f(unit, x)) }
}

func exactReal(f func(real, uint64) real) func(real, uint64) (real, int) {
	return func(unit real, x uint64) (real, int) { return exponentOf(f(unit, x)) }
}

// The rounding decision trusts all but slackBits of a quad. Every formula is
// compared with itself at twice the precision: the error must stay below a
// quarter of what is allowed for. (That the formulas are right, and not only
// reproducible, is what the oracle's vectors show.)
func TestQuadErrorBounds(t *testing.T) {
	formulas := []boundedFormula{
		{"exp", -70, 9, exact(expOf[quad]), exactReal(expOf[real])},
		{"exp2", -70, 9, exact(exp2Of[quad]), exactReal(exp2Of[real])},
		{"expm1", -70, 9, exact(expm1Of[quad]), exactReal(expm1Of[real])},
		{"log", -1000, 1000, exact(logOf[quad]), exactReal(logOf[real])},
		{"log", -1, 0, exact(logOf[quad]), exactReal(logOf[real])},
		{"log2", -1, 10, exact(log2Of[quad]), exactReal(log2Of[real])},
		{"log10", -1, 10, exact(log10Of[quad]), exactReal(log10Of[real])},
		{"log1p", -80, 0, exact(log1pOf[quad]), exactReal(log1pOf[real])},
		{"log1p", -10, 0, exact(log1pOf[quad]), exactReal(log1pOf[real])},
		{"sin", -60, 1000, exact(sinOf[quad]), exactReal(sinOf[real])},
		{"sin", -8, 6, exact(sinOf[quad]), exactReal(sinOf[real])},
		{"cos", -8, 6, exact(cosOf[quad]), exactReal(cosOf[real])},
		{"tan", -8, 6, exact(tanOf[quad]), exactReal(tanOf[real])},
		{"asin", -30, -1, exact(asinOf[quad]), exactReal(asinOf[real])},
		{"asin", -2, -1, exact(asinOf[quad]), exactReal(asinOf[real])},
		{"acos", -30, -1, exact(acosOf[quad]), exactReal(acosOf[real])},
		{"atan", -30, 30, exact(atanOf[quad]), exactReal(atanOf[real])},
		{"atan", -4, 1, exact(atanOf[quad]), exactReal(atanOf[real])},
		{"sinh", -30, 9, exact(sinhOf[quad]), exactReal(sinhOf[real])},
		{"cosh", -30, 9, exact(coshOf[quad]), exactReal(coshOf[real])},
		{"tanh", -30, 4, exact(tanhOf[quad]), exactReal(tanhOf[real])},
		{"asinh", -30, 60, exact(asinhOf[quad]), exactReal(asinhOf[real])},
		{"acosh", 0, 60, exact(acoshOf[quad]), exactReal(acoshOf[real])},
		{"atanh", -30, -1, exact(atanhOf[quad]), exactReal(atanhOf[real])},
		{"cbrt", -1000, 1000, exact(cbrtOf[quad]), exactReal(cbrtOf[real])},
		{"erf", -30, 1, exact(erfOf[quad]), exactReal(erfOf[real])},
		{"erfc", -30, 4, erfcOf[quad], erfcOf[real]},
		{"gamma", -10, 7, gammaOf[quad], gammaOf[real]},
		{"lgamma", -30, 30, logGammaOf[quad], logGammaOf[real]},
		{"degrees", -30, 30, exact(degreesOf[quad]), exactReal(degreesOf[real])},
		{"radians", -30, 30, exact(radiansOf[quad]), exactReal(radiansOf[real])},
	}
	n := 300
	if testing.Short() {
		n = 50
	}
	r := rand.New(rand.NewSource(20))
	unit := realOf(One, 256)
	for _, f := range formulas {
		worst, where := -1<<20, uint64(0)
		for range n {
			x := r.Uint64()&fracMask | uint64(f.low+r.Intn(f.high-f.low+1)+expBias)<<52
			if f.low < 0 && f.name == "acos" {
				x |= r.Uint64() & signBit
			}
			if (f.name == "gamma" || f.name == "lgamma") && CompareInt64(x, 170) < 0 {
				x |= r.Uint64() & signBit
			}
			if (f.name == "gamma" && CompareInt64(x&absMask, 170) > 0) || IsInteger(x) {
				continue
			}
			q, exponent := f.first(quadOne, x)
			want, _ := f.again(unit, x)
			if bits := errorBits(q, want, exponent); bits > worst {
				worst, where = bits, x
			}
		}
		t.Logf("%s [2^%d, 2^%d]: %d bits", f.name, f.low, f.high, worst)
		if worst > slackBits-2 {
			t.Errorf("%s(%#x): error of %d bits", f.name, where, worst)
		}
	}
	worstPow := -1 << 20
	for range n {
		x := r.Uint64()&fracMask | uint64(-3+r.Intn(6)+expBias)<<52
		y := r.Uint64()&fracMask | uint64(-10+r.Intn(18)+expBias)<<52
		w := quadOf(x).Log().Mul(quadOf(y))
		if w.exp >= 10 {
			continue
		}
		want := realOf(x, 300).Log().Mul(realOf(y, 300)).Exp()
		q := w.Exp()
		worstPow = max(worstPow, errorBits(q, want, q.exp)-max(w.exp+3, 0))
	}
	t.Logf("pow: %d bits", worstPow)
	if worstPow > 4 {
		t.Errorf("pow: %d bits", worstPow)
	}
}

// The single operations of quad against exact integers.
func TestQuadOperations(t *testing.T) {
	r := rand.New(rand.NewSource(21))
	draw := func() quad {
		q := quad{r.Uint64() | 1<<63, r.Uint64(), r.Intn(200) - 100, r.Intn(2) == 0}
		switch r.Intn(4) {
		case 0:
			q.lo = 0
		case 1:
			q.hi, q.lo = ^uint64(0), ^uint64(0)>>uint(r.Intn(64))
		case 2:
			q.hi = 1 << 63
		}
		return q
	}
	check := func(name string, got quad, want real) {
		t.Helper()
		if want.Sign() == 0 {
			if !got.isZero() {
				t.Fatalf("%s: %v, want 0", name, got)
			}
			return
		}
		if got.hi>>63 == 0 || got.neg != (want.Sign() < 0) || errorBits(got, want, got.exp) > 3 {
			t.Fatalf("%s: %v, want %v (%d)", name, got, want, errorBits(got, want, got.exp))
		}
	}
	for range 20000 {
		a, b := draw(), draw()
		if r.Intn(3) == 0 { // near each other
			b = a
			b.lo += uint64(r.Intn(5))
			b.neg = !a.neg
		}
		x, y := realOfQuad(a, 600), realOfQuad(b, 600)
		check("mul", a.Mul(b), x.Mul(y))
		check("quo", a.Quo(b), x.Quo(y))
		n := 1 + r.Intn(1<<uint(1+r.Intn(30)))
		check("quoint", a.QuoInt(n), x.QuoInt(n))
		sum := a.Add(b)
		if exactSum := x.Add(y); exactSum.Sign() == 0 {
			check("add", sum, exactSum)
		} else if errorBits(sum, exactSum, max(a.exp, b.exp)-1) > 3 {
			t.Fatalf("add: %v + %v = %v", a, b, sum)
		}
		a.neg, x.m = false, new(big.Int).Abs(x.m)
		check("sqrt", a.Sqrt(), x.Sqrt())
	}
}

func TestRoundDecides(t *testing.T) {
	half := quad{hi: 1<<63 | 1<<10, exp: 0} // 1 + 2^-53, half way
	if _, ok := half.round(3); ok {
		t.Error("a tie was decided")
	}
	above := half
	above.lo = 9
	if x, ok := above.round(3); !ok || x != One+1 {
		t.Errorf("above a tie: %#x, %v", x, ok)
	}
	below := quad{hi: half.hi - 1, lo: ^uint64(0) - 9, exp: 0}
	if x, ok := below.round(3); !ok || x != One {
		t.Errorf("below a tie: %#x, %v", x, ok)
	}
	if x, ok := quadOne.round(3); !ok || x != One {
		t.Errorf("one: %#x, %v", x, ok)
	}
	if x, ok := (quad{hi: ^uint64(0), lo: ^uint64(0), exp: 3}).round(70); !ok || x != FromInt64(16) {
		t.Errorf("below 16: %#x, %v", x, ok)
	}
}

// Arguments hard enough for the second precision are rare, so it is asked
// directly: it must agree with the first.
func TestSecondPrecisionAgrees(t *testing.T) {
	r := rand.New(rand.NewSource(22))
	draw := func(low, high int) uint64 {
		return r.Uint64()&fracMask | uint64(low+r.Intn(high-low+1)+expBias)<<52
	}
	for _, f := range []struct {
		name      string
		low, high int
		first     func(uint64) (uint64, error)
		again     func(real, uint64) real
	}{
		{"exp", -40, 8, Exp, expOf[real]}, {"exp2", -40, 8, Exp2, exp2Of[real]}, {"expm1", -40, 8, Expm1, expm1Of[real]},
		{"log", -30, 30, Log, logOf[real]}, {"log2", -3, 3, Log2, log2Of[real]}, {"log10", -3, 3, Log10, log10Of[real]},
		{"log1p", -30, 30, Log1p, log1pOf[real]}, {"sin", -30, 1023, Sin, sinOf[real]}, {"cos", -5, 5, Cos, cosOf[real]},
		{"tan", -5, 5, Tan, tanOf[real]}, {"asin", -20, -1, Asin, asinOf[real]}, {"acos", -20, -1, Acos, acosOf[real]},
		{"sinh", -20, 8, Sinh, sinhOf[real]}, {"cosh", -20, 8, Cosh, coshOf[real]}, {"acosh", 0, 100, Acosh, acoshOf[real]},
		{"atanh", -20, -1, Atanh, atanhOf[real]},
	} {
		t.Run(f.name, func(t *testing.T) {
			for range 60 {
				x := draw(f.low, f.high)
				want, err := f.first(x)
				if err != nil {
					t.Fatalf("%s(%#x): %v", f.name, x, err)
				}
				if got := insist(func(unit real) (real, int) { return exponentOf(f.again(unit, x)) }); got != want {
					t.Errorf("%s(%#x) = %#x, want %#x", f.name, x, got, want)
				}
			}
		})
	}
	for range 20 {
		x := draw(-3, 4)
		want, _ := LogGamma(x)
		if got := insist(func(unit real) (real, int) { return logGammaOf(unit, x) }); got != want {
			t.Errorf("lgamma(%#x) = %#x, want %#x", x, got, want)
		}
		want, _ = Gamma(x)
		if got := insist(func(unit real) (real, int) { return gammaOf(unit, x) }); got != want {
			t.Errorf("gamma(%#x) = %#x, want %#x", x, got, want)
		}
		if got := insist(func(unit real) (real, int) { return erfcOf(unit, x) }); got != Erfc(x) {
			t.Errorf("erfc(%#x) = %#x, want %#x", x, got, Erfc(x))
		}
	}
}

func BenchmarkSecondPrecision(b *testing.B) {
	x := FromInt64(3) + 12345
	for _, f := range []struct {
		name  string
		again func(real, uint64) (real, int)
	}{
		{"exp", exactReal(expOf[real])}, {"log", exactReal(logOf[real])}, {"sin", exactReal(sinOf[real])}, {"atan", exactReal(atanOf[real])},
		{"asinh", exactReal(asinhOf[real])}, {"gamma", gammaOf[real]}, {"lgamma", logGammaOf[real]}, {"erfc", erfcOf[real]},
	} {
		b.Run("op="+f.name, func(b *testing.B) {
			for i := 0; i < b.N; i++ {
				insist(func(unit real) (real, int) { return f.again(unit, x) })
			}
		})
	}
}
