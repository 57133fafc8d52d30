package unit

import (
	"encoding/json"
	"errors"
	"math/big"
	"testing"
)

// edges are values around the borders of 64 and 128 bits.
func edges() []*big.Int {
	var list []*big.Int
	for _, bit := range []uint{0, 1, 63, 64, 65, 127, 128} {
		for delta := int64(-1); delta <= 1; delta++ {
			n := new(big.Int).Lsh(big.NewInt(1), bit)
			list = append(list, n.Add(n, big.NewInt(delta)))
		}
	}
	return list
}

// Sums, differences, order, bytes and digits are those of integers of any size, and what has no place in 128 bits is refused.
//
// Spec: tokens §2 (u128), §12 (2¹²⁸−1).
func TestUint128(t *testing.T) {
	limit := new(big.Int).Lsh(big.NewInt(1), 128)
	for _, x := range edges() {
		a, ok := Uint128FromInt(x)
		if ok != (x.Sign() >= 0 && x.Cmp(limit) < 0) {
			t.Fatalf("%d fits: %v", x, ok)
		}
		if !ok {
			if _, err := ParseUint128(x.String()); !errors.Is(err, ErrInteger) {
				t.Errorf("%d is read: %v", x, err)
			}
			continue
		}
		if back, err := ParseUint128(x.String()); err != nil || back != a || a.String() != x.String() || a.Int().Cmp(x) != 0 {
			t.Errorf("%d comes back as %v, %v", x, back, err)
		}
		var forth, reversed [Uint128Size]byte
		x.FillBytes(forth[:])
		for i := range forth {
			reversed[Uint128Size-1-i] = forth[i]
		}
		if string(a.AppendBig(nil)) != string(forth[:]) || Uint128FromBig(forth) != a {
			t.Errorf("%d big-endian: %x", x, a.AppendBig(nil))
		}
		if string(a.AppendLittle(nil)) != string(reversed[:]) {
			t.Errorf("%d little-endian: %x", x, a.AppendLittle(nil))
		}
		for _, y := range edges() {
			b, ok := Uint128FromInt(y)
			if !ok {
				continue
			}
			if a.Cmp(b) != x.Cmp(y) || (a == b) != (x.Cmp(y) == 0) || a.IsZero() != (x.Sign() == 0) {
				t.Errorf("%d and %d compare as %d", x, y, a.Cmp(b))
			}
			sum, err := a.Add(b)
			if want := new(big.Int).Add(x, y); want.Cmp(limit) >= 0 != errors.Is(err, ErrOverflow) || err == nil && sum.Int().Cmp(want) != 0 {
				t.Errorf("%d + %d = %v, %v", x, y, sum, err)
			}
			rest, err := a.Sub(b)
			if want := new(big.Int).Sub(x, y); want.Sign() < 0 != errors.Is(err, ErrUnderflow) || err == nil && rest.Int().Cmp(want) != 0 {
				t.Errorf("%d - %d = %v, %v", x, y, rest, err)
			}
		}
	}
}

func TestUint128Text(t *testing.T) {
	for _, text := range []string{"", "-1", "+1", "01", "1e3", " 1", "1_000", "0x1", "340282366920938463463374607431768211456"} {
		if n, err := ParseUint128(text); !errors.Is(err, ErrInteger) {
			t.Errorf("%q is %v, %v", text, n, err)
		}
	}
	var back Uint128
	raw, err := json.Marshal(Uint128{1, 0})
	if err != nil || string(raw) != `"18446744073709551616"` || json.Unmarshal(raw, &back) != nil || back != (Uint128{1, 0}) {
		t.Errorf("2^64 in JSON: %s, %v, %v", raw, back, err)
	}
	if err := json.Unmarshal([]byte(`"1.0"`), &back); !errors.Is(err, ErrInteger) {
		t.Errorf("1.0: %v", err)
	}
}
