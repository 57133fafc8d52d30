package softfloat_test

import (
	"fmt"
	"math"
	"math/big"
	"math/rand"
	"os"
	"strconv"
	"testing"

	"github.com/cowboyinc/cowboy-go/runtime/softfloat"
)

// special holds the patterns where the encoding changes its shape.
var special = []uint64{
	softfloat.Zero, softfloat.NegZero, softfloat.Inf, softfloat.NegInf, softfloat.NaN,
	softfloat.MinSubnormal, softfloat.MinSubnormal | 1<<63, softfloat.MinNormal, softfloat.MinNormal - 1,
	softfloat.Max, softfloat.Max | 1<<63, softfloat.Max - 1, softfloat.One, softfloat.One + 1, softfloat.One - 1,
	softfloat.One | 1<<63, softfloat.Half, softfloat.Two, 0x4340000000000000, 0x4330000000000001,
	0x7fe0000000000000, 0x7ff8000000000001, 0xfff8000000000000, 0x000fffffffffffff, 2, 3,
}

// hard draws operands where rounding, cancellation and underflow happen.
type hard struct{ *rand.Rand }

func (h hard) pattern() uint64 {
	u := h.Uint64()
	exponent := func(base, spread int) uint64 {
		return u&^(uint64(0x7ff)<<52) | uint64(base+h.Intn(spread))<<52
	}
	switch h.Intn(8) {
	case 0:
		return special[h.Intn(len(special))]
	case 1:
		return u
	case 2:
		return exponent(0, 60) // subnormal and near it
	case 3:
		return exponent(2046-60, 61)
	case 4: // few significant bits: ties are frequent
		return exponent(1023-30, 60) &^ (1<<uint(20+h.Intn(32)) - 1)
	case 5: // long runs of ones
		return exponent(1023-30, 60) | (1<<uint(h.Intn(52)) - 1)
	}
	return exponent(1023-60, 120)
}

// pair draws two operands, half of the time close to each other.
func (h hard) pair() (uint64, uint64) {
	a := h.pattern()
	if h.Intn(2) == 0 {
		return a, h.pattern()
	}
	b := a + uint64(h.Intn(9)-4) + uint64(h.Intn(3)-1)<<52
	if h.Intn(2) == 0 {
		b ^= 1 << 63
	}
	return a, b
}

// host returns the canonical pattern of a result of the processor.
func host(f float64) uint64 {
	if f != f {
		return softfloat.NaN
	}
	return math.Float64bits(f)
}

// rounds is how many random cases a test tries: few with -short, many for a
// proof run with SOFTFLOAT_ROUNDS.
func rounds() int {
	if n, err := strconv.Atoi(os.Getenv("SOFTFLOAT_ROUNDS")); err == nil {
		return n
	}
	if testing.Short() {
		return 50_000
	}
	return 200_000
}

// Spec: sdk §17.2.
func TestBasicOperationsEqualTheProcessor(t *testing.T) {
	h := hard{rand.New(rand.NewSource(1))}
	binary := []struct {
		name string
		soft func(x, y uint64) uint64
		hard func(x, y float64) float64
	}{
		{"Add", softfloat.Add, func(x, y float64) float64 { return x + y }},
		{"Sub", softfloat.Sub, func(x, y float64) float64 { return x - y }},
		{"Mul", softfloat.Mul, func(x, y float64) float64 { return x * y }},
		{"Div", softfloat.Div, func(x, y float64) float64 { return x / y }},
	}
	check := func(a, b uint64) {
		x, y := math.Float64frombits(a), math.Float64frombits(b)
		for _, op := range binary {
			t.Run(op.name, func(t *testing.T) {
				if got, want := op.soft(a, b), host(op.hard(x, y)); got != want {
					t.Fatalf("%s(%#x, %#x) = %#x, want %#x", op.name, a, b, got, want)
				}
			})
		}
		if got, want := softfloat.Lt(a, b), x < y; got != want {
			t.Fatalf("Lt(%#x, %#x) = %v", a, b, got)
		}
		if got, want := softfloat.Le(a, b), x <= y; got != want {
			t.Fatalf("Le(%#x, %#x) = %v", a, b, got)
		}
		if got, want := softfloat.Eq(a, b), x == y; got != want {
			t.Fatalf("Eq(%#x, %#x) = %v", a, b, got)
		}
	}
	for _, a := range special {
		for _, b := range special {
			check(a, b)
		}
	}
	for range rounds() {
		check(h.pair())
	}
}

