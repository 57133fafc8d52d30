package state

import (
	"math/rand/v2"
	"testing"
)

// A set of chunk numbers holds what was added and nothing else, wherever it began and however far below or above that the numbers lie.
func TestDirtySet(t *testing.T) {
	for seed := range uint64(50) {
		r := rand.New(rand.NewPCG(seed, 6))
		first := r.Uint64N(1_000)
		s := newDirtySet(first, first+r.Uint64N(200))
		want := map[uint64]bool{}
		for range 40 {
			i := r.Uint64N(1_400)
			if r.IntN(3) == 0 {
				i = s.first + 64*uint64(len(s.words)) // the first that it has no word for
			}
			s.add(i)
			want[i] = true
		}
		for w, word := range s.words {
			for bit := range uint64(64) {
				if i := s.first + 64*uint64(w) + bit; (word>>bit&1 == 1) != want[i] {
					t.Fatalf("seed %d: %d is in it: %v", seed, i, !want[i])
				}
				delete(want, s.first+64*uint64(w)+bit)
			}
		}
		if len(want) > 0 {
			t.Fatalf("seed %d: %v are missing", seed, want)
		}
	}
}
