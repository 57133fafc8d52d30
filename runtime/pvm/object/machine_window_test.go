package object

import (
	"math/big"
	"math/rand"
	"strings"
	"testing"
	"unicode/utf8"
)

// TestWindows holds count and the affixes of a part of a string to what they are for the part on its own, and affixes to looking at
// no more than themselves: their price is their length, however long the string is.
//
// Spec: CIP-3 §2.2.1 (string operations, per character).
func TestWindows(t *testing.T) {
	m := testMachine()
	random := rand.New(rand.NewSource(1))
	word := func(n int, letters string) string {
		all := []rune(letters)
		var b strings.Builder
		for range n {
			b.WriteRune(all[random.Intn(len(all))])
		}
		return b.String()
	}
	for range 20_000 {
		letters := []string{"ab", "aé", "é€", "€😀"}[random.Intn(4)]
		whole := word(random.Intn(12), letters)
		sub := word(1+random.Intn(2), letters)
		v, _ := m.Str(whole).AsStr()
		x, _ := m.Str(sub).AsStr()
		lo := random.Intn(v.n + 1)
		hi := lo + random.Intn(v.n-lo+1)
		w := window{s: v, lo: lo, hi: hi, ok: true}
		part := string([]rune(whole)[lo:hi])
		if got, e := m.occurrences(w.bytes(), x.Bytes()); e != nil || got != strings.Count(part, sub) {
			t.Fatalf("%q[%d:%d].count(%q): %d, %v, want %d", whole, lo, hi, sub, got, e, strings.Count(part, sub))
		}
		for _, last := range []bool{false, true} {
			want := strings.Index(part, sub)
			if last {
				want = strings.LastIndex(part, sub)
			}
			if want > 0 {
				want = utf8.RuneCountInString(part[:want])
			}
			if got, e := w.find(m, x, last); e != nil || got != want {
				t.Fatalf("%q[%d:%d].find(%q), from the right %v: %d, %v, want %d", whole, lo, hi, sub, last, got, e, want)
			}
		}
		if x.n > hi-lo {
			continue
		}
		if got, want := w.affix(x, false), strings.HasPrefix(part, sub); got != want {
			t.Fatalf("%q[%d:%d].startswith(%q): %v", whole, lo, hi, sub, got)
		}
		if got, want := w.affix(x, true), strings.HasSuffix(part, sub); got != want {
			t.Fatalf("%q[%d:%d].endswith(%q): %v", whole, lo, hi, sub, got)
		}
	}
	long, _ := m.Str(strings.Repeat("é", 1<<20)).AsStr()
	x, _ := m.Str("é").AsStr()
	long.Runes()
	x.Runes()
	w := window{s: long, lo: 5, hi: long.n, ok: true}
	if n := testing.AllocsPerRun(10, func() { w.affix(x, false); w.affix(x, true) }); n != 0 {
		t.Errorf("an affix of a part of a long string allocates %v times", n)
	}
}

// TestPowModWord compares modular powers of words with math/big.
//
// Spec: CIP-3 §2.2.1 (Large Integer Precision Limit).
func TestPowModWord(t *testing.T) {
	random := rand.New(rand.NewSource(1))
	number := func() int64 { return int64(random.Uint64() >> random.Intn(64)) }
	for range 20_000 {
		x, y, z := number(), uint64(number())>>1, number()
		if z <= 0 {
			continue
		}
		want := new(big.Int).Mod(big.NewInt(x), big.NewInt(z))
		want.Exp(want, new(big.Int).SetUint64(y), big.NewInt(z))
		if z == 1 {
			want.SetInt64(0)
		}
		if got := powModWord(x, y, z); got != want.Int64() {
			t.Fatalf("pow(%d, %d, %d): %d, want %v", x, y, z, got, want)
		}
	}
}

// TestHashBig holds the hash of a big int to its definition: the residue modulo 2^61-1 with the sign of the number, -2 for -1.
//
// Spec: WP "The Cowboy Actor VM (PVM)" (PYTHONHASHSEED fixed to 0).
func TestHashBig(t *testing.T) {
	random := rand.New(rand.NewSource(1))
	for range 5_000 {
		i := new(big.Int).Rand(random, new(big.Int).Lsh(big.NewInt(1), uint(64+random.Intn(MaxBits-64))))
		want := new(big.Int).Mod(i, big.NewInt(hashModulus)).Int64()
		if random.Intn(2) == 0 {
			i.Neg(i)
			want = -want
		}
		if want == -1 {
			want = -2
		}
		if got := hashBig(i); got != want {
			t.Fatalf("hash(%v): %d, want %d", i, got, want)
		}
	}
}
