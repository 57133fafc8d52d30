package unit

import (
	"errors"
	"fmt"
	"math"
	"math/big"
	"testing"
)

// Spec: WP §2.3 (fees), §8.1 (supply fits).
func TestCheckedArithmetic(t *testing.T) {
	const top = Amount(math.MaxUint64)
	for _, c := range []struct {
		name string
		got  func() (Amount, error)
		want Amount
		err  error
	}{
		{"add", func() (Amount, error) { return Amount(1).Add(2) }, 3, nil},
		{"add to the top", func() (Amount, error) { return (top - 1).Add(1) }, top, nil},
		{"add over", func() (Amount, error) { return top.Add(1) }, 0, ErrOverflow},
		{"sub", func() (Amount, error) { return Amount(3).Sub(3) }, 0, nil},
		{"sub below", func() (Amount, error) { return Amount(2).Sub(3) }, 0, ErrUnderflow},
		{"mul", func() (Amount, error) { return Amount(1 << 32).Mul(1<<32 - 1) }, 1<<64 - 1<<32, nil},
		{"mul over", func() (Amount, error) { return Amount(1 << 32).Mul(1 << 32) }, 0, ErrOverflow},
		{"muldiv", func() (Amount, error) { return top.MulDiv(2, 4) }, top / 2, nil},
		{"muldiv over", func() (Amount, error) { return top.MulDiv(3, 2) }, 0, ErrOverflow},
		{"muldiv by zero", func() (Amount, error) { return Amount(1).MulDiv(1, 0) }, 0, ErrZeroDivisor},
		{"ceil", func() (Amount, error) { return Amount(10).MulDivCeil(1, 3) }, 4, nil},
		{"ceil exact", func() (Amount, error) { return Amount(9).MulDivCeil(1, 3) }, 3, nil},
		{"price", func() (Amount, error) { return Cycles(21_000).Price(10_000) }, 210_000_000, nil},
		{"price over", func() (Amount, error) { return Cells(1 << 40).Price(1 << 40) }, 0, ErrOverflow},
		{"supply", func() (Amount, error) { return CBY.Mul(1_000_000_000) }, 1_000_000_000_000_000_000, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := c.got()
			if got != c.want || !errors.Is(err, c.err) {
				t.Errorf("%s = %d, %v; want %d, %v", c.name, got, err, c.want, c.err)
			}
		})
	}
	if _, err := Height(math.MaxUint64).Add(1); !errors.Is(err, ErrOverflow) {
		t.Error("height wraps")
	}
	if n, err := Height(7).Sub(5); n != 2 || err != nil {
		t.Error("blocks between heights")
	}
	if _, err := Cycles(1).Sub(2); !errors.Is(err, ErrUnderflow) {
		t.Error("cycles below zero")
	}
	if _, err := Cells(math.MaxUint64).Add(1); !errors.Is(err, ErrOverflow) {
		t.Error("cells wrap")
	}
}

// Against arbitrary-precision arithmetic.
func FuzzMulDiv(f *testing.F) {
	f.Add(uint64(1)<<63, uint64(3), uint64(7))
	f.Add(uint64(0), uint64(0), uint64(1))
	f.Fuzz(func(t *testing.T, a, num, den uint64) {
		got, err := Amount(a).MulDiv(num, den)
		if den == 0 {
			if !errors.Is(err, ErrZeroDivisor) {
				t.Fatal("division by zero accepted")
			}
			return
		}
		want := new(big.Int).SetUint64(a)
		want.Mul(want, new(big.Int).SetUint64(num))
		want.Quo(want, new(big.Int).SetUint64(den))
		if want.IsUint64() != (err == nil) || err == nil && uint64(got) != want.Uint64() {
			t.Errorf("%d·%d/%d = %d, %v; want %v", a, num, den, got, err, want)
		}
	})
}

// An amount of coins has nine places, and is base units.
//
// Spec: tokens §1.
func TestDecimal(t *testing.T) {
	for text, want := range map[string]Amount{
		"0": 0, "1": CBY, "5000": 5000 * CBY, "0.5": CBY / 2, "0.000000001": 1, "1.000000001": CBY + 1,
		"18446744073.709551615": math.MaxUint64, "007": 7 * CBY, "1.50": CBY + CBY/2,
	} {
		t.Run(text, func(t *testing.T) {
			if got, err := ParseCBY(text); got != want || err != nil {
				t.Errorf("ParseCBY(%q) = %d, %v; want %d", text, got, err, want)
			}
		})
	}
	for text, want := range map[string]error{
		"": ErrDecimal, ".": ErrDecimal, "1.": ErrDecimal, ".5": ErrDecimal, "-1": ErrDecimal, "+1": ErrDecimal,
		"1e9": ErrDecimal, "1_000": ErrDecimal, "1,5": ErrDecimal, "0.0000000001": ErrDecimal, "1.2.3": ErrDecimal,
		" 1": ErrDecimal, "18446744073.709551616": ErrOverflow, "99999999999999999999999": ErrOverflow,
	} {
		t.Run(text, func(t *testing.T) {
			if _, err := ParseCBY(text); !errors.Is(err, want) {
				t.Errorf("ParseCBY(%q): %v, want %v", text, err, want)
			}
		})
	}
	for a, want := range map[Amount]string{0: "0", 1: "0.000000001", CBY: "1", 5000 * CBY: "5000", CBY/2 + CBY: "1.5"} {
		t.Run(fmt.Sprint(a), func(t *testing.T) {
			if got := a.CBY(); got != want {
				t.Errorf("%d is %q, want %q", a, got, want)
			}
		})
	}
}

func FuzzDecimal(f *testing.F) {
	f.Add("1.5")
	f.Fuzz(func(t *testing.T, text string) {
		a, err := ParseCBY(text)
		if err != nil {
			return
		}
		if back, err := ParseCBY(a.CBY()); err != nil || back != a {
			t.Errorf("%q is %d, written %q, read as %d, %v", text, a, a.CBY(), back, err)
		}
	})
}

// What is refused is worth nothing.
func TestParseCBYRefusesWithNothing(t *testing.T) {
	for _, text := range []string{"", ".", "1.", ".5", "-1", "1.0000000001", "99999999999999999999999", "18446744074", "18446744073.709551616"} {
		if got, err := ParseCBY(text); got != 0 || err == nil {
			t.Errorf("%q: %d, %v", text, got, err)
		}
	}
}
