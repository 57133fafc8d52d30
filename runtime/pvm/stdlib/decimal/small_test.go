package decimal

import (
	"math/big"
	"math/rand"
	"testing"
)

// TestSmall compares the operations on numbers in words with those on big
// integers: sign, digits and exponent are equal wherever the former answer, and
// they do answer for ordinary operands.
//
// Spec: WP-January "Numeric Determinism" (28 digits, ROUND_HALF_EVEN).
func TestSmall(t *testing.T) {
	c := &Default
	r := rand.New(rand.NewSource(1))
	same := func(op string, x, y *Number, got Small, ok bool, want *Number) bool {
		if !ok {
			return false
		}
		g := got.Store(new(Stored))
		if want.form != Finite || g.neg != want.neg || g.exp != want.exp || g.coef.Cmp(&want.coef) != 0 {
			t.Fatalf("%s %s %s: got %s (exponent %d), want %s (exponent %d)", x, op, y, g, g.exp, want, want.exp)
		}
		return true
	}
	answered := 0
	const rounds = 200_000
	for range rounds {
		x, y := smallOperand(r), smallOperand(r)
		a, okA := x.Small()
		b, okB := y.Small()
		if !okA || !okB {
			t.Fatalf("no words for %s and %s", x, y)
		}
		sum, _ := c.Add(x, y)
		difference, _ := c.Sub(x, y)
		product, _ := c.Mul(x, y)
		s, ok := c.AddSmall(a, b)
		same("+", x, y, s, ok, sum)
		s, ok = c.SubSmall(a, b)
		same("-", x, y, s, ok, difference)
		s, ok = c.MulSmall(a, b)
		if same("*", x, y, s, ok, product) {
			answered++
		}
		quotient, _ := c.Quo(x, y)
		s, ok = c.QuoSmall(a, b)
		same("/", x, y, s, ok, quotient)
		quantized, _ := c.Quantize(x, y, HalfEven)
		s, ok = c.QuantizeSmall(a, b)
		same("quantize", x, y, s, ok, quantized)
		if sign, ok := CmpSmall(a, b); ok && sign != Cmp(x, y) {
			t.Fatalf("compare %s with %s: got %d", x, y, sign)
		}
		if text := a.Store(new(Stored)).String(); text != x.String() {
			t.Fatalf("stored %s, got %s", x, text)
		}
	}
	if answered < rounds/2 {
		t.Errorf("%d of %d products in words", answered, rounds)
	}
}

// smallOperand returns a number with a coefficient of up to 28 digits: short and long
// ones, powers of ten and their neighbours, zeros.
func smallOperand(r *rand.Rand) *Number {
	var i uint64
	switch r.Intn(4) {
	case 0:
		i = r.Uint64() >> r.Intn(64)
	case 1:
		i = tens[r.Intn(19)] + uint64(r.Intn(3)) - 1
	case 2:
		i = uint64(r.Intn(100)) * tens[r.Intn(17)]
	default:
		i = uint64(r.Intn(1000))
	}
	coef := new(big.Int).SetUint64(i)
	if r.Intn(3) == 0 { // up to 28 digits
		coef.Mul(coef, new(big.Int).SetUint64(r.Uint64()>>r.Intn(64)))
		coef.Rem(coef, pow10(28))
	}
	if r.Intn(20) == 0 {
		coef.Sub(pow10(28), big.NewInt(int64(r.Intn(3)+1)))
	}
	return New(r.Intn(2) == 0, coef, int64(r.Intn(60)-30))
}
