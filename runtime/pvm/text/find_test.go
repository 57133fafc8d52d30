package text

import (
	"math/rand/v2"
	"strings"
	"testing"
)

// naiveFind is the definition: compare at every index.
func naiveFind(h, n []rune, from int) int {
	for i := from; i+len(n) <= len(h); i++ {
		if string(h[i:i+len(n)]) == string(n) {
			return i
		}
	}
	return -1
}

func randomText(rng *rand.Rand, alphabet string, longest int) []rune {
	out := make([]rune, rng.IntN(longest))
	for i := range out {
		out[i] = rune(alphabet[rng.IntN(len(alphabet))])
	}
	return out
}

// Few letters and long needles drive every search through the table of borders; the answers must be those of the
// definition.
func TestSearchAgreesWithTheDefinition(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 4000 {
		h := randomText(rng, "aaaaaaab", 400)
		n := randomText(rng, "aaaaaaaaaaaaab", 40)
		hb, nb := []byte(string(h)), []byte(string(n))
		want := naiveFind(h, n, 0)
		if got := Find(h, n); got != want {
			t.Fatalf("Find(%q, %q) = %d, want %d", string(h), string(n), got, want)
		}
		if got := Find(hb, nb); got != want {
			t.Fatalf("Find of bytes (%q, %q) = %d, want %d", hb, nb, got, want)
		}
		if got, want := RFind(h, n), strings.LastIndex(string(h), string(n)); got != want {
			t.Fatalf("RFind(%q, %q) = %d, want %d", string(h), string(n), got, want)
		}
		if got, want := Count(hb, nb, -1), strings.Count(string(h), string(n)); got != want {
			t.Fatalf("Count(%q, %q) = %d, want %d", hb, nb, got, want)
		}
		if got, want := string(Replace(nil, hb, nb, []byte("xyz"), Count(hb, nb, -1))), strings.ReplaceAll(string(h), string(n), "xyz"); got != want {
			t.Fatalf("Replace(%q, %q) = %q, want %q", hb, nb, got, want)
		}
	}
}

// A needle that almost matches everywhere is the worst case of a direct search.
func BenchmarkFind(b *testing.B) {
	for _, c := range []struct{ name, h, n string }{
		{"worst", strings.Repeat("a", 100_000), strings.Repeat("a", 5_000) + "b" + strings.Repeat("a", 5_000)},
		{"text", strings.Repeat("the quick brown fox jumps over the lazy dog. ", 2_000), "lazy cat sleeps"},
	} {
		h, n := []byte(c.h), []byte(c.n)
		b.Run("case="+c.name, func(b *testing.B) {
			b.SetBytes(int64(len(h)))
			for b.Loop() {
				Find(h, n)
				RFind(h, n)
			}
		})
	}
}
