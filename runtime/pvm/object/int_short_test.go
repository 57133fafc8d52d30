package object

import (
	"math/big"
	"math/rand"
	"testing"
)

// TestShortInts compares arithmetic on short ints and on doubles with math/big, on random words
// and on those at which carries, borrows and wrong guesses happen.
//
// Spec: CIP-3 §2.2.1 (Large Integer Precision Limit).
func TestShortInts(t *testing.T) {
	m := testMachine()
	t.Run("short", func(t *testing.T) { compareInts(t, m, m.shortOp, shortWords) })
	t.Run("double", func(t *testing.T) { compareInts(t, m, m.doubleOp, 2) })
}

// compareInts compares what compute does with ints of up to so many words, and a little more, with math/big.
func compareInts(t *testing.T, m *Machine, compute func(op Operator, x, y Value) (Value, bool), words int) {
	random := rand.New(rand.NewSource(1))
	word := func() uint64 {
		switch random.Intn(6) {
		case 0:
			return 0
		case 1:
			return ^uint64(0)
		case 2:
			return 1 << 63
		case 3:
			return uint64(random.Intn(3))
		case 4:
			return ^uint64(random.Intn(3))
		}
		return random.Uint64()
	}
	number := func() *big.Int {
		i := new(big.Int)
		for range random.Intn(words + 2) {
			i.Lsh(i, 64).Or(i, new(big.Int).SetUint64(word()))
		}
		if random.Intn(3) == 0 {
			i.Neg(i)
		}
		return i
	}
	done := map[Operator]int{}
	for range 300_000 {
		a, b := number(), number()
		op := []Operator{Add, Sub_, Mul, FloorDiv, Mod, And, Or, Xor, LShift, RShift}[random.Intn(10)]
		if op == RShift || op == LShift {
			b.SetInt64(int64(random.Intn(64*words + 9)))
		}
		x, e := m.IntOf(a)
		y, e2 := m.IntOf(b)
		if e != nil || e2 != nil {
			t.Fatal(a, b)
		}
		held := m.heap
		got, ok := compute(op, x, y)
		if !ok {
			continue
		}
		held = m.heap - held
		done[op]++
		want := new(big.Int)
		switch op {
		case Add:
			want.Add(a, b)
		case Sub_:
			want.Sub(a, b)
		case Mul:
			want.Mul(a, b)
		case FloorDiv:
			want.Quo(a, b)
		case Mod:
			want.Rem(a, b)
		case And:
			want.And(a, b)
		case Or:
			want.Or(a, b)
		case Xor:
			want.Xor(a, b)
		case LShift:
			want.Lsh(a, uint(b.Int64()))
		case RShift:
			want.Rsh(a, uint(b.Int64()))
		}
		before := m.heap
		general, e := m.IntOf(want)
		if e != nil || got.BigInt().Cmp(want) != 0 || got.IsInt() != general.IsInt() || held != m.heap-before {
			t.Fatalf("%v op %d %v: got %v of %d bytes, want %v of %d", a, op, b, got.BigInt(), held, want, m.heap-before)
		}
	}
	for op, n := range done { // order-free: each is looked at by itself
		if n < 2000 {
			t.Errorf("operator %d: %d cases", op, n)
		}
	}
}
