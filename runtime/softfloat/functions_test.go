package softfloat_test

import (
	"math"
	"math/big"
	"math/rand"
	"testing"

	"github.com/cowboyinc/cowboy-go/runtime/softfloat"
)

// Spec: sdk §17.2.
func TestSqrtAndFMAEqualTheProcessor(t *testing.T) {
	h := hard{rand.New(rand.NewSource(4))}
	fma := func(a, b, c uint64) {
		want := host(math.FMA(math.Float64frombits(a), math.Float64frombits(b), math.Float64frombits(c)))
		if got := softfloat.FMA(a, b, c); got != want {
			t.Fatalf("FMA(%#x, %#x, %#x) = %#x, want %#x", a, b, c, got, want)
		}
	}
	for _, a := range special {
		for _, b := range special {
			for _, c := range special {
				fma(a, b, c)
			}
		}
	}
	for range rounds() {
		a, b := h.pair()
		if got, want := softfloat.Sqrt(a), host(math.Sqrt(math.Float64frombits(a))); got != want {
			t.Fatalf("Sqrt(%#x) = %#x, want %#x", a, got, want)
		}
		c := h.pattern()
		switch h.Intn(3) {
		case 0: // the addend cancels the product
			c = softfloat.Neg(softfloat.Mul(a, b)) + uint64(h.Intn(3)-1)
		case 1: // the addend is near the rounding position of the product
			c = softfloat.Ldexp(softfloat.Mul(a, b), -h.Intn(110))
		}
		fma(a, b, c)
		square := softfloat.Mul(a, a) + uint64(h.Intn(3)-1)
		if got, want := softfloat.Sqrt(square), host(math.Sqrt(math.Float64frombits(square))); got != want {
			t.Fatalf("Sqrt(%#x) = %#x, want %#x", square, got, want)
		}
	}
}

func TestIntegralRoundingEqualsTheProcessor(t *testing.T) {
	h := hard{rand.New(rand.NewSource(5))}
	check := func(x uint64) {
		f := math.Float64frombits(x)
		for _, c := range []struct {
			name      string
			got, want uint64
		}{
			{"Floor", softfloat.Floor(x), host(math.Floor(f))},
			{"Ceil", softfloat.Ceil(x), host(math.Ceil(f))},
			{"Trunc", softfloat.Trunc(x), host(math.Trunc(f))},
			{"RoundHalfEven", softfloat.RoundHalfEven(x), host(math.RoundToEven(f))},
		} {
			t.Run(c.name, func(t *testing.T) {
				if c.got != c.want {
					t.Fatalf("%s(%#x) = %#x, want %#x", c.name, x, c.got, c.want)
				}
			})
		}
		m, e := softfloat.Frexp(x)
		wantM, wantE := math.Frexp(f)
		if m != host(wantM) || e != wantE {
			t.Fatalf("Frexp(%#x) = %#x, %d; want %#x, %d", x, m, e, host(wantM), wantE)
		}
		if !math.IsNaN(f) {
			fraction, integer := softfloat.Modf(x)
			wantI := math.Trunc(f)
			wantF := math.Copysign(f-wantI, f)
			if math.IsInf(f, 0) {
				wantF = math.Copysign(0, f)
			}
			if fraction != host(wantF) || integer != host(wantI) {
				t.Fatalf("Modf(%#x) = %#x, %#x", x, fraction, integer)
			}
		}
	}
	for _, x := range special {
		check(x)
	}
	for i := range rounds() {
		check(h.pattern())
		check(math.Float64bits(float64(i-5000) / 4)) // ties
	}
}

