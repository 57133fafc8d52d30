package object

import (
	"testing"
	"unicode/utf8"

	"github.com/cowboyinc/cowboy-go/runtime/pvm/text"
)

// Every code point, lone surrogates included, is read back from its UTF-8, and what is no UTF-8 is read as the standard library reads it.
//
// Spec: WP "The Cowboy Actor VM (PVM)" (Python 3.11).
func TestNextRune(t *testing.T) {
	for r := rune(0); r <= utf8.MaxRune; r++ {
		s := string(appendRune([]byte("é"), r)) + "x"
		if got, w := nextRune(s, 2); got != r || w != len(s)-3 {
			t.Fatalf("%U is read as %U of %d bytes", r, got, w)
		}
	}
	for a := 0x80; a < 0x100; a++ {
		for b := range 0x100 {
			for _, end := range []string{"", "x", "\x80", "\x80\x80", "\xbf\xbfx"} {
				s := string([]byte{byte(a), byte(b)}) + end
				want, n := decodeRune(s)
				if got, w := nextRune(s, 0); got != want || w != n {
					t.Fatalf("%q is read as %U of %d bytes, want %U of %d", s, got, w, want, n)
				}
			}
		}
	}
}

// The repr of a string is what package text writes for its code points, which is held to CPython, and as long as it was measured.
//
// Spec: WP "The Cowboy Actor VM (PVM)" (Python 3.11).
func TestQuoting(t *testing.T) {
	for r := rune(0); r <= utf8.MaxRune; r += 1 + r>>9 {
		for _, around := range []string{"", "'", `"`, `'"`, "é\n"} {
			s := NewStatic(around + string(appendRune(nil, r)) + "z")
			q := quotingOf(s)
			got, want := q.String(), encode(text.AppendQuoted([]rune(nil), s.Runes(), false))
			if got != want || len(got) != q.size || codePoints(got) != q.n {
				t.Fatalf("repr of %q is %s of %d code points and %d bytes, want %s", s.s, got, q.n, q.size, want)
			}
		}
	}
}
