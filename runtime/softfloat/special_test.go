package softfloat_test

import (
	"math"
	"math/big"
	"math/rand"
	"testing"

	"github.com/cowboyinc/cowboy-go/runtime/softfloat"
)

func specialBinary(name string) func(x, y uint64) (uint64, error) {
	switch name {
	case "fmod":
		return func(x, y uint64) (uint64, error) { return softfloat.Fmod(x, y), nil }
	case "remainder":
		return softfloat.Remainder
	case "copysign":
		return func(x, y uint64) (uint64, error) { return softfloat.CopySign(x, y), nil }
	case "nextafter":
		return func(x, y uint64) (uint64, error) { return softfloat.NextAfter(x, y), nil }
	}
	return binaryFunction(name)
}

// testdata/special.py recorded these from CPython 3.11.
// Spec: sdk §17.2.
func TestSpecialValuesRecordedFromCPython(t *testing.T) {
	eachRecord(t, "testdata/special.txt", 3, func(line string, fields []string) {
		name, want := fields[0], fields[len(fields)-1]
		x := parseBits(t, fields[1])
		var got uint64
		var err error
		if len(fields) == 3 {
			got, err = elementaryFunction(name)(x)
		} else {
			got, err = specialBinary(name)(x, parseBits(t, fields[2]))
		}
		ok := false
		switch want {
		case "domain": // Python turns the NaN of fmod into an error
			ok = err == softfloat.ErrDomain || name == "fmod" && softfloat.IsNaN(got)
		case "range":
			ok = err == softfloat.ErrRange || name == "hypot" && softfloat.IsInf(got)
		default:
			w := parseBits(t, want)
			ok = err == nil && (got == w || softfloat.IsNaN(got) && softfloat.IsNaN(w))
		}
		if !ok {
			t.Errorf("%s: got %016x, %v", line, got, err)
		}
	})
}

// Spec: sdk §17.2.
func TestSumRecordedFromCPython(t *testing.T) {
	eachRecord(t, "testdata/fsum.txt", 2, func(line string, fields []string) {
		var s softfloat.Sum
		for _, f := range fields[1:] {
			s.Add(parseBits(t, f))
		}
		want := parseBits(t, fields[0])
		got, err := s.Value()
		if err != nil || got != want && !(softfloat.IsNaN(got) && softfloat.IsNaN(want)) {
			t.Errorf("%s: got %016x, %v", line, got, err)
		}
	})
}

func TestSumLimits(t *testing.T) {
	sum := func(xs ...uint64) (uint64, error) {
		var s softfloat.Sum
		for _, x := range xs {
			s.Add(x)
		}
		return s.Value()
	}
	if got, err := sum(softfloat.Max, softfloat.Max, softfloat.Neg(softfloat.Max)); err != nil || got != softfloat.Max {
		t.Errorf("an intermediate overflow: %#x, %v", got, err)
	}
	if _, err := sum(softfloat.Max, softfloat.Max); err != softfloat.ErrRange {
		t.Errorf("overflow: %v", err)
	}
	if _, err := sum(softfloat.Inf, softfloat.One, softfloat.NegInf); err != softfloat.ErrDomain {
		t.Errorf("inf - inf: %v", err)
	}
	if got, err := sum(); err != nil || got != 0 {
		t.Errorf("empty: %#x, %v", got, err)
	}
	if got, err := sum(softfloat.Neg(1), softfloat.Neg(1)); err != nil || got != softfloat.Neg(2) {
		t.Errorf("subnormal: %#x, %v", got, err)
	}
}

// A length is right when the squares of the midpoints around it enclose the
// sum of squares.
func TestHypotAndDistAreRoundedOnce(t *testing.T) {
	h := hard{rand.New(rand.NewSource(13))}
	rat := func(x uint64) *big.Rat { return new(big.Rat).SetFloat64(math.Float64frombits(x)) }
	square := func(r *big.Rat) *big.Rat { return new(big.Rat).Mul(r, r) }
	check := func(name string, got uint64, sum *big.Rat, line ...uint64) {
		if softfloat.IsInf(got) || got == 0 {
			return
		}
		middle := func(a, b uint64) *big.Rat {
			m := new(big.Rat).Add(rat(a), rat(b))
			return m.Mul(m, big.NewRat(1, 2))
		}
		if got == softfloat.Max {
			return
		}
		low, high := square(middle(got-1, got)), square(middle(got, got+1))
		if sum.Cmp(low) < 0 || sum.Cmp(high) > 0 || got&1 == 1 && (sum.Cmp(low) == 0 || sum.Cmp(high) == 0) {
			t.Fatalf("%s(%#x) = %#x", name, line, got)
		}
	}
	for range 1500 {
		p, q := make([]uint64, 3), make([]uint64, 3)
		sum, apart := new(big.Rat), new(big.Rat)
		for i := range p {
			p[i], q[i] = h.pair()
			for !softfloat.IsFinite(p[i]) || !softfloat.IsFinite(q[i]) {
				p[i], q[i] = h.pair()
			}
			sum.Add(sum, square(rat(p[i])))
			apart.Add(apart, square(new(big.Rat).Sub(rat(p[i]), rat(q[i]))))
		}
		check("Hypot", softfloat.Hypot(p...), sum, p...)
		check("Dist", softfloat.Dist(p, q), apart, append(p, q...)...)
	}
	if got := softfloat.Hypot(softfloat.FromInt64(3), softfloat.FromInt64(-4)); got != softfloat.FromInt64(5) {
		t.Errorf("Hypot(3, -4) = %#x", got)
	}
	if got := softfloat.Hypot(softfloat.NaN, softfloat.NegInf); got != softfloat.Inf {
		t.Errorf("Hypot(nan, -inf) = %#x", got)
	}
	if got := softfloat.Dist([]uint64{softfloat.Max}, []uint64{softfloat.Neg(softfloat.Max)}); got != softfloat.Inf {
		t.Errorf("Dist overflow = %#x", got)
	}
}

func TestLogarithmsOfIntegers(t *testing.T) {
	r := rand.New(rand.NewSource(14))
	for range 300 {
		n := 1 + r.Int63n(1<<53)
		i, x := big.NewInt(n), softfloat.FromInt64(n)
		for _, f := range []struct {
			name  string
			small func(uint64) (uint64, error)
			large func(*big.Int) (uint64, error)
		}{{"log", softfloat.Log, softfloat.LogBig}, {"log2", softfloat.Log2, softfloat.Log2Big}, {"log10", softfloat.Log10, softfloat.Log10Big}} {
			t.Run(f.name, func(t *testing.T) {
				want, err := f.small(x)
				got, err2 := f.large(i)
				if err != nil || err2 != nil || got != want {
					t.Fatalf("%s(%d) = %#x, %v; want %#x", f.name, n, got, err2, want)
				}
			})
		}
	}
	for _, k := range []int64{1, 22, 23, 100, 1000} {
		n := new(big.Int).Exp(big.NewInt(10), big.NewInt(k), nil)
		if got, err := softfloat.Log10Big(n); err != nil || got != softfloat.FromInt64(k) {
			t.Errorf("log10(10^%d) = %#x, %v", k, got, err)
		}
		n.Lsh(big.NewInt(1), uint(k))
		if got, err := softfloat.Log2Big(n); err != nil || got != softfloat.FromInt64(k) {
			t.Errorf("log2(2^%d) = %#x, %v", k, got, err)
		}
	}
	if _, err := softfloat.LogBig(new(big.Int)); err != softfloat.ErrDomain {
		t.Errorf("log(0): %v", err)
	}
}