func TestScaleEqualsTheProcessor(t *testing.T) {
	h := hard{rand.New(rand.NewSource(6))}
	for range rounds() {
		x, y := h.pair()
		f, g := math.Float64frombits(x), math.Float64frombits(y)
		next := host(math.Nextafter(f, g))
		if f == g {
			next = y // C's rule; Go's function returns x
		}
		if got, want := softfloat.NextAfter(x, y), next; got != want {
			t.Fatalf("NextAfter(%#x, %#x) = %#x, want %#x", x, y, got, want)
		}
		n := h.Intn(2300) - 1150
		// One rounding: big.Float has all the bits and rounds when it converts.
		if softfloat.IsFinite(x) && !softfloat.IsZero(x) {
			exact := new(big.Float).SetMantExp(new(big.Float).SetFloat64(f), n)
			want, _ := exact.Float64()
			if got := softfloat.Ldexp(x, n); got != math.Float64bits(want) {
				t.Fatalf("Ldexp(%#x, %d) = %#x, want %#x", x, n, got, math.Float64bits(want))
			}
			if n, d, err := softfloat.AsIntegerRatio(x); err != nil || new(big.Rat).SetFloat64(f).Cmp(big.NewRat(1, 1).SetFrac(n, d)) != 0 {
				t.Fatalf("AsIntegerRatio(%#x) = %v, %v, %v", x, n, d, err)
			} else if got, err := softfloat.Quo(n, d); err != nil || got != x {
				t.Fatalf("Quo(%v, %v) = %#x, want %#x", n, d, got, x)
			}
		}
		if softfloat.IsFinite(x) && x&^(1<<63) != softfloat.Max {
			a := math.Abs(f)
			if got, want := softfloat.Ulp(x), host(math.Nextafter(a, math.Inf(1))-a); got != want {
				t.Fatalf("Ulp(%#x) = %#x, want %#x", x, got, want)
			}
		}
	}
	if got := softfloat.Ulp(softfloat.Max); got != math.Float64bits(0x1p971) {
		t.Errorf("Ulp(Max) = %#x", got)
	}
	for _, n := range []int{1 << 30, -1 << 30, math.MaxInt, math.MinInt} {
		want := softfloat.Inf
		if n < 0 {
			want = 0
		}
		if got := softfloat.Ldexp(softfloat.One, n); got != want {
			t.Errorf("Ldexp(1, %d) = %#x", n, got)
		}
	}
}

func TestQuoRoundsOnce(t *testing.T) {
	r := rand.New(rand.NewSource(7))
	limit := new(big.Int).Lsh(big.NewInt(1), 1200)
	for range rounds() / 20 {
		num := new(big.Int).Rand(r, limit)
		den := new(big.Int).Rand(r, limit)
		num.Rsh(num, uint(r.Intn(1200)))
		den.Rsh(den, uint(r.Intn(1200)))
		den.Add(den, big.NewInt(1))
		if r.Intn(2) == 0 {
			num.Neg(num)
		}
		want, _ := new(big.Rat).SetFrac(num, den).Float64()
		got, err := softfloat.Quo(num, den)
		if err != nil != math.IsInf(want, 0) {
			t.Fatalf("Quo(%v, %v): %v", num, den, err)
		}
		if err == nil && softfloat.Abs(got) != softfloat.Abs(math.Float64bits(want)) {
			t.Fatalf("Quo(%v, %v) = %#x, want %#x", num, den, got, math.Float64bits(want))
		}
	}
}

func TestRemaindersEqualTheProcessor(t *testing.T) {
	h := hard{rand.New(rand.NewSource(8))}
	check := func(x, y uint64) {
		f, g := math.Float64frombits(x), math.Float64frombits(y)
		if got, want := softfloat.Fmod(x, y), host(math.Mod(f, g)); got != want {
			t.Fatalf("Fmod(%#x, %#x) = %#x, want %#x", x, y, got, want)
		}
		got, err := softfloat.Remainder(x, y)
		want := host(math.Remainder(f, g))
		if err != nil {
			got = softfloat.NaN
		}
		if got != want {
			t.Fatalf("Remainder(%#x, %#x) = %#x, want %#x", x, y, got, want)
		}
		if g == 0 {
			return
		}
		q, r := softfloat.DivMod(x, y)
		wantQ, wantR := referenceDivMod(f, g)
		if q != host(wantQ) || r != host(wantR) {
			t.Fatalf("DivMod(%v, %v) = %#x, %#x; want %v, %v", f, g, q, r, wantQ, wantR)
		}
		if m := softfloat.Mod(x, y); m != r {
			t.Fatalf("Mod(%v, %v) = %#x, want %#x", f, g, m, r)
		}
	}
	for _, a := range special {
		for _, b := range special {
			check(a, b)
		}
	}
	for range rounds() / 2 {
		check(h.pair())
		x := float64(h.Intn(2000)-1000) / 8
		check(math.Float64bits(x), math.Float64bits(float64(h.Intn(100)-50)/4))
	}
}

// referenceDivMod is Python's definition of divmod over the processor's
// arithmetic: the remainder has the divisor's sign, the quotient is integral.
func referenceDivMod(x, y float64) (q, r float64) {
	r = math.Mod(x, y)
	q = (x - r) / y
	if r == 0 {
		r = math.Copysign(0, y)
	} else if (y < 0) != (r < 0) {
		r += y
		q--
	}
	if q == 0 {
		return math.Copysign(0, x/y), r
	}
	n := math.Floor(q)
	if q-n > 0.5 {
		n++
	}
	return n, r
}
