package object

import (
	"math/rand"
	"slices"
	"testing"

	"github.com/cowboyinc/cowboy-go/runtime/softfloat"
)

// TestSortWords: sorting by words gives the order and the cycles that sorting by
// comparing values gives, for ints and floats, with and without separate keys.
//
// Spec: CIP-3 §2.2.1; Python 3.11 library, "Sorting HOW TO" (stability).
func TestSortWords(t *testing.T) {
	r := rand.New(rand.NewSource(2))
	for round := range 2000 {
		keys := sortKeys(r, r.Intn(200)+2)
		vals := keys
		if round%2 == 0 {
			vals = make([]Value, len(keys))
			for i := range vals {
				vals[i] = Int(int64(i))
			}
		}
		sorted := func(words bool) ([]Value, uint64) {
			m := NewMachine(Settings{Meter: NewMeter(1<<40, 0), MemoryLimit: 1 << 20})
			s := &sorter{m: m, keys: slices.Clone(keys)}
			if s.vals = s.keys; round%2 == 0 {
				s.vals = slices.Clone(vals)
			} else {
				s.alone = true
			}
			s.choose()
			var e *Exception
			if words {
				if s.ranks() == nil {
					t.Fatal("no words for", keys)
				}
				e = s.run()
			} else {
				e = s.byComparing()
			}
			if e != nil {
				t.Fatal(e)
			}
			return s.vals, m.Meter().Used()
		}
		want, price := sorted(false)
		if got, cycles := sorted(true); !slices.Equal(got, want) || cycles != price {
			t.Fatalf("round %d: %d cycles for %v, want %d for %v", round, cycles, got, price, want)
		}
	}
}

// sortKeys returns keys with runs, repetitions and, among floats, both zeros.
func sortKeys(r *rand.Rand, n int) []Value {
	floats, spread := r.Intn(2) == 0, int64(1)<<r.Intn(62)
	keys := make([]Value, n)
	for i := range keys {
		k := r.Int63n(2*spread) - spread
		if r.Intn(3) > 0 && i > 0 {
			k = int64(i) * (spread / 64)
		}
		if keys[i] = Int(k); floats {
			f := softfloat.FromInt64(k)
			if r.Intn(4) == 0 {
				f = softfloat.Neg(f)
			}
			keys[i] = Float(f)
		}
	}
	return keys
}