func TestIntegerConversions(t *testing.T) {
	h := hard{rand.New(rand.NewSource(2))}
	for range rounds() {
		i := int64(h.Uint64()) >> uint(h.Intn(64))
		if got, want := softfloat.FromInt64(i), math.Float64bits(float64(i)); got != want {
			t.Fatalf("FromInt64(%d) = %#x, want %#x", i, got, want)
		}
		u := h.Uint64() >> uint(h.Intn(64))
		if got, want := softfloat.FromUint64(u), math.Float64bits(float64(u)); got != want {
			t.Fatalf("FromUint64(%d) = %#x, want %#x", u, got, want)
		}
		x := h.pattern()
		f := math.Float64frombits(x)
		if f > -9.2e18 && f < 9.2e18 {
			if got, ok := softfloat.ToInt64(x); !ok || got != int64(f) {
				t.Fatalf("ToInt64(%v) = %d, %v", f, got, ok)
			}
		}
		if got, want := softfloat.IsInteger(x), math.Trunc(f) == f && !math.IsInf(f, 0); got != want {
			t.Fatalf("IsInteger(%v) = %v", f, got)
		}
	}
	for at, c := range []struct {
		f  float64
		i  int64
		ok bool
	}{
		{0x1p63, -1 << 63, false}, {-0x1p63, -1 << 63, true}, {math.Inf(1), -1 << 63, false},
		{math.NaN(), -1 << 63, false}, {0x1.fffffffffffffp62, 1<<63 - 1024, true}, {-0.9, 0, true},
	} {
		t.Run(fmt.Sprint(at), func(t *testing.T) {
			if i, ok := softfloat.ToInt64(math.Float64bits(c.f)); i != c.i || ok != c.ok {
				t.Errorf("ToInt64(%v) = %d, %v; want %d, %v", c.f, i, ok, c.i, c.ok)
			}
		})
	}
}

func TestBigConversions(t *testing.T) {
	h := hard{rand.New(rand.NewSource(3))}
	for range rounds() / 20 {
		i := new(big.Int).Rand(h.Rand, new(big.Int).Lsh(big.NewInt(1), uint(1+h.Intn(1100))))
		if h.Intn(3) == 0 { // a tie, or one off it
			i.SetUint64(h.Uint64()|1<<63).Rsh(i, 10).SetBit(i, 0, 1)
			i.Lsh(i, uint(1+h.Intn(900))).Add(i, big.NewInt(int64(h.Intn(3)-1)))
		}
		if h.Intn(2) == 0 {
			i.Neg(i)
		}
		got, err := softfloat.FromBig(i)
		want, _ := new(big.Float).SetInt(i).Float64()
		if (err != nil) != math.IsInf(want, 0) {
			t.Fatalf("FromBig(%v) = %v, %v", i, got, err)
		}
		if err == nil && got != math.Float64bits(want) {
			t.Fatalf("FromBig(%v) = %#x, want %#x", i, got, math.Float64bits(want))
		}
		x := h.pattern()
		f := math.Float64frombits(x)
		if math.IsNaN(f) || math.IsInf(f, 0) {
			continue
		}
		wantBig, _ := new(big.Float).SetFloat64(f).Int(nil)
		gotBig, err := softfloat.ToBig(x)
		if err != nil || gotBig.Cmp(wantBig) != 0 {
			t.Fatalf("ToBig(%v) = %v, %v", f, gotBig, err)
		}
		wantCmp := new(big.Float).SetFloat64(f).Cmp(new(big.Float).SetInt(i))
		if got := softfloat.CompareBig(x, i); got != wantCmp {
			t.Fatalf("CompareBig(%v, %v) = %d", f, i, got)
		}
		n := int64(h.Uint64()) >> uint(h.Intn(64))
		if h.Intn(2) == 0 && f > -9e18 && f < 9e18 {
			n = int64(f) + int64(h.Intn(3)-1)
		}
		wantCmp = new(big.Float).SetFloat64(f).Cmp(new(big.Float).SetInt64(n))
		if got := softfloat.CompareInt64(x, n); got != wantCmp {
			t.Fatalf("CompareInt64(%v, %d) = %d", f, n, got)
		}
	}
	if _, err := softfloat.ToBig(softfloat.NaN); err != softfloat.ErrNotANumber {
		t.Errorf("ToBig(NaN): %v", err)
	}
	if _, err := softfloat.ToBig(softfloat.NegInf); err != softfloat.ErrInfinite {
		t.Errorf("ToBig(-inf): %v", err)
	}
}

var (
	sinkBits uint64
	sinkBool bool
)

func operands(n int) []uint64 {
	r := rand.New(rand.NewSource(9))
	u := make([]uint64, n)
	for i := range u {
		u[i] = math.Float64bits((r.Float64() - 0.5) * math.Ldexp(1, r.Intn(20)-10))
	}
	return u
}

func BenchmarkOp(b *testing.B) {
	u := operands(4096)
	for _, op := range []struct {
		name string
		f    func(x, y uint64) uint64
	}{{"add", softfloat.Add}, {"sub", softfloat.Sub}, {"mul", softfloat.Mul}, {"div", softfloat.Div}} {
		b.Run(fmt.Sprintf("op=%s", op.name), func(b *testing.B) {
			for i := 0; i < b.N; i++ {
				sinkBits = op.f(u[i&4095], u[(i+1)&4095])
			}
		})
	}
	b.Run("op=addchain", func(b *testing.B) {
		x := uint64(0)
		for i := 0; i < b.N; i++ {
			x = softfloat.Add(x, u[i&4095])
		}
		sinkBits = x
	})
	b.Run("op=lt", func(b *testing.B) {
		for i := 0; i < b.N; i++ {
			sinkBool = softfloat.Lt(u[i&4095], u[(i+1)&4095])
		}
	})
}
