package softfloat_test

import (
	"math"
	"math/rand"
	"testing"

	"github.com/cowboyinc/cowboy-go/runtime/softfloat"
)

func TestSingleEqualsTheProcessor(t *testing.T) {
	h := hard{rand.New(rand.NewSource(30))}
	for range rounds() {
		x := h.pattern()
		if h.Intn(2) == 0 { // near binary32's range and its ties
			x = x&^(uint64(0x7ff)<<52) | uint64(1023-160+h.Intn(300))<<52
			x &^= 1<<uint(h.Intn(30)) - 1
		}
		f := math.Float64frombits(x)
		got, err := softfloat.ToSingle(x)
		want := math.Float32bits(float32(f))
		switch {
		case f != f:
			if got&0x7fffffff != 0x7fc00000 {
				t.Fatalf("ToSingle(%#x) = %#x", x, got)
			}
		case math.IsInf(float64(float32(f)), 0) && !math.IsInf(f, 0):
			if err != softfloat.ErrOverflow {
				t.Fatalf("ToSingle(%#x): %v", x, err)
			}
		case got != want || err != nil:
			t.Fatalf("ToSingle(%#x) = %#x, want %#x", x, got, want)
		}
		u := uint32(h.Uint64())
		if f := math.Float32frombits(u); f == f && softfloat.FromSingle(u) != math.Float64bits(float64(f)) {
			t.Fatalf("FromSingle(%#x) = %#x", u, softfloat.FromSingle(u))
		}
	}
}

// All of binary16: widening is exact by its definition, and narrowing returns
// every value, and the even one between two neighbours.
func TestHalf(t *testing.T) {
	value := func(u uint16) float64 {
		e, f := int(u>>10&31), float64(u&1023)
		switch {
		case e == 31:
			return math.Inf(1)
		case e == 0:
			return math.Ldexp(f, -24)
		}
		return math.Ldexp(1024+f, e-25)
	}
	for u := uint16(0); u < 0x7c00; u++ {
		f := value(u)
		if got := softfloat.FromHalf(u); got != math.Float64bits(f) {
			t.Fatalf("FromHalf(%#x) = %#x", u, got)
		}
		if got, err := softfloat.ToHalf(math.Float64bits(-f)); got != u|0x8000 || err != nil {
			t.Fatalf("ToHalf(%v) = %#x, %v", -f, got, err)
		}
		next := value(u + 1)
		if u == 0x7bff {
			next = 65536 // where the next value would be
		}
		tie := math.Float64bits((f + next) / 2)
		even := u + u&1
		got, err := softfloat.ToHalf(tie)
		if u == 0x7bff {
			if err != softfloat.ErrOverflow {
				t.Errorf("overflow: %#x, %v", got, err)
			}
		} else if got != even {
			t.Fatalf("ToHalf(%v) = %#x, want %#x", math.Float64frombits(tie), got, even)
		}
		if below, err := softfloat.ToHalf(tie - 1); below != u || err != nil {
			t.Fatalf("below the tie of %#x: %#x", u, below)
		}
	}
	if got, err := softfloat.ToHalf(softfloat.NegInf); got != 0xfc00 || err != nil {
		t.Errorf("-inf: %#x", got)
	}
	if got := softfloat.FromHalf(0x7c01); got != softfloat.NaN {
		t.Errorf("nan: %#x", got)
	}
}
