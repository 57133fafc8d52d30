package regex

import (
	"errors"
	"fmt"
	"strings"
	"testing"
)

// A hostile pattern ends when its fuel does: it never hangs.
//
// Spec: CIP-3 §2.2.1 (cycles); sdk §17.4.
func TestHostilePatternsRunOutOfFuel(t *testing.T) {
	subject := []byte(strings.Repeat("a", 5000) + "!")
	for _, pattern := range []string{
		"(a+)+$", "(a|aa)+$", "(a|a?)+$", "(.*)*$x", "(?:a?){40}a{40}$", "(a*)*b", "(?=(a+))+$", "(x+x+)+y|(a+)+$", "(?:(?:a*)*)*b",
		"^(a?){5000}a{5000}$", "(a+?)+?$", "((a+)*)+$", "(?:a|b|ab)*c", "(a*?)*?$", "(?:(?:){4294967294}){4294967294}", "(?:a{0,9999}){0,9999}$",
	} {
		const fuel = 300_000
		m := NewMatcher(mustCompile(t, pattern), fuel)
		ok, err := Run(m, subject, 0, Match, false)
		if ok || err == nil && m.Fuel() == 0 {
			t.Errorf("%q: %v, %v", pattern, ok, err)
		}
		if err != nil && !errors.Is(err, ErrFuel) && !errors.Is(err, ErrMemory) {
			t.Errorf("%q: %v", pattern, err)
		}
		if len(m.choices) > MaxChoices || len(m.trail) > MaxTrail+len(m.prog.code) {
			t.Errorf("%q keeps %d choices and a trail of %d", pattern, len(m.choices), len(m.trail))
		}
	}
}

func TestOpenChoicesAreBounded(t *testing.T) {
	subject := []byte(strings.Repeat("ab", 2<<20))
	m := NewMatcher(mustCompile(t, "(?:a|ab|b)*c"), 1<<40)
	if _, err := Run(m, subject, 0, Match, false); !errors.Is(err, ErrMemory) {
		t.Fatalf("error %v, want %v", err, ErrMemory)
	}
}

// The same work takes the same fuel whatever the matcher did before.
func TestFuelDoesNotDependOnHistory(t *testing.T) {
	p := mustCompile(t, `(\w+)@(\w+)\.com|ab*?c`)
	subject := []byte(strings.Repeat("x abbbc user@example.com ", 20))
	var first uint64
	m := NewMatcher(p, 0)
	for turn := range 3 {
		m.SetFuel(plenty)
		var scan Scan
		for {
			ok, err := Next(&scan, m, subject, Search)
			if err != nil {
				t.Fatal(err)
			}
			if !ok {
				break
			}
		}
		used := plenty - m.Fuel()
		if turn > 0 && used != first {
			t.Fatalf("turn %d used %d, the first %d", turn, used, first)
		}
		first = used
		m = NewMatcher(p, 0)
	}
}

// A run with one unit of fuel less than it needs fails with ErrFuel, never with a wrong answer.
func TestEveryAmountOfFuel(t *testing.T) {
	for i, c := range []struct{ pattern, subject string }{
		{`(a|b)*?c`, "ababac"}, {`(?<=x)\w+\b`, "yy xabc "}, {`(?:a(?=(b)))*b\1`, "abb"}, {`foo|bar`, "xx bar"}, {`[^,]+,(\d+)`, "abc,12"},
		{`a{2,3}?b`, "aaab"},
	} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			p := mustCompile(t, c.pattern)
			m := NewMatcher(p, plenty)
			want, err := Run(m, []byte(c.subject), 0, Search, false)
			if err != nil {
				t.Fatal(err)
			}
			need := plenty - m.Fuel()
			for fuel := uint64(0); fuel <= need; fuel++ {
				m := NewMatcher(p, fuel)
				got, err := Run(m, []byte(c.subject), 0, Search, false)
				if fuel < need && err == nil && got != want {
					t.Errorf("%q with %d of %d fuel: %v without an error", c.pattern, fuel, need, got)
				}
				if fuel == need && (err != nil || got != want) {
					t.Errorf("%q with all its fuel: %v, %v", c.pattern, got, err)
				}
			}
		})
	}
}

func TestNestingIsBounded(t *testing.T) {
	deep := func(n int) []rune { return []rune(strings.Repeat("(", n) + strings.Repeat(")", n)) }
	if _, err := Compile(deep(MaxNesting-1), true, 0); err != nil {
		t.Errorf("%d levels: %v", MaxNesting-1, err)
	}
	for _, n := range []int{MaxNesting, 1_000_000} {
		if _, err := Compile(deep(n), true, 0); !errors.Is(err, ErrNesting) {
			t.Errorf("%d levels: %v", n, err)
		}
	}
}

// The bitmaps of the categories are those of the character data.
func TestCategoryBitmaps(t *testing.T) {
	for _, k := range []category{digit, notDigit, space, notSpace, word, notWord} {
		for _, ascii := range []bool{false, true} {
			low := k.low(ascii)
			for r := rune(0); r < 256; r++ {
				if got := low[r>>6]>>(r&63)&1 != 0; got != k.has(r, ascii) {
					t.Errorf("category %d, ascii %v, %x: %v", k, ascii, r, got)
				}
			}
		}
	}
}

func FuzzCompile(f *testing.F) {
	for _, p := range []string{"(?P<a>x)(?(a)b|c)", "[^\\W-z]+?", "(?i-s:a{2,3}+)", "(?<=a|b)\\1", "\\N{DIGIT ONE}\\U0001F600", "(?>a*)++"} {
		f.Add(p, "aXab", uint16(0))
	}
	f.Fuzz(func(t *testing.T, pattern, subject string, flags uint16) {
		p, err := Compile([]rune(pattern), true, Flags(flags)&^(Template|Debug))
		if err != nil {
			var bad *Error
			if errors.As(err, &bad) && bad.At > len([]rune(pattern)) {
				t.Fatalf("%q: error at %d", pattern, bad.At)
			}
			return
		}
		for _, mode := range []Mode{Search, Match, FullMatch} {
			m := NewMatcher(p, 20_000)
			wide, err := Run(m, []rune(subject), 0, mode, false)
			if err != nil {
				continue
			}
			from, to := m.Span(0)
			if wide && (from < 0 || to < from || to > len([]rune(subject))) {
				t.Fatalf("%q on %q: match %d to %d", pattern, subject, from, to)
			}
		}
		if parts, err := ParseTemplate([]rune(subject), true, p); err == nil && len(parts) > len(subject)+1 {
			t.Fatalf("template %q has %d parts", subject, len(parts))
		}
	})
}

func BenchmarkSearch(b *testing.B) {
	text := strings.Repeat("The quick brown fox jumps over the lazy dog, user@example.com; 12:34:56 and 2023-11-20. ", 200)
	for _, c := range []struct{ name, pattern string }{
		{"literal", "2023-11-21"}, {"email", `(\w+)@(\w+)\.com`}, {"words", `\w+`}, {"alternation", `fox|dog|cat`}, {"date", `(\d+)-(\d+)-(\d+)`},
		{"lazy", `T.*?dog`}, {"class", `[aeiou]{2,}`}, {"nested", `(?:[a-z]+ )+`}, {"fold", `(?i)LAZY`}, {"group", `(a|e|i|o|u)+`},
	} {
		p := mustCompile(b, c.pattern)
		b.Run("pattern="+c.name, func(b *testing.B) {
			subject := []byte(text)
			var used uint64
			for b.Loop() {
				m := NewMatcher(p, plenty)
				var scan Scan
				for {
					if ok, _ := Next(&scan, m, subject, Search); !ok {
						break
					}
				}
				used = plenty - m.Fuel()
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(used), "ns/step")
		})
	}
}

func BenchmarkCompile(b *testing.B) {
	for b.Loop() {
		mustCompile(b, `(?P<user>[\w.+-]+)@(?P<host>(?:[a-z0-9-]+\.)+[a-z]{2,})(?:\s|$)`)
	}
}
